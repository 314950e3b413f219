/** A failing run is made small, and what was found once stays mended. */
import { strict as assert } from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { diskOf } from '../../sim/canaries/faulty-disks.ts';
import { replay, runSeed } from '../../sim/run.ts';
import { readScript, scriptText } from '../../sim/shrink/script.ts';
import { shrink } from '../../sim/shrink/shrink.ts';
import type { Act } from '../../sim/world/act.ts';
import { Machine } from '../../sim/world/machine.ts';

const forgetful = () => new Machine(diskOf('skips_syncs'));

test('a run that fails by a lost write shrinks to few acts, and its script replays', () => {
  const { acts: drawn } = runSeed(1, { length: 120 });
  const isDeposit = (act: Act) => act.do === 'command' && act.text.includes('"deposit"');
  const [, , , fourth = 0] = drawn.flatMap((act, at) => (isDeposit(act) ? [at] : []));
  const acts: Act[] = [...drawn.slice(0, fourth + 1), { do: 'crash' }];
  const { found } = replay(acts, forgetful());
  assert.ok(found !== undefined);
  const small = shrink(acts, found, (some) => replay(some, forgetful()), 400);
  assert.equal(small.found.rule, 'crash');
  assert.ok(small.acts.length <= 8, `${small.acts.length} of ${acts.length} acts`);
  const text = scriptText('a lost write', small.found, small.acts);
  const script: { acts: Act[]; rule: string } = JSON.parse(text);
  assert.equal(replay(script.acts, forgetful()).found?.rule, script.rule);
  assert.equal(replay(script.acts).found, undefined);
});

test('an order keeps its meaning when acts before it are left out', () => {
  const { acts } = runSeed(4, { length: 200 });
  const isOrder = (act: Act | undefined) => act?.do === 'command' && act.order !== undefined;
  assert.ok(acts.some(isOrder));
  for (const skipped of [30, 60, 90]) {
    const fewer = acts.filter((_, at) => at < 25 || at % skipped !== 0);
    assert.equal(replay(fewer).found?.message, undefined);
  }
});

for (const path of globSync('sim/found/*.json').sort()) {
  const { about, acts } = readScript(path);
  test(`what was found stays mended: ${about}`, () => {
    assert.ok(acts.length > 0);
    assert.equal(replay(acts).found?.message, undefined);
  });
}
