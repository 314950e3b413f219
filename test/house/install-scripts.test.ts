/** A package that runs a script when it is installed is allowed to, or not, by name. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface Locked {
  /** Of a package that is installed under another name. */
  readonly name?: string;
  readonly hasInstallScript?: true;
}

const root = `${import.meta.dirname}/../..`;
const { allowScripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
const lock = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8'));
const packages: [path: string, locked: Locked][] = Object.entries(lock.packages);

/** Names of the packages with such a script, whoever wants them. */
const scripted = packages.flatMap(([path, { name, hasInstallScript }]) =>
  hasInstallScript === true ? [name ?? path.replace(/^.*node_modules\//, '')] : [],
);

test('every install script of the lock file is allowed or denied', () => {
  assert.ok(scripted.includes('node'), 'the lock file names them');
  const open = scripted.filter((name) => typeof allowScripts[name] !== 'boolean');
  assert.deepEqual(open, []);
});

test('only Node itself, which is fetched by its script, may run one', () => {
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name] !== false);
  assert.deepEqual(allowed, ['node']);
});
