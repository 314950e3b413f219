/** Every scenario that comes with the program is played as a user plays it, and comes out right. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { CLASSIC_SPELLING } from '#dialects';
import { shippedScenarios } from '#scenario';
import { scenario, scratchFile } from './program.ts';

const PAGE = resolve(import.meta.dirname, '../../docs/SCENARIOS.md');
/** Fewer would prove nothing: a file without expectations always passes. */
const EXPECTATIONS_MIN = 3;
/** Whatever the time is, the clock of a scenario begins at midnight. */
const AT_SEVEN = /^\S+ just before the funding of BTC-USDT-PERP, it is \S+ 06:59:59$/m;
const shipped = shippedScenarios(CLASSIC_SPELLING);

test('at least ten are shipped, and list names them', async () => {
  assert.ok(shipped.length >= 10, `${shipped.length} scenarios`);
  const { code, stdout } = await scenario('list');
  assert.equal(code, 0);
  assert.deepEqual(
    stdout.trimEnd().split('\n'),
    shipped.map(({ name, scenario: { content } }) => name.padEnd(24) + content.name),
  );
});

test('the page tells of each, in its own paragraph', () => {
  const told = [...readFileSync(PAGE, 'utf8').matchAll(/^\*\*`(.+)`\*\*:/gm)].map(
    ([, name]) => name,
  );
  assert.deepEqual(told.toSorted(), shipped.map(({ name }) => name).toSorted());
});

test('the example of the page comes out as the page says', async () => {
  const [, example = ''] = /```yaml\n(name: .*?)```/s.exec(readFileSync(PAGE, 'utf8')) ?? [];
  assert.match(example, /- expect:/);
  const { code, stdout, stderr } = await scenario(
    'run',
    scratchFile('page.yaml', example),
    '--assert',
  );
  assert.equal(code, 0, stdout + stderr);
});

describe('played with --assert', { concurrency: 3 }, () => {
  for (const { name, scenario: read } of shipped) {
    test(name, async () => {
      const expected = read.steps.filter(({ action }) => action.name === 'expect');
      assert.ok(expected.length >= EXPECTATIONS_MIN, `${expected.length} expectations`);
      assert.ok(Object.hasOwn(Object(expected.at(-1)?.content), 'books'), 'the money adds up');
      const { code, stdout, stderr } = await scenario('run', name, '--assert');
      assert.equal(code, 0, stdout + stderr);
      if (name === 'funding-spike') assert.match(stdout, AT_SEVEN);
      const lines = stdout.trimEnd().split('\n');
      assert.equal(lines.at(-1), `${read.content.name}: as expected`);
      assert.equal(lines.length, read.steps.length + 1, 'one line for each step, and one for all');
    });
  }
});
