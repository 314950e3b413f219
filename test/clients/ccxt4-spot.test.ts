/**
 * Two unmodified ccxt clients of today, demo and maker, trade pairs with each other on a real
 * server: every spot method that the client has, and sums done by hand, to the smallest unit.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { DEMO, MAKER } from '../support/server-ccxt.ts';
import { type Client, connect, refusedAs } from '../support/server-ccxt4.ts';
import { startHere } from '../support/server-here.ts';
import { type Answer, answersOf, type Info, sumOf, unitsOf } from './ccxt4-answers.ts';

const PAIR = 'BTC/USDT';
/** Decimals of every coin here. */
const SCALE = 8;

const server = closedAtEnd(await startHere());
const demo = connect(server.url, DEMO);
const maker = connect(server.url, MAKER);
await Promise.all([demo.loadMarkets(), maker.loadMarkets()]);

const units = (text: string | undefined) => unitsOf(text, SCALE);
const sum = (rows: readonly Answer[], name: string) => sumOf(rows, name, SCALE);

interface Money {
  readonly free: bigint;
  readonly locked: bigint;
}

async function money(client: Client, coin: string): Promise<Money> {
  const { info } = await client.fetchBalance();
  const rows: readonly Info[] = info.balances;
  const found = present(
    rows.find(({ asset }) => asset === coin),
    coin,
  );
  return { free: units(found.free), locked: units(found.locked) };
}

async function order(client: Client, id: string | undefined): Promise<Answer & OrderFacts> {
  return client.fetchOrder(present(id, 'order id'), PAIR) as Promise<Answer & OrderFacts>;
}

interface OrderFacts {
  readonly status: string;
  readonly filled: number;
  readonly remaining: number;
  readonly cost: number;
  readonly average: number;
}

/** What the maker offers, with nothing of an earlier test in the way. */
async function offer(side: 'buy' | 'sell', amount: number, price: number): Promise<string> {
  return present((await maker.createOrder(PAIR, 'limit', side, amount, price)).id, 'id');
}

async function clear(): Promise<void> {
  await Promise.all([demo.cancelAllOrders(PAIR), maker.cancelAllOrders(PAIR)]);
}

test('status, time, coins and markets', async () => {
  assert.equal((await demo.fetchStatus()).status, 'ok');
  assert.ok(Math.abs(Number(await demo.fetchTime()) - Date.now()) < 5_000);
  const coins = await demo.fetchCurrencies();
  assert.deepEqual(
    Object.keys(coins).toSorted(),
    ['BTC', 'ETH', 'USD', 'USDT'].filter((code) => code in coins),
  );
  assert.equal(coins.USDT?.deposit, true);
  const { spot, active, precision, limits, taker, maker: makerFee } = demo.market(PAIR);
  assert.deepEqual(
    { spot, active, precision, amount: limits?.amount, taker, makerFee },
    {
      spot: true,
      active: true,
      precision: { amount: 0.0001, price: 0.01 },
      amount: { min: 0.0001, max: 10_000 },
      taker: 0.001,
      makerFee: 0.001,
    },
  );
});

