/** Contract orders that are refused over HTTP, each for its reason and with its code. */
import { strict as assert } from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { lots } from '#domain';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import { CLOSE_LONG, OPEN_LONG, OPEN_SHORT, SwapDesk, SYMBOL } from '../support/swap-desk.ts';

let alice: Trader;
let bob: Trader;

const desk = closedAtEnd(await SwapDesk.open());

async function newTraders(): Promise<void> {
  [alice, bob] = await desk.pair();
}

const REFUSALS: readonly [why: string, changes: object, code: string][] = [
  ['no symbol', { symbol: '' }, '40017'],
  ['an unknown contract', { symbol: 'cmt_dogeusdt' }, '40102'],
  ['a pair', { symbol: 'BTCUSDT_SPBL' }, '40102'],
  ['no type', { type: null }, '40017'],
  ['type 0', { type: '0' }, '40017'],
  ['type 5, which is the venue’s', { type: 5 }, '40017'],
  ['a word for a type', { type: 'open_long' }, '40017'],
  ['an order_type that is none', { order_type: '4' }, '40017'],
  ['a match_price that is none', { match_price: '2' }, '40017'],
  ['a market order that is post only', { match_price: '1', order_type: '1' }, '40017'],
  ['a limit order without a price', { price: '' }, '40017'],
  ['a limit order with price null', { price: null }, '40017'],
  ['a price of zero', { price: '0' }, '40706'],
  ['a price below zero', { price: '-29000' }, '40706'],
  ['a word for a price', { price: 'cheap' }, '40706'],
  ['a price with an exponent', { price: '29e3' }, '40706'],
  ['a price with too many decimals', { price: '29000.05' }, '40706'],
  ['a price between two steps', { price: '29000.3' }, '40706'],
  ['a price above the band', { price: '45000.5', type: '1' }, '40748'],
  ['a price below the band', { price: '14999.5', type: '2' }, '40749'],
  ['a take-profit between two steps', { presetTakeProfitPrice: '31000.1' }, '40706'],
  ['a take-profit of zero', { presetTakeProfitPrice: '0' }, '40706'],
  ['a word for a stop-loss', { presetStopLossPrice: 'soon' }, '40706'],
  ['a list for a stop-loss', { presetStopLossPrice: ['1'] }, '40017'],
  ['a long’s take-profit below its price', { presetTakeProfitPrice: '28000' }, '40735'],
  ['a long’s stop-loss above its price', { presetStopLossPrice: '29500' }, '40737'],
  [
    'a short’s take-profit above its price',
    { type: '2', price: '31000', presetTakeProfitPrice: '31500' },
    '40739',
  ],
  [
    'a short’s stop-loss below its price',
    { type: '2', price: '31000', presetStopLossPrice: '30500' },
    '40741',
  ],
  ['a long’s take-profit below the last price', { presetTakeProfitPrice: '29500' }, '40736'],
  [
    'a long’s stop-loss above the last price',
    { price: '31000', presetStopLossPrice: '30500' },
    '40738',
  ],
  [
    'a short’s take-profit above the last price',
    { type: '2', price: '31000', presetTakeProfitPrice: '30500' },
    '40740',
  ],
  [
    'a short’s stop-loss below the last price',
    { type: '2', presetStopLossPrice: '29500' },
    '40742',
  ],
  ['no size', { size: null }, '40017'],
  ['a size of zero', { size: '0' }, '40108'],
  ['a size below zero', { size: -1 }, '40108'],
  ['half a contract', { size: '0.5' }, '40108'],
  ['a word for a size', { size: 'all' }, '40108'],
  ['more than the largest size', { size: '1000001' }, '43007'],
  ['a size beyond counting', { size: '9'.repeat(30) }, '43007'],
  ['a client_oid of 41 characters', { client_oid: 'x'.repeat(41) }, '40305'],
  ['a client_oid with a space', { client_oid: 'a b' }, '40305'],
  ['a client_oid with a quote', { client_oid: "a'b" }, '40305'],
  ['a list for a client_oid', { client_oid: ['a'] }, '40017'],
  ['closing what is not held', { type: '3', price: '31000' }, '40717'],
  ['more than the leverage allows', { size: '200001' }, '40715'],
  ['more than the margin can carry', { size: '100000' }, '40711'],
  ['a market order into an empty book', { match_price: '1' }, '40720'],
];

