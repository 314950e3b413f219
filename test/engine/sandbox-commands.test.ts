/** What a sandbox is told, one command after the other: what each does, keeps and refuses. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type AddFault,
  type Command,
  type Event,
  type FaultEffect,
  instrumentId,
  LIMITS,
  type Refused,
} from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { acceptedId, BTCUSDT, Floor } from '../support/floor.ts';
import { venueRows } from './sandbox-rows.ts';

const HOUR_MS = 3_600_000;

function save(venue: Floor, name: string): readonly Event[] {
  return venue.run({ kind: 'save_checkpoint', name });
}

function reset(venue: Floor, name: string): readonly Event[] {
  return venue.run({ kind: 'reset_to_checkpoint', name });
}

/** The reject of a command, which must have changed nothing. */
function refusal(venue: Floor, command: Command): Refused['reject'] {
  const before = venue.stateHash();
  const [event] = venue.run(command);
  assert.equal(event?.kind, 'refused', JSON.stringify(event));
  assert.equal(venue.stateHash(), before);
  return event.kind === 'refused' ? event.reject : 'internal_fault';
}

describe('a checkpoint', () => {
  test('brings back orders, money, accounts, keys and listings', () => {
    const venue = Floor.listed();
    const ann = venue.open('ann', { USDT: '1000' });
    const bob = venue.open('bob', { BTC: '1' });
    const sealed = { sealed: 'sealed', ipAllowList: [] };
    const key = { label: '', permissions: ['trade'] as const, accountId: ann, ...sealed };
    venue.run({ kind: 'create_key', record: { key: 'old-key', ...key } });
    const bid = acceptedId(venue.limit(ann, 'buy', '100', '2', { clientOrderId: 'mine' }));
    save(venue, 'seeded');

    venue.limit(bob, 'sell', '100', '0.5');
    venue.cancel(ann, bid);
    venue.open('cay', { USDT: '5' });
    venue.run({ kind: 'revoke_key', key: 'old-key' });
    venue.run({ kind: 'create_key', record: { key: 'new-key', ...key } });
    const { listings } = venue.engine;
    const spec = { ...present(listings.spotById(BTCUSDT), 'pair'), symbol: 'ETH-BTC' };
    venue.run({ kind: 'list_spot', spec: { ...spec, baseCode: 'ETH', quoteCode: 'BTC' } });
    assert.equal(venue.engine.listings.spot.length, 3);

    const [event] = reset(venue, 'seeded');
    assert.equal(event?.kind, 'venue_reset');
    const { engine } = venue;
    assert.deepEqual(
      [...engine.openOrders(ann)].map(({ orderId, filledLots }) => [orderId, filledLots]),
      [[bid, 0]],
    );
    assert.equal(engine.openOrderByClientId(ann, 'mine')?.orderId, bid);
    assert.equal(engine.accountByName('cay'), undefined);
    assert.deepEqual(
      [...engine.keys()].map((record) => record.key),
      ['old-key'],
    );
    assert.equal(engine.listings.spot.length, 2);
    assert.equal(engine.listings.spotById(instrumentId(3)), undefined);
    assert.equal(venue.limit(ann, 'buy', '99', '1', { clientOrderId: 'mine' })[0]?.kind, 'refused');
    const [trade] = venue.limit(bob, 'sell', '100', '0.5').filter(({ kind }) => kind === 'trade');
    assert.ok(trade?.kind === 'trade' && trade.makerOrderId === bid && trade.tradeId > bid);
    engine.check();
  });

  test('of a name that is taken replaces the other one, in its place', () => {
    const venue = Floor.listed();
    save(venue, 'one');
    save(venue, 'two');
    venue.wait(HOUR_MS);
    venue.open('ann');
    save(venue, 'one');
    const names = [...venue.engine.sandbox.checkpoints()].map(({ name }) => name);
    assert.deepEqual(names, ['one', 'two']);
    reset(venue, 'two');
    assert.equal(venue.engine.accountsCount, 0);
    reset(venue, 'one');
    assert.equal(venue.engine.accountsCount, 1);
  });

  test('saved later than another one can still be gone to, and knows nothing of the way', () => {
    const venue = Floor.listed();
    save(venue, 'empty');
    venue.open('ann', { USDT: '10' });
    save(venue, 'with-ann');
    const withAnn = venueRows(venue.engine).slice(1);
    reset(venue, 'empty');
    venue.open('bob', { BTC: '3' });
    reset(venue, 'with-ann');
    const { engine } = venue;
    assert.ok(
      engine.accountByName('ann') !== undefined && engine.accountByName('bob') === undefined,
    );
    const isMarket = ([kind]: readonly unknown[]) => kind === 'market';
    assert.deepEqual(
      venueRows(engine)
        .slice(1)
        .filter((row) => !isMarket(row)),
      withAnn.filter((row) => !isMarket(row)),
    );
  });

  test('outlives a snapshot, with the clock and the rules', () => {
    const venue = Floor.listed();
    const ann = venue.open('ann', { USDT: '1000' });
    save(venue, 'seeded');
    venue.limit(ann, 'buy', '100', '2');
    save(venue, 'traded');
    venue.run({ kind: 'set_clock', speedPermille: 0 });
    venue.run({ kind: 'add_fault', rule: RULE });
    const copy = new Floor(Engine.restore(venue.engine.dump()));
    assert.deepEqual([...copy.engine.dump()], [...venue.engine.dump()]);
    assert.deepEqual(copy.engine.sandbox.clock, { speedPermille: 0 });
    const command = { kind: 'reset_to_checkpoint', name: 'seeded' } as const;
    copy.engine.apply(command, venue.engine.timeMs);
    venue.engine.apply(command, venue.engine.timeMs);
    assert.deepEqual([...copy.engine.dump()], [...venue.engine.dump()]);
    assert.deepEqual(copy.engine.sandbox.clock, { speedPermille: 0 }, 'a reset leaves the clock');
    assert.equal([...copy.engine.sandbox.faults()].length, 1, 'and the rules');
    assert.equal([...copy.engine.sandbox.checkpoints()].length, 2, 'and the checkpoints');
  });

  test('is refused when there are too many, and a replaced one is no further one', () => {
    const venue = Floor.listed();
    for (let at = 0; at < LIMITS.checkpointsMax; at += 1) {
      assert.equal(save(venue, `c${at}`)[0]?.kind, 'checkpoint_saved');
    }
    const oneMore = { kind: 'save_checkpoint', name: 'one-more' } as const;
    assert.equal(refusal(venue, oneMore), 'checkpoints_exceeded');
    assert.equal(save(venue, 'c3')[0]?.kind, 'checkpoint_saved');
    assert.deepEqual(venue.run({ kind: 'drop_checkpoint', name: 'c5' }), [
      { kind: 'checkpoint_dropped', name: 'c5' },
    ]);
    assert.equal(venue.run(oneMore)[0]?.kind, 'checkpoint_saved');
  });

  test('is refused when the venue is too large', () => {
    const venue = Floor.listed({}, { checks: false });
    const rowsCount = () => venueRows(venue.engine).length;
    const missing = LIMITS.checkpointRowsMax - rowsCount();
    for (let at = 0; at < missing; at += 1) venue.open(`account${at}`);
    const [saved] = save(venue, 'full');
    assert.ok(saved?.kind === 'checkpoint_saved');
    assert.equal(saved.checkpoint.rowsCount, LIMITS.checkpointRowsMax);
    venue.open('one-more');
    const command = { kind: 'save_checkpoint', name: 'too-large' } as const;
    assert.equal(refusal(venue, command), 'checkpoints_exceeded');
  });

  for (const name of ['', ' ', '.hidden', '-', 'a b', 'a/b', 'ä', 'a\n', 'a'.repeat(65)]) {
    test(`is not called ${JSON.stringify(name)}`, () => {
      const venue = Floor.listed();
      assert.equal(refusal(venue, { kind: 'save_checkpoint', name }), 'settings_invalid');
    });
  }

  test('that is not there is neither gone to nor dropped', () => {
    const venue = Floor.listed();
    for (const name of ['gone', '__proto__', 'toString']) {
      for (const kind of ['reset_to_checkpoint', 'drop_checkpoint'] as const) {
        assert.equal(refusal(venue, { kind, name }), 'checkpoint_unknown');
      }
    }
  });
});