test('tickers, books, trades and candles tell of one trade', async () => {
  await offer('sell', 0.5, 30_000);
  await demo.createOrder(PAIR, 'market', 'buy', 0.2);
  await offer('buy', 0.1, 29_900);
  const ticker = await demo.fetchTicker(PAIR);
  const { last, bid, bidVolume, ask, askVolume, baseVolume, quoteVolume, percentage } = ticker;
  assert.deepEqual(
    { last, bid, bidVolume, ask, askVolume, baseVolume, quoteVolume, percentage },
    {
      last: 30_000,
      bid: 29_900,
      bidVolume: 0.1,
      ask: 30_000,
      askVolume: 0.3,
      baseVolume: 0.2,
      quoteVolume: 6_000,
      percentage: 0,
    },
  );
  assert.equal((await demo.fetchTickers([PAIR]))[PAIR]?.last, 30_000);
  assert.ok(Object.keys(await demo.fetchTickers(undefined, { type: 'spot' })).length > 1);
  assert.equal((await demo.fetchBidsAsks([PAIR]))[PAIR]?.bid, 29_900);
  assert.equal((await demo.fetchLastPrices([PAIR]))[PAIR]?.price, 30_000);
  for (const limit of [undefined, 15, 200]) {
    const { bids, asks, nonce } = await demo.fetchOrderBook(PAIR, limit);
    assert.deepEqual([bids, asks], [[[29_900, 0.1]], [[30_000, 0.3]]]);
    assert.ok(Number.isSafeInteger(nonce));
  }
  const [trade] = await demo.fetchTrades(PAIR, undefined, 1);
  const { side, price, amount, cost } = present(trade, 'trade');
  assert.deepEqual(
    { side, price, amount, cost },
    { side: 'buy', price: 30_000, amount: 0.2, cost: 6_000 },
  );
  await clear();
});

for (const timeframe of Object.keys(demo.timeframes)) {
  test(`candles of ${timeframe}`, async () => {
    const rows = await demo.fetchOHLCV(PAIR, timeframe);
    // A minute without trades may have begun meanwhile.
    const traded = rows.findLast(([, , , , , volume]) => Number(volume) > 0);
    const [time, open, high, low, close, volume] = present(traded, 'candle');
    assert.ok(Number(time) <= Date.now());
    assert.deepEqual([open, high, low, close, volume], [30_000, 30_000, 30_000, 30_000, 0.2]);
    assert.ok(rows.length <= 300);
  });
}

test('a limit order rests, reserves money, and gives it back when it is cancelled', async () => {
  const before = await money(demo, 'USDT');
  const { id, clientOrderId } = await demo.createOrder(PAIR, 'limit', 'buy', 0.5, 29_000);
  assert.match(String(id), /^1\d{15}$/, 'all digits of the id');
  const shown = await demo.fetchOrder(present(id, 'id'), PAIR);
  const { status, type, side, price, amount, filled, timeInForce } = shown;
  assert.deepEqual(
    { status, type, side, price, amount, filled, timeInForce },
    {
      status: 'open',
      type: 'limit',
      side: 'buy',
      price: 29_000,
      amount: 0.5,
      filled: 0,
      timeInForce: 'GTC',
    },
  );
  const named = await demo.fetchOrder('', PAIR, { clientOrderId });
  assert.equal(named.id, id);
  const open = await demo.fetchOpenOrders(PAIR);
  assert.deepEqual(
    open.map((one) => one.id),
    [id],
  );
  assert.deepEqual((await demo.fetchOpenOrders('ETH/USDT')).length, 0);
  const locked = units('14500');
  assert.deepEqual(await money(demo, 'USDT'), { free: before.free - locked, locked });
  const cancelled = await demo.cancelOrder(present(id, 'id'), PAIR);
  assert.equal(cancelled.id, id);
  assert.deepEqual(await money(demo, 'USDT'), before);
  assert.equal((await order(demo, id)).status, 'canceled');
});

test('cancels by client id, of several, and of all', async () => {
  const place = (price: number) => demo.createOrder(PAIR, 'limit', 'buy', 0.1, price);
  const [one, two, three, four] = await Promise.all([29_001, 29_002, 29_003, 29_004].map(place));
  await demo.cancelOrder('', PAIR, { clientOrderId: one?.clientOrderId });
  assert.equal((await order(demo, one?.id)).status, 'canceled');
  const ids = [two, three].map((placed) => present(placed?.id, 'id'));
  const cancelled = await demo.cancelOrders(ids, PAIR);
  assert.deepEqual(
    cancelled.map(({ id }) => id),
    ids,
  );
  const all = await demo.cancelAllOrders(PAIR);
  assert.deepEqual(
    all.map(({ id }) => id),
    [four?.id],
  );
  assert.deepEqual(await demo.fetchOpenOrders(PAIR), []);
  await refusedAs('OrderNotFound', demo.cancelOrders(ids, PAIR));
});

