/** What a run of the tests prints at its end: whoever reads only that knows what has failed. */
import { strict as assert } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { scratchDirectory } from '../support/scratch.ts';

const root = resolve(import.meta.dirname, '../..');

const FAILING = `
import { test } from 'node:test';
test('right', () => {});
test('whole', (whole) => whole.test('part', () => { throw new Error('of the part\\nand more'); }));
test('late', { timeout: 20 }, () => new Promise((resolve) => setTimeout(resolve, 200)));
`;

test('a run names each test that failed, with the first line of why, before its counts', () => {
  const directory = scratchDirectory();
  const failing = join(directory, 'a.test.ts');
  const broken = join(directory, 'b.test.ts');
  writeFileSync(failing, FAILING);
  writeFileSync(broken, `throw new Error('no test at all');`);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const words = ['tools/test.ts', failing, broken];
  const run = spawnSync(process.execPath, words, { cwd: root, env, encoding: 'utf8' });
  assert.equal(run.status, 1, run.stderr);
  const slowest = run.stdout.lastIndexOf(' s ');
  assert.deepEqual(run.stdout.slice(slowest).split('\n').slice(1, 4), [
    `✖ ${relative(root, failing)}: part: Error: of the part`,
    `✖ ${relative(root, failing)}: late: test timed out after 20ms`,
    `✖ ${relative(root, broken)}: test failed`,
  ]);
  assert.match(run.stdout, /\nℹ minutes \d\.\d\nℹ tests 5\nℹ pass 1\nℹ fail 3\nℹ cancelled 1\n/);
});
