/** One kit: what the tests of two areas use is in test/support, which uses none of them. */
import { strict as assert } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '../..');

function areaOf(path: string): string {
  return path.split('/')[1] ?? '';
}

test('no area of test imports from another one but support', () => {
  const found = globSync('test/**/*.ts', { cwd: root }).flatMap((path) => {
    const text = readFileSync(resolve(root, path), 'utf8');
    return [...text.matchAll(/from '(\.[^']+)'/g)]
      .map(([, specifier = '']) => join(dirname(path), specifier))
      .filter((other) => other.startsWith('test/'))
      .filter((other) => ![areaOf(path), 'support'].includes(areaOf(other)))
      .map((other) => `${path} imports ${other}`);
  });
  assert.deepEqual(found, []);
});
