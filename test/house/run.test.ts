/**
 * What a run of the tests prints at its end: whoever reads only that knows what has failed. In the
 * browser tier a file that failed runs once more.
 */
import { strict as assert } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
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
  const run = runOf(failing, broken);
  assert.equal(run.status, 1, run.stderr);
  const slowest = run.stdout.lastIndexOf(' s ');
  assert.deepEqual(run.stdout.slice(slowest).split('\n').slice(1, 4), [
    `✖ ${relative(root, failing)}: part: Error: of the part`,
    `✖ ${relative(root, failing)}: late: test timed out after 20ms`,
    `✖ ${relative(root, broken)}: test failed`,
  ]);
  assert.match(run.stdout, /\nℹ minutes \d\.\d\nℹ tests 5\nℹ pass 1\nℹ fail 3\nℹ cancelled 1\n/);
});

/** Fails in its first life, and in as many further ones as it is told. */
const flakySource = (lives: string, failsMax: number) => `
import { appendFileSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
test('right', () => {});
test('steady', () => {
  appendFileSync('${lives}', '.');
  const life = readFileSync('${lives}', 'utf8').length;
  if (life <= ${failsMax}) throw new Error('in life ' + life);
});
`;

function flakyFile(directory: string, name: string, failsMax: number): string {
  const file = join(directory, `${name}.browser.test.ts`);
  writeFileSync(file, flakySource(join(directory, name), failsMax));
  return file;
}

test('a file of the browser tier that passes at the second try is flaky, and the run green', () => {
  const file = flakyFile(scratchDirectory(), 'a', 1);
  const run = runOf('--tier', 'browser', file);
  assert.equal(run.status, 0, run.stderr);
  const lines = run.stdout.split('\n');
  assert.ok(lines.includes(`ℹ flaky: ${relative(root, file)}: steady: Error: in life 1`));
  assert.match(run.stdout, /\nℹ tests 2\nℹ pass 2\nℹ fail 0\nℹ cancelled 0\n/);
  assert.ok(!lines.some((line) => line.startsWith(`✖ ${relative(root, file)}: `)));
});

test('a file of the browser tier that fails twice is red', () => {
  const file = flakyFile(scratchDirectory(), 'a', 2);
  const run = runOf('--tier', 'browser', file);
  assert.equal(run.status, 1, run.stderr);
  const lines = run.stdout.split('\n');
  for (const life of [1, 2]) {
    assert.ok(lines.includes(`✖ ${relative(root, file)}: steady: Error: in life ${life}`));
  }
  assert.match(run.stdout, /\nℹ tests 2\nℹ pass 1\nℹ fail 1\n/);
});

for (const [why, count, words] of [
  ['three files that failed have no second try', 3, ['--tier', 'browser']],
  ['a file of another tier has no second try', 1, ['--tier', 'slow']],
] as const) {
  test(why, () => {
    const directory = scratchDirectory();
    const names = ['a', 'b', 'c'].slice(0, count);
    const files = names.map((name) => flakyFile(directory, name, 1));
    const run = runOf(...words, ...files);
    assert.equal(run.status, 1, run.stderr);
    assert.deepEqual(
      names.map((name) => readFileSync(join(directory, name), 'utf8')),
      names.map(() => '.'),
    );
  });
}

function runOf(...words: readonly string[]) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const all = ['tools/test.ts', ...words];
  return spawnSync(process.execPath, all, { cwd: root, env, encoding: 'utf8' });
}
