/**
 * Two unmodified ccxt clients, demo and maker, trade with each other on a real server. What they
 * are shown is checked against sums done by hand: a fee of 0.1 % in the coin that is received.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Trade } from 'ccxt';
import { closedAtEnd } from '../support/at-end.ts';
import { type Client, connect, DEMO, MAKER } from '../support/server-ccxt.ts';
import { startVenueProcess } from '../support/venue-process.ts';

const PAIR = 'BTC/USDT';
const QUIET_PAIR = 'ETH/USDT';

const server = closedAtEnd(await startVenueProcess({ participants: false }));
// Far from the reference price on purpose, so that what is paid and received is round.
await server.admin.updateSpot({ symbol: 'BTC-USDT', priceBand: '0' });
const demo = connect(server.url, DEMO);
const maker = connect(server.url, MAKER);
await Promise.all([demo.loadMarkets(), maker.loadMarkets()]);

interface Money {
  readonly free: number;
  readonly total: number;
}

/** What an account has and may spend, by coin. */
async function money(client: Client, coin: string): Promise<Money> {
  const { free, total } = (await client.fetchBalance())[coin] ?? assert.fail(`no ${coin}`);
  return { free, total };
}

/** Asserts what an order looks like to its owner. */
async function assertOrder(client: Client, id: string, expected: object): Promise<void> {
  const order = await client.fetchOrder(id, PAIR);
  const { status, price, amount, filled, remaining, cost, average } = order;
  const facts = { status, price, amount, filled, remaining, cost, average };
  assert.deepEqual({ ...facts, ...expected }, facts);
  assert.deepEqual([order.id, order.symbol], [id, PAIR]);
}

test('the first balance is what the demo venue was funded with', async () => {
  const balance = await demo.fetchBalance();
  assert.deepEqual(Object.keys(balance.total ?? {}).toSorted(), ['BTC', 'ETH', 'USDT']);
  assert.deepEqual(await money(demo, 'USDT'), { free: 1_000_000, total: 1_000_000 });
  assert.deepEqual(await money(demo, 'BTC'), { free: 100, total: 100 });
});

test('a limit order rests, is shown as open, reserves money and gives it back', async () => {
  const placed = await demo.createOrder(PAIR, 'limit', 'buy', 0.5, 20_000);
  assert.match(placed.id, /^[0-9]{16}$/);
  await assertOrder(demo, placed.id, { status: 'open', price: 20_000, amount: 0.5, filled: 0 });
  const [open, ...others] = await demo.fetchOpenOrders(PAIR);
  assert.deepEqual([open?.id, open?.side, open?.type, others], [placed.id, 'buy', 'limit', []]);
  assert.deepEqual(await demo.fetchOpenOrders(QUIET_PAIR), []);
  // This client counts only what is locked as used; what orders reserve is missing from its total.
  assert.equal((await money(demo, 'USDT')).free, 990_000);

  await demo.cancelOrder(placed.id, PAIR);
  await assertOrder(demo, placed.id, { status: 'cancelled', filled: 0, remaining: 0.5 });
  assert.deepEqual(await demo.fetchOpenOrders(PAIR), []);
  assert.deepEqual(await money(demo, 'USDT'), { free: 1_000_000, total: 1_000_000 });
});

test('what the operator locks is shown as used', async () => {
  await server.admin.lock({ account: 'demo', coin: 'ETH', amount: '250' });
  const { ETH } = await demo.fetchBalance();
  assert.deepEqual({ ...ETH }, { free: 750, used: 250, total: 1_000 });
  await server.admin.lock({ account: 'demo', coin: 'ETH', amount: '0' });
});

