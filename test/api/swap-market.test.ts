/** Public market data of contracts over HTTP: exact shapes, lenient parameters, no stale answer. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import Value from 'typebox/value';
import { SWAP_ENDPOINTS, type SwapEndpointName } from '#dialects';
import type { Step } from '#domain';
import { formatTrimmed } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { START_MS } from '../support/house.ts';
import { INVERSE_SYMBOL, LINEAR_SYMBOL, SwapDesk } from '../support/swap-desk.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FIRST_MINUTE_MS = START_MS - (START_MS % MINUTE_MS);
/** 21 November 2026, 00:00 UTC: funding is settled at 07:00, 15:00 and 23:00. */
const MIDNIGHT_MS = START_MS - (START_MS % (24 * HOUR_MS));

/**
 * Linear: 20 contracts at 30000, two minutes later 10 at 30300; best bid 30290, best ask 30310.
 * Inverse: 3000 contracts at 30000, an empty book.
 */
const desk = closedAtEnd(await SwapDesk.open());
const alice = await desk.funded('alice', '100000');
const bob = await desk.funded('bob', '100000');
for (const trader of [alice, bob]) await desk.fund(trader, '10', INVERSE_SYMBOL);
await desk.trade(bob, alice, 30_000, 20);
await desk.trade(bob, alice, 30_000, 3_000, INVERSE_SYMBOL);
desk.house.clock.advance(2 * MINUTE_MS);
await desk.order(bob, 'open_long', 30_300, 10);
await desk.order(alice, 'open_short', 30_300, 10);
for (const price of [30_310, 30_320.5, 30_400]) await desk.order(alice, 'open_short', price, 25);
for (const price of [30_290, 30_280.5, 30_200]) await desk.order(bob, 'open_long', price, 50);

type Row = Readonly<Record<string, string>>;

async function data<T = Row>(name: SwapEndpointName, query = ''): Promise<T> {
  const { path, response } = SWAP_ENDPOINTS[name];
  const { status, body, text } = await desk.house.get(path + query);
  assert.equal(status, 200, text);
  assert.deepEqual([...Value.Errors(response, body)], []);
  const answer: unknown = body;
  return answer as T;
}

function now(): string {
  return String(desk.house.clock.nowMs());
}

test('the time in seconds, as text and in milliseconds', async () => {
  const timestamp = desk.house.clock.nowMs();
  assert.deepEqual(await data<object>('time'), {
    epoch: (timestamp / 1_000).toFixed(3),
    iso: new Date(timestamp).toISOString(),
    timestamp,
  });
});

test('contracts: what a client must know before it trades', async () => {
  const { baseCode, quoteCode } = desk.contract(INVERSE_SYMBOL);
  const linear = {
    symbol: LINEAR_SYMBOL,
    underlying_index: 'BTC',
    quote_currency: 'USDT',
    coin: 'USDT',
    contract_val: '0.001',
    listing: null,
    delivery: ['07:00:00', '15:00:00', '23:00:00'],
    size_increment: '0',
    tick_size: '1',
    priceEndStep: '5',
    minLeverage: '1',
    maxLeverage: '100',
    forwardContractFlag: true,
  };
  assert.deepEqual(await data('contracts'), [
    linear,
    {
      ...linear,
      symbol: INVERSE_SYMBOL,
      underlying_index: baseCode,
      quote_currency: quoteCode,
      coin: 'BTC',
      contract_val: '1',
      forwardContractFlag: false,
    },
  ]);
});

const LINEAR_TICKER = {
  symbol: LINEAR_SYMBOL,
  last: '30300.0',
  best_ask: '30310.0',
  best_bid: '30290.0',
  high_24h: '30300.0',
  low_24h: '30000.0',
  volume_24h: '30',
  base_volume: '0.03',
  priceChangePercent: '1',
};

test('a ticker: the last day, contracts counted and in coin, the change in percent', async () => {
  const wanted = { ...LINEAR_TICKER, timestamp: now() };
  for (const symbol of ['cmt_btcusdt', 'CMT_BTCUSDT', 'cmt_BTCUSDT']) {
    assert.deepEqual(await data('ticker', `?symbol=${symbol}`), wanted);
  }
});

