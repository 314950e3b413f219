/** Trading by the house's own API: batches, moves, retries, filters, positions at the market. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { NATIVE_ENDPOINTS as CALLS } from '#dialects';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import { type Fields, NativeCalls, type Row } from '../support/native-calls.ts';
import { SwapDesk } from '../support/swap-desk.ts';

const desk = await SwapDesk.open();
const house = closedAtEnd(desk.house);
const calls = new NativeCalls(house);
const ann = await house.trader('ann', { USDT: '100000', BTC: '2' });
const bob = await house.trader('bob', { USDT: '100000', BTC: '2' });

const BID = { symbol: 'BTC-USDT', side: 'buy', type: 'limit', price: '20000', size: '0.01' };

/** A row of a batch or of cancels. */
interface Item {
  readonly id: string | null;
  readonly clientId?: string | null;
  readonly error: { readonly kind: string } | null;
}

function data<T>(who: Trader, endpoint: (typeof CALLS)[keyof typeof CALLS], fields?: Fields) {
  return calls.data<T>(who, endpoint, fields);
}

test('a batch: each order with its outcome, in the order given', async () => {
  const orders = [
    { ...BID, clientId: 'one' },
    { ...BID, price: '-1' },
    { ...BID, symbol: 'BTC-USDT-PERP', size: '5' },
    { ...BID, clientId: 'two', price: '19000' },
    'nonsense',
  ];
  const items = await data<Item[]>(ann, CALLS.placeOrders, { orders });
  const outcomes = items.map(({ id, clientId, error }) => [id !== null, clientId, error?.kind]);
  assert.deepEqual(outcomes, [
    [true, 'one', undefined],
    [false, null, 'price_invalid'],
    [false, null, 'margin_insufficient'],
    [true, 'two', undefined],
    [false, null, 'parameter_invalid'],
  ]);
  const open = await data<Row[]>(ann, CALLS.openOrders);
  assert.deepEqual(
    open.map(({ clientId }) => clientId),
    ['two', 'one'],
  );
  const many = Array.from({ length: 51 }, () => BID);
  const refused = await calls.refusal(ann, CALLS.placeOrders, { orders: many });
  assert.deepEqual(refused, [400, 'batch_too_large']);
  const unknown = await calls.refusal(ann, CALLS.placeOrders, {
    orders: [BID],
    symbol: 'BTC-USDT',
  });
  assert.deepEqual(unknown, [400, 'parameter_invalid']);
  await data(ann, CALLS.cancelOrders);
});

test('an order that is sent again is placed once; another one of its id is refused', async () => {
  const order = { ...BID, clientId: 'again' };
  const first = await data<Row>(ann, CALLS.placeOrder, order);
  assert.deepEqual(await data(ann, CALLS.placeOrder, order), first);
  const [item] = await data<Item[]>(ann, CALLS.placeOrders, { orders: [order] });
  assert.equal(item?.id, first.id);
  for (const other of [{ price: '20001' }, { size: '0.02' }, { timeInForce: 'post_only' }]) {
    const refused = await calls.refusal(ann, CALLS.placeOrder, { ...order, ...other });
    assert.deepEqual(refused, [409, 'client_order_id_in_use'], JSON.stringify(other));
  }
  await data(bob, CALLS.placeOrder, { ...BID, side: 'sell' });
  assert.deepEqual(await data(ann, CALLS.openOrders), []);
  assert.deepEqual(await data(ann, CALLS.placeOrder, order), first, 'after it has filled');
  assert.deepEqual(await data(ann, CALLS.openOrders), []);
});

test('a market order of a contract that must fill whole fills whole or not at all', async () => {
  const [taker, maker] = [await desk.trader('whole'), await desk.trader('other')];
  const rest = { symbol: 'BTC-USDT-PERP', side: 'sell', type: 'limit', price: '30000', size: '3' };
  const market = { symbol: 'BTC-USDT-PERP', side: 'buy', type: 'market', timeInForce: 'fok' };
  await data(maker, CALLS.placeOrder, rest);
  const outcome = async (size: string) => {
    const { id } = await data<Row>(taker, CALLS.placeOrder, { ...market, size });
    const order = await calls.data<Row>(taker, CALLS.order, {}, present(id, 'id'));
    return [order.timeInForce, order.status, order.filled, order.reason];
  };
  assert.deepEqual(await outcome('4'), ['fok', 'cancelled', '0', 'fok_not_fillable']);
  assert.deepEqual(await outcome('3'), ['fok', 'full_fill', '3', 'filled']);
});

test('a move: price, size or both; what is left out stays', async () => {
  const placed = await data<Row>(ann, CALLS.placeOrder, { ...BID, clientId: 'moving' });
  const id = present(placed.id, 'id');
  const moved = async (change: Fields) => {
    await calls.data(ann, CALLS.moveOrder, change, 'moving');
    const order = await calls.data<Row>(ann, CALLS.order, {}, id);
    return [order.price, order.size];
  };
  assert.deepEqual(await moved({ price: '20100' }), ['20100.00', '0.01']);
  assert.deepEqual(await moved({ size: '0.004' }), ['20100.00', '0.004']);
  assert.deepEqual(await moved({ price: '20000', size: '0.02' }), ['20000.00', '0.02']);
  assert.deepEqual(await moved({}), ['20000.00', '0.02']);
  const refusals: readonly (readonly [Trader, Fields, string, readonly [number, string]])[] = [
    [ann, { price: '20000', side: 'sell' }, id, [400, 'parameter_invalid']],
    [ann, { price: 'x' }, id, [422, 'price_invalid']],
    [bob, { price: '20100' }, id, [404, 'order_unknown']],
    [ann, { price: '20100' }, 'nobody', [404, 'order_unknown']],
  ];
  for (const [who, change, name, expected] of refusals) {
    const refused = await calls.refusal(who, CALLS.moveOrder, change, name);
    assert.deepEqual(refused, expected, JSON.stringify(change));
  }
  await data(ann, CALLS.cancelOrders);
});

