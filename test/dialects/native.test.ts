/** The house's own API: one spelling for pairs and contracts, read and traded as clients do. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint } from '#api';
import { NATIVE_ENDPOINTS as CALLS, formatId, nativeDialect } from '#dialects';
import { REJECTS, type RejectKind, refuse } from '#domain';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import { type Fields, NativeCalls, type Row } from '../support/native-calls.ts';
import type { Credentials } from '../support/signer.ts';
import { SwapDesk } from '../support/swap-desk.ts';

const desk = await SwapDesk.open();
const house = closedAtEnd(desk.house);
const ann = await house.trader('ann', { USDT: '100000', BTC: '2' });
const bob = await house.trader('bob', { USDT: '100000', BTC: '2' });

const calls = new NativeCalls(house);
const call = calls.call.bind(calls);
const data = calls.data.bind(calls) as typeof calls.data;

const BID = { symbol: 'BTC-USDT', side: 'buy', type: 'limit', price: '20000', size: '0.01' };
const ASK = { ...BID, side: 'sell', price: '30000' };

test('markets, prices, books, trades and candles of pairs and contracts', async () => {
  const markets = await data<Row[]>(undefined, CALLS.markets);
  const bySymbol = new Map(markets.map((row) => [row.symbol, row]));
  assert.deepEqual(
    [bySymbol.get('BTC-USDT')?.kind, bySymbol.get('BTC-USDT-PERP')?.kind],
    ['pair', 'linear'],
  );
  assert.equal(bySymbol.get('BTC-USDT')?.contractValue, null);
  assert.equal(bySymbol.get('BTC-USDT-PERP')?.contractValue, '0.001');
  await data(ann, CALLS.placeOrder, ASK);
  await data(bob, CALLS.placeOrder, { ...ASK, side: 'buy', size: '0.004' });
  const [ticker] = await data<Row[]>(undefined, CALLS.tickers, { symbol: 'btc-usdt' });
  assert.deepEqual([ticker?.last, ticker?.ask, ticker?.askSize], ['30000.00', '30000.00', '0.006']);
  assert.deepEqual([ticker?.volume, ticker?.turnover], ['0.004', '120']);
  const tickers = await data<Row[]>(undefined, CALLS.tickers);
  assert.equal(tickers.length, markets.length);
  const contract = tickers.find(({ symbol }) => symbol === 'BTC-USDT-PERP');
  assert.equal(contract?.index, '30000.0');
  const book = await data<{ asks: string[][] }>(undefined, CALLS.book, { symbol: 'BTC-USDT' });
  assert.deepEqual(book.asks, [['30000.00', '0.006']]);
  const [trade] = await data<Row[]>(undefined, CALLS.trades, { symbol: 'BTC-USDT' });
  assert.deepEqual([trade?.side, trade?.price, trade?.size], ['buy', '30000.00', '0.004']);
  const candles = await data<Row[]>(undefined, CALLS.candles, {
    symbol: 'BTC-USDT',
    period: '1min',
  });
  assert.deepEqual([candles.at(-1)?.close, candles.at(-1)?.volume], ['30000.00', '0.004']);
  await data(ann, CALLS.cancelOrders);
});

test('the clock is that of the venue', async () => {
  const { time } = await data<{ time: number }>(undefined, CALLS.time);
  assert.equal(time, house.clock.nowMs());
});

test('an order is placed, read by either name, and cancelled', async () => {
  const { id } = await data<Row>(ann, CALLS.placeOrder, { ...BID, clientId: 'mine' });
  const wanted = { id, clientId: 'mine', symbol: 'BTC-USDT', price: '20000.00', size: '0.01' };
  for (const name of [id, 'mine']) {
    const order = await data<Row>(ann, CALLS.order, {}, name);
    assert.deepEqual({ ...order, ...wanted }, order, name);
    assert.deepEqual([order.filled, order.status, order.reduceOnly], ['0', 'new', false]);
  }
  assert.equal((await call(bob, CALLS.order, {}, id)).status, 404);
  assert.equal((await call(bob, CALLS.cancelOrder, {}, id)).status, 404);
  assert.deepEqual(await data(ann, CALLS.cancelOrder, {}, 'mine'), { id, error: null });
  assert.deepEqual(await data(ann, CALLS.openOrders), []);
});

test('a market buy says what to spend, or how much to buy', async () => {
  await data(ann, CALLS.placeOrder, { ...ASK, size: '0.02' });
  const market = { symbol: 'BTC-USDT', side: 'buy', type: 'market' };
  await data(bob, CALLS.placeOrder, { ...market, spend: '150' });
  await data(bob, CALLS.placeOrder, { ...market, size: '0.001' });
  const [order] = await data<Row[]>(ann, CALLS.openOrders, { symbol: 'BTC-USDT' });
  assert.deepEqual([order?.filled, order?.average], ['0.006', '30000']);
  await data(ann, CALLS.cancelOrders, { symbol: 'BTC-USDT' });
});

let tradersCount = 0;

/** Two accounts that nobody else uses, with money for contracts, whose index is 30000. */
async function traders(): Promise<readonly [Trader, Trader]> {
  tradersCount += 2;
  const names = [tradersCount, tradersCount + 1].map((count) => `trader-${count}`);
  const [long, short] = await Promise.all(names.map((name) => desk.funded(name, '10000')));
  return [present(long, 'trader'), present(short, 'trader')];
}

