/** Moving resting orders over HTTP, and what the owner's stream and the public depth say of it. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import { LIMIT, SpotDesk } from '../support/spot-desk.ts';
import { StreamClient, topic } from '../support/streams-client.ts';
import { OPEN_LONG, SwapDesk, SYMBOL, UNKNOWN_ID } from '../support/swap-desk.ts';

const spot = closedAtEnd(await SpotDesk.open());
const swap = closedAtEnd(await SwapDesk.open());

const pair = () => spot.pair({ USDT: '100000', BTC: '10' });
const PAIR = { symbol: LIMIT.symbol };

async function depth(): Promise<unknown> {
  const path = '/api/spot/v1/market/depth?symbol=BTCUSDT_SPBL';
  const { bids, asks } = JSON.parse((await spot.house.app.inject(path)).payload).data;
  return { bids, asks };
}

test('a pair’s order is moved by its id or its client id, and keeps both', async () => {
  const [alice] = await pair();
  const orderId = await spot.place(alice, {
    side: 'buy',
    price: '29000',
    quantity: '0.1',
    clientOrderId: 'grid-1',
  });
  const moved = await spot.data<object>(alice, 'moveOrder', {
    ...PAIR,
    orderId,
    price: '29100',
    quantity: '0.2',
  });
  assert.deepEqual(moved, { orderId, clientOrderId: 'grid-1' });
  assert.deepEqual(await depth(), { bids: [['29100', '0.2']], asks: [] });
  const fields = { ...PAIR, clientOrderId: 'grid-1', price: '29100', quantity: '0.05' };
  await spot.data<object>(alice, 'moveOrder', fields);
  const { price, quantity, status } = await spot.info(alice, orderId);
  assert.deepEqual(
    { price, quantity, status },
    {
      price: '29100.00',
      quantity: '0.0500',
      status: 'new',
    },
  );
  assert.deepEqual(await depth(), { bids: [['29100', '0.05']], asks: [] });
});

test('a refused move says why, and the order stays', async () => {
  const [alice, bob] = await pair();
  const orderId = await spot.place(alice, { side: 'buy', price: '29000', quantity: '0.1' });
  const asked = { ...PAIR, orderId, price: '29100', quantity: '0.2' };
  const refusal = (who: Trader, fields: object) =>
    spot.refusal(who, 'moveOrder', { ...asked, ...fields });
  assert.deepEqual(await refusal(bob, {}), [400, '40109']);
  assert.deepEqual(await refusal(alice, { price: '0' }), [400, '40706']);
  assert.deepEqual(await refusal(alice, { quantity: '10' }), [400, '50020']);
  assert.deepEqual(await refusal(alice, { orderId: UNKNOWN_ID }), [400, '40109']);
  assert.deepEqual(await depth(), { bids: [['29000', '0.1']], asks: [] });
  await spot.cancel(alice, orderId);
  assert.notDeepEqual(await refusal(alice, {}), [200, '00000']);
});

test('the owner’s stream shows the order as it was moved', async () => {
  const [alice] = await pair();
  const orderId = await spot.place(alice, { side: 'buy', price: '29000', quantity: '0.1' });
  const client = await StreamClient.at(spot.house);
  await client.login(spot.house, alice);
  client.subscribe(topic('orders', 'default', 'spbl'));
  await client.push('orders');
  const asked = { ...PAIR, orderId, price: '28000', quantity: '0.3' };
  await spot.data<object>(alice, 'moveOrder', asked);
  const rows = () =>
    client.messages.flatMap(({ arg, data }) => (arg?.channel === 'orders' ? (data ?? []) : []));
  await client.until(() => rows().length > 1, 'the row of the move');
  assert.partialDeepStrictEqual(rows().at(-1), {
    ordId: orderId,
    px: '28000.00',
    sz: '0.3000',
    status: 'new',
  });
});

test('a contract’s order is moved, and takes what it crosses', async () => {
  const [alice, bob] = await swap.pair();
  const orderId = await swap.place(alice, { ...OPEN_LONG, price: '29000', size: '10' });
  const moved = await swap.data(alice, 'moveOrder', {
    ...SYMBOL,
    orderId,
    price: '29500',
    size: '12',
  });
  assert.equal(moved.order_id, orderId);
  assert.partialDeepStrictEqual(await swap.detail(alice, orderId), {
    size: '12',
    price: '29500.0',
  });
  await swap.place(bob, { ...OPEN_LONG, type: '2', price: '29600', size: '5' });
  await swap.data(alice, 'moveOrder', { ...SYMBOL, orderId, price: '29600', size: '12' });
  assert.partialDeepStrictEqual(await swap.detail(alice, orderId), { filled_qty: '5' });
  const refused = await swap.call(bob, 'moveOrder', {
    ...SYMBOL,
    orderId,
    price: '29000',
    size: '12',
  });
  assert.equal(refused.body.code, '40109');
});