test('tickers of every contract; the volume of an inverse one is its value in coin', async () => {
  assert.deepEqual(await data('tickers'), [
    { ...LINEAR_TICKER, timestamp: now() },
    {
      symbol: INVERSE_SYMBOL,
      last: '30000.0',
      best_ask: '0.0',
      best_bid: '0.0',
      high_24h: '30000.0',
      low_24h: '30000.0',
      volume_24h: '3000',
      base_volume: '0.1',
      priceChangePercent: '0',
      timestamp: now(),
    },
  ]);
});

test('recent trades, newest first; a limit above the maximum is the maximum', async () => {
  const rows = await data<Row[]>('trades', `?symbol=${LINEAR_SYMBOL}&limit=200`);
  assert.deepEqual(
    rows.map(({ symbol, side, price, size, timestamp }) => [symbol, side, price, size, timestamp]),
    [
      [LINEAR_SYMBOL, 'sell', '30300.0', '10', String(START_MS + 2 * MINUTE_MS)],
      [LINEAR_SYMBOL, 'buy', '30000.0', '20', String(START_MS)],
    ],
  );
  assert.deepEqual(await data('trades', `?symbol=${LINEAR_SYMBOL}&limit=1`), rows.slice(0, 1));
  assert.equal((await data<Row[]>('trades', `?symbol=${LINEAR_SYMBOL}&limit=`)).length, 2);
});

test('depth: asks up, bids down, three columns, an empty side is an empty list', async () => {
  assert.deepEqual(await data('depth', `?symbol=${LINEAR_SYMBOL}&limit=2`), {
    asks: [
      ['30310.0', '25', 1],
      ['30320.5', '25', 1],
    ],
    bids: [
      ['30290.0', '50', 1],
      ['30280.5', '50', 1],
    ],
    timestamp: now(),
  });
  for (const query of ['', '&limit=', '&limit=1000']) {
    const book = await data<{ asks: unknown[] }>('depth', `?symbol=${LINEAR_SYMBOL}${query}`);
    assert.equal(book.asks.length, 3);
  }
  const empty = { asks: [], bids: [], timestamp: now() };
  assert.deepEqual(await data('depth', `?symbol=${INVERSE_SYMBOL}&limit=5`), empty);
});

test('depth: 100 levels unless told otherwise, and never more than 200', async () => {
  const other = await SwapDesk.open();
  const maker = await other.funded('maker', '1000000');
  for (let level = 0; level < 210; level += 1) {
    await other.order(maker, 'open_long', 29_000 - level, 1);
  }
  for (const [limit, levels] of [
    ['', 100],
    ['150', 150],
    ['201', 200],
  ]) {
    const query = `?symbol=${LINEAR_SYMBOL}&limit=${limit}`;
    const { text } = await other.house.get(SWAP_ENDPOINTS.depth.path + query);
    assert.equal(JSON.parse(text).bids.length, levels);
  }
  await other.close();
});

test('an order is in the book and in the ticker as soon as it is answered', async () => {
  const bids = async () =>
    (await data<{ bids: unknown[] }>('depth', `?symbol=${INVERSE_SYMBOL}&limit=5`)).bids;
  const bestBid = async () => (await data('ticker', `?symbol=${INVERSE_SYMBOL}`)).best_bid;
  assert.deepEqual([await bids(), await bestBid()], [[], '0.0']);
  await desk.order(bob, 'open_long', 29_000, 7, INVERSE_SYMBOL);
  assert.deepEqual([await bids(), await bestBid()], [[['29000.0', '7', 1]], '29000.0']);
  await desk.order(alice, 'open_short', 29_000, 7, INVERSE_SYMBOL);
  assert.deepEqual([await bids(), await bestBid()], [[], '0.0']);
});

