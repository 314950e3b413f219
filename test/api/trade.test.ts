/** Orders over HTTP, from the first to the last answer, with the exact shapes clients read. */
import { strict as assert } from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { classicDialect, SPOT_ENDPOINTS } from '#dialects';
import { LIMITS, ofMarket, refuse } from '#domain';
import { closedAtEnd } from '../support/at-end.ts';
import { START_MS, type Trader } from '../support/house.ts';
import { LIMIT, SpotDesk } from '../support/spot-desk.ts';

const SELL = { ...LIMIT, side: 'sell', price: '30000', quantity: '0.5' };
const BUY = { ...LIMIT, side: 'buy', price: '29000', quantity: '0.1' };
const UNKNOWN_ID = '1000000000999999';

let alice: Trader;
let bob: Trader;

const desk = closedAtEnd(await SpotDesk.open());
const { house } = desk;

beforeEach(async () => {
  [alice, bob] = await desk.pair({ USDT: '100000', BTC: '10', ETH: '10' });
});

interface Ids {
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly fillId?: string;
}

test('a success carries both spellings of the text and the time', async () => {
  const { body } = await desk.call(alice, 'placeOrder', { ...BUY, clientOrderId: 'iauIBf#1-2_3' });
  assert.deepEqual(Object.keys(body), ['code', 'msg', 'message', 'requestTime', 'data']);
  assert.partialDeepStrictEqual(body, {
    code: '00000',
    msg: 'success',
    message: 'success',
    requestTime: START_MS,
    data: { clientOrderId: 'iauIBf#1-2_3' },
  });
});

test('an open order as its owner sees it', async () => {
  const orderId = await desk.place(alice, { ...BUY, price: '29400', clientOrderId: 'grid#7' });
  assert.deepEqual(await desk.info(alice, orderId), {
    accountId: String(alice.accountId),
    symbol: 'BTCUSDT_SPBL',
    orderId,
    clientOrderId: 'grid#7',
    price: '29400.00',
    quantity: '0.1000',
    orderType: 'limit',
    side: 'buy',
    status: 'new',
    fillPrice: '0',
    fillQuantity: '0',
    fillTotalAmount: '0',
    cTime: String(START_MS),
    cancelReason: '',
  });
});

test('an order fills in parts, then wholly, at an average finer than a tick', async () => {
  const first = await desk.place(alice, { ...SELL, price: '30000.01', quantity: '0.1' });
  await desk.place(alice, { ...SELL, price: '30000.02', quantity: '0.2' });
  const taker = await desk.place(bob, { ...BUY, price: '30001', quantity: '0.5' });
  assert.equal((await desk.info(alice, first)).status, 'full_fill');
  assert.partialDeepStrictEqual(await desk.info(bob, taker), {
    status: 'partial_fill',
    fillPrice: '30000.01666667',
    fillQuantity: '0.3',
    fillTotalAmount: '9000.005',
  });
  await desk.place(alice, { ...SELL, price: '30001', quantity: '0.2' });
  assert.partialDeepStrictEqual(await desk.info(bob, taker), {
    status: 'full_fill',
    fillQuantity: '0.5',
    fillTotalAmount: '15000.205',
  });
});

test('a market buy spends quote coin and keeps it as its quantity', async () => {
  await desk.place(alice, SELL);
  const market = { ...LIMIT, side: 'buy', orderType: 'market', force: 'fok', quantity: '150.5' };
  const order = await desk.info(bob, await desk.place(bob, market));
  assert.partialDeepStrictEqual(order, {
    price: '0',
    quantity: '150.5',
    orderType: 'market',
    status: 'full_fill',
    fillPrice: '30000',
    fillQuantity: '0.005',
    fillTotalAmount: '150',
  });
});

test('a post-only order that would take is accepted and cancelled', async () => {
  await desk.place(alice, SELL);
  const orderId = await desk.place(bob, { ...BUY, price: '30000', force: 'post_only' });
  assert.partialDeepStrictEqual(await desk.info(bob, orderId), {
    status: 'cancelled',
    fillQuantity: '0',
  });
});