test('cancels by market, side and ids', async () => {
  const ids: string[] = [];
  const place = async (fields: Fields) => {
    const { id } = await data<Row>(ann, CALLS.placeOrder, { ...BID, ...fields });
    ids.push(present(id, 'id'));
  };
  await place({ clientId: 'c-1' });
  await place({ side: 'sell', price: '40000' });
  await place({ price: '19000' });
  const [first, sell, low] = ids;
  const cancelled = async (filter: Fields) => {
    const items = await data<Item[]>(ann, CALLS.cancelOrders, filter);
    return items.map(({ id }) => id);
  };
  assert.deepEqual(await cancelled({ symbol: 'ETH-USDT' }), []);
  assert.deepEqual(await cancelled({ side: 'sell' }), [sell]);
  assert.deepEqual(await cancelled({ ids: `c-1,${sell},nobody` }), [first]);
  assert.deepEqual(await cancelled({ ids: `${low}`, side: 'sell' }), []);
  assert.deepEqual(await cancelled({}), [low]);
  const unknown = await calls.refusal(ann, CALLS.cancelOrders, { simbol: 'BTC-USDT' });
  assert.deepEqual(unknown, [400, 'parameter_invalid']);
  const ids51 = Array.from({ length: 51 }, (_, at) => `x${at}`).join(',');
  const refused = await calls.refusal(ann, CALLS.cancelOrders, { ids: ids51 });
  assert.deepEqual(refused, [400, 'batch_too_large']);
});

const CONTRACT = 'BTC-USDT-PERP';
const OPEN = { symbol: CONTRACT, type: 'limit', price: '30000', size: '10' };
let tradersCount = 0;

/** A trader with money for contracts that nobody else uses. */
async function trader(money = '10000'): Promise<Trader> {
  tradersCount += 1;
  return desk.funded(`holder-${tradersCount}`, money);
}

test('positions are closed at the market, those that are named or all', async () => {
  const [holder, maker] = [await trader(), await trader()];
  await data(holder, CALLS.placeOrder, { ...OPEN, side: 'buy' });
  await data(maker, CALLS.placeOrder, { ...OPEN, side: 'sell' });
  await data(maker, CALLS.placeOrder, { ...OPEN, side: 'buy', price: '29990', size: '10' });
  const none = await data<Item[]>(holder, CALLS.closePositions, { side: 'short' });
  assert.deepEqual(none, []);
  const [closed] = await data<(Item & { readonly symbol: string })[]>(
    holder,
    CALLS.closePositions,
    { symbol: CONTRACT },
  );
  assert.deepEqual([closed?.symbol, closed?.error], [CONTRACT, null]);
  assert.deepEqual(await data(holder, CALLS.positions), []);
  const order = await calls.data<Row>(holder, CALLS.order, {}, closed?.id ?? '');
  assert.deepEqual([order.status, order.filled, order.reduceOnly], ['full_fill', '10', true]);
  const [kept] = await data<Item[]>(maker, CALLS.closePositions);
  assert.deepEqual([kept?.id, kept?.error?.kind], [null, 'no_opposite_depth']);
});

interface Reversal {
  readonly closedBy: string;
  readonly openedBy: string | null;
  readonly error: { readonly kind: string } | null;
}

test('a position is reversed in one call, or closed where the rest cannot be paid', async () => {
  const [holder, poor, maker] = [await trader(), await trader('17'), await trader()];
  const reverse = { symbol: CONTRACT, side: 'long' };
  assert.deepEqual(await calls.refusal(holder, CALLS.reversePosition, reverse), [
    422,
    'close_exceeds_position',
  ]);
  for (const who of [holder, poor]) {
    await data(maker, CALLS.placeOrder, { ...OPEN, side: 'sell' });
    await data(who, CALLS.placeOrder, { ...OPEN, side: 'buy' });
  }
  await data(maker, CALLS.placeOrder, { ...OPEN, side: 'buy', price: '29990', size: '20' });
  const done = await data<Reversal>(holder, CALLS.reversePosition, reverse);
  assert.equal(done.error, null);
  const [position] = await data<Row[]>(holder, CALLS.positions);
  assert.deepEqual([position?.side, position?.size], ['short', '10']);
  const opened = await calls.data<Row>(holder, CALLS.order, {}, present(done.openedBy, 'order'));
  assert.deepEqual([opened.side, opened.filled, opened.reduceOnly], ['sell', '10', false]);
  await data(maker, CALLS.placeOrder, { ...OPEN, side: 'buy', price: '29400', size: '20' });
  const half = await data<Reversal>(poor, CALLS.reversePosition, reverse);
  assert.deepEqual([half.openedBy, half.error?.kind], [null, 'margin_insufficient']);
  assert.deepEqual(await data(poor, CALLS.positions), []);
  const pair = await calls.refusal(holder, CALLS.reversePosition, {
    ...reverse,
    symbol: 'BTC-USDT',
  });
  assert.deepEqual(pair, [404, 'contract_unknown']);
});