test('candles are arrays, oldest first, the empty minute between filled in', async () => {
  const row = (minute: number, price: string, ...volumes: string[]) => [
    String(FIRST_MINUTE_MS + minute * MINUTE_MS),
    ...new Array(4).fill(price),
    ...volumes,
  ];
  assert.deepEqual(await data('candles', `?symbol=${LINEAR_SYMBOL}`), [
    row(0, '30000.0', '20', '0.02'),
    row(1, '30000.0', '0', '0'),
    row(2, '30300.0', '10', '0.01'),
  ]);
  const [quarter] = await data<string[][]>('candles', `?symbol=${LINEAR_SYMBOL}&granularity=900`);
  const prices = ['30000.0', '30300.0', '30000.0', '30300.0'];
  assert.deepEqual(quarter?.slice(1), [...prices, '30', '0.03']);
  const [inverse] = await data<string[][]>('candles', `?symbol=${INVERSE_SYMBOL}&granularity=60`);
  assert.deepEqual(inverse, row(0, '30000.0', '3000', '0.1'));
});

const GRANULARITIES = [
  60, 180, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400, 604_800,
];

test('each of the twelve granularities opens its candles at its own multiples', async () => {
  for (const seconds of GRANULARITIES) {
    const query = `?symbol=${LINEAR_SYMBOL}&granularity=${seconds}`;
    const rows = await data<string[][]>('candles', query);
    // Weeks begin on Monday; the Unix epoch was a Thursday.
    const offsetMs = seconds === 604_800 ? 4 * 24 * HOUR_MS : 0;
    for (const [openMs] of rows) {
      assert.equal((Number(openMs) - offsetMs) % (seconds * 1_000), 0, `${seconds}: ${openMs}`);
    }
    const volume = rows.reduce((sum, row) => sum + Number(row[5]), 0);
    assert.equal(volume, 30, String(seconds));
  }
});

test('a candle window takes milliseconds, seconds or UTC text, both ends included', async () => {
  const minutes = async (query: string) =>
    (await data<string[][]>('candles', `?symbol=${LINEAR_SYMBOL}&granularity=60${query}`)).map(
      ([openMs]) => (Number(openMs) - FIRST_MINUTE_MS) / MINUTE_MS,
    );
  const at = (minute: number) => FIRST_MINUTE_MS + minute * MINUTE_MS;
  const utc = (minute: number) => new Date(at(minute)).toISOString();
  assert.deepEqual(await minutes('&startTime=&endTime=&start=&end='), [0, 1, 2]);
  assert.deepEqual(await minutes(`&startTime=${at(1)}`), [1, 2]);
  assert.deepEqual(await minutes(`&endTime=${at(1)}`), [0, 1]);
  assert.deepEqual(await minutes(`&startTime=${at(1)}&endTime=${at(1)}`), [1]);
  assert.deepEqual(await minutes(`&startTime=${at(0) / 1_000}&endTime=${at(1) / 1_000}`), [0, 1]);
  assert.deepEqual(await minutes(`&start=${utc(1)}&end=${utc(2)}`), [1, 2]);
  assert.deepEqual(await minutes(`&start=${utc(1).replace('.000', '')}`), [1, 2]);
  assert.deepEqual(await minutes(`&startTime=${at(2)}&start=${utc(0)}`), [2]);
  assert.deepEqual(await minutes(`&startTime=${at(5)}`), []);
  assert.deepEqual(await minutes('&startTime=0'), [0, 1, 2]);
});

test('the index price is that of its source, the mark price as far from it as may be', async () => {
  const { instrumentId } = desk.contract(LINEAR_SYMBOL);
  const clamp = (markClampPpm: number) =>
    desk.house.run({ kind: 'update_contract', instrumentId, changes: { markClampPpm } });
  // The last price is 30300 and the middle of the book as well: the mark price would be there.
  await clamp(1_000);
  await desk.setIndex(30_001.5);
  await desk.tick();
  const shared = { symbol: LINEAR_SYMBOL, timestamp: now() };
  assert.deepEqual(await data('index', `?symbol=${LINEAR_SYMBOL}`), {
    ...shared,
    index: '30001.5',
  });
  assert.deepEqual(await data('markPrice', `?symbol=${LINEAR_SYMBOL}`), {
    ...shared,
    mark_price: '30031.5',
  });
  await clamp(1);
  await desk.setIndex(30_000);
  const { mark_price } = await data('markPrice', `?symbol=${LINEAR_SYMBOL}`);
  assert.equal(mark_price, '30000.0');
});