test('times in force: what is not filled at once is cancelled', async () => {
  await offer('sell', 0.1, 30_000);
  const params = { timeInForce: 'IOC' };
  const ioc = await demo.createOrder(PAIR, 'limit', 'buy', 0.3, 30_000, params);
  const taken = await order(demo, ioc.id);
  assert.deepEqual([taken.status, taken.filled, taken.remaining], ['canceled', 0.1, 0.2]);
  await offer('sell', 0.1, 30_000);
  const fok = await demo.createOrder(PAIR, 'limit', 'buy', 0.3, 30_000, { timeInForce: 'FOK' });
  const none = await order(demo, fok.id);
  assert.deepEqual([none.status, none.filled], ['canceled', 0]);
  await clear();
});

interface Trip {
  readonly orders: readonly (string | undefined)[];
  readonly side: 'buy' | 'sell';
}

/** What trades of an order changed, as the balances have it and as its trades sum up to. */
async function assertSums({ orders, side }: Trip, before: readonly [Money, Money]): Promise<void> {
  const [base, quote] = [await money(demo, 'BTC'), await money(demo, 'USDT')];
  const trades: Answer[] = [];
  for (const id of orders) {
    const own = (await demo.fetchOrderTrades(present(id, 'id'), PAIR)) as Answer[];
    const { info, filled, cost, average } = await order(demo, id);
    assert.equal(units(info.executedQty), sum(own, 'qty'));
    assert.equal(units(info.cummulativeQuoteQty), sum(own, 'quoteQty'));
    if (filled > 0) assert.ok(Math.abs(average * filled - cost) < 1e-6);
    trades.push(...own);
  }
  const [qty, value, fees] = ['qty', 'quoteQty', 'commission'].map((name) => sum(trades, name));
  const changes = [base.free - before[0].free, quote.free - before[1].free];
  const [size, worth, fee] = [present(qty, ''), present(value, ''), present(fees, '')];
  assert.deepEqual(changes, side === 'buy' ? [size - fee, -worth] : [-size, worth - fee]);
  assert.deepEqual([base.locked, quote.locked], [before[0].locked, before[1].locked]);
  assert.ok(fee > 0n);
}

const AMOUNTS = [0.0123, 0.2, 0.3333];

for (const amount of AMOUNTS) {
  for (const type of ['limit', 'market'] as const) {
    test(`a ${type} buy and sell of ${amount} change what their trades say`, async () => {
      for (const side of ['buy', 'sell'] as const) {
        const other = side === 'buy' ? 'sell' : 'buy';
        const prices = side === 'buy' ? [30_000.01, 30_017.33] : [29_999.99, 29_983.07];
        for (const price of prices) await offer(other, 0.17, price);
        const before = [await money(demo, 'BTC'), await money(demo, 'USDT')] as const;
        const price = type === 'limit' ? prices[1] : undefined;
        const placed = await demo.createOrder(PAIR, type, side, amount, price);
        const { filled, status } = await order(demo, placed.id);
        assert.deepEqual([status, filled], ['closed', amount]);
        await assertSums({ orders: [placed.id], side }, before);
        await clear();
      }
    });
  }
}

test('an order that rests is filled in pieces, as its trades sum up', async () => {
  const before = [await money(demo, 'BTC'), await money(demo, 'USDT')] as const;
  const { id } = await demo.createOrder(PAIR, 'limit', 'buy', 0.3, 30_003.03);
  await maker.createOrder(PAIR, 'market', 'sell', 0.1111);
  const partly = await order(demo, id);
  assert.deepEqual([partly.status, partly.filled, partly.remaining], ['open', 0.1111, 0.1889]);
  await maker.createOrder(PAIR, 'market', 'sell', 0.1889);
  assert.equal((await order(demo, id)).status, 'closed');
  await assertSums({ orders: [id], side: 'buy' }, before);
});