test('the id the client makes up and the id its user chooses come back unchanged', async () => {
  const made = await demo.createOrder(PAIR, 'limit', 'buy', 0.01, 20_000);
  const madeId = (await demo.fetchOrder(made.id, PAIR)).clientOrderId;
  assert.match(madeId, /^iauIBf#[0-9a-f]{22}$/);
  assert.equal(made.clientOrderId, madeId);

  const clientOrderId = 'Grid-7_#A';
  const params = { clientOrderId };
  const chosen = await demo.createOrder(PAIR, 'limit', 'buy', 0.01, 20_000, params);
  assert.equal(chosen.clientOrderId, clientOrderId);
  assert.equal((await demo.fetchOrder(chosen.id, PAIR)).clientOrderId, clientOrderId);
  await demo.cancelOrder(made.id, PAIR);
  await demo.cancelOrder(chosen.id, PAIR);
});

test('an order is filled in two parts, and both sides see the same trades and fees', async () => {
  const before = { demo: await money(demo, 'BTC'), maker: await money(maker, 'USDT') };
  const resting = await maker.createOrder(PAIR, 'limit', 'sell', 1, 30_000);

  const first = await demo.createOrder(PAIR, 'limit', 'buy', 0.25, 30_100);
  await assertOrder(maker, resting.id, { status: 'partial_fill', filled: 0.25, remaining: 0.75 });
  await assertOrder(demo, first.id, { status: 'closed', filled: 0.25, average: 30_000 });
  assert.equal((await maker.fetchOpenOrders(PAIR))[0]?.id, resting.id);

  const second = await demo.createOrder(PAIR, 'limit', 'buy', 0.75, 30_000);
  await assertOrder(maker, resting.id, { status: 'closed', filled: 1, remaining: 0, cost: 30_000 });
  assert.deepEqual(await maker.fetchOpenOrders(PAIR), []);

  // Bought 1 less 0.1 %, sold for 30000 less 0.1 %.
  assert.equal((await money(demo, 'BTC')).total, before.demo.total + 0.999);
  assert.equal((await money(maker, 'USDT')).total, before.maker.total + 29_970);

  const [bought] = await demo.fetchOrderTrades(first.id, PAIR);
  assert.deepEqual(
    [bought?.order, bought?.side, bought?.price, bought?.amount, bought?.cost],
    [first.id, 'buy', 30_000, 0.25, 7_500],
  );
  assert.deepEqual([bought?.info.feeCcy, bought?.fee.cost], ['BTC', 0.00025]);
  const sold: Trade[] = await maker.fetchOrderTrades(resting.id, PAIR);
  assert.deepEqual(
    sold.map(({ side, amount, fee, info }) => [side, amount, fee.cost, info.feeCcy]),
    [
      ['sell', 0.25, 7.5, 'USDT'],
      ['sell', 0.75, 22.5, 'USDT'],
    ],
  );
  const mine = await demo.fetchMyTrades(PAIR);
  assert.deepEqual(
    mine.map(({ order }) => order),
    [first.id, second.id],
  );
  assert.deepEqual(
    (await demo.fetchMyTrades(PAIR, undefined, 1)).map(({ order }) => order),
    [second.id],
  );
});

test('a market buy spends its amount of quote coin, a market sell gives base coin', async () => {
  const ask = await maker.createOrder(PAIR, 'limit', 'sell', 1, 25_000);
  const bought = await demo.createOrder(PAIR, 'market', 'buy', 5_000);
  await assertOrder(demo, bought.id, { status: 'closed', filled: 0.2, cost: 5_000 });
  await assertOrder(maker, ask.id, { status: 'partial_fill', filled: 0.2 });
  await maker.cancelOrder(ask.id, PAIR);

  const bid = await maker.createOrder(PAIR, 'limit', 'buy', 1, 24_000);
  const sold = await demo.createOrder(PAIR, 'market', 'sell', 0.2);
  await assertOrder(demo, sold.id, { status: 'closed', filled: 0.2, cost: 4_800, amount: 0.2 });
  await maker.cancelOrder(bid.id, PAIR);
  // An order that was partly filled and then cancelled keeps what it got.
  await assertOrder(maker, bid.id, { status: 'cancelled', filled: 0.2, cost: 4_800 });
});

test('a market order without anybody to trade with ends cancelled', async () => {
  const { id } = await demo.createOrder(PAIR, 'market', 'sell', 0.2);
  await assertOrder(demo, id, { status: 'cancelled', filled: 0 });
});

test('a post-only order that would take ends cancelled, another one rests', async () => {
  const ask = await maker.createOrder(PAIR, 'limit', 'sell', 1, 30_000);
  const params = { postOnly: true };
  const crossing = await demo.createOrder(PAIR, 'limit', 'buy', 0.1, 30_000, params);
  await assertOrder(demo, crossing.id, { status: 'cancelled', filled: 0 });
  const resting = await demo.createOrder(PAIR, 'limit', 'buy', 0.1, 29_999.99, params);
  await assertOrder(demo, resting.id, { status: 'open' });
  await assertOrder(maker, ask.id, { status: 'open', filled: 0 });
  await demo.cancelOrder(resting.id, PAIR);
  await maker.cancelOrder(ask.id, PAIR);
});

test('fok and ioc reach the venue through the parameters of the client', async () => {
  const ask = await maker.createOrder(PAIR, 'limit', 'sell', 0.3, 30_000);
  const fok = await demo.createOrder(PAIR, 'limit', 'buy', 0.4, 30_000, { force: 'fok' });
  await assertOrder(demo, fok.id, { status: 'cancelled', filled: 0 });
  const ioc = await demo.createOrder(PAIR, 'limit', 'buy', 0.4, 30_000, { force: 'ioc' });
  await assertOrder(demo, ioc.id, { status: 'cancelled', filled: 0.3 });
  await assertOrder(maker, ask.id, { status: 'closed', filled: 0.3 });
});

test('closed orders are listed oldest first, of the pair that is asked for only', async () => {
  const closed = await maker.fetchClosedOrders(PAIR);
  assert.ok(closed.length >= 5);
  assert.ok(closed.every(({ status }) => ['closed', 'cancelled'].includes(status)));
  const times = closed.map(({ timestamp }) => timestamp);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  assert.deepEqual(await maker.fetchClosedOrders(QUIET_PAIR), []);
  const since = times.at(-1) ?? assert.fail('no closed order');
  const latest = await maker.fetchClosedOrders(PAIR, since);
  assert.ok(latest.length >= 1 && latest.every(({ timestamp }) => timestamp >= since));
});

test('batches, which this client calls by their raw names, place and cancel', async () => {
  const item = { side: 'buy', orderType: 'limit', force: 'normal', price: '100', quantity: '0.1' };
  const { data } = await demo.privateSpotPostTradeBatchOrders({
    symbol: 'BTCUSDT_SPBL',
    orderList: [
      { ...item, clientOrderId: 'one' },
      { ...item, client_oid: 'two' },
    ],
  });
  const placed: { orderId: string; clientOrderId: string }[] = data.resultList;
  assert.deepEqual(
    placed.map(({ clientOrderId }) => clientOrderId),
    ['one', 'two'],
  );
  const orderIds = placed.map(({ orderId }) => orderId);
  const open = await demo.fetchOpenOrders(PAIR);
  assert.deepEqual(open.map(({ id }) => id).toSorted(), orderIds);
  const cancelled = await demo.privateSpotPostTradeCancelBatchOrders({
    symbol: 'BTCUSDT_SPBL',
    orderIds: [...orderIds, '1000000000000000'],
  });
  assert.deepEqual(cancelled.data, orderIds);
});

test('the ledger names every change of a coin with direction, type and fee', async () => {
  const entries: Entry[] = await maker.fetchLedger('BTC');
  assert.ok(entries.every(({ currency }) => currency === 'BTC'));
  const [first] = entries;
  // This client calls the balance "after"; the contract says that it is the one before.
  assert.deepEqual([first?.type, first?.amount, first?.after], ['deposit', 100, 0]);
  assert.equal(ledgerSum(entries).toFixed(8), (await money(maker, 'BTC')).total.toFixed(8));
  const all: Entry[] = await maker.fetchLedger();
  assert.deepEqual([...new Set(all.map(({ type }) => type))], ['deposit', 'transaction']);
  assert.ok(all.length > entries.length);
  assert.equal((await maker.fetchLedger('BTC', undefined, 2)).length, 2);
});

interface Entry {
  readonly currency: string;
  readonly type: string;
  readonly amount: number;
  readonly after: number;
  readonly fee: number;
  /** The client drops the sign of the amount; the answer it keeps has it. */
  readonly info: { readonly quantity: string };
}

/** What a balance must be: every change less its fee. */
function ledgerSum(entries: readonly Entry[]): number {
  return entries.reduce((sum, { info, fee }) => sum + Number(info.quantity) - fee, 0);
}

test('after all that the money of the venue adds up', async () => {
  const audit = await server.admin.audit();
  assert.equal(audit.balanced, true);
  assert.equal(audit.openOrders, 0);
});