test('a fill as buyer and seller see it: the fee is positive, in the coin received', async () => {
  const sell = await desk.place(alice, SELL);
  const buy = await desk.place(bob, { ...BUY, price: '30000', quantity: '0.0005' });
  const [bought] = await desk.data<Record<string, string>[]>(bob, 'fills', LIMIT);
  const [sold] = await desk.data<Record<string, string>[]>(alice, 'fills', LIMIT);
  assert.deepEqual(bought, {
    accountId: String(bob.accountId),
    symbol: 'BTCUSDT_SPBL',
    orderId: buy,
    fillId: bought?.fillId,
    orderType: 'limit',
    side: 'buy',
    fillPrice: '30000.00',
    fillQuantity: '0.0005',
    fillTotalAmount: '15',
    cTime: String(START_MS),
    feeCcy: 'BTC',
    fees: '0.0000005',
  });
  assert.partialDeepStrictEqual(sold, {
    orderId: sell,
    fillId: bought?.fillId,
    side: 'sell',
    feeCcy: 'USDT',
    fees: '0.015',
  });
});

test('an order is found by its own id or by the id its owner chose', async () => {
  const orderId = await desk.place(alice, { ...BUY, clientOrderId: 'mine' });
  for (const name of ['clientOrderId', 'clientOid', 'client_oid']) {
    const [order] = await desk.data<Ids[]>(alice, 'orderInfo', { ...LIMIT, [name]: 'mine' });
    assert.equal(order?.orderId, orderId);
  }
  const digits = `{"symbol":"btcusdt","orderId":${orderId}}`;
  const headers = house.sign(alice, 'POST', SPOT_ENDPOINTS.orderInfo.path, digits);
  const url = SPOT_ENDPOINTS.orderInfo.path;
  const reply = await house.call({ method: 'POST', url, headers, body: digits });
  assert.equal(reply.body.code, '00000', 'an unquoted id of 18 digits keeps them all');
  await desk.data(alice, 'cancelOrder', { ...LIMIT, clientOrderId: 'mine' });
  const [closed] = await desk.data<Ids[]>(alice, 'orderInfo', { ...LIMIT, clientOrderId: 'mine' });
  assert.equal(closed?.orderId, orderId);
});

test('an unknown, foreign or malformed id is the same unknown order', async () => {
  const foreign = await desk.place(bob, BUY);
  const elsewhere = await desk.place(alice, {
    ...BUY,
    symbol: 'ETHBTC',
    price: '0.05',
    quantity: '1',
  });
  for (const orderId of [UNKNOWN_ID, foreign, elsewhere, '1', 'abc', '8'.repeat(18), -5]) {
    for (const name of ['orderInfo', 'cancelOrder'] as const) {
      assert.deepEqual(await desk.refusal(alice, name, { ...LIMIT, orderId }), [400, '40109']);
    }
  }
  assert.deepEqual(await desk.refusal(alice, 'cancelOrder', LIMIT), [400, '40913']);
  assert.deepEqual(await desk.refusal(alice, 'orderInfo', LIMIT), [400, '40913']);
});

test('a cancel answers with the id, and a second one says that the order is finished', async () => {
  const orderId = await desk.place(alice, { ...BUY, clientOrderId: 'once' });
  assert.equal(await desk.data(alice, 'cancelOrder', { ...LIMIT, orderId }), orderId);
  assert.equal((await desk.info(alice, orderId)).status, 'cancelled');
  assert.deepEqual(await desk.refusal(alice, 'cancelOrder', { ...LIMIT, orderId }), [400, '43004']);
  const named = { ...LIMIT, clientOrderId: 'once' };
  assert.deepEqual(await desk.refusal(alice, 'cancelOrder', named), [400, '43004']);
});

test('a finished order is known by its id when another pair has it a day later', async () => {
  const named = { ...BUY, clientOrderId: 'moved' };
  await desk.place(alice, named);
  await desk.data(alice, 'cancelOrder', { ...LIMIT, clientOrderId: 'moved' });
  house.clock.advance(LIMITS.usedIdsHoldMs);
  const elsewhere = { ...named, symbol: 'ETHBTC', price: '0.05', quantity: '1' };
  const orderId = await desk.place(alice, elsewhere);
  const gone = { ...LIMIT, clientOrderId: 'moved' };
  assert.deepEqual(await desk.refusal(alice, 'cancelOrder', gone), [400, '43004']);
  assert.equal(await desk.data(alice, 'cancelOrder', { ...gone, symbol: 'ETHBTC' }), orderId);
});

