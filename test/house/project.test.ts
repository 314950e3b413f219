/** The project itself keeps every house rule, and the rules' own tables match the project. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { doorOf, PROGRAM, ROOMS } from '../../tools/house/rooms.ts';
import { describe, violations } from '../../tools/house/rule.ts';
import { RULES } from '../../tools/house/rules.ts';
import { readProject } from '../../tools/house/source.ts';

const root = resolve(import.meta.dirname, '../..');
const project = await readProject(root);

for (const rule of RULES) {
  test(`the project keeps the rule ${rule.name}`, () => {
    assert.deepEqual(violations([rule], project).map(describe), []);
  });
}

test('the project is read: every area has files and every room has its door', () => {
  const paths = new Set(project.map(({ path }) => path));
  for (const area of ['src', 'test', 'tools']) {
    assert.ok([...paths].some((path) => path.startsWith(`${area}/`)));
  }
  for (const room of ROOMS.keys()) assert.ok(paths.has(doorOf(room)), `${room} has no door`);
});

test('every folder and file of src is a room that the house knows, or the program', () => {
  const known = new Set([...ROOMS.keys(), PROGRAM]);
  const namesIn = (folder: string) =>
    readdirSync(resolve(root, folder)).map((name) => name.replace(/\.ts$/, ''));
  const found = [...namesIn('src').filter((name) => name !== 'app'), ...namesIn('src/app')];
  assert.deepEqual(
    found.filter((name) => !known.has(name)),
    [],
  );
});

test('package.json has a door per room, one for tests where there is one, and no other', () => {
  const text = readFileSync(resolve(root, 'package.json'), 'utf8');
  const doors = [...ROOMS.keys()].flatMap((room) => [
    [`#${room}`, `./${doorOf(room)}`],
    ...(existsSync(resolve(root, doorOf(room, 'testing')))
      ? [[`#${room}/testing`, `./${doorOf(room, 'testing')}`]]
      : []),
  ]);
  assert.deepEqual(JSON.parse(text).imports, Object.fromEntries(doors));
});

test('a room may import only rooms that are built before it', () => {
  const built = new Set<string>();
  for (const [room, allowed] of ROOMS) {
    for (const other of allowed) assert.ok(built.has(other), `${room} imports ${other}`);
    built.add(room);
  }
});

test('docs/STYLE.md explains every rule under its name, and no rule that is gone', () => {
  const style = readFileSync(resolve(root, 'docs/STYLE.md'), 'utf8');
  const explained = [...style.matchAll(/\(rule `([a-z-]+)`\)/g)].map(([, name]) => name);
  assert.deepEqual(explained.toSorted(), RULES.map(({ name }) => name).toSorted());
});
