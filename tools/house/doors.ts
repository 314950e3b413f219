/** Doors and direction: how rooms may reach each other, and how files of one room may. */
import { posix } from 'node:path';
import { type Import, importsOf, resolve } from './imports.ts';
import {
  allowedOf,
  BROWSER_ROOMS,
  type Door,
  folderOf,
  homeOf,
  namedDoor,
  PROGRAM_FILE,
  PURE_ROOMS,
  ROOMS,
} from './rooms.ts';
import { type Finding, finding, type Rule } from './rule.ts';
import type { Project, Source } from './source.ts';

const DEPTH_MAX = 2;
const OUTSIDE: readonly string[] = ['sim/', 'test/', 'bench/', 'tools/'];

export const doorsRule: Rule = {
  name: 'doors',
  check: (project) => eachImport(project, throughDoor),
};

/** Tests, benchmarks and tools meet a room at its doors, as the other rooms do. */
export const outsideDoorsRule: Rule = {
  name: 'outside-doors',
  check: (project) =>
    project
      .filter(({ path }) => OUTSIDE.some((area) => path.startsWith(area)))
      .flatMap((source) => eachImportOf(source, (found) => throughDoorFromOutside(source, found))),
};

export const directionRule: Rule = {
  name: 'direction',
  check: (project) => eachImport(project, inDirection),
};

/** Packages are chosen libraries of the outer rooms; the pure rooms use none, node: included. */
export const pureImportsRule: Rule = {
  name: 'pure-imports',
  check: (project) => eachImport(project, isPure),
};

/** src/engine/book/book.ts is as deep as it gets: a room has one level of folders. */
export const depthRule: Rule = {
  name: 'depth',
  check: (project) => project.flatMap(depthFinding),
};

/** The pages run in a browser: of the venue they share rules, and the types of its answers. */
export const pagesRule: Rule = {
  name: 'pages',
  check: (project) =>
    project
      .filter(({ path }) => path.startsWith('ui/'))
      .flatMap((source) =>
        importsOf(source)
          .filter((found) => !mayPagesImport(source, found))
          .map((found) => finding(source, found.node, PAGES_IMPORT)),
      ),
};

const PAGES_IMPORT = `of src the pages may import ${BROWSER_ROOMS.join(', ')}, by their doors`;

function mayPagesImport(source: Source, { specifier }: Import): boolean {
  const door = namedDoor(specifier);
  if (door !== undefined) return !door.isForTests && BROWSER_ROOMS.includes(door.room);
  return !specifier.startsWith('.') || (resolve(source.path, specifier) ?? '').startsWith('ui/');
}

type Judge = (home: string, source: Source, found: Import) => string | undefined;

function eachImport(project: Project, judge: Judge): Finding[] {
  return project.flatMap((source) => {
    const home = homeOf(source.path);
    return home === undefined ? [] : eachImportOf(source, (found) => judge(home, source, found));
  });
}

function eachImportOf(source: Source, judge: (found: Import) => string | undefined): Finding[] {
  return importsOf(source).flatMap((found) => {
    const message = judge(found);
    return message === undefined ? [] : [finding(source, found.node, message)];
  });
}

/** Doors between rooms, relative paths inside one, and nothing else. */
function throughDoor(home: string, source: Source, found: Import): string | undefined {
  const door = namedDoor(found.specifier);
  if (door !== undefined) return throughNamedDoor(home, door);
  if (!found.specifier.startsWith('.')) return undefined;
  const target = resolve(source.path, found.specifier);
  const targetHome = target === undefined ? undefined : homeOf(target);
  if (targetHome === undefined) return `nothing in src imports ${String(target)}`;
  return targetHome === home ? undefined : `go through the door #${targetHome}`;
}

function throughNamedDoor(home: string, { room, isForTests }: Door): string | undefined {
  if (room === home) return `write a relative path: #${room} is this file's own door`;
  if (!ROOMS.has(room)) return `there is no room #${room}`;
  return isForTests ? `#${room}/testing is for tests and benchmarks` : undefined;
}

/** A test may start the program in its own process; every other file of src is behind a door. */
function throughDoorFromOutside({ path }: Source, { specifier }: Import): string | undefined {
  const door = namedDoor(specifier);
  if (door !== undefined) {
    if (!ROOMS.has(door.room)) return `there is no room #${door.room}`;
    return door.isForTests && path.startsWith('tools/')
      ? 'no tool needs a door for tests'
      : undefined;
  }
  const target = resolve(path, specifier) ?? '';
  const home = homeOf(target);
  if (home === undefined || target === PROGRAM_FILE) return undefined;
  return `go through the door #${home}, or show the part in ${home}/testing.ts`;
}

/** Down the order of the house only, and to the composition layer from nowhere below it. */
function inDirection(home: string, source: Source, found: Import): string | undefined {
  const target = resolve(source.path, found.specifier);
  const targetHome = target === undefined ? undefined : homeOf(target);
  if (targetHome === undefined || targetHome === home) return undefined;
  const allowed = allowedOf(home);
  if (allowed === undefined) return `${home} is no room: add it to tools/house/rooms.ts`;
  if (allowed.includes(targetHome)) return undefined;
  return `${home} may import ${allowed.join(', ') || 'no other room'}, not ${targetHome}`;
}

function isPure(home: string, _source: Source, found: Import): string | undefined {
  if (!PURE_ROOMS.includes(home) || /^[.#]/.test(found.specifier)) return undefined;
  return `${home} uses no package and no node: module: take what it gives as an argument`;
}

function depthFinding({ path }: Source): Finding[] {
  const folder = folderOf(path);
  if (folder === undefined) return [];
  const depth = posix.relative(folder, path).split('/').length;
  if (depth <= DEPTH_MAX) return [];
  return [{ path, line: 1, message: 'a room has one level of folders' }];
}