test('open orders: one pair or all of them, newest first, never those of others', async () => {
  const first = await desk.place(alice, BUY);
  const other = await desk.place(alice, { ...BUY, symbol: 'ETHBTC', price: '0.05', quantity: '1' });
  const last = await desk.place(alice, BUY);
  await desk.place(bob, BUY);
  const ids = async (fields: object) =>
    (await desk.data<Ids[]>(alice, 'openOrders', fields)).map((order) => order.orderId);
  assert.deepEqual(await ids({ symbol: 'btcusdt' }), [last, first]);
  assert.deepEqual(await ids({ symbol: 'ETHBTC_SPBL' }), [other]);
  assert.deepEqual(await ids({ symbol: '' }), [last, other, first]);
  assert.deepEqual(await ids({}), [last, other, first]);
  assert.deepEqual(await desk.refusal(alice, 'openOrders', { symbol: 'XXX' }), [400, '50004']);
});

test('a batch answers in request order, with failures beside the successes', async () => {
  const { symbol: _symbol, ...item } = BUY;
  const orderList = [
    { ...item, clientOrderId: 'one' },
    { ...item, clientOrderId: 'two', quantity: '0' },
    { ...item, client_oid: 'three' },
    { ...item, clientOrderId: 'one' },
    { ...item, clientOrderId: 'five', price: '1000000', quantity: '9' },
  ];
  const result = await desk.data<{ resultList: Ids[]; failure: Record<string, string>[] }>(
    alice,
    'placeBatch',
    { symbol: 'BTCUSDT', orderList },
  );
  assert.deepEqual(
    result.resultList.map((placed) => placed.clientOrderId),
    ['one', 'three'],
  );
  assert.deepEqual(
    result.failure.map((failed) => [failed.clientOrderId, failed.errorCode]),
    [
      ['two', '40108'],
      ['one', '43118'],
      ['five', '50020'],
    ],
  );
  assert.equal(result.failure[0]?.errorMsg, "Quantity is invalid: '0' is not above zero");
});

test('a batch of 50 is taken, one of 51 is not', async () => {
  const orderList = new Array(50).fill({ ...BUY, quantity: '0.01' });
  const full = await desk.data<{ resultList: Ids[] }>(alice, 'placeBatch', { ...LIMIT, orderList });
  assert.equal(full.resultList.length, 50);
  const over = { ...LIMIT, orderList: [...orderList, BUY] };
  assert.deepEqual(await desk.refusal(alice, 'placeBatch', over), [400, '40912']);
  const orderIds = full.resultList.map((placed) => placed.orderId);
  assert.deepEqual(await desk.data(alice, 'cancelBatch', { ...LIMIT, orderIds }), orderIds);
});

test('a cancel batch answers with what it cancelled and skips the rest', async () => {
  const first = await desk.place(alice, BUY);
  const second = await desk.place(alice, BUY);
  const foreign = await desk.place(bob, BUY);
  const orderIds = [second, UNKNOWN_ID, 'abc', foreign, first, first];
  assert.deepEqual(await desk.data(alice, 'cancelBatch', { ...LIMIT, orderIds }), [second, first]);
  assert.deepEqual(await desk.data(alice, 'cancelBatch', { ...LIMIT, orderIds: [first] }), []);
  for (const bad of [undefined, [], 'x', [{}]]) {
    const fields = { ...LIMIT, orderIds: bad };
    assert.deepEqual(await desk.refusal(alice, 'cancelBatch', fields), [400, '40017']);
  }
});

