/** An unmodified ccxt client reads the public side of a real server: pairs, coins, book, trades. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { type Client, connect, DEMO, MAKER, refusedAs } from '../support/server-ccxt.ts';
import { startVenueProcess } from '../support/venue-process.ts';

const PAIR = 'BTC/USDT';
const EMPTY_PAIR = 'ETH/BTC';

const startMs = Date.now();
const server = closedAtEnd(await startVenueProcess({ participants: false }));
const visitor = connect(server.url);
await trade(connect(server.url, MAKER), connect(server.url, DEMO));

/** The maker quotes three levels a side; demo takes 0.2 at 30010, then sells 0.1 at 29990. */
async function trade(maker: Client, demo: Client): Promise<void> {
  for (const [price, amount] of [
    [30_030, 3],
    [30_020, 2],
    [30_010, 1],
  ] as const) {
    await maker.createOrder(PAIR, 'limit', 'sell', amount, price);
    await maker.createOrder(PAIR, 'limit', 'buy', amount, 60_000 - price);
  }
  await demo.createOrder(PAIR, 'limit', 'buy', 0.2, 30_010);
  await demo.createOrder(PAIR, 'limit', 'sell', 0.1, 29_990);
}

test('the clock is the server clock in milliseconds', async () => {
  const time = await visitor.fetchTime();
  assert.ok(time >= startMs && time <= Date.now(), String(time));
});

test('every pair is a market with its steps, minimum, fees and status', async () => {
  const markets = await visitor.loadMarkets();
  const facts = Object.values(markets).map(({ symbol, id, precision, limits, ...market }) => [
    symbol,
    id,
    [precision.price, precision.amount, limits.amount?.min],
    [market.maker, market.taker],
    [market.spot, market.active],
  ]);
  assert.deepEqual(facts, [
    ['BTC/USDT', 'BTCUSDT_SPBL', [0.01, 0.0001, 0.0001], [0.001, 0.001], [true, true]],
    ['ETH/USDT', 'ETHUSDT_SPBL', [0.01, 0.0001, 0.001], [0.001, 0.001], [true, true]],
    ['ETH/BTC', 'ETHBTC_SPBL', [0.00001, 0.001, 0.001], [0.001, 0.001], [true, true]],
  ]);
});

interface Coin {
  readonly id: string;
  readonly networks: Record<string, { readonly withdraw: boolean; readonly deposit: boolean }>;
}

/** The coins with their networks, which the type declarations of the client leave out. */
async function coins(): Promise<Record<string, Coin>> {
  return JSON.parse(JSON.stringify(await visitor.fetchCurrencies()));
}

test('every coin has its number and its networks', async () => {
  const found = await coins();
  assert.deepEqual(
    Object.entries(found).map(([code, { id }]) => `${code} ${id}`),
    ['BTC 1', 'USDT 2', 'ETH 3'],
  );
  const { info, ...network } = Object.assign({ info: '' }, found.USDT?.networks.ERC20);
  assert.ok(info);
  assert.deepEqual(network, {
    id: 'ERC20',
    network: 'ERC20',
    limits: { withdraw: { min: 5 }, deposit: { min: 1 } },
    withdraw: true,
    deposit: true,
    fee: 1,
  });
});

test('a network that takes no deposits or withdrawals says so', async () => {
  await server.admin.listAsset({
    code: 'SOL',
    coinId: 4,
    scale: 8,
    chains: [{ chain: 'SOL', withdrawable: false, rechargeable: false }],
  });
  const network = (await coins()).SOL?.networks.SOL;
  assert.deepEqual([network?.withdraw, network?.deposit], [false, false]);
});

test('the ticker shows the last trade, the day and the best prices', async () => {
  const { info, timestamp, datetime, ...ticker } = await visitor.fetchTicker(PAIR);
  assert.ok(timestamp >= startMs && timestamp <= Date.now());
  assert.equal(ticker.symbol, PAIR);
  assert.deepEqual([ticker.high, ticker.low, ticker.close], [30_010, 29_990, 29_990]);
  assert.deepEqual([ticker.bid, ticker.ask], [29_990, 30_010]);
  assert.deepEqual([ticker.baseVolume, ticker.quoteVolume], [0.3, 9_001]);
  assert.ok(info && datetime);
});