const OPEN = { symbol: 'BTC-USDT-PERP', type: 'limit', price: '30000', size: '10' };

test('a contract is opened on both sides, held, and closed by reduceOnly', async () => {
  const [long, short] = await traders();
  await data(long, CALLS.placeOrder, { ...OPEN, side: 'buy', stopLoss: '29000' });
  await data(short, CALLS.placeOrder, { ...OPEN, side: 'sell' });
  const [position] = await data<Row[]>(long, CALLS.positions);
  assert.deepEqual(
    [position?.symbol, position?.side, position?.size, position?.entry],
    ['BTC-USDT-PERP', 'long', '10', '30000'],
  );
  const [other] = await data<Row[]>(short, CALLS.positions);
  assert.equal(other?.side, 'short');
  await data(short, CALLS.placeOrder, { ...OPEN, side: 'buy', reduceOnly: true });
  const [closing] = await data<Row[]>(short, CALLS.openOrders);
  assert.deepEqual([closing?.side, closing?.reduceOnly], ['buy', true]);
  await data(long, CALLS.placeOrder, { ...OPEN, side: 'sell', type: 'limit', reduceOnly: true });
  assert.deepEqual(await data(long, CALLS.positions), []);
  assert.deepEqual(await data(short, CALLS.positions), []);
  const balances = await data<Row[]>(long, CALLS.balances);
  assert.deepEqual(
    balances.map(({ wallet, coin }) => `${coin} in ${wallet}`),
    ['USDT in margin'],
  );
});

test('all orders of a market are cancelled, and those of others stay', async () => {
  const [long] = await traders();
  await house.deposit(long.accountId, 'USDT', '1000');
  for (let count = 0; count < 3; count += 1) await data(long, CALLS.placeOrder, BID);
  const { id } = await data<Row>(long, CALLS.placeOrder, { ...OPEN, side: 'buy', price: '29000' });
  const cancelled = await data<Row[]>(long, CALLS.cancelOrders, { symbol: 'BTC-USDT' });
  assert.equal(cancelled.length, 3);
  const left = await data<Row[]>(long, CALLS.openOrders);
  assert.deepEqual(
    left.map((order) => order.id),
    [id],
  );
  await data(long, CALLS.cancelOrders);
  assert.deepEqual(await data(long, CALLS.openOrders), []);
});