test('the history pages through closed orders by id in both directions', async () => {
  const ids: string[] = [];
  for (let at = 0; at < 5; at += 1) ids.push(await desk.place(alice, BUY));
  await desk.data(alice, 'cancelBatch', { ...LIMIT, orderIds: ids });
  await desk.place(alice, BUY);
  const page = async (fields: object) =>
    (await desk.data<Ids[]>(alice, 'orderHistory', { ...LIMIT, ...fields })).map((row) =>
      ids.indexOf(row.orderId),
    );
  assert.deepEqual(await page({}), [4, 3, 2, 1, 0], 'open orders are not in it');
  assert.deepEqual(await page({ limit: 2 }), [4, 3]);
  assert.deepEqual(await page({ after: ids[3], limit: '2' }), [2, 1]);
  assert.deepEqual(await page({ before: ids[0], limit: 2 }), [1, 2]);
  assert.deepEqual(await page({ after: ids[4], before: ids[1] }), [3, 2]);
  assert.deepEqual(await page({ after: '', before: null, limit: '9999' }), [4, 3, 2, 1, 0]);
  // Any decimal id is a bound, be it one of this venue's or not.
  assert.deepEqual(await page({ after: '9'.repeat(40), limit: 2 }), [4, 3]);
  assert.deepEqual(await page({ after: '1095' }), []);
  assert.deepEqual(await page({ before: '0', limit: 2 }), [0, 1]);
  assert.deepEqual(await page({ before: '999999999999999999' }), []);
  for (const bad of [{ after: 'x' }, { before: '-5' }, { limit: 0 }, { limit: 'x' }]) {
    const fields = { ...LIMIT, ...bad };
    assert.deepEqual(await desk.refusal(alice, 'orderHistory', fields), [400, '40017']);
  }
});

test('fills page by order id, or are those of one order', async () => {
  await desk.place(alice, { ...SELL, quantity: '1' });
  const orders: string[] = [];
  for (let at = 0; at < 4; at += 1) {
    orders.push(await desk.place(bob, { ...BUY, price: '30000', quantity: '0.01' }));
  }
  const page = async (fields: object) =>
    (await desk.data<Ids[]>(bob, 'fills', { ...LIMIT, ...fields })).map((row) =>
      orders.indexOf(row.orderId),
    );
  assert.deepEqual(await page({}), [3, 2, 1, 0]);
  assert.deepEqual(await page({ limit: 1 }), [3]);
  assert.deepEqual(await page({ after: orders[2] }), [1, 0], 'before that order');
  assert.deepEqual(await page({ before: orders[1] }), [2, 3], 'after that order');
  assert.deepEqual(await page({ before: '1', limit: 2 }), [0, 1]);
  assert.deepEqual(await page({ orderId: orders[1] }), [1]);
  assert.deepEqual(await page({ orderId: 'abc' }), []);
  assert.deepEqual(await page({ orderId: '' }), [3, 2, 1, 0]);
});

test('seven fills are met once each, page by page with a limit of one', async () => {
  // Four of a resting order and three of takers, the last of them between the others.
  const resting = await desk.place(alice, { ...SELL, price: '30001', quantity: '1' });
  const fill = { ...BUY, price: '30001', quantity: '0.01' };
  await desk.place(bob, fill);
  for (let at = 0; at < 3; at += 1) {
    await desk.place(bob, { ...SELL, price: '30000', quantity: '0.01' });
    await desk.place(alice, { ...BUY, price: '30000', quantity: '0.01' });
    await desk.place(bob, fill);
  }
  const walk = async (by: 'orderId' | 'fillId') => {
    const met: Ids[] = [];
    for (let pages = 0; pages < 9; pages += 1) {
      const fields = { ...LIMIT, limit: 1, after: met.at(-1)?.[by] ?? '' };
      const rows = await desk.data<Ids[]>(alice, 'fills', fields);
      if (rows.length === 0) return met;
      met.push(...rows);
    }
    return assert.fail('no end');
  };
  for (const by of ['orderId', 'fillId'] as const) {
    const met = await walk(by);
    assert.equal(met.length, 7, by);
    assert.equal(new Set(met.map(({ fillId }) => fillId)).size, 7);
    assert.equal(met.filter(({ orderId }) => orderId === resting).length, 4);
  }
});

test('an order whose client chose no id is called by its own, everywhere', async () => {
  const placed = await desk.data<Ids>(alice, 'placeOrder', BUY);
  const { orderId } = placed;
  assert.equal(placed.clientOrderId, orderId);
  const item = { ...BUY, symbol: undefined };
  const batch = { ...LIMIT, orderList: [item] };
  const { resultList } = await desk.data<{ resultList: Ids[] }>(alice, 'placeBatch', batch);
  assert.equal(resultList[0]?.clientOrderId, resultList[0]?.orderId);
  const named = { ...LIMIT, clientOrderId: orderId };
  const [open] = await desk.data<Ids[]>(alice, 'orderInfo', named);
  assert.deepEqual([open?.orderId, open?.clientOrderId], [orderId, orderId]);
  assert.deepEqual(await desk.refusal(bob, 'orderInfo', named), [400, '40109'], 'it is not his');
  await desk.data(alice, 'cancelOrder', named);
  const [closed] = await desk.data<Ids[]>(alice, 'orderInfo', named);
  assert.deepEqual([closed?.orderId, closed?.clientOrderId], [orderId, orderId]);
  const rows = await desk.data<Ids[]>(alice, 'orderHistory', LIMIT);
  assert.ok(rows.some(({ clientOrderId }) => clientOrderId === orderId));
});

