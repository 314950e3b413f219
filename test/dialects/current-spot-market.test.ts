/** Market data of pairs through the current interface, after trades that are known. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENT_SPOT_ENDPOINTS as CALLS } from '#dialects';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { CurrentDesk, SYMBOL } from '../support/current-desk.ts';
import { House } from '../support/house.ts';

const MINUTE_MS = 60_000;
const house = closedAtEnd(await House.open());
const desk = new CurrentDesk(house);
const ann = await house.trader('ann', { USDT: '100000', BTC: '2' });
const bob = await house.trader('bob', { USDT: '100000', BTC: '2' });

interface Row {
  readonly [name: string]: unknown;
}

async function place(who: typeof ann, side: string, price: string, quantity: string) {
  const order = { symbol: SYMBOL, type: 'LIMIT', side, price, quantity };
  await desk.data(who, CALLS.placeOrder, order);
}

await place(ann, 'SELL', '30000', '0.5');
await place(bob, 'BUY', '30000', '0.2');
house.clock.advance(2 * MINUTE_MS);
await place(bob, 'BUY', '29000', '0.3');
await place(ann, 'SELL', '29000', '0.1');
const nowMs = house.clock.nowMs();
const openMs = nowMs - (nowMs % MINUTE_MS);

test('a ticker is a row of an array, for one pair, several or all', async () => {
  const [row, ...others] = await desk.data<Row[]>(ann, CALLS.ticker24h, { symbol: SYMBOL });
  assert.deepEqual(others, []);
  const { openTime, closeTime, ...figures } = present(row, 'ticker');
  assert.deepEqual([openTime, closeTime].map(Number), [openMs - 86_400_000, nowMs]);
  assert.deepEqual(
    { ...figures, count: Number(figures.count) },
    {
      symbol: SYMBOL,
      priceChange: '-1000.00',
      priceChangePercent: '-0.033333',
      lastPrice: '29000.00',
      openPrice: '30000.00',
      highPrice: '30000.00',
      lowPrice: '29000.00',
      volume: '0.3',
      quoteVolume: '8900',
      bidPrice: '29000.00',
      bidQty: '0.2',
      askPrice: '30000.00',
      askQty: '0.3',
      count: 2,
    },
  );
  const names = async (fields: object) => {
    const rows = await desk.data<Row[]>(ann, CALLS.ticker24h, fields);
    return rows.map(({ symbol }) => symbol);
  };
  assert.deepEqual(await names({ symbols: 'ethusdt,BTCUSDT' }), ['ETHUSDT', SYMBOL]);
  assert.deepEqual(await names({ symbols: '["ETHUSDT"]' }), ['ETHUSDT']);
  assert.deepEqual(await names({}), [SYMBOL, 'ETHUSDT', 'ETHBTC']);
  const both = { symbol: SYMBOL, symbols: 'ETHUSDT' };
  assert.equal((await desk.refusal(ann, CALLS.ticker24h, both))[1], -1128);
});

test('a pair that never traded has prices of zero', async () => {
  const [row] = await desk.data<Row[]>(ann, CALLS.ticker24h, { symbol: 'ETHBTC' });
  const { lastPrice, bidPrice, priceChange, priceChangePercent, volume } = present(row, 'ticker');
  assert.deepEqual(
    [lastPrice, bidPrice, priceChange, priceChangePercent, volume],
    ['0', '0', '0', '0', '0'],
  );
});

test('candles count trades and what takers bought, and fill minutes without trades', async () => {
  const fields = { symbol: SYMBOL, interval: '1m' };
  const rows = await desk.data<unknown[][]>(ann, CALLS.klines, fields);
  const plain = rows.map((row) => row.map(String));
  const times = (back: number) => {
    const open = openMs - back * MINUTE_MS;
    return [String(open), String(open + MINUTE_MS - 1)] as const;
  };
  const prices = (price: string) => [price, price, price, price];
  const [[first, firstEnd], [gap, gapEnd], [last, lastEnd]] = [times(2), times(1), times(0)];
  assert.deepEqual(plain, [
    [first, ...prices('30000.00'), '0.2', firstEnd, '6000', '1', '0.2', '6000'],
    [gap, ...prices('30000.00'), '0', gapEnd, '0', '0', '0', '0'],
    [last, ...prices('29000.00'), '0.1', lastEnd, '2900', '1', '0', '0'],
  ]);
  const some = { ...fields, startTime: openMs - MINUTE_MS, limit: 1 };
  const [one, ...others] = await desk.data<unknown[][]>(ann, CALLS.klines, some);
  assert.deepEqual([Number(one?.[0]), others], [openMs - MINUTE_MS, []]);
});

test('trades are newest first, with the side that had rested', async () => {
  const rows = await desk.data<Row[]>(ann, CALLS.trades, { symbol: SYMBOL });
  assert.deepEqual(
    rows.map(({ price, qty, quoteQty, isBuyerMaker }) => [price, qty, quoteQty, isBuyerMaker]),
    [
      ['29000.00', '0.1', '2900', true],
      ['30000.00', '0.2', '6000', false],
    ],
  );
});

test('the update id of a book grows with its changes and with nothing else', async () => {
  const idOf = async () => {
    const book = await desk.data<Row>(ann, CALLS.depth, { symbol: SYMBOL, limit: 200 });
    return Number(book.lastUpdateId);
  };
  const first = await idOf();
  await house.deposit(ann.accountId, 'USDT', '1');
  assert.equal(await idOf(), first);
  await place(bob, 'BUY', '28000', '0.1');
  assert.ok((await idOf()) > first);
});

const REFUSED: readonly [what: string, call: keyof typeof CALLS, fields: object, code: number][] = [
  ['levels that are neither 15 nor 200', 'depth', { symbol: SYMBOL, limit: 50 }, -1142],
  ['more trades than a page holds', 'trades', { symbol: SYMBOL, limit: 1_001 }, -1140],
  ['no trades', 'trades', { symbol: SYMBOL, limit: 0 }, -1140],
  ['an interval in capitals', 'klines', { symbol: SYMBOL, interval: '1H' }, -1142],
  ['no interval', 'klines', { symbol: SYMBOL }, -1141],
  [
    'a range that ends before it starts',
    'klines',
    { symbol: SYMBOL, interval: '1m', startTime: 2, endTime: 1 },
    -1171,
  ],
  ['an unknown pair among several', 'ticker24h', { symbols: 'BTCUSDT,NOPE' }, -2007],
];

for (const [what, call, fields, code] of REFUSED) {
  test(`${what}: refused with ${code}`, async () => {
    assert.equal((await desk.refusal(ann, CALLS[call], fields))[1], code);
  });
}

test('coins and pairs are listed with their steps and bounds', async () => {
  const coins = await desk.data<Row[]>(ann, CALLS.coins);
  assert.deepEqual(
    coins.map(({ coin }) => coin),
    ['USDT', 'BTC', 'ETH'],
  );
  const asked = { symbol: SYMBOL };
  const { symbols } = await desk.data<{ symbols: Row[] }>(ann, CALLS.exchangeInfo, asked);
  const { tickSize, stepSize, status, enableTrade } = present(symbols[0], 'pair');
  assert.deepEqual([tickSize, stepSize, status, enableTrade], ['0.01', '0.0001', 'TRADING', true]);
  const halted = { symbolStatus: 'HALT' };
  const found = await desk.data<{ symbols: Row[] }>(ann, CALLS.exchangeInfo, halted);
  assert.deepEqual(
    found.symbols.map(({ symbol }) => symbol),
    ['ETHUSDT'],
  );
  assert.deepEqual(await desk.data(ann, CALLS.apiTradingSymbols), [SYMBOL, 'ETHBTC']);
});
