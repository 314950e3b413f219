/**
 * A refusal leaves no trace: an engine that was asked for everything and one that got only what was
 * carried out, as the log holds it, are in the same state to the last row.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  accountId,
  assetId,
  type Command,
  decodeEntry,
  type Event,
  encodeCommand,
  instrumentId,
  joinCommands,
  lots,
  orderId,
  ticks,
} from '#domain';
import { Engine } from '#engine';
import { side } from '../support/arbitraries.ts';
import { Floor, START_MS } from '../support/floor.ts';
import { ScenarioFloor } from './swap-floor.ts';
import { FLOORS, type FloorKind } from './swap-floors.ts';
import { scenario } from './swap-random.ts';

const SEED = 20_261_122;

interface Timed {
  readonly command: Command;
  readonly timeMs: number;
}

interface Played {
  readonly rows: readonly string[];
  readonly told: readonly (readonly Event[])[];
  readonly refusedCount: number;
}

/** Everything is tried on one engine; another gets the log of it. Both end in the same rows. */
function play(commands: readonly Timed[]): Played {
  const live = Engine.empty();
  const log: string[] = [];
  const told: (readonly Event[])[] = [];
  for (const { command, timeMs } of commands) {
    const before = [live.seq, live.timeMs];
    const outcome = live.attempt(command, timeMs);
    if ('reject' in outcome) {
      assert.deepEqual([live.seq, live.timeMs], before);
      told.push([outcome]);
      continue;
    }
    log.push(encodeCommand(timeMs, command));
    told.push(outcome.events);
  }
  const replayed = Engine.empty();
  for (const { command, timeMs } of decodeEntry(joinCommands(log))) {
    replayed.apply(command, timeMs);
  }
  const rows = [...live.dump()];
  assert.deepEqual([...replayed.dump()], rows);
  assert.equal(replayed.fundingDueMs, live.fundingDueMs);
  return { rows, told, refusedCount: commands.length - log.length };
}

for (const kind of Object.keys(FLOORS) as FloorKind[]) {
  test(`refused orders and settings of contracts, ${kind}`, () => {
    let refusedCount = 0;
    const property = fc.property(scenario(FLOORS[kind].length, 40, 120), ({ starts, moves }) => {
      const floor = new ScenarioFloor(kind, starts).play(moves);
      const played = play(floor.commands);
      refusedCount += played.refusedCount;
      assert.deepEqual(
        played.told,
        floor.steps.map(({ events }) => events),
        'the same is told as by an engine that counts refusals',
      );
    });
    fc.assert(property, { numRuns: 60, seed: SEED, endOnFailure: true });
    assert.ok(refusedCount > 200, `${refusedCount} refusals`);
  });
}

const account = fc.nat(3).map((number) => accountId(number + 1));
const instrument = fc.nat(3).map((number) => instrumentId(number));
const spotFacts = {
  kind: fc.constant('place_spot_order' as const),
  accountId: account,
  instrumentId: instrument,
  force: fc.constantFrom('gtc', 'ioc', 'fok', 'post_only'),
  clientOrderId: fc.constantFrom(undefined, undefined, 'one', 'two'),
};
const priceTicks = fc.integer({ min: 0, max: 20 }).map((steps) => ticks(9_900 + steps * 10));
const sizeLots = fc.integer({ min: 0, max: 3_000 }).map((size) => lots(size));
const type = fc.constant('market' as const);
const place: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    ...spotFacts,
    type: fc.constant('limit' as const),
    side,
    priceTicks: fc.oneof(
      { weight: 20, arbitrary: priceTicks },
      { weight: 1, arbitrary: fc.constant(ticks(0)) },
    ),
    sizeLots,
  }),
  fc.record({ ...spotFacts, type, side: fc.constant('sell' as const), sizeLots }),
  fc.record({
    ...spotFacts,
    type,
    side: fc.constant('buy' as const),
    quoteBudget: fc.constantFrom(0n, 5_000_000_000n),
  }),
);
const money = fc.record({
  accountId: account,
  assetId: fc.nat(3).map((number) => assetId(number)),
  amount: fc.constantFrom(-1n, 0n, 1n, 10_000_000_000n, 10n ** 20n),
});
const other: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    kind: fc.constant('cancel_spot_order' as const),
    accountId: account,
    instrumentId: instrument,
    orderId: fc.integer({ min: 1, max: 60 }).map((id) => orderId(id)),
  }),
  money.map((terms) => ({ kind: 'withdraw' as const, wallet: 'spot' as const, ...terms })),
  money.map((terms) => ({ kind: 'set_lock' as const, ...terms })),
  fc.record({ terms: money, toAccountId: account }).map(({ terms, toAccountId }) => ({
    kind: 'transfer_between_accounts' as const,
    ...terms,
    toAccountId,
  })),
  money.map((terms) => ({
    kind: 'transfer' as const,
    ...terms,
    from: 'spot' as const,
    to: 'BTC-USDT-PERP' as const,
    clientOid: 'same',
  })),
  fc.record({
    kind: fc.constant('update_spot' as const),
    instrumentId: instrument,
    changes: fc.constantFrom(
      { minLots: lots(0) },
      { status: 'halt' } as const,
      { status: 'online' } as const,
    ),
  }),
);

test('refused spot orders, cancels, transfers and terms', () => {
  const set = Floor.listed();
  set.open('ann', { USDT: '1000', BTC: '1' });
  set.open('bob', { USDT: '1000', BTC: '1' });
  set.open('poor');
  let refusedCount = 0;
  const drawn = fc.array(fc.oneof({ weight: 3, arbitrary: place }, other), { maxLength: 80 });
  const property = fc.property(drawn, (commands) => {
    const timed = commands.map((command, at) => ({ command, timeMs: START_MS + 1_000 + at }));
    refusedCount += play([...set.commands, ...timed]).refusedCount;
  });
  fc.assert(property, { numRuns: 200, seed: SEED });
  assert.ok(refusedCount > 500, `${refusedCount} refusals`);
});
