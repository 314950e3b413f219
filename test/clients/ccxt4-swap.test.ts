/**
 * Two unmodified ccxt clients of today, demo and maker, trade a perpetual contract with each other
 * on a real server: every contract method that the client has, and its sums, to the smallest unit.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { type Client, connect, type ErrorName, refusedAs } from '../support/server-ccxt4.ts';
import { startVenueProcess } from '../support/venue-process.ts';
import { type Answer, answersOf, type Info, sumOf, unitsOf } from './ccxt4-answers.ts';

const SWAP = 'BTC/USDT:USDT';
const SCALE = 18;
const OF_SWAP = { type: 'swap' };

const server = closedAtEnd(await startVenueProcess({ participants: false, flags: ['--sandbox'] }));

/** A client of an account of its own with one wallet for all contracts of a coin. */
async function funded(name: string): Promise<Client> {
  await server.admin.createAccount({ name, wallets: 'coin' });
  const money = { wallet: 'margin', coin: 'USDT', amount: '100000' };
  await server.admin.deposit({ account: name, ...money });
  const permissions = ['read', 'trade'] as const;
  const { key, secret, passphrase } = await server.admin.createKey({ account: name, permissions });
  const credentials = { apiKey: String(key), secret: String(secret) };
  return connect(server.url, { ...credentials, password: String(passphrase) });
}

const demo = await funded('coined');
const maker = await funded('counterpart');
await Promise.all([demo.loadMarkets(), maker.loadMarkets()]);

const exact = (text: string | undefined) => unitsOf(text, SCALE);
const sum = (rows: readonly Answer[], name: string) => sumOf(rows, name, SCALE);

async function balance(client: Client): Promise<bigint> {
  const { info } = await client.fetchBalance(OF_SWAP);
  const rows: readonly Info[] = info;
  const found = rows.find(({ asset }) => asset === 'USDT');
  return exact(found?.balance);
}

type Params = Readonly<Record<string, unknown>>;

async function create(
  client: Client,
  type: 'limit' | 'market',
  side: 'buy' | 'sell',
  amount: number,
  price?: number,
  params: Params = {},
): Promise<string> {
  return present((await client.createOrder(SWAP, type, side, amount, price, params)).id, 'id');
}

const CLOSING = { reduceOnly: true };

/** The maker rests, demo takes. */
async function deal(side: 'buy' | 'sell', amount: number, price: number, params: Params = {}) {
  const other = side === 'buy' ? 'sell' : 'buy';
  await create(maker, 'limit', other, amount, price, params);
  return create(demo, 'market', side, amount, undefined, params);
}

/** Nothing rests or waits. */
async function clear(): Promise<void> {
  for (const client of [demo, maker]) {
    await client.cancelAllOrders(SWAP);
    await client.cancelAllOrders(SWAP, { trigger: true });
  }
}

/** Nobody holds anything either: what one has bought the other has sold. */
async function flat(): Promise<void> {
  await clear();
  for (const { side, contracts } of await demo.fetchPositions([SWAP])) {
    const other = side === 'long' ? 'buy' : 'sell';
    await create(maker, 'limit', other, present(contracts, 'size'), 30_000, CLOSING);
  }
  await demo.closeAllPositions();
  assert.deepEqual(await demo.fetchPositions([SWAP]), []);
}

test('time, markets and the public calls', async () => {
  assert.ok(Math.abs(Number(await demo.fetchTime(OF_SWAP)) - Date.now()) < 5_000);
  const { swap, linear, active, precision, contractSize, limits } = demo.market(SWAP);
  assert.deepEqual(
    { swap, linear, active, amount: precision?.amount, contractSize, min: limits?.amount?.min },
    { swap: true, linear: true, active: true, amount: 0.001, contractSize: 0.001, min: 0.001 },
  );
  assert.equal(
    Object.values(demo.markets ?? {}).some(({ inverse }) => inverse === true),
    false,
    'inverse contracts are hidden',
  );
});