test('open interest in contracts and in both coins', async () => {
  assert.deepEqual(await data('openInterest', `?symbol=${LINEAR_SYMBOL}`), {
    symbol: LINEAR_SYMBOL,
    amount: '30',
    base_volume: '0.03',
    target_volume: '900',
    forwardContractFlag: true,
    timestamp: now(),
  });
  assert.partialDeepStrictEqual(await data('openInterest', `?symbol=${INVERSE_SYMBOL}`), {
    amount: '3007',
    base_volume: '0.10023333',
    target_volume: '3007',
    forwardContractFlag: false,
  });
});

test('open interest knows of a trade at once, also while the clock stands still', async () => {
  const amount = async () => (await data('openInterest', `?symbol=${INVERSE_SYMBOL}`)).amount;
  await desk.trade(bob, alice, 30_000, 5, INVERSE_SYMBOL);
  assert.equal(await amount(), '3012');
  await desk.order(alice, 'close_short', 30_000, 5, INVERSE_SYMBOL);
  await desk.order(bob, 'close_long', 30_000, 5, INVERSE_SYMBOL);
  assert.equal(await amount(), '3007');
});

test('the price band is half of the mark price to either side', async () => {
  assert.deepEqual(await data('priceLimit', `?symbol=${LINEAR_SYMBOL}`), {
    symbol: LINEAR_SYMBOL,
    highest: '45000.0',
    lowest: '15000.0',
    forwardContractFlag: true,
    timestamp: now(),
  });
});

test('funding: the next settlement moves on when it is reached, and then has a rate', async () => {
  const next = async () => (await data('fundingTime', `?symbol=${LINEAR_SYMBOL}`)).funding_time;
  const rates = (query: string) =>
    data<Row[]>('fundingHistory', `?symbol=${LINEAR_SYMBOL}${query}`);
  const [morning, afternoon, night] = [7, 15, 23].map((hour) => MIDNIGHT_MS + hour * HOUR_MS);
  assert.deepEqual(await rates(''), []);
  assert.equal(await next(), String(morning));
  const settled: Row[] = [];
  const steps: Step[] = [];
  desk.house.listeners.push((step) => steps.push(step));
  for (const reachedMs of [morning, afternoon]) {
    desk.house.clock.set(reachedMs ?? 0);
    const { instrumentId } = desk.contract(LINEAR_SYMBOL);
    await desk.tick();
    for (const event of steps.splice(0).flatMap(({ events }) => events)) {
      if (event.kind !== 'funding_settled' || event.instrumentId !== instrumentId) continue;
      const funding_rate = formatTrimmed(event.ratePpb, 9);
      settled.unshift({ symbol: LINEAR_SYMBOL, funding_rate, funding_time: String(reachedMs) });
    }
  }
  assert.equal(await next(), String(night));
  const all = await rates('');
  assert.deepEqual(all, settled);
  assert.equal(all.length, 2);
  assert.deepEqual(await rates('&pageIndex=1&pageSize=1'), all.slice(0, 1));
  assert.deepEqual(await rates('&pageIndex=2&pageSize=1'), all.slice(1));
  assert.deepEqual(await rates('&pageIndex=3&pageSize=1'), []);
  assert.deepEqual(await rates('&pageIndex=20000&pageSize=1'), []);
  assert.deepEqual(await rates('&pageIndex=20001&pageSize=1'), []);
  assert.deepEqual(await rates('&pageIndex=&pageSize=5000'), all);
});