test('lists of orders: all, closed, canceled', async () => {
  const { id } = await demo.createOrder(PAIR, 'limit', 'buy', 0.1, 29_000);
  const all = await demo.fetchOrders(PAIR);
  const statuses = new Set(all.map(({ status }) => status));
  assert.deepEqual([...statuses].toSorted(), ['canceled', 'closed', 'open']);
  assert.equal(all.at(-1)?.id, id, 'the client sorts by time');
  const closed = await demo.fetchClosedOrders(PAIR);
  assert.ok(closed.length > 0 && closed.every(({ status }) => status === 'closed'));
  const canceled = await demo.fetchCanceledOrders(PAIR);
  assert.ok(canceled.length > 0 && canceled.every(({ status }) => status === 'canceled'));
  const since = present(all.at(-1)?.timestamp, 'time');
  assert.deepEqual(
    (await demo.fetchOrders(PAIR, since, 5)).map((one) => one.id),
    [id],
  );
  const trades = await demo.fetchMyTrades(PAIR, undefined, 100);
  assert.ok(trades.length > 5);
  for (const { side, fee } of trades) assert.equal(fee?.currency, side === 'buy' ? 'BTC' : 'USDT');
  await clear();
});

test('the ledger chains to the balance', async () => {
  const rows = answersOf(await demo.fetchLedger('USDT', undefined, 100));
  // The client sorts by time, and several rows may share a millisecond.
  const id = (info: Info) => BigInt(present(info.billId, 'bill id'));
  const infos = rows.map(({ info }) => info);
  const newestFirst = infos.toSorted((one, other) => Number(id(other) - id(one)));
  const { free, locked } = await money(demo, 'USDT');
  assert.equal(units(newestFirst[0]?.afterAmount), free + locked);
  const afters = newestFirst.map(({ afterAmount }) => units(afterAmount));
  for (const [at, { deltaAmount }] of newestFirst.entries()) {
    const text = present(deltaAmount, 'change');
    const delta = text.startsWith('-') ? -units(text.slice(1)) : units(text);
    assert.equal(afters[at], (afters[at + 1] ?? 0n) + delta);
  }
  assert.deepEqual(await demo.fetchLedger('USDT', undefined, undefined, { type: 'funding' }), []);
});

test('transfers of the other interface are seen', async () => {
  const { accountId } = present(
    await server.venue.read((state) => state.accountByName('demo')),
    'demo',
  );
  const coin = await server.venue.read((state) => state.listings.assetByCode('USDT'));
  const { assetId } = present(coin, 'USDT');
  const route = { from: 'spot', to: 'BTC-USDT-PERP' } as const;
  const amount = 100_000_000n;
  await server.venue.submit({
    kind: 'transfer',
    accountId,
    assetId,
    amount,
    clientOid: '',
    ...route,
  });
  const [transfer] = await demo.fetchTransfers();
  const { amount: shown, status, fromAccount, toAccount } = present(transfer, 'transfer');
  assert.deepEqual([shown, status, fromAccount, toAccount], [1, 'ok', 'spot', 'contract']);
});

test('an order placed here is an order of the other interface, and the reverse', async () => {
  const { id } = await demo.createOrder(PAIR, 'limit', 'buy', 0.1, 29_000);
  const { accountId, openOrder } = await server.venue.read((state) => {
    const account = present(state.accountByName('demo'), 'demo');
    return { accountId: account.accountId, openOrder: [...state.openOrders(account.accountId)][0] };
  });
  assert.equal(
    openOrder?.clientOrderId,
    (await demo.fetchOrder(present(id, 'id'), PAIR)).clientOrderId,
  );
  const { instrumentId, orderId } = present(openOrder, 'order');
  await server.venue.submit({ kind: 'cancel_spot_order', accountId, instrumentId, orderId });
  assert.equal((await order(demo, id)).status, 'canceled');
});