test('tickers, books, trades and candles tell of one trade', async () => {
  await deal('buy', 0.02, 30_000);
  await create(maker, 'limit', 'sell', 0.05, 30_100);
  await create(maker, 'limit', 'buy', 0.03, 29_900);
  const { last, baseVolume, quoteVolume, markPrice } = await demo.fetchTicker(SWAP);
  assert.deepEqual([last, baseVolume, quoteVolume], [30_000, 0.02, 600]);
  assert.ok(Number(markPrice) > 0);
  const tickers = await demo.fetchTickers([SWAP]);
  assert.equal(tickers[SWAP]?.last, 30_000);
  const best = await demo.fetchBidsAsks([SWAP]);
  assert.deepEqual([best[SWAP]?.bid, best[SWAP]?.ask], [29_900, 30_100]);
  for (const limit of [15, 200]) {
    const { bids, asks, nonce } = await demo.fetchOrderBook(SWAP, limit);
    assert.deepEqual([bids, asks], [[[29_900, 0.03]], [[30_100, 0.05]]]);
    assert.ok(Number(nonce) > 0);
  }
  const [trade] = await demo.fetchTrades(SWAP, undefined, 1);
  assert.deepEqual([trade?.price, trade?.amount, trade?.side], [30_000, 0.02, 'buy']);
  await clear();
});

for (const timeframe of ['1m', '5m', '15m', '30m', '1h', '4h', '12h', '1d', '1w']) {
  test(`candles of ${timeframe}`, async () => {
    const rows = await demo.fetchOHLCV(SWAP, timeframe, undefined, 5);
    assert.equal(rows.at(-1)?.[4], 30_000);
    assert.equal(rows.at(-1)?.[5], 0.02, 'in base coin');
  });
}

test('candles of the past, of a range, of other prices', async () => {
  const since = Date.now() - 3_600_000;
  for (const params of [{}, { historical: true }, { paginate: true }]) {
    const rows = await demo.fetchOHLCV(SWAP, '1m', since, 100, params);
    assert.equal(rows.at(-1)?.[4], 30_000);
  }
  for (const rows of [
    await demo.fetchMarkOHLCV(SWAP, '1m', undefined, 2),
    await demo.fetchIndexOHLCV(SWAP, '1m', undefined, 2),
  ]) {
    assert.ok(Number(rows.at(-1)?.[4]) > 0);
    assert.equal(rows.at(-1)?.[5], 0);
  }
});

test('prices, funding and open interest', async () => {
  for (const priceType of ['MARK', 'INDEX']) {
    const ticker = await demo.fetchMarkPrice(SWAP, { priceType });
    assert.ok(Number(ticker.markPrice ?? ticker.indexPrice) > 0);
  }
  assert.ok(SWAP in (await demo.fetchMarkPrices([SWAP])));
  const { nextFundingTimestamp, fundingTimestamp, interval } = await demo.fetchFundingRate(SWAP);
  assert.ok(Number(nextFundingTimestamp ?? fundingTimestamp) > Date.now());
  assert.equal(interval, '8h');
  assert.ok(SWAP in (await demo.fetchFundingRates([SWAP])));
  assert.deepEqual(await demo.fetchFundingRateHistory(SWAP), []);
  assert.equal((await demo.fetchOpenInterest(SWAP)).openInterestAmount, 0.02);
});