test('a pair that never traded has a ticker too', async () => {
  const ticker = await visitor.fetchTicker(EMPTY_PAIR);
  assert.deepEqual([ticker.symbol, ticker.baseVolume], [EMPTY_PAIR, 0]);
});

test('all tickers come at once, one per pair', async () => {
  const tickers = await visitor.fetchTickers();
  assert.deepEqual(Object.keys(tickers), ['BTC/USDT', 'ETH/USDT', 'ETH/BTC']);
  assert.equal(tickers[PAIR]?.close, 29_990);
  assert.deepEqual(Object.keys(await visitor.fetchTickers([PAIR])), [PAIR]);
});

test('the order book is sorted from the best price outward', async () => {
  const { asks, bids, timestamp } = await visitor.fetchOrderBook(PAIR);
  assert.deepEqual(asks, [
    [30_010, 0.8],
    [30_020, 2],
    [30_030, 3],
  ]);
  assert.deepEqual(bids, [
    [29_990, 0.9],
    [29_980, 2],
    [29_970, 3],
  ]);
  assert.ok(timestamp >= startMs);
});

test('the order book can be cut, and is empty on both sides when nobody quotes', async () => {
  const { asks, bids } = await visitor.fetchOrderBook(PAIR, 1);
  assert.deepEqual([asks, bids], [[[30_010, 0.8]], [[29_990, 0.9]]]);
  const empty = await visitor.fetchOrderBook(EMPTY_PAIR);
  assert.deepEqual([empty.asks, empty.bids], [[], []]);
});

test('public trades carry side, price, amount and cost', async () => {
  const trades = await visitor.fetchTrades(PAIR);
  assert.deepEqual(
    trades.map(({ side, price, amount, cost, symbol }) => [side, price, amount, cost, symbol]),
    [
      ['buy', 30_010, 0.2, 6_002, PAIR],
      ['sell', 29_990, 0.1, 2_999, PAIR],
    ],
  );
  const [first, second] = trades;
  assert.ok(first && second && first.timestamp <= second.timestamp && first.id < second.id);
});

test('a start time, which this client sends as a limit of 13 digits, is no error', async () => {
  assert.equal((await visitor.fetchTrades(PAIR, startMs)).length, 2);
  const [newest, ...others] = await visitor.fetchTrades(PAIR, 1);
  assert.deepEqual([newest?.side, others], ['sell', []]);
});

test('trading fees can be asked for, of one pair and of all', async () => {
  const fees = await visitor.fetchTradingFees();
  assert.deepEqual([fees[PAIR].maker, fees[PAIR].taker], [0.001, 0.001]);
  assert.deepEqual(Object.keys(fees), ['BTC/USDT', 'ETH/USDT', 'ETH/BTC']);
  // This client expects an object where the contract has an array: it finds no rates, and lives.
  assert.equal((await visitor.fetchTradingFee(PAIR)).symbol, PAIR);
});

test('a pair that client or venue does not know is a bad symbol', async () => {
  await refusedAs('BadSymbol', visitor.fetchTicker('XRP/USDT'));
  const unknown = visitor.publicSpotGetMarketTicker({ symbol: 'XRPUSDT_SPBL' });
  assert.equal(await refusedAs('BadSymbol', unknown), '50004');
});

test('a halted pair is shown as inactive until it is resumed', async () => {
  await server.admin.halt({ symbol: 'ETH-USDT' });
  const markets = await visitor.loadMarkets(true);
  assert.deepEqual([markets['ETH/USDT']?.active, markets[PAIR]?.active], [false, true]);
  await server.admin.resume({ symbol: 'ETH-USDT' });
  assert.equal((await visitor.loadMarkets(true))['ETH/USDT']?.active, true);
});
