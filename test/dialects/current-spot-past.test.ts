/** What the current interface tells of the past: orders, own trades, bills and transfers. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENT_SPOT_ENDPOINTS as CALLS } from '#dialects';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { CurrentDesk, SYMBOL } from '../support/current-desk.ts';
import { House, type Trader } from '../support/house.ts';

const house = closedAtEnd(await House.open());
const desk = new CurrentDesk(house);
const ann = await house.trader('ann', { USDT: '100000', BTC: '2' });
const bob = await house.trader('bob', { USDT: '100000', BTC: '2' });

interface Row {
  /** Numbers as the text that they are. */
  readonly [name: string]: string | boolean;
}

async function place(who: Trader, fields: object): Promise<string> {
  house.clock.advance(10);
  const order = { symbol: SYMBOL, type: 'LIMIT', ...fields };
  return (await desk.data<{ orderId: string }>(who, CALLS.placeOrder, order)).orderId;
}

const startMs = house.clock.nowMs();
const sell = await place(ann, { side: 'SELL', price: '30000', quantity: '0.3' });
const buy = await place(bob, { side: 'BUY', price: '30000', quantity: '0.2' });
const midMs = house.clock.nowMs();
const second = await place(bob, { side: 'BUY', type: 'MARKET', quantity: '0.05' });
const resting: string[] = [];
for (const price of ['20000', '20001', '20002']) {
  resting.unshift(await place(bob, { side: 'BUY', price, quantity: '0.1' }));
}
await desk.data(bob, CALLS.cancelOrder, { orderId: present(resting[1], 'order') });
const all = [resting[0], resting[1], resting[2], second, buy];

async function idsOf(fields: object): Promise<unknown[]> {
  const orders = await desk.data<Row[]>(bob, CALLS.allOrders, { symbol: SYMBOL, ...fields });
  return orders.map(({ orderId }) => orderId);
}

test('open and closed orders are one list, newest first, in pages', async () => {
  assert.deepEqual(await idsOf({}), all);
  for (const limit of [1, 2, 3, 4, 5, 6]) {
    const pages: unknown[] = [];
    for (let page = 1; page <= 6; page += 1) pages.push(...(await idsOf({ limit, page })));
    assert.deepEqual(pages, all, `pages of ${limit}`);
  }
  assert.deepEqual(await idsOf({ limit: 5_000 }), all, 'above the maximum counts as it');
});

test('a time range has both of its ends', async () => {
  assert.deepEqual(await idsOf({ startTime: midMs + 10 }), all.slice(0, 4));
  assert.deepEqual(await idsOf({ startTime: midMs, endTime: midMs }), [buy]);
  assert.deepEqual(await idsOf({ endTime: startMs }), []);
  const reversed = { symbol: SYMBOL, startTime: midMs + 1, endTime: midMs };
  assert.deepEqual(await desk.refusal(bob, CALLS.allOrders, reversed), [
    400,
    -1171,
    'startTime cannot be greater than endTime',
  ]);
});

const BOUNDS: readonly [fields: object, code: number, text: string][] = [
  [{ limit: 0 }, -1140, 'Parameter validation failed: limit must be above zero'],
  [{ limit: 'x' }, -1142, "Parameter 'limit' is invalid. limit 'x' is not a whole number"],
  [{ page: 0 }, -1140, 'Parameter validation failed: page must be above zero'],
  [{ page: 999_999 }, -1140, 'Parameter validation failed: No pages are served this far'],
  [{ symbol: '' }, -1141, "Parameter 'symbol' cannot be empty."],
];

for (const [fields, code, text] of BOUNDS) {
  test(`orders with ${JSON.stringify(fields)} are refused`, async () => {
    const asked = { symbol: SYMBOL, ...fields };
    assert.deepEqual(await desk.refusal(bob, CALLS.allOrders, asked), [400, code, text]);
  });
}

