/** What a suspended contract or pair takes and what it does not, and how it comes back. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Command,
  type EngineFailure,
  type Event,
  type InstrumentId,
  instrumentId as instrumentIdOf,
  ticks,
} from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { acceptedId, BTCUSDT, ETHUSDT, Floor, refuseNone, rejectOf } from '../support/floor.ts';

const HOUR_MS = 3_600_000;
const FAILURE = { command: 'tick', failuresCount: 2, message: 'planted' };

function suspension(instrumentId: InstrumentId, reason: EngineFailure = FAILURE): Command {
  return { kind: 'suspend_instrument', instrumentId, reason };
}

/** Equal rows after a round trip, and after a replay of every command. */
function assertRebuilt(venue: Floor): void {
  const rows = [...venue.engine.dump()];
  assert.deepEqual([...Engine.restore(rows).dump()], rows);
  const replayed = new Floor();
  for (const { command, timeMs } of venue.commands) replayed.engine.apply(command, timeMs);
  assert.deepEqual([...replayed.engine.dump()], rows);
}

function suspendedContract(): Floor {
  const venue = Floor.ofContract();
  venue.open('ann', '1000', { leverage: 100 });
  venue.open('tom', '1000');
  venue.trade('ann', 'tom', '30000', 100);
  venue.order('ann', 'open_long', '29000', 1);
  venue.trigger('ann', 'close_long', '31000', 'market', 1);
  refuseNone(venue.run(suspension(venue.contract.instrumentId)));
  return venue;
}

test('no price, funding or liquidation touches a suspended contract', () => {
  const venue = suspendedContract();
  const before = venue.account('ann');
  venue.index('15000');
  for (let hour = 0; hour < 24; hour += 1) {
    assert.deepEqual(venue.tick(HOUR_MS), [{ kind: 'ticked' }]);
  }
  assert.deepEqual(venue.account('ann'), before);
  assert.equal(venue.engine.fundingDueMs, Number.POSITIVE_INFINITY);
  assertRebuilt(venue);
});

test('its owners move nothing in it; the operator pays in and cancels', () => {
  const venue = suspendedContract();
  const accountId = venue.id('ann');
  const { instrumentId, margin, symbol } = venue.contract;
  const owner = { accountId, instrumentId } as const;
  const [order] = venue.engine.openContractOrders(accountId, instrumentId);
  const [plan] = venue.engine.waitingTriggers(accountId, instrumentId);
  const money = { accountId, assetId: margin.assetId, amount: 1n } as const;
  const wallet = symbol;
  const refused: Record<string, readonly Event[]> = {
    open: venue.order('ann', 'open_long', '29000', 1),
    close: venue.order('ann', 'close_long', '29000', 1),
    plan: venue.trigger('ann', 'close_long', '31000', 'market', 1),
    leverage: venue.leverage('ann', 'both', 10),
    margin: venue.adjustMargin('ann', 'long', '1'),
    automatic: venue.run({ kind: 'set_auto_margin', ...owner, side: 'long', automatic: true }),
    mode: venue.run({ kind: 'set_margin_mode', ...owner, mode: 'cross' }),
    cancel: venue.run({
      kind: 'cancel_contract_order',
      ...owner,
      orderId: present(order, 'order').orderId,
    }),
    cancelTrigger: venue.run({
      kind: 'cancel_trigger_order',
      ...owner,
      orderId: present(plan, 'plan').orderId,
    }),
    transfer: venue.run({ kind: 'transfer', ...money, from: wallet, to: 'spot' }),
  };
  for (const [name, events] of Object.entries(refused)) {
    assert.equal(rejectOf(events), 'contract_suspended', name);
  }
  refuseNone(venue.fund('ann', '5'));
  refuseNone(venue.run({ kind: 'cancel_all_contract_orders', accountId }));
  assert.deepEqual([...venue.engine.openContractOrders(accountId, instrumentId)], []);
  refuseNone(venue.fundInsurance('100'));
  refuseNone(venue.run({ kind: 'update_contract', instrumentId, changes: { takerFeePpm: 1 } }));
  assert.equal(venue.engine.listings.contractById(instrumentId)?.status, 'suspended');
  assertRebuilt(venue);
});

test('a resume trades at the prices of its time, and the next tick settles and liquidates', () => {
  const venue = suspendedContract();
  venue.index('29500');
  venue.wait(24 * HOUR_MS);
  const { instrumentId } = venue.contract;
  const changes = { status: 'online' } as const;
  refuseNone(venue.run({ kind: 'update_contract', instrumentId, changes }));
  const prices = present(venue.engine.contractPrices(instrumentId), 'prices');
  assert.equal(prices.indexTicks, ticks(295_000));
  assert.equal(
    'suspendedReason' in
      present(venue.engine.listings.contracts.get(venue.contract.symbol), 'contract'),
    false,
  );
  const kinds = venue.tick().map(({ kind }) => kind);
  assert.ok(kinds.includes('funding_settled') && kinds.includes('liquidated'), String(kinds));
  assertRebuilt(venue);
});

test('a suspended pair takes no order and no cancel; another pair trades', () => {
  const venue = Floor.listed();
  const ann = venue.open('ann', { USDT: '1000', BTC: '1' });
  const resting = acceptedId(venue.limit(ann, 'buy', '100', '0.01'));
  refuseNone(venue.run(suspension(BTCUSDT)));
  assert.equal(rejectOf(venue.limit(ann, 'buy', '100', '0.01')), 'market_suspended');
  assert.equal(rejectOf(venue.cancel(ann, resting)), 'market_suspended');
  refuseNone(venue.limit(ann, 'buy', '100', '0.01', { instrument: ETHUSDT }));
  assertRebuilt(venue);
  refuseNone(venue.run({ kind: 'cancel_all_spot_orders', accountId: ann }));
  const online = { status: 'online' } as const;
  refuseNone(venue.run({ kind: 'update_spot', instrumentId: BTCUSDT, changes: online }));
  refuseNone(venue.limit(ann, 'buy', '100', '0.01'));
  assertRebuilt(venue);
});

test('nobody lists or sets a suspension; an unknown instrument has none', () => {
  const venue = Floor.listed();
  const changes = { status: 'suspended' } as const;
  const update = { kind: 'update_spot', instrumentId: BTCUSDT, changes } as const;
  assert.equal(rejectOf(venue.run(update)), 'listing_invalid');
  const contract = present([...venue.engine.listings.contracts.values()][0], 'contract');
  const { instrumentId } = contract;
  const set = { kind: 'update_contract', instrumentId, changes } as const;
  assert.equal(rejectOf(venue.run(set)), 'listing_invalid');
  const spec = { ...contract, symbol: 'OTHER-PERP' as const, ...changes };
  assert.equal(rejectOf(venue.run({ kind: 'list_contract', spec })), 'listing_invalid');
  assert.equal(rejectOf(venue.run(suspension(instrumentIdOf(99)))), 'symbol_unknown');
});
