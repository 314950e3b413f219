/** A failing run is made small, and what was found once stays mended. */
import { strict as assert } from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import type { Event, Rules } from '#domain';
import { Engine } from '#engine';
import { diskOf } from '../../sim/canaries/faulty-disks.ts';
import { replay, runSeed } from '../../sim/run.ts';
import { readScript, scriptText } from '../../sim/shrink/script.ts';
import { shrink } from '../../sim/shrink/shrink.ts';
import type { Act } from '../../sim/world/act.ts';
import { Machine, readCommand } from '../../sim/world/machine.ts';

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

/** What the last command of a script does under some rules. */
function lastOf(script: string, rules: Rules): readonly Event[] {
  const engine = Engine.empty();
  let events: readonly Event[] = [];
  for (const act of readScript(`sim/found/${script}.json`).acts) {
    if (act.do !== 'command') continue;
    const { command, timeMs } = readCommand(act.text);
    const step = engine.attempt(command, timeMs, undefined, rules);
    events = 'reject' in step ? [step] : step.events;
  }
  return events;
}

test('an order that adds to a position at its threshold is refused as of rules 4 only', () => {
  const answer = (rules: Rules) => lastOf('opens-at-threshold', rules)[0]?.kind;
  for (const rules of [4, 5] as const) assert.equal(answer(rules), 'refused');
  for (const rules of [2, 3] as const) assert.equal(answer(rules), 'contract_order_accepted');
});

test('what netting leaves breached elsewhere goes on in its turn as of rules 4', () => {
  const liquidated = (rules: Rules) =>
    lastOf('netted-flat', rules).flatMap((event) =>
      event.kind === 'liquidated' ? [event.accountId] : [],
    );
  for (const rules of [4, 5] as const) assert.deepEqual(liquidated(rules), [3, 1]);
  for (const rules of [2, 3] as const) assert.deepEqual(liquidated(rules), [1, 3]);
});

test('as of rules 5 a premium is that of the book before liquidations elsewhere', () => {
  const rate = (rules: Rules) =>
    lastOf('thin-premium', rules).flatMap((event) =>
      event.kind === 'contract_priced' && event.prices.instrumentId === 3
        ? [event.prices.fundingRatePpb]
        : [],
    );
  assert.deepEqual(rate(5), [-3_750_000]);
  for (const rules of [2, 3, 4] as const) assert.deepEqual(rate(rules), [100_000]);
});

test('as of rules 5 funding of one contract comes before liquidations in the others', () => {
  const liquidated = (rules: Rules) =>
    lastOf('settled-late', rules).filter(({ kind }) => kind === 'liquidated').length;
  assert.equal(liquidated(5), 1);
  for (const rules of [2, 3, 4] as const) assert.equal(liquidated(rules), 0);
});

test('as of rules 5 a fill counts no more margin than its position takes', () => {
  const fills = (rules: Rules) =>
    lastOf('margin-of-pieces', rules).flatMap((event) =>
      event.kind === 'contract_trade' && event.maker.accountId === 1 && event.inBook
        ? [event.maker.orderId]
        : [],
    );
  assert.equal(fills(5).length, 0);
  for (const rules of [2, 3, 4] as const) assert.equal(fills(rules).length, 1);
});