const OPENABLE: readonly [symbol: string, query: string, contracts: string][] = [
  // 1000 / (0.001 * 30000 * (1 / 20 + 0.0006)) = 658.7
  [LINEAR_SYMBOL, 'amount=1000&openPrice=30000', '658'],
  [LINEAR_SYMBOL, 'amount=1000&openPrice=30000.0&leverage=20.0', '658'],
  // 1000 / (0.001 * 30000 * (1 / 100 + 0.0006)) = 3144.6
  [LINEAR_SYMBOL, 'amount=1000&openPrice=30000&leverage=100', '3144'],
  // Between two ticks: 30000.1 for one linear contract, 29999.9 for an inverse one.
  [LINEAR_SYMBOL, 'amount=1000&openPrice=29999.95', '658'],
  [LINEAR_SYMBOL, 'amount=1518&openPrice=30000', '1000'],
  [LINEAR_SYMBOL, 'amount=1518&openPrice=30000.000000000000000001', '999'],
  [INVERSE_SYMBOL, 'amount=0.1012&openPrice=30000', '60000'],
  [INVERSE_SYMBOL, 'amount=0.1012&openPrice=29999.99', '59999'],
  [LINEAR_SYMBOL, 'amount=0&openPrice=30000', '0'],
  // The first tier, 10000 contracts, is all that 100 times leverage may hold.
  [LINEAR_SYMBOL, 'amount=1000000&openPrice=30000&leverage=100', '10000'],
  // 0.1 * 30000 / (1 * (1 / 20 + 0.0006)) = 59288.5
  [INVERSE_SYMBOL, 'amount=0.1&openPrice=30000', '59288'],
];

for (const [symbol, query, contracts] of OPENABLE) {
  test(`${symbol} with ${query} opens ${contracts}`, async () => {
    assert.deepEqual(await data('openCount', `?symbol=${symbol}&${query}`), {
      openCount: contracts,
    });
  });
}

test('the openable count without a leverage is for one that the contract allows', async () => {
  const { instrumentId } = desk.contract(LINEAR_SYMBOL);
  const least = (leverageMin: number) =>
    desk.house.run({ kind: 'update_contract', instrumentId, changes: { leverageMin } });
  const asked = `?symbol=${LINEAR_SYMBOL}&amount=1000&openPrice=30000`;
  await least(50);
  const { openCount } = await data('openCount', asked);
  assert.deepEqual({ openCount }, await data('openCount', `${asked}&leverage=50`));
  assert.notEqual(openCount, '658');
  await least(1);
});

const REFUSED: readonly [name: SwapEndpointName, query: string, code: string][] = [
  ['ticker', '', '40017'],
  ['ticker', '?symbol=', '40017'],
  ['ticker', '?symbol=cmt_dogeusdt', '40102'],
  ['ticker', '?symbol=DOGEUSDT', '40102'],
  ['trades', '?symbol=cmt_btcusdt&limit=0', '40017'],
  ['trades', '?symbol=cmt_btcusdt&limit=many', '40017'],
  ['depth', '?limit=5', '40017'],
  ['depth', '?symbol=cmt_btcusdt&limit=-1', '40017'],
  ['depth', '?symbol=cmt_btcusdt&limit=1.5', '40017'],
  ['candles', '', '40017'],
  ['candles', '?symbol=cmt_btcusdt&granularity=61', '40017'],
  ['candles', '?symbol=cmt_btcusdt&granularity=0', '40017'],
  ['candles', '?symbol=cmt_btcusdt&granularity=1min', '40017'],
  ['candles', '?symbol=cmt_btcusdt&granularity=259200', '40017'],
  ['candles', '?symbol=cmt_btcusdt&startTime=yesterday', '40017'],
  ['candles', '?symbol=cmt_btcusdt&startTime=-1', '40017'],
  ['candles', '?symbol=cmt_btcusdt&start=2021-05-19', '40017'],
  ['candles', '?symbol=cmt_btcusdt&end=2021-13-19T00:00:00.000Z', '40017'],
  ['candles', '?symbol=cmt_btcusdt&start=2026-02-30T00:00:00.000Z', '40017'],
  ['candles', '?symbol=cmt_btcusdt&start=2026-11-20T24:00:00.000Z', '40017'],
  ['candles', '?symbol=cmt_btcusdt&startTime=1795235652453&endTime=1795235652452', '40707'],
  ['candles', '?symbol=nope', '40102'],
  ['index', '?symbol=nope', '40102'],
  ['markPrice', '', '40017'],
  ['openInterest', '?symbol=nope', '40102'],
  ['priceLimit', '', '40017'],
  ['fundingTime', '?symbol=nope', '40102'],
  ['fundingHistory', '', '40017'],
  ['fundingHistory', '?symbol=nope', '40102'],
  ['fundingHistory', '?symbol=cmt_btcusdt&pageIndex=0', '40017'],
  ['fundingHistory', '?symbol=cmt_btcusdt&pageIndex=x', '40017'],
  ['fundingHistory', '?symbol=cmt_btcusdt&pageSize=-5', '40017'],
  ['openCount', '?symbol=cmt_btcusdt', '40017'],
  ['openCount', '?symbol=cmt_btcusdt&amount=1', '40017'],
  ['openCount', '?symbol=cmt_btcusdt&openPrice=30000', '40017'],
  ['openCount', '?symbol=cmt_btcusdt&amount=-1&openPrice=30000', '40017'],
  ['openCount', '?symbol=cmt_btcusdt&amount=0.000000001&openPrice=30000', '40017'],
  ['openCount', '?symbol=cmt_btcusdt&amount=1&openPrice=0', '40017'],
  ['openCount', '?symbol=cmt_btcusdt&amount=1&openPrice=30000&leverage=1.5', '40017'],
  ['openCount', '?symbol=cmt_btcusdt&amount=1&openPrice=30000&leverage=0', '40020'],
  ['openCount', '?symbol=cmt_btcusdt&amount=1&openPrice=30000&leverage=101', '40020'],
  ['openCount', '?symbol=nope&amount=1&openPrice=30000', '40102'],
];