interface Page {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** All rows, page by page. */
async function walked(who: Credentials, endpoint: Endpoint, fields: Fields): Promise<Row[]> {
  const rows: Row[] = [];
  let next: string | null = '';
  while (next !== null) {
    const page: Page = await data<Page>(who, endpoint, { ...fields, before: next });
    rows.push(...page.rows);
    next = page.next;
  }
  return rows;
}

test('closed orders and fills of pairs and contracts come newest first, each once', async () => {
  const [long, short] = await traders();
  await house.deposit(long.accountId, 'USDT', '5000');
  await data(ann, CALLS.placeOrder, { ...ASK, size: '0.01' });
  const ids: string[] = [];
  const place = async (who: Credentials, fields: Fields) => {
    const { id = '' } = await data<Row>(who, CALLS.placeOrder, fields);
    if (who === long) ids.unshift(id);
  };
  for (let count = 0; count < 3; count += 1) {
    await place(long, { ...ASK, side: 'buy', size: '0.001', clientId: `buy-${count}` });
    await place(long, { ...OPEN, side: 'buy', size: '2' });
    await place(short, { ...OPEN, side: 'sell', size: '2' });
  }
  await data(ann, CALLS.cancelOrders);
  for (const limit of [1, 2, 5, 100]) {
    const orders = await walked(long, CALLS.closedOrders, { limit });
    assert.deepEqual(
      orders.map(({ id }) => id),
      ids,
      String(limit),
    );
    const fills = await walked(long, CALLS.fills, { limit });
    assert.deepEqual(
      fills.map(({ order }) => order),
      ids,
      String(limit),
    );
  }
  const [contract] = await walked(long, CALLS.fills, { symbol: 'BTC-USDT-PERP' });
  assert.deepEqual(
    [contract?.side, contract?.role, contract?.size, contract?.feeCoin, contract?.realizedPnl],
    ['buy', 'maker', '2', 'USDT', '0'],
  );
  const [fill] = await walked(long, CALLS.fills, { order: ids.at(-1) });
  assert.deepEqual([fill?.symbol, fill?.size, fill?.feeCoin], ['BTC-USDT', '0.001', 'BTC']);
  const closed = await data<Row>(long, CALLS.order, {}, 'buy-1');
  assert.deepEqual([closed.status, closed.reason, closed.filled], ['full_fill', 'filled', '0.001']);
  assert.deepEqual(await walked(bob, CALLS.closedOrders, { symbol: 'BTC-USDT-PERP' }), []);
  assert.equal((await call(bob, CALLS.order, {}, closed.id)).status, 404);
});

const REFUSED: readonly [what: string, fields: Fields, status: number, error: object][] = [
  [
    'a market that is not there',
    { ...BID, symbol: 'ABC-USDT' },
    404,
    { kind: 'symbol_unknown', figures: {} },
  ],
  [
    'the name of another API',
    { ...BID, symbol: 'BTCUSDT_SPBL' },
    404,
    { kind: 'symbol_unknown', figures: {} },
  ],
  [
    'a limit order without a price',
    { ...BID, price: undefined },
    400,
    { kind: 'parameter_missing', figures: { field: 'price' } },
  ],
  [
    'an order without a size',
    { ...BID, size: '' },
    400,
    { kind: 'parameter_missing', figures: { field: 'size' } },
  ],
  ['a price between two steps', { ...BID, price: '0.001' }, 422, { kind: 'price_invalid' }],
  [
    'a contract price between two steps',
    { ...OPEN, side: 'buy', price: '30000.1' },
    422,
    { kind: 'price_invalid', message: 'Price is invalid: price goes in steps of 0.5' },
  ],
  [
    'a field that is not known',
    { ...BID, postOnly: true },
    400,
    { kind: 'parameter_invalid', figures: {} },
  ],
  ['a market order with a price', { ...BID, type: 'market' }, 400, { kind: 'parameters_conflict' }],
  [
    'a market order that is to rest',
    { ...BID, type: 'market', price: '', timeInForce: 'gtc' },
    400,
    { kind: 'parameters_conflict' },
  ],
  [
    'a market order of a pair that is to fill whole',
    { ...BID, type: 'market', price: '', timeInForce: 'fok' },
    400,
    { kind: 'parameters_conflict' },
  ],
  ['reduceOnly of a pair', { ...BID, reduceOnly: true }, 400, { kind: 'parameters_conflict' }],
  ['a stop-loss of a pair', { ...BID, stopLoss: '1' }, 400, { kind: 'parameters_conflict' }],
  [
    'to spend on a sell',
    { ...BID, side: 'sell', type: 'market', price: '', spend: '5' },
    400,
    { kind: 'parameters_conflict' },
  ],
  [
    'more than there is',
    { ...ASK, size: '50' },
    422,
    { kind: 'balance_insufficient', figures: { needed: '50', coin: 'BTC' } },
  ],
];

for (const [what, fields, status, error] of REFUSED) {
  test(`${what} is refused with what failed and what to do`, async () => {
    const reply = await call(ann, CALLS.placeOrder, fields);
    const said = JSON.parse(reply.text).error;
    assert.deepEqual(Object.keys(said), ['kind', 'message', 'figures', 'hint'], reply.text);
    assert.equal(reply.status, status, reply.text);
    assert.partialDeepStrictEqual(said, error);
    assert.ok(said.hint.endsWith('.'), said.hint);
  });
}

const OTHERS: readonly [what: string, who: () => Credentials, status: number, kind: string][] = [
  ['an unknown key', () => ({ ...ann, key: 'nobody' }), 401, 'credentials_wrong'],
  ['a wrong secret', () => ({ ...ann, secret: 'wrong' }), 401, 'credentials_wrong'],
  ['a wrong passphrase', () => ({ ...ann, passphrase: 'wrong' }), 401, 'credentials_wrong'],
  ['no passphrase', () => ({ ...ann, passphrase: '' }), 400, 'passphrase_missing'],
];

for (const [what, who, status, kind] of OTHERS) {
  test(`${what} is let in nowhere, and told nothing more`, async () => {
    const reply = await call(who(), CALLS.balances);
    assert.deepEqual([reply.status, JSON.parse(reply.text).error.kind], [status, kind]);
  });
}

test('a key may do what it was made for', async () => {
  const reader = await house.addKey(ann.accountId, 'ann-reads', { permissions: ['read'] });
  await data(reader, CALLS.balances);
  const { status, text } = await call(reader, CALLS.placeOrder, BID);
  assert.deepEqual([status, JSON.parse(text).error.kind], [403, 'permission_missing']);
});

test('a call that is late hears which time the venue has', async () => {
  const headers = {
    ...house.sign(ann, 'GET', '/v1/balances', ''),
    'x-outcry-time': '1000000000000',
  };
  const { status, text } = await house.call({ method: 'GET', url: '/v1/balances', headers });
  assert.equal(status, 400);
  assert.match(JSON.parse(text).error.message, new RegExp(`the venue has ${house.clock.nowMs()}$`));
});

test('orders of the other APIs are seen here, and those of here by them', async () => {
  const { id } = await data<Row>(ann, CALLS.placeOrder, BID);
  const target = '/api/spot/v1/trade/open-orders';
  const { text } = await house.signedPost(ann, target, { symbol: 'BTCUSDT_SPBL' });
  assert.deepEqual(
    JSON.parse(text).data.map(({ orderId }: Row) => orderId),
    [id],
  );
  await data(ann, CALLS.cancelOrders);
});

test('an id that is none and a name that nobody has are not found', async () => {
  for (const name of [formatId(999_999), '1', 'nobody', 'x'.repeat(90)]) {
    assert.equal((await call(ann, CALLS.order, {}, name)).status, 404, name);
  }
});

test('every refusal has a status, words and something to do', () => {
  for (const kind of Object.keys(REJECTS) as RejectKind[]) {
    const { status, body } = nativeDialect.frame.refusal(refuse(kind), 0);
    const { message, hint } = JSON.parse(body).error;
    assert.ok(status >= 400 && status < 600, kind);
    assert.ok(message.length > 5 && hint.endsWith('.'), kind);
  }
});
