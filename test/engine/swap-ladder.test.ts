/** An order that is wrong in every way is told its faults one by one, as docs/REJECTS.md says. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { type ContractTerms, lots, type PlaceContractOrder, type RejectKind, ticks } from '#domain';
import { LINEAR } from '../support/contracts.ts';
import { Floor, refuseNone, rejectOf } from '../support/floor.ts';

type LimitOrder = Extract<PlaceContractOrder, { readonly type: 'limit' }>;

/** What is mended once the fault has been told: the order, the terms, or the balance. */
interface Mend {
  readonly order?: Partial<LimitOrder>;
  readonly terms?: Partial<ContractTerms>;
  readonly deposit?: string;
}

function told(venue: Floor, order: LimitOrder, mends: readonly Mend[]): RejectKind[] {
  const { instrumentId } = venue.contract;
  const found: RejectKind[] = [];
  let asked = order;
  for (const { order: changed = {}, terms = {}, deposit } of mends) {
    const [first] = venue.run(asked);
    if (first?.kind === 'refused') found.push(first.reject);
    asked = { ...asked, ...changed };
    refuseNone(venue.run({ kind: 'update_contract', instrumentId, changes: terms }));
    if (deposit !== undefined) refuseNone(venue.fund('ann', deposit));
  }
  assert.equal(rejectOf(venue.run(asked)), undefined);
  return found;
}

function opened(): readonly [Floor, LimitOrder] {
  const venue = Floor.ofContract({ ...LINEAR, tpSlMax: 0 });
  const accountId = venue.open('ann', '10', { leverage: 100 });
  const { instrumentId } = venue.contract;
  const order = { kind: 'place_contract_order', accountId, instrumentId } as const;
  const how = { action: 'open_long', type: 'limit', force: 'gtc', clientOrderId: 'taken' } as const;
  const presets = { takeProfitTicks: ticks(299_000), stopLossTicks: ticks(301_000) };
  const what = { priceTicks: ticks(600_003), sizeLots: lots(1), ...presets };
  return [venue, { ...order, ...how, ...what }];
}

test('an opening order', () => {
  const [venue, order] = opened();
  const { instrumentId } = venue.contract;
  refuseNone(venue.order('ann', 'open_long', '20000', 5, { clientOrderId: 'taken' }));
  const changes = { status: 'halt', minLots: lots(5), openOrdersMax: 1 } as const;
  refuseNone(venue.run({ kind: 'update_contract', instrumentId, changes }));
  const found = told(venue, order, [
    { terms: { status: 'online' } },
    { order: { sizeLots: lots(60_000) } },
    { order: { priceTicks: ticks(600_000) } },
    { order: { priceTicks: ticks(300_000) } },
    { order: { clientOrderId: undefined } },
    { terms: { openOrdersMax: 10 } },
    { terms: { tpSlMax: 10 } },
    { order: { takeProfitTicks: ticks(301_000) } },
    { order: { stopLossTicks: ticks(299_000) } },
    { order: { sizeLots: lots(9_000) } },
    { deposit: '100000' },
  ]);
  assert.deepEqual(found, [
    'contract_halted',
    'quantity_below_minimum',
    'price_invalid',
    'price_above_band',
    'contract_client_id_in_use',
    'contract_orders_exceeded',
    'tp_sl_exceeded',
    'take_profit_below_order',
    'stop_loss_above_order',
    'openable_exceeded',
    'margin_insufficient',
  ]);
});

test('an opening market order hears of the empty book before it hears of its money', () => {
  const [venue, order] = opened();
  const none = { takeProfitTicks: undefined, stopLossTicks: undefined };
  const { priceTicks: _price, ...market } = { ...order, ...none, type: 'market' } as const;
  const refusalOf = (sizeLots: number) =>
    rejectOf(venue.run({ ...market, sizeLots: lots(sizeLots) }));
  assert.equal(refusalOf(60_000), 'openable_exceeded');
  assert.equal(refusalOf(10_000), 'no_opposite_depth');
  venue.open('tom', '10000');
  refuseNone(venue.order('tom', 'open_short', '30000', 1));
  assert.equal(refusalOf(10_000), 'margin_insufficient');
});

test('a closing order hears of its position before the book and the liquidation price', () => {
  const venue = Floor.ofContract();
  venue.open('ann', '1000', { leverage: 100 });
  venue.open('tom', '1000');
  venue.trade('ann', 'tom', '30000', 10);
  const refusalOf = (price: string, size: number) =>
    rejectOf(venue.order('ann', 'close_long', price, size));
  assert.equal(refusalOf('market', 11), 'close_exceeds_position');
  assert.equal(refusalOf('market', 10), 'no_opposite_depth');
  assert.equal(refusalOf('20000', 11), 'close_exceeds_position');
  assert.equal(refusalOf('20000', 10), 'close_long_beyond_liquidation');
});