describe('refusals that leave nothing behind', () => {
  before(newTraders);

  test('a preset on the wrong side is told the price that it is held against', async () => {
    const told = async (changes: object) =>
      (await desk.call(alice, 'placeOrder', { ...OPEN_LONG, ...changes })).body.msg;
    const [order, last] = [{ presetTakeProfitPrice: '28000' }, { presetTakeProfitPrice: '29500' }];
    assert.equal(await told(order), 'Take-profit of a long must be above the order price: 29000');
    assert.equal(await told(last), 'Take-profit of a long must be above the current price: 30000');
  });

  for (const [why, changes, code] of REFUSALS) {
    test(`${why} is refused with ${code}`, async () => {
      assert.deepEqual(await desk.refusal(alice, 'placeOrder', { ...OPEN_LONG, ...changes }), [
        400,
        code,
      ]);
      assert.deepEqual(await desk.data(alice, 'openOrders', SYMBOL), []);
      assert.deepEqual(await desk.data(alice, 'orderHistory', { ...SYMBOL, createDate: '0' }), []);
    });
  }
});

describe('refusals that depend on what is there', () => {
  beforeEach(newTraders);

  test('a client_oid of a pending order is refused, also when that order is gone', async () => {
    const named = { ...OPEN_LONG, client_oid: 'x'.repeat(40) };
    const orderId = await desk.place(alice, named);
    assert.deepEqual(await desk.refusal(alice, 'placeOrder', named), [400, '40500']);
    await desk.place(bob, named);
    await desk.data(alice, 'cancelOrder', { ...SYMBOL, orderId });
    assert.deepEqual(await desk.refusal(alice, 'placeOrder', named), [400, '40500']);
  });

  test('more open orders than the contract allows are refused', async () => {
    await desk.change({ openOrdersMax: 1 });
    await desk.place(alice, OPEN_LONG);
    assert.deepEqual(await desk.refusal(alice, 'placeOrder', OPEN_LONG), [400, '40723']);
    await desk.change({ openOrdersMax: 1_000 });
  });

  test('a halted or delisted contract takes no orders; nor one below the minimum', async () => {
    await desk.change({ status: 'halt' });
    assert.deepEqual(await desk.refusal(alice, 'placeOrder', OPEN_LONG), [400, '40308']);
    await desk.change({ status: 'offline' });
    assert.deepEqual(await desk.refusal(alice, 'placeOrder', OPEN_LONG), [400, '40309']);
    const back = { status: 'online', minLots: lots(2) } as const;
    await desk.change(back);
    assert.deepEqual(await desk.refusal(alice, 'placeOrder', { ...OPEN_LONG, size: 1 }), [
      400,
      '50019',
    ]);
    await desk.change({ minLots: lots(1) });
  });

  test('a close cannot take more than is free to close', async () => {
    await desk.place(alice, OPEN_SHORT);
    await desk.place(bob, { ...OPEN_LONG, price: '30000' });
    await desk.place(bob, { ...CLOSE_LONG, price: '31000', size: '6' });
    const more = { ...CLOSE_LONG, price: '31000', size: '5' };
    assert.deepEqual(await desk.refusal(bob, 'placeOrder', more), [400, '40717']);
    await desk.place(bob, { ...more, size: '4' });
  });

  test('a close at a price beyond liquidation has a code for each side', async () => {
    for (const who of [alice, bob]) await desk.data(who, 'holdModel', { ...SYMBOL, holdModel: 1 });
    await desk.place(alice, OPEN_SHORT);
    await desk.place(bob, { ...OPEN_LONG, price: '30000' });
    const low = { ...CLOSE_LONG, price: '28000' };
    assert.deepEqual(await desk.refusal(bob, 'placeOrder', low), [400, '40718']);
    const high = { ...CLOSE_LONG, type: '4', price: '32000' };
    assert.deepEqual(await desk.refusal(alice, 'placeOrder', high), [400, '40719']);
  });

  test('more take-profits and stop-losses than the contract allows are refused', async () => {
    await desk.change({ tpSlMax: 1 });
    const one = { ...OPEN_LONG, presetTakeProfitPrice: '31000' };
    await desk.place(alice, one);
    const two = { ...one, presetStopLossPrice: '28000' };
    assert.deepEqual(await desk.refusal(alice, 'placeOrder', two), [400, '40751']);
    await desk.change({ tpSlMax: 100 });
  });

  test('presets belong to opening orders', async () => {
    await desk.place(alice, OPEN_SHORT);
    await desk.place(bob, { ...OPEN_LONG, price: '30000' });
    const close = { ...CLOSE_LONG, price: '31000', presetTakeProfitPrice: '32000' };
    assert.deepEqual(await desk.refusal(bob, 'placeOrder', close), [400, '40017']);
  });
});