test('a round trip changes the balance by what its fills say', async () => {
  await flat();
  const before = await balance(demo);
  const since = Date.now();
  const id = await deal('buy', 0.01, 30_000);
  const bought = await demo.fetchOrder(id, SWAP);
  assert.deepEqual(
    [bought.status, bought.filled, bought.average, bought.cost, bought.reduceOnly],
    ['closed', 0.01, 30_000, 300, false],
  );
  const [position] = await demo.fetchPositions([SWAP]);
  assert.deepEqual(
    [position?.side, position?.contracts, position?.entryPrice],
    ['long', 0.01, 30_000],
  );
  assert.equal((await demo.fetchPosition(SWAP)).contracts, 0.01);
  assert.equal((await demo.fetchPositionsForSymbol(SWAP)).length, 1);
  await deal('sell', 0.01, 30_100, CLOSING);
  const trades = answersOf(await demo.fetchMyTrades(SWAP, since));
  assert.equal(trades.length, 2);
  assert.equal(
    (await balance(demo)) - before,
    sum(trades, 'realizedPnl') - sum(trades, 'commission'),
  );
  assert.equal((await demo.fetchOrderTrades(id, SWAP)).length, 1);
  assert.deepEqual(await demo.fetchPositions([SWAP]), []);
  assert.deepEqual(await demo.fetchOpenOrders(SWAP), []);
  await clear();
});

test('the ledger chains to the balance', async () => {
  const rows = answersOf(await demo.fetchLedger('USDT', undefined, 100, OF_SWAP));
  const newestFirst = rows.toSorted(
    (one, other) => Number(other.info.billId) - Number(one.info.billId),
  );
  assert.equal(exact(newestFirst[0]?.info.balance), await balance(demo));
  for (const [at, { info }] of newestFirst.slice(0, -1).entries()) {
    assert.equal(
      exact(info.balance),
      exact(newestFirst[at + 1]?.info.balance) + exact(info.income),
    );
  }
  assert.deepEqual(await demo.fetchFundingHistory(SWAP), []);
  assert.deepEqual((await demo.fetchTradingFee(SWAP)).taker, 0.0006);
});

test('margin mode, leverage and position mode', async () => {
  await flat();
  await demo.setMarginMode('cross', SWAP);
  await demo.setMarginMode('isolated', SWAP);
  assert.equal((await demo.fetchMarginMode(SWAP)).marginMode, 'isolated');
  assert.equal((await demo.fetchMarginModes([SWAP]))[SWAP]?.marginMode, 'isolated');
  await demo.setLeverage(12, SWAP, { marginMode: 'cross' });
  await demo.setLeverage(8, SWAP, { marginMode: 'isolated' });
  const { longLeverage, shortLeverage } = await demo.fetchLeverage(SWAP);
  assert.deepEqual([longLeverage, shortLeverage], [8, 8]);
  assert.ok(SWAP in (await demo.fetchLeverages([SWAP])));
  for (const hedged of [true, false]) {
    await demo.setPositionMode(hedged, SWAP, { marginMode: 'isolated' });
    assert.equal((await demo.fetchPositionMode(SWAP)).hedged, hedged);
  }
  await deal('buy', 0.01, 30_000);
  const [position] = await demo.fetchPositions([SWAP]);
  const params = { positionId: position?.id, isolatedPositionId: position?.id };
  await demo.addMargin(SWAP, 5, params);
  await demo.reduceMargin(SWAP, 2, params);
  const [after] = await demo.fetchPositions([SWAP]);
  assert.equal(
    exact(after?.info.isolatedMargin) - exact(position?.info.isolatedMargin),
    exact('3'),
  );
  await create(maker, 'limit', 'buy', 0.01, 30_000, CLOSING);
  await demo.closePosition(SWAP);
  assert.deepEqual(await demo.fetchPositions([SWAP]), []);
  await demo.setMarginMode('cross', SWAP);
  assert.equal((await demo.fetchLeverage(SWAP)).longLeverage, 12);
  await clear();
});