test('a clock takes speeds from 0 to 1000 in thousandths', () => {
  const venue = Floor.listed();
  for (const speedPermille of [0, 1, 1_000, 1_000_000]) {
    venue.run({ kind: 'set_clock', speedPermille });
    assert.deepEqual(venue.engine.sandbox.clock, { speedPermille });
  }
  for (const speedPermille of [-1, 0.5, 1_000_001, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.equal(refusal(venue, { kind: 'set_clock', speedPermille }), 'clock_invalid');
  }
});

type Rule = AddFault['rule'];

const RULE: Rule = {
  label: 'late orders',
  key: 'demo-key',
  target: 'POST /api/spot/v1/trade/orders',
  effect: { kind: 'latency', ms: 100, jitterMs: 50 },
  probabilityPpm: 500_000,
  skipCount: 1,
  hitsMax: 2,
  seed: 3,
};

const EFFECTS: readonly FaultEffect[] = [
  { kind: 'latency', ms: -1, jitterMs: 0 },
  { kind: 'latency', ms: 0, jitterMs: 600_001 },
  { kind: 'latency', ms: 1.5, jitterMs: 0 },
  { kind: 'rate_limited', retryAfterMs: 600_001 },
  { kind: 'delay_message', ms: Number.NaN },
];

const UNSOUND: readonly Partial<Rule>[] = [
  { label: 'l'.repeat(65) },
  { key: 'k'.repeat(65) },
  { target: 't'.repeat(201) },
  { label: 'a\u0000' },
  { key: '\ud800' },
  { target: 'GET /\n' },
  { probabilityPpm: 1_000_001 },
  { probabilityPpm: -1 },
  { skipCount: -1 },
  { skipCount: 1_000_000_001 },
  { hitsMax: 1.5 },
  { seed: 2 ** 32 },
  ...EFFECTS.map((effect) => ({ effect })),
];

for (const change of UNSOUND) {
  test(`a fault rule is refused with ${JSON.stringify(change).slice(0, 70)}`, () => {
    const venue = Floor.listed();
    const command = { kind: 'add_fault', rule: { ...RULE, ...change } } as const;
    assert.equal(refusal(venue, command), 'settings_invalid');
  });
}

test('fault rules are kept in order, taken back one by one or all at once, and bounded', () => {
  const venue = Floor.listed();
  const idsOf = () => [...venue.engine.sandbox.faults()].map(({ faultId }) => faultId);
  for (let at = 0; at < LIMITS.faultsMax; at += 1) venue.run({ kind: 'add_fault', rule: RULE });
  assert.equal(refusal(venue, { kind: 'add_fault', rule: RULE }), 'faults_exceeded');
  const [first = 0, second = 0, ...others] = idsOf();
  assert.equal(others.length, LIMITS.faultsMax - 2);
  assert.deepEqual(venue.run({ kind: 'remove_faults', faultId: second }), [
    { kind: 'faults_removed', faultIds: [second] },
  ]);
  assert.equal(refusal(venue, { kind: 'remove_faults', faultId: second }), 'fault_unknown');
  assert.deepEqual(idsOf(), [first, ...others]);
  venue.run({ kind: 'remove_faults', faultId: 0 });
  assert.deepEqual(idsOf(), []);
  assert.deepEqual(venue.run({ kind: 'remove_faults', faultId: 0 }), [
    { kind: 'faults_removed', faultIds: [] },
  ]);
});