test('trades sum up to what was filled, and fees are of what was received', async () => {
  const trades = await desk.data<Row[]>(bob, CALLS.myTrades, { symbol: SYMBOL });
  assert.deepEqual(
    trades.map(({ orderId, price, qty, quoteQty, commission, isBuyer }) => {
      return [orderId, price, qty, quoteQty, commission, isBuyer];
    }),
    [
      [second, '30000.00', '0.05', '1500', '0.00005', true],
      [buy, '30000.00', '0.2', '6000', '0.0002', true],
    ],
  );
  const sold = { symbol: SYMBOL, orderId: sell, limit: 1 };
  const fills = await desk.data<Row[]>(ann, CALLS.myTrades, sold);
  assert.deepEqual(
    fills.map(({ commission, isBuyer }) => [commission, isBuyer]),
    [
      ['1.5', false],
      ['6', false],
    ],
    'an order is not torn apart',
  );
  const early = { symbol: SYMBOL, endTime: midMs };
  assert.equal((await desk.data<Row[]>(bob, CALLS.myTrades, early)).length, 1);
  const foreign = { symbol: SYMBOL, orderId: sell };
  assert.deepEqual(await desk.data<Row[]>(bob, CALLS.myTrades, foreign), []);
});

test('bills chain: what is there after one is what the next one begins with', async () => {
  const bills = await desk.data<Row[]>(bob, CALLS.bills, { coinId: 2, limit: 100 });
  assert.deepEqual(
    bills.map(({ bizType, deltaAmount, afterAmount }) => [bizType, deltaAmount, afterAmount]),
    [
      ['trade_out', '-1500.00000000', '92500.00000000'],
      ['trade_out', '-6000.00000000', '94000.00000000'],
      ['deposit', '100000.00000000', '100000.00000000'],
    ],
  );
  const received = await desk.data<Row[]>(bob, CALLS.bills, { bizType: 'trade_in', limit: 1 });
  const { bizType, coinName, fillSize, fillValue, deltaAmount, fees } = present(
    received[0],
    'bill',
  );
  assert.deepEqual(
    { bizType, coinName, fillSize, fillValue, deltaAmount, fees },
    {
      bizType: 'trade_in',
      coinName: 'BTC',
      fillSize: '0.05',
      fillValue: '1500',
      deltaAmount: '0.04995000',
      fees: '0.00005000',
    },
  );
  const given = await desk.data<Row[]>(bob, CALLS.bills, {
    bizType: 'trade_out',
    after: midMs + 1,
  });
  assert.deepEqual(
    given.map((bill) => bill.deltaAmount),
    ['-1500.00000000'],
  );
  const taxed = { ...CALLS.bills, path: '/api/v3/tax/income' };
  assert.deepEqual(await desk.data(bob, taxed, { coinId: 2, limit: 100 }), bills);
  assert.equal((await desk.refusal(bob, CALLS.bills, { bizType: 'gift' }))[1], -1142);
  assert.equal((await desk.refusal(bob, CALLS.bills, { coinId: 999 }))[1], -1142);
});

test('there is no funding wallet', async () => {
  assert.deepEqual(await desk.data(bob, CALLS.fundingBills, { pageSize: 20 }), {
    total: 0,
    pageSize: 20,
    pages: 0,
    page: 1,
    hasNextPage: false,
    items: [],
  });
});

test('transfers are listed newest first, by the word that clients wait for', async () => {
  const coin = present(house.live.listings.assetByCode('USDT'), 'USDT');
  const route = { from: 'spot', to: 'BTC-USDT-PERP' } as const;
  for (const amount of [25_000_000_000n, 100_000_000n]) {
    house.clock.advance(10);
    const { assetId } = coin;
    const { accountId } = ann;
    await house.run({ kind: 'transfer', accountId, assetId, amount, ...route });
  }
  const rows = await desk.data<Row[]>(ann, CALLS.transferRecords);
  assert.deepEqual(
    rows.map(({ status, fromType, toType, fromSymbol, toSymbol, amount }) => {
      return [status, fromType, toType, fromSymbol, toSymbol, amount];
    }),
    [
      ['Successful', 'SPOT', 'CONTRACT', '', '', '1.00000000'],
      ['Successful', 'SPOT', 'CONTRACT', '', '', '250.00000000'],
    ],
  );
  const last = house.clock.nowMs();
  const asked = { after: last, before: last, fromType: 'SPOT' };
  assert.equal((await desk.data<Row[]>(ann, CALLS.transferRecords, asked)).length, 1);
  assert.deepEqual(await desk.data(ann, CALLS.transferRecords, { fromType: 'CONTRACT' }), []);
  assert.deepEqual(await desk.data(ann, CALLS.transferRecords, { fromType: 'FUNDING' }), []);
});
