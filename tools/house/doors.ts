/** Doors and direction: how rooms may reach each other, and how files of one room may. */
import { posix } from 'node:path';
import { type Import, importsOf, resolve } from './imports.ts';
import { BROWSER_ROOMS, folderOf, homeOf, PLACES, PURE_ROOMS, ROOMS, roomOfDoor } from './rooms.ts';
import { type Finding, finding, type Rule } from './rule.ts';
import type { Project, Source } from './source.ts';

const DEPTH_MAX = 2;

export const doorsRule: Rule = {
  name: 'doors',
  check: (project) => eachImport(project, throughDoor),
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

/** The pages run in a browser, beside the venue: they share its rules and nothing else. */
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

const PAGES_IMPORT = `of src the pages may import ${BROWSER_ROOMS.join(' and ')}, by their doors`;

function mayPagesImport(source: Source, { specifier }: Import): boolean {
  const room = roomOfDoor(specifier);
  if (room !== undefined) return BROWSER_ROOMS.includes(room);
  return !specifier.startsWith('.') || (resolve(source.path, specifier) ?? '').startsWith('ui/');
}

type Judge = (home: string, source: Source, found: Import) => string | undefined;

function eachImport(project: Project, judge: Judge): Finding[] {
  return project.flatMap((source) => {
    const home = homeOf(source.path);
    if (home === undefined) return [];
    return importsOf(source).flatMap((found) => {
      const message = judge(home, source, found);
      return message === undefined ? [] : [finding(source, found.node, message)];
    });
  });
}

/** Doors between rooms, relative paths inside one, and nothing else. */
function throughDoor(home: string, source: Source, found: Import): string | undefined {
  const room = roomOfDoor(found.specifier);
  if (room === home) return `write a relative path: #${room} is this file's own door`;
  if (room !== undefined && !ROOMS.has(room)) return `there is no room #${room}`;
  if (!found.specifier.startsWith('.')) return undefined;
  const target = resolve(source.path, found.specifier);
  const targetHome = target === undefined ? undefined : homeOf(target);
  if (targetHome === undefined) return `nothing in src imports ${String(target)}`;
  if (ROOMS.has(targetHome) && targetHome !== home) return `go through the door #${targetHome}`;
  return undefined;
}

/** Down the order of the house only, and to the composition layer from nowhere below it. */
function inDirection(home: string, source: Source, found: Import): string | undefined {
  const target = resolve(source.path, found.specifier);
  const targetHome = target === undefined ? undefined : homeOf(target);
  if (targetHome === undefined || targetHome === home) return undefined;
  const place = PLACES.get(home);
  const rooms = place?.rooms ?? ROOMS.get(home);
  if (rooms === undefined) return `${home} is no room: add it to tools/house/rooms.ts`;
  const allowed = [...rooms, ...(place?.places ?? [])];
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
