/** Each refusal reaches an unmodified ccxt client as the error class that bots react to. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import {
  type Credentials,
  connect,
  DEMO,
  type ErrorName,
  MAKER,
  refusedAs,
} from '../support/server-ccxt.ts';
import { startHere } from '../support/server-here.ts';
import { until } from '../support/until.ts';
import { startVenueProcess } from '../support/venue-process.ts';

const PAIR = 'BTC/USDT';
const UNKNOWN_ID = '1000000000999999';

const server = closedAtEnd(await startVenueProcess({ participants: false }));
const demo = connect(server.url, DEMO);
const maker = connect(server.url, MAKER);
await Promise.all([demo.loadMarkets(), maker.loadMarkets()]);

/** A key of the demo account that the operator has just made and nobody has used. */
async function newKey(settings: object): Promise<Required<Credentials>> {
  const made = await server.admin.createKey({ account: 'demo', ...settings });
  const { key, secret, passphrase } = made;
  return { apiKey: String(key), secret: String(secret), password: String(passphrase) };
}

const WRONG_CREDENTIALS: readonly (readonly [string, Credentials, string])[] = [
  ['an unknown key', { ...DEMO, apiKey: 'nobody' }, '40012'],
  ['a wrong passphrase', { ...DEMO, password: 'guess' }, '40012'],
  ['a wrong secret', { ...DEMO, secret: 'guess' }, '40012'],
  ['the secret of somebody else', { ...DEMO, secret: MAKER.secret }, '40012'],
];

for (const [what, credentials, code] of WRONG_CREDENTIALS) {
  test(`${what} is an AuthenticationError`, async () => {
    const call = connect(server.url, credentials).fetchBalance();
    assert.equal(await refusedAs('AuthenticationError', call), code);
  });
}

test('without credentials the client asks for them, and the server refuses', async () => {
  const visitor = connect(server.url);
  assert.equal(await refusedAs('AuthenticationError', visitor.fetchBalance()), '');
  const unsigned = visitor.fetch(`${server.url}/api/spot/v1/account/assets`);
  assert.equal(await refusedAs('AuthenticationError', unsigned), '40001');
});

for (const [what, shiftMs] of [
  ['31 seconds slow', -31_000],
  ['8 seconds fast', 8_000],
] as const) {
  test(`a clock that is ${what} is an InvalidNonce`, async () => {
    const client = connect(server.url, DEMO);
    await client.loadMarkets();
    client.milliseconds = () => Date.now() + shiftMs;
    assert.equal(await refusedAs('InvalidNonce', client.fetchBalance()), '40008');
  });
}

test('a read-only key may read and is denied to trade', async () => {
  const reader = connect(server.url, await newKey({ permissions: ['read'] }));
  assert.equal((await reader.fetchBalance()).USDT?.free, 1_000_000);
  assert.deepEqual(await reader.fetchOpenOrders(PAIR), []);
  const placing = reader.createOrder(PAIR, 'limit', 'buy', 0.1, 20_000);
  assert.equal(await refusedAs('PermissionDenied', placing), '40014');
  const cancelling = reader.cancelOrder(UNKNOWN_ID, PAIR);
  assert.equal(await refusedAs('PermissionDenied', cancelling), '40014');
});

test('a key for other addresses is denied, one for this address works', async () => {
  const elsewhere = connect(server.url, await newKey({ ipAllowList: ['10.0.0.0/8'] }));
  assert.equal(await refusedAs('PermissionDenied', elsewhere.fetchBalance()), '40018');
  const here = connect(server.url, await newKey({ ipAllowList: ['127.0.0.0/8'] }));
  assert.equal((await here.fetchBalance()).USDT?.free, 1_000_000);
});

test('a frozen account reads and does not trade until it is unfrozen', async () => {
  await server.admin.updateAccount({ account: 'maker', frozen: true });
  const placing = maker.createOrder(PAIR, 'limit', 'buy', 0.1, 20_000);
  assert.equal(await refusedAs('ExchangeError', placing), '40013');
  assert.equal((await maker.fetchBalance()).USDT?.free, 1_000_000);
  await server.admin.updateAccount({ account: 'maker', frozen: false });
  const { id } = await maker.createOrder(PAIR, 'limit', 'buy', 0.1, 20_000);
  await maker.cancelOrder(id, PAIR);
});

test('more than the balance is InsufficientFunds, for every kind of order', async () => {
  const orders = [
    ['limit', 'buy', 50.1, 20_000],
    ['limit', 'sell', 100.1, 30_000],
    ['market', 'buy', 1_000_001, undefined],
    ['market', 'sell', 100.1, undefined],
  ] as const;
  for (const [type, side, amount, price] of orders) {
    const placing = demo.createOrder(PAIR, type, side, amount, price);
    assert.equal(await refusedAs('InsufficientFunds', placing), '50020');
  }
});