const ENGINE_REFUSALS: readonly [why: string, fields: object, code: string][] = [
  ['a value below the minimum', { ...BUY, price: '1', quantity: '1' }, '50014'],
  ['a market buy below the minimum', { ...BUY, orderType: 'market', quantity: '4' }, '50014'],
  ['more than the largest quantity', { ...BUY, quantity: '10000.1' }, '43007'],
  ['more than the account has', { ...BUY, quantity: '9' }, '50020'],
  ['a pair that is halted', { ...BUY, symbol: 'ETHUSDT_SPBL' }, '50004'],
  ['a pair that does not exist', { ...BUY, symbol: 'DOGEUSDT_SPBL' }, '50004'],
];

for (const [why, fields, code] of ENGINE_REFUSALS) {
  test(`${why} is refused with ${code} and leaves nothing behind`, async () => {
    assert.deepEqual(await desk.refusal(alice, 'placeOrder', fields), [400, code]);
    assert.deepEqual(await desk.data(alice, 'openOrders', { symbol: '' }), []);
    assert.deepEqual(await desk.data(alice, 'orderHistory', LIMIT), []);
  });
}

test('a refusal calls a pair or a contract as clients do', async () => {
  const { body } = await desk.call(alice, 'placeOrder', { ...BUY, symbol: 'ethusdt' });
  assert.equal(body.msg, 'Pair is not tradable now: ETHUSDT_SPBL');
  const refusal = classicDialect.frame.refusal(
    refuse('contract_suspended', ofMarket('BTC-USDT-PERP')),
    0,
  );
  assert.match(JSON.parse(refusal.body).msg, /: cmt_btcusdt$/);
});

test('a refusal repeats an id as it was sent, also one like the name of a contract', async () => {
  const named = { ...BUY, clientOrderId: 'ABC-PERP' };
  const orderId = await desk.place(alice, named);
  const { body } = await desk.call(alice, 'placeOrder', named);
  assert.match(String(body.msg), /: ABC-PERP$/);
  await desk.data(alice, 'cancelOrder', { ...LIMIT, orderId });
});

test('a quantity below the minimum has its own code', async () => {
  const { instrumentId } = house.live.listings.spotBySymbol('BTC-USDT') ?? {};
  assert.ok(instrumentId !== undefined);
  const minLots = house.live.listings.spot[0]?.minLots;
  assert.ok(minLots !== undefined);
  const changes = { minLots: house.live.listings.spot[0]?.maxLots ?? minLots };
  await house.run({ kind: 'update_spot', instrumentId, changes });
  assert.deepEqual(await desk.refusal(alice, 'placeOrder', BUY), [400, '50019']);
  await house.run({ kind: 'update_spot', instrumentId, changes: { minLots } });
  assert.equal((await desk.call(alice, 'placeOrder', BUY)).body.code, '00000');
});

test('an id is taken while its order is open and for 24 hours after', async () => {
  const named = { ...BUY, clientOrderId: 'same' };
  const orderId = await desk.place(alice, named);
  assert.deepEqual(await desk.refusal(alice, 'placeOrder', named), [400, '43118']);
  await desk.place(bob, named);
  await desk.data(alice, 'cancelOrder', { ...LIMIT, orderId });
  house.clock.advance(LIMITS.usedIdsHoldMs - 1);
  assert.deepEqual(await desk.refusal(alice, 'placeOrder', named), [400, '43118']);
  house.clock.advance(1);
  await desk.place(alice, named);
});

test('more open orders than the account may have are refused', async () => {
  const { accountId } = alice;
  await house.run({ kind: 'update_account', accountId, changes: { openOrdersMax: 1 } });
  await desk.place(alice, BUY);
  assert.deepEqual(await desk.refusal(alice, 'placeOrder', BUY), [400, '43005']);
});
