/** How a new order is read: what real clients send, and what is refused with which words. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { detailText, readNewOrder, readNewOrders, readOrderReference } from '#dialects';
import { accountId, isRefused, type PlaceSpotOrder, type RejectKind } from '#domain';
import { formatDecimal } from '#kernel';
import { testListings } from '../support/listings.ts';

const listings = testListings();
const owner = accountId(1);

const LIMIT_BUY = {
  symbol: 'BTCUSDT_SPBL',
  side: 'buy',
  orderType: 'limit',
  force: 'normal',
  price: '29400.5',
  quantity: '0.0005',
};
const MARKET_BUY = { ...LIMIT_BUY, orderType: 'market', price: '', quantity: '100.25' };

function read(changes: Record<string, unknown>, base: object = LIMIT_BUY) {
  return readNewOrder({ ...base, ...changes }, listings, owner);
}

function accepted(changes: Record<string, unknown>, base: object = LIMIT_BUY): PlaceSpotOrder {
  const command = read(changes, base);
  assert.ok(!isRefused(command), isRefused(command) ? detailText(command.detail) : '');
  return command;
}

test('a limit order in whole ticks and lots', () => {
  assert.deepEqual(accepted({ clientOrderId: 'iauIBf#a45b' }), {
    kind: 'place_spot_order',
    accountId: 1,
    instrumentId: 0,
    side: 'buy',
    type: 'limit',
    force: 'gtc',
    priceTicks: 2_940_050,
    sizeLots: 5,
    clientOrderId: 'iauIBf#a45b',
  });
});

test('a market buy spends quote coin, a market sell gives base coin, neither has a price', () => {
  const buy = accepted({ price: 'whatever', force: 'what?' }, MARKET_BUY);
  const facts = { kind: buy.kind, accountId: owner, instrumentId: buy.instrumentId };
  const market = { ...facts, type: 'market', force: 'ioc', clientOrderId: undefined };
  assert.deepEqual(buy, { ...market, side: 'buy', quoteBudget: 10_025_000_000n });
  const sell = accepted({ side: 'sell', quantity: '0.5', price: null }, MARKET_BUY);
  assert.deepEqual(sell, { ...market, side: 'sell', sizeLots: 5_000 });
});

const LENIENT: readonly [why: string, changes: Record<string, unknown>, expected: object][] = [
  [
    'numbers for text',
    { price: 29400.5, quantity: 0.0005 },
    { priceTicks: 2_940_050, sizeLots: 5 },
  ],
  ['trailing zeros', { price: '29400.5000', quantity: '0.00050' }, { sizeLots: 5 }],
  ['a lower-case symbol', { symbol: 'btcusdt_spbl' }, { instrumentId: 0 }],
  ['a symbol without suffix', { symbol: 'BTCUSDT' }, { instrumentId: 0 }],
  ['upper-case words', { side: 'BUY', orderType: 'LIMIT', force: 'GTC' }, { side: 'buy' }],
  ['no force', { force: undefined }, { force: 'gtc' }],
  ['an empty force', { force: '' }, { force: 'gtc' }],
  ['force null', { force: null }, { force: 'gtc' }],
  ['force gtc', { force: 'gtc' }, { force: 'gtc' }],
  ['force post_only', { force: 'post_only' }, { force: 'post_only' }],
  ['force postOnly', { force: 'postOnly' }, { force: 'post_only' }],
  ['force fok', { force: 'fok' }, { force: 'fok' }],
  ['force ioc', { force: 'ioc' }, { force: 'ioc' }],
  ['an empty client order id', { clientOrderId: '' }, { clientOrderId: undefined }],
  ['client_oid', { client_oid: 'a-b_c#d' }, { clientOrderId: 'a-b_c#d' }],
  ['clientOid', { clientOid: 'x' }, { clientOrderId: 'x' }],
  ['a number as client order id', { clientOrderId: 42 }, { clientOrderId: '42' }],
  ['40 characters', { clientOrderId: 'x'.repeat(40) }, { clientOrderId: 'x'.repeat(40) }],
  ['fields nobody knows', { foo: { bar: [1] } }, { sizeLots: 5 }],
];

for (const [why, changes, expected] of LENIENT) {
  test(`takes ${why}`, () => assert.partialDeepStrictEqual(accepted(changes), expected));
}

const REFUSED: readonly [changes: Record<string, unknown>, reject: RejectKind, text: RegExp][] = [
  [{ symbol: undefined }, 'parameter_missing', /symbol is required/],
  [{ symbol: '' }, 'parameter_missing', /symbol is required/],
  [{ symbol: 'DOGEUSDT' }, 'symbol_unknown', /'DOGEUSDT'/],
  [{ symbol: ['BTCUSDT'] }, 'parameter_invalid', /symbol must be text or a number/],
  [{ side: 'hold' }, 'parameter_invalid', /side 'hold'/],
  [{ side: undefined }, 'parameter_missing', /side is required/],
  [{ orderType: 'stop' }, 'parameter_invalid', /orderType 'stop'/],
  [{ orderType: null }, 'parameter_missing', /orderType is required/],
  [{ force: 'day' }, 'parameter_invalid', /force 'day'/],
  [{ price: undefined }, 'parameter_missing', /price is required/],
  [{ price: '' }, 'parameter_missing', /price is required/],
  [{ price: '0' }, 'price_invalid', /'0' is not above zero/],
  [{ price: '-1' }, 'price_invalid', /'-1' is not above zero/],
  [{ price: '1.001' }, 'price_invalid', /more than 2 decimal places/],
  [{ price: 'NaN' }, 'price_invalid', /not a plain decimal/],
  [{ price: '1e5' }, 'price_invalid', /not a plain decimal/],
  [{ price: '1,000' }, 'price_invalid', /not a plain decimal/],
  [{ price: ' 1' }, 'price_invalid', /not a plain decimal/],
  [{ price: '0x10' }, 'price_invalid', /not a plain decimal/],
  [{ price: '9'.repeat(30) }, 'price_invalid', /too large/],
  [{ price: true }, 'parameter_invalid', /price must be text or a number/],
  [{ quantity: undefined }, 'parameter_missing', /quantity is required/],
  [{ quantity: '0' }, 'quantity_invalid', /not above zero/],
  [{ quantity: '0.00001' }, 'quantity_invalid', /more than 4 decimal places/],
  [{ quantity: '-0.5' }, 'quantity_invalid', /not above zero/],
  [{ quantity: 'many' }, 'quantity_invalid', /not a plain decimal/],
  [{ quantity: '9'.repeat(70) }, 'quantity_above_maximum', /too large/],
  [{ quantity: {} }, 'parameter_invalid', /quantity must be text or a number/],
  [{ clientOrderId: 'x'.repeat(41) }, 'client_id_invalid', /x/],
  [{ clientOrderId: 'a b' }, 'client_id_invalid', /'a b'/],
  [{ clientOrderId: 'a"b' }, 'client_id_invalid', /a"b/],
  [{ clientOrderId: 'naïve' }, 'client_id_invalid', /na\?ve/],
  [{ clientOrderId: { a: 1 } }, 'parameter_invalid', /clientOrderId must be/],
  [{ orderType: 'market', quantity: '1.123456789' }, 'quantity_invalid', /more than 8/],
];

for (const [changes, reject, text] of REFUSED) {
  test(`${JSON.stringify(changes).slice(0, 60)} is refused: ${reject}`, () => {
    const refused = read(changes);
    assert.ok(isRefused(refused), 'must be refused');
    assert.equal(refused.reject, reject);
    assert.match(detailText(refused.detail), text);
  });
}

test('shape comes before symbol, symbol before price, price before quantity', () => {
  const bad = { symbol: 'NOPE', side: 'x', price: '0', quantity: '0' };
  const order: RejectKind[] = [];
  for (const fixed of [{}, { side: 'buy' }, { symbol: 'BTCUSDT' }, { price: '1' }]) {
    Object.assign(bad, fixed);
    const refused = read(bad);
    assert.ok(isRefused(refused));
    order.push(refused.reject);
  }
  assert.deepEqual(order, [
    'parameter_invalid',
    'symbol_unknown',
    'price_invalid',
    'quantity_invalid',
  ]);
});

test('what is written at the scale of the pair is read back as the same ticks and lots', () => {
  const whole = fc.integer({ min: 1, max: 2 ** 50 });
  fc.assert(
    fc.property(whole, whole, (ticks, lots) => {
      const price = formatDecimal(ticks, 2);
      const command = accepted({ price, quantity: formatDecimal(lots, 4) });
      assert.ok(command.type === 'limit');
      assert.deepEqual([command.priceTicks, command.sizeLots], [ticks, lots]);
    }),
  );
});

test('a bad item of a batch leaves the others alone and keeps its own name', () => {
  const { symbol: _symbol, ...item } = LIMIT_BUY;
  const orderList = [item, { ...item, side: '?', client_oid: 'b' }, 7, { ...item, price: 30000 }];
  const batch = readNewOrders({ symbol: 'btcusdt', orderList }, listings, owner);
  assert.ok(!isRefused(batch));
  const seen = batch.items.map((one) =>
    isRefused(one) ? one.reject : 'priceTicks' in one && one.priceTicks,
  );
  assert.deepEqual(seen, [2_940_050, 'parameter_invalid', 'parameter_invalid', 3_000_000]);
  assert.deepEqual(batch.clientOrderIds, ['', 'b', '', '']);
});

const BATCHES: readonly [orderList: unknown, reject: RejectKind][] = [
  [undefined, 'parameter_invalid'],
  [[], 'parameter_invalid'],
  ['[]', 'parameter_invalid'],
  [{}, 'parameter_invalid'],
  [new Array(51).fill(LIMIT_BUY), 'batch_too_large'],
];

for (const [orderList, reject] of BATCHES) {
  test(`a batch of ${JSON.stringify(orderList)?.slice(0, 30)} is refused: ${reject}`, () => {
    const batch = readNewOrders({ symbol: 'BTCUSDT', orderList }, listings, owner);
    assert.equal(isRefused(batch) ? batch.reject : 'taken', reject);
  });
}

const REFERENCES: readonly [body: Record<string, unknown>, expected: object][] = [
  [{ orderId: '1000000000000028' }, { orderId: 28 }],
  [{ orderId: '1000000000000028', clientOrderId: 'a' }, { orderId: 28 }],
  [{ clientOrderId: 'a' }, { clientOrderId: 'a' }],
  [{ orderId: '', clientOid: 'a' }, { clientOrderId: 'a' }],
  [{ orderId: '1' }, { reject: 'order_unknown' }],
  [{ orderId: '800000000000000028' }, { reject: 'order_unknown' }],
  [{ orderId: 'abc' }, { reject: 'order_unknown' }],
  [{}, { reject: 'order_id_missing' }],
  [{ orderId: null, clientOrderId: '' }, { reject: 'order_id_missing' }],
  [{ orderId: [] }, { reject: 'parameter_invalid' }],
];

for (const [body, expected] of REFERENCES) {
  test(`the order named by ${JSON.stringify(body)}`, () => {
    const found = readOrderReference({ symbol: 'BTCUSDT', ...body }, listings);
    assert.partialDeepStrictEqual(found, expected);
  });
}
