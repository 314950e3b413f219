/** A few runs of the simulator, and what makes its verdict worth something. */
import { strict as assert } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { replay, runSeed } from '../../sim/run.ts';

describe('the simulator', () => {
  for (const seed of [1, 2, 3]) {
    test(`seed ${seed} shows nothing that must not be`, () => {
      const { found, coverage } = runSeed(seed, { length: 250 });
      assert.equal(found?.message, undefined);
      assert.ok((coverage.counts.get('command') ?? 0) >= 250);
    });
  }

  test('a seed is one run: the same acts again, and the same verdicts of a replay', () => {
    const first = runSeed(11, { length: 250 });
    const second = runSeed(11, { length: 250 });
    assert.deepEqual(second.acts, first.acts);
    assert.deepEqual(second.coverage.counts, first.coverage.counts);
    const again = replay(first.acts);
    assert.equal(again.found?.message, undefined);
    assert.deepEqual(again.coverage.counts, first.coverage.counts);
  });

  test('the auditor shares no code with what it judges', () => {
    const files = globSync('sim/auditor/*.ts');
    assert.ok(files.length >= 10);
    for (const file of files) {
      const imports = readFileSync(file, 'utf8').matchAll(
        /^(?:import|export) (type )?[^;]*? from '([^']+)';/gms,
      );
      for (const [, isType, from = ''] of imports) {
        const isOwn = from.startsWith('./') || from === '../world/finding.ts';
        const isTypeOfDomain = isType !== undefined && from === '#domain';
        assert.ok(isOwn || isTypeOfDomain, `${file} imports ${from}`);
      }
    }
  });
});