/** Raw calls, because the client itself rounds amounts and prices to the steps of the pair. */
const BAD_ORDERS: readonly (readonly [string, object, ErrorName, string])[] = [
  ['a quantity of zero', { quantity: '0' }, 'InvalidOrder', '40108'],
  ['a negative quantity', { quantity: '-1' }, 'InvalidOrder', '40108'],
  ['a quantity finer than the step', { quantity: '0.00011' }, 'InvalidOrder', '40108'],
  ['a quantity that is no number', { quantity: 'all' }, 'InvalidOrder', '40108'],
  ['a price of zero', { price: '0' }, 'InvalidOrder', '40706'],
  ['a negative price', { price: '-30000' }, 'InvalidOrder', '40706'],
  ['a price off the tick', { price: '30000.001' }, 'InvalidOrder', '40706'],
  ['an unknown pair', { symbol: 'XRPUSDT_SPBL' }, 'BadSymbol', '50004'],
  ['an id of 41 characters', { clientOrderId: 'a'.repeat(41) }, 'BadRequest', '40305'],
  ['an id with a space', { clientOrderId: 'my order' }, 'BadRequest', '40305'],
  ['no side', { side: '' }, 'ExchangeError', '40017'],
  ['an unknown side', { side: 'long' }, 'ExchangeError', '40017'],
  ['an unknown order type', { orderType: 'stop' }, 'ExchangeError', '40017'],
  ['an unknown time in force', { force: 'day' }, 'ExchangeError', '40017'],
];

for (const [what, change, name, code] of BAD_ORDERS) {
  test(`an order with ${what} is refused as ${name}`, async () => {
    const order = {
      symbol: 'BTCUSDT_SPBL',
      side: 'buy',
      orderType: 'limit',
      force: 'gtc',
      price: '20000',
      quantity: '0.1',
    };
    const placing = demo.privateSpotPostTradeOrders({ ...order, ...change });
    assert.equal(await refusedAs(name, placing), code);
  });
}

test('a quantity under the minimum of the pair is an InvalidOrder', async () => {
  const placing = demo.createOrder('ETH/USDT', 'limit', 'buy', 0.0009, 2_000);
  assert.equal(await refusedAs('InvalidOrder', placing), '50019');
});

test('an order worth less than the minimum of the pair is an InvalidOrder', async () => {
  await server.admin.updateSpot({ symbol: 'ETH-USDT', minNotional: '5' });
  const placing = demo.createOrder('ETH/USDT', 'limit', 'buy', 0.002, 2_000);
  assert.equal(await refusedAs('InvalidOrder', placing), '50014');
  await server.admin.updateSpot({ symbol: 'ETH-USDT', minNotional: '0' });
});

test('an order that does not exist is OrderNotFound, and so is one of somebody else', async () => {
  const foreign = await maker.createOrder(PAIR, 'limit', 'buy', 0.1, 20_000);
  for (const id of [UNKNOWN_ID, foreign.id, '12', 'none']) {
    assert.equal(await refusedAs('OrderNotFound', demo.fetchOrder(id, PAIR)), '40109', id);
    assert.equal(await refusedAs('OrderNotFound', demo.cancelOrder(id, PAIR)), '40109', id);
    assert.deepEqual(await demo.fetchOrderTrades(id, PAIR), []);
  }
  assert.equal((await maker.fetchOrder(foreign.id, PAIR)).status, 'open');
  // Its own order, asked for under another pair, is not there either.
  const elsewhere = maker.cancelOrder(foreign.id, 'ETH/USDT');
  assert.equal(await refusedAs('OrderNotFound', elsewhere), '40109');
  await maker.cancelOrder(foreign.id, PAIR);
  assert.equal(await refusedAs('ExchangeError', maker.cancelOrder(foreign.id, PAIR)), '43004');
});

test('an id that an order has or had is refused', async () => {
  const params = { clientOrderId: 'twice' };
  const first = await demo.createOrder(PAIR, 'limit', 'buy', 0.1, 20_000, params);
  const again = () => demo.createOrder(PAIR, 'limit', 'buy', 0.1, 20_000, params);
  assert.equal(await refusedAs('ExchangeError', again()), '43118');
  await demo.cancelOrder(first.id, PAIR);
  assert.equal(await refusedAs('ExchangeError', again()), '43118');
});

test('a path the venue does not have is a BadRequest, not an outage', async () => {
  const nowhere = demo.fetch(`${server.url}/api/spot/v1/nowhere`);
  assert.equal(await refusedAs('BadRequest', nowhere), '40404');
  assert.equal(await refusedAs('BadRequest', demo.fetch(`${server.url}/api/mix/v1/x`)), '40404');
});

test('a client that does not brake itself hears DDoSProtection and is let in again', async () => {
  const limited = await startHere({ rateLimits: true });
  const hasty = connect(limited.url, DEMO);
  await hasty.fetchBalance();
  const calls = Array.from({ length: 20 }, () => hasty.fetchBalance());
  const outcomes = await Promise.allSettled(calls);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.ok(refused.length >= 1 && refused.length < 20, String(refused.length));
  for (const { reason } of refused) {
    assert.equal(await refusedAs('DDoSProtection', Promise.reject(reason)), '429');
  }
  await until('let in again', () =>
    hasty.fetchBalance().then(
      () => true,
      () => false,
    ),
  );
  await limited.close();
});

test('many guesses at a passphrase are wrong, and keep nobody else out', async () => {
  const credentials = await newKey({});
  const guesses = Array.from({ length: 20 }, (_, at) =>
    connect(server.url, { ...credentials, password: `guess-${at}` }).privateSpotGetAccountAssets(),
  );
  const names = (await Promise.allSettled(guesses)).map((outcome) =>
    outcome.status === 'rejected' ? outcome.reason.constructor.name : 'let in',
  );
  assert.deepEqual([...new Set(names)], ['AuthenticationError']);
  const owner = connect(server.url, credentials);
  assert.equal((await owner.fetchBalance()).USDT?.free, 1_000_000);
});