for (const [name, query, code] of REFUSED) {
  test(`${name}${query} is refused with ${code}`, async () => {
    const { status, body } = await desk.house.get(SWAP_ENDPOINTS[name].path + query);
    assert.deepEqual([status, body.code, body.data], [400, code, null]);
  });
}

test('behind memory candles join without a seam, of the trades the last 100', async (t) => {
  const old = await SwapDesk.open();
  t.after(() => old.close());
  const maker = await old.funded('maker', '1000000');
  const taker = await old.funded('taker', '1000000');
  const startMs = FIRST_MINUTE_MS;
  const minutes = 1_700;
  for (let minute = 0; minute < minutes; minute += 1) {
    const price = 30_000 + minute / 2;
    await Promise.all([
      old.house.venue.submit(old.command(maker, 'open_short', price, 3)),
      old.house.venue.submit(old.command(taker, 'open_long', price, 3)),
    ]);
    old.house.clock.advance(MINUTE_MS);
  }
  old.house.clock.advance(-MINUTE_MS);
  const at = (minute: number) => startMs + minute * MINUTE_MS;
  for (const [query, from, rows] of [
    // Without a start the last 100, with one the newest 1000 from there on.
    ['', minutes - 100, 100],
    [`&startTime=${at(0)}`, minutes - 1_000, 1_000],
    [`&startTime=${at(0)}&endTime=${at(1_199)}`, 200, 1_000],
    [`&startTime=${at(250)}&endTime=${at(254)}`, 250, 5],
    [`&endTime=${at(299)}`, 200, 100],
  ] as const) {
    const path = `${SWAP_ENDPOINTS.candles.path}?symbol=${LINEAR_SYMBOL}${query}`;
    const found: string[][] = JSON.parse((await old.house.get(path)).text);
    assert.deepEqual(
      found.map(([openMs, , , , close, volume]) => [Number(openMs), Number(close), volume]),
      Array.from({ length: rows }, (_, row) => [
        at(from + row),
        Number(formatTrimmed(300_000 + (from + row) * 5, 1)),
        '3',
      ]),
      query,
    );
  }
  const path = `${SWAP_ENDPOINTS.trades.path}?symbol=${LINEAR_SYMBOL}`;
  for (const query of ['', '&limit=200', '&limit=100']) {
    const trades: Row[] = JSON.parse((await old.house.get(path + query)).text);
    assert.equal(trades.length, 100);
    assert.equal(trades[0]?.timestamp, String(START_MS + (minutes - 1) * MINUTE_MS));
  }
});