test('orders by id and client id, their lists and their cancels', async () => {
  const clientOrderId = 'grid.7';
  const id = await create(demo, 'limit', 'buy', 0.01, 20_000, { clientOrderId });
  const open = await demo.fetchOrder(id, SWAP);
  assert.deepEqual(
    [open.clientOrderId, open.status, open.price, open.timeInForce],
    [clientOrderId, 'open', 20_000, 'GTC'],
  );
  assert.deepEqual(
    (await demo.fetchOpenOrders(SWAP)).map((order) => order.id),
    [id],
  );
  await demo.cancelOrder(id, SWAP);
  const second = await create(demo, 'limit', 'buy', 0.01, 20_000);
  const third = await create(demo, 'limit', 'sell', 0.01, 40_000);
  await demo.cancelOrders([second, third], SWAP);
  await create(demo, 'limit', 'buy', 0.01, 20_000);
  await demo.cancelAllOrders(SWAP);
  assert.deepEqual(await demo.fetchOpenOrders(SWAP), []);
  const ended = await demo.fetchCanceledAndClosedOrders(SWAP);
  assert.ok([id, second, third].every((one) => ended.some((order) => order.id === one)));
  const closed = await demo.fetchClosedOrders(SWAP);
  assert.ok(closed.length > 0 && closed.every(({ status }) => status === 'closed'));
  const canceled = await demo.fetchCanceledOrders(SWAP);
  assert.ok(canceled.every(({ status }) => status === 'canceled'));
});

test('times in force', async () => {
  await create(maker, 'limit', 'sell', 0.01, 30_000);
  const fok = await create(demo, 'limit', 'buy', 0.02, 30_000, { timeInForce: 'FOK' });
  assert.deepEqual((await demo.fetchOrder(fok, SWAP)).filled, 0);
  const ioc = await create(demo, 'limit', 'buy', 0.02, 30_000, { timeInForce: 'IOC' });
  const { status, filled } = await demo.fetchOrder(ioc, SWAP);
  assert.deepEqual([status, filled], ['canceled', 0.01]);
  await clear();
});

test('attached, standalone and entry triggers', async () => {
  await flat();
  const attached = { takeProfit: { triggerPrice: 33_000 }, stopLoss: { triggerPrice: 27_000 } };
  await create(maker, 'limit', 'sell', 0.01, 30_000);
  await create(demo, 'limit', 'buy', 0.01, 30_000, attached);
  const stop = await create(demo, 'market', 'sell', 0.01, undefined, { stopLossPrice: 28_000 });
  const profit = await create(demo, 'limit', 'sell', 0.01, 32_000, { takeProfitPrice: 32_000 });
  const entry = await create(demo, 'limit', 'buy', 0.01, 29_000, { triggerPrice: 29_000 });
  const waiting = await demo.fetchOpenOrders(SWAP, undefined, undefined, { trigger: true });
  assert.equal(waiting.length, 5);
  const facts = (id: string) => {
    const order = waiting.find((one) => one.id === id);
    return [order?.stopLossPrice, order?.takeProfitPrice, order?.triggerPrice, order?.reduceOnly];
  };
  assert.equal(facts(stop)[0], 28_000);
  assert.equal(facts(profit)[1], 32_000);
  assert.equal(facts(entry)[2], 29_000);
  await demo.cancelOrder(stop, SWAP, { trigger: true });
  await demo.cancelAllOrders(SWAP, { trigger: true });
  assert.deepEqual(await demo.fetchOpenOrders(SWAP, undefined, undefined, { trigger: true }), []);
  const [, both] = [
    await create(maker, 'limit', 'sell', 0.01, 30_000),
    await demo.createOrderWithTakeProfitAndStopLoss(
      SWAP,
      'limit',
      'buy',
      0.01,
      30_000,
      33_000,
      27_000,
    ),
  ];
  assert.equal((await demo.fetchOrder(present(both.id, 'id'), SWAP)).status, 'closed');
  assert.equal(
    (await demo.fetchOpenOrders(SWAP, undefined, undefined, { trigger: true })).length,
    2,
  );
  await flat();
});

const REFUSED: readonly [what: string, name: ErrorName, call: () => Promise<unknown>][] = [
  ['an unknown order', 'InvalidOrder', () => demo.fetchOrder('1000000000999999', SWAP)],
  ['more than there is', 'InsufficientFunds', () => create(demo, 'limit', 'buy', 90, 29_000)],
  ['a leverage too high', 'InvalidOrder', () => demo.setLeverage(101, SWAP)],
  [
    'a close of more than is held',
    'InvalidOrder',
    () => create(demo, 'limit', 'sell', 0.01, 30_000, CLOSING),
  ],
];

