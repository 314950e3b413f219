/** Market data of contracts through the current interface: all of it in base coin. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENT_CONTRACT_ENDPOINTS as CALLS } from '#dialects';
import { closedAtEnd } from '../support/at-end.ts';
import { SwapDesk } from '../support/swap-desk.ts';
import { assertShaped } from './contract-examples.ts';

const MINUTE_MS = 60_000;

const swap = await SwapDesk.open();
const house = closedAtEnd(swap.house);
const ann = await swap.funded('ann', '1000000');
const bob = await swap.funded('bob', '1000000');
await swap.trade(ann, bob, 30_000, 4);
house.clock.advance(MINUTE_MS);
await swap.trade(ann, bob, 30_100, 10);
await swap.order(ann, 'open_long', 29_900, 7);
await swap.order(bob, 'open_short', 30_200, 3);
await swap.order(bob, 'open_short', 30_200, 2);
const NOW = house.clock.nowMs();

type Name = keyof typeof CALLS;

async function ask(name: Name, fields: Readonly<Record<string, string>> = {}) {
  const { status, text } = await house.get(`${CALLS[name].path}?${new URLSearchParams(fields)}`);
  assert.equal(status, 200, text);
  assert.doesNotMatch(text, /": |"msg"/);
  const answer = JSON.parse(text);
  assertShaped(name, answer);
  return answer;
}

async function refusal(name: Name, fields: Readonly<Record<string, string>>) {
  const { status, body } = await house.get(`${CALLS[name].path}?${new URLSearchParams(fields)}`);
  return [status, body.code, body.msg];
}

const SYMBOL = { symbol: 'btcusdt' };

test('the list of contracts tells sizes in base coin and hides inverse ones', async () => {
  const { symbols, assets } = await ask('contractExchangeInfo');
  assert.deepEqual(
    symbols.map(({ symbol }: { symbol: string }) => symbol),
    ['BTCUSDT'],
  );
  const [contract] = symbols;
  const { contractVal, stepSize, minOrderSize, maxPositionSize, quantityPrecision } = contract;
  assert.deepEqual(
    [contractVal, stepSize, minOrderSize, quantityPrecision],
    [0.001, '0.001', 0.001, 3],
  );
  assert.equal(typeof maxPositionSize, 'number');
  assert.deepEqual(assets, [
    { asset: 'BTC', marginAvailable: false },
    { asset: 'USDT', marginAvailable: true },
  ]);
  assert.deepEqual(await ask('contractApiTradingSymbols'), ['BTCUSDT']);
  assert.equal((await ask('contractExchangeInfo', SYMBOL)).symbols.length, 1);
});

test('the book is in base coin, best first', async () => {
  const { bids, asks, lastUpdateId } = await ask('contractDepth', { ...SYMBOL, limit: '200' });
  assert.deepEqual([bids, asks], [[['29900.0', '0.007']], [['30200.0', '0.005']]]);
  assert.ok(Number.isSafeInteger(lastUpdateId));
  assert.deepEqual(await ask('contractBookTicker', SYMBOL), [
    {
      symbol: 'BTCUSDT',
      bidPrice: '29900.0',
      bidQty: '0.007',
      askPrice: '30200.0',
      askQty: '0.005',
      time: NOW,
    },
  ]);
});

test('the ticker counts base and quote coin and knows the mark price', async () => {
  const [ticker, ...others] = await ask('contractTicker24h');
  assert.deepEqual(others, []);
  assert.deepEqual(
    { ...ticker, openTime: 0, closeTime: 0 },
    {
      symbol: 'BTCUSDT',
      priceChange: '100.0',
      priceChangePercent: '0.003333',
      lastPrice: '30100.0',
      openPrice: '30000.0',
      highPrice: '30100.0',
      lowPrice: '30000.0',
      volume: '0.014',
      quoteVolume: '421',
      markPrice: '30000.0',
      indexPrice: '30000.0',
      openTime: 0,
      closeTime: 0,
    },
  );
  assert.deepEqual(await ask('contractTicker24h', SYMBOL), [ticker]);
});

test('trades and candles are in base coin', async () => {
  const [newest, oldest] = await ask('contractTrades', { ...SYMBOL, limit: '2' });
  assert.deepEqual(
    [newest.price, newest.qty, newest.quoteQty, oldest.qty],
    ['30100.0', '0.01', '301', '0.004'],
  );
  const rows = await ask('contractKlines', { ...SYMBOL, interval: '1m', limit: '2' });
  const [older, newer] = rows;
  assert.deepEqual(
    [older.slice(1, 6), newer.slice(1, 6)],
    [
      ['30000.0', '30000.0', '30000.0', '30000.0', '0.004'],
      ['30100.0', '30100.0', '30100.0', '30100.0', '0.01'],
    ],
  );
  assert.equal(newer[0] - older[0], MINUTE_MS);
  assert.deepEqual(newer.slice(7), ['301', 1, newer[9], newer[10]]);
  assert.equal(older[6], newer[0], 'a candle closes where the next one opens');
  const range = { ...SYMBOL, interval: '1m', startTime: String(older[0]) };
  assert.deepEqual(await ask('contractHistoryKlines', { ...range, endTime: String(NOW) }), rows);
  assert.deepEqual(await ask('contractHistoryKlines', { ...range, limit: '1' }), [older]);
  const upTo = { ...SYMBOL, interval: '1m', endTime: String(older[0]), limit: '1' };
  assert.deepEqual(await ask('contractHistoryKlines', upTo), [older]);
});

test('candles of the mark and the index price have no volume', async () => {
  const wanted = { ...SYMBOL, interval: '1m', limit: '1' };
  for (const [name, priceType] of [
    ['markPriceKlines', 'MARK'],
    ['indexPriceKlines', 'INDEX'],
  ] as const) {
    const [row] = await ask(name, wanted);
    assert.deepEqual(row.slice(1, 6), ['30000.0', '30000.0', '30000.0', '30000.0', '0']);
    assert.deepEqual(row.slice(7), ['0', 0, '0', '0']);
    assert.deepEqual(await ask('contractHistoryKlines', { ...wanted, priceType }), [row]);
  }
});

test('prices, premium and open interest', async () => {
  const mark = await ask('symbolPrice', { ...SYMBOL, priceType: 'MARK' });
  assert.deepEqual(mark, { symbol: 'BTCUSDT', price: '30000.0', time: NOW });
  const [premium] = await ask('premiumIndex', SYMBOL);
  assert.deepEqual([premium.collectCycle, premium.lastFundingRate], [480, '0']);
  assert.deepEqual(await ask('premiumIndex'), [premium]);
  const { openInterest } = await ask('openInterest', SYMBOL);
  assert.equal(openInterest, '0.014');
});

test('the rate that was settled last is shown beside the forecast', async () => {
  const { nextFundingTime } = (await ask('premiumIndex', SYMBOL))[0];
  house.clock.advance(nextFundingTime - house.clock.nowMs());
  await swap.tick();
  const [settled] = await ask('fundingRate', SYMBOL);
  const [premium] = await ask('premiumIndex', SYMBOL);
  assert.equal(settled.fundingTime, nextFundingTime);
  assert.equal(premium.lastFundingRate, settled.fundingRate);
  const before = { ...SYMBOL, endTime: String(nextFundingTime - 1) };
  assert.deepEqual(await ask('fundingRate', before), []);
});

const BAD: readonly (readonly [Name, Readonly<Record<string, string>>, number, RegExp])[] = [
  ['contractDepth', { symbol: 'NOPEUSDT' }, -1142, /^Parameter 'symbol' is invalid\./],
  ['premiumIndex', { symbol: 'NOPEUSDT' }, -1142, /^Parameter 'symbol' is invalid\./],
  ['contractExchangeInfo', { symbol: 'BTCUSD' }, -1142, /^Parameter 'symbol' is invalid\./],
  ['contractDepth', { ...SYMBOL, limit: '20' }, -1142, /^Parameter 'limit' is invalid\./],
  ['fundingRate', {}, -1141, /^Parameter 'symbol' cannot be empty\.$/],
  ['contractTrades', { ...SYMBOL, limit: '1001' }, -1140, /^Parameter validation failed: limit/],
  ['contractKlines', { ...SYMBOL, interval: '7m' }, -1142, /^Parameter 'interval' is invalid\./],
  [
    'contractHistoryKlines',
    { ...SYMBOL, interval: '1m', startTime: '5', endTime: '4' },
    -1171,
    /^startTime cannot be greater/,
  ],
];

for (const [name, fields, code, text] of BAD) {
  test(`${name} with ${JSON.stringify(fields)} is refused with ${code}`, async () => {
    const [status, actual, msg] = await refusal(name, fields);
    assert.deepEqual([status, actual], [400, code]);
    assert.match(String(msg), text);
  });
}