test('nothing is held before what is refused', flat);

for (const [what, name, call] of REFUSED) {
  test(`${what} is an ${name}`, async () => {
    await refusedAs(name, call());
  });
}

test('the sandbox mode of the client trades in the same account', async () => {
  await flat();
  const { apiKey, secret, password } = demo;
  const sandbox = connect(server.url, { apiKey, secret, password });
  sandbox.urls = { ...sandbox.urls, test: sandbox.urls.api };
  sandbox.setSandboxMode(true);
  await sandbox.loadMarkets();
  await create(maker, 'limit', 'sell', 0.01, 30_000);
  const id = await create(sandbox, 'market', 'buy', 0.01);
  const [position] = await sandbox.fetchPositions();
  assert.deepEqual(
    [position?.symbol, position?.contracts, position?.entryPrice, position?.info.symbol],
    [SWAP, 0.01, 30_000, 'BTCSUSDT'],
  );
  const { USDT, info } = await sandbox.fetchBalance();
  assert.equal(info[0].asset, 'SUSDT');
  assert.deepEqual(USDT, (await demo.fetchBalance(OF_SWAP)).USDT);
  const ended = await sandbox.fetchClosedOrders(SWAP);
  assert.equal(ended.find((order) => order.id === id)?.filled, 0.01);
  assert.ok(ended.every(({ symbol }) => symbol === SWAP));
  await flat();
});

/** Moves the venue's clock, and the clients' with it: from here on it stands still. */
async function clockMoved(moving: Promise<unknown>): Promise<void> {
  await moving;
  await Promise.all([demo.loadTimeDifference(), maker.loadTimeDifference()]);
}

test('a settlement of funding is in the history, the ledger and the position', async () => {
  await flat();
  await deal('buy', 0.01, 30_000);
  assert.deepEqual(await demo.fetchFundingHistory(SWAP), []);
  await clockMoved(server.sandbox.jumpToFunding({ symbol: 'BTC-USDT-PERP' }));
  const before = await balance(demo);
  await clockMoved(server.sandbox.stepClock({ ms: 1_000 }));
  const [own, ...others] = await demo.fetchFundingHistory(SWAP);
  assert.deepEqual(others, []);
  const [rate] = await demo.fetchFundingRateHistory(SWAP);
  const { fundingRate, info } = present(rate, 'rate');
  assert.ok(Number(fundingRate) > 0, 'who holds long pays');
  const paid = exact(own?.info.income);
  assert.equal(own?.code, 'USDT');
  assert.equal(own?.amount, Number(own?.info.income));
  // Of a size of 0.01, rounded up by the one who pays, to the coin's smallest unit.
  const digits = 10n ** BigInt(SCALE);
  const exactly = (exact(info.markPrice) * exact(info.fundingRate)) / digits / 100n;
  const unit = 10n ** BigInt(SCALE - 8);
  assert.equal(-paid, ((exactly + unit - 1n) / unit) * unit);
  assert.equal((await balance(demo)) - before, paid);
  const ledger: unknown = await demo.fetchLedger('USDT', undefined, 1, OF_SWAP);
  assert.ok(Array.isArray(ledger), 'whatever its declaration says');
  const [newest]: Answer[] = ledger;
  assert.equal(newest?.info.incomeType, 'position_funding');
  assert.equal(exact(newest?.info.balance), await balance(demo));
  const [position] = await demo.fetchPositions([SWAP]);
  assert.equal(exact(position?.info.fundingFee), paid);
  const [received] = await maker.fetchFundingHistory(SWAP);
  assert.ok(exact(received?.info.income) <= -paid && exact(received?.info.income) > 0n);
  await flat();
});
