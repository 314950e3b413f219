/** A dialect is a folder: one of the tests' own trades beside the classic one, on one server. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { classicDialect } from '#dialects';
import { REJECTS, type RejectKind, refuse } from '#domain';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { House, type Trader } from '../support/house.ts';
import { signature } from '../support/signer.ts';
import { toyDialect } from './toy.ts';

const house = closedAtEnd(
  await House.open({ dialects: [classicDialect, toyDialect], rateLimits: true }),
);
const url = `http://127.0.0.1:${await house.port()}`;
const ann = await house.trader('ann', { USDT: '100000', BTC: '1' });
const bob = await house.trader('bob', { USDT: '100000', BTC: '1' });

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function send(path: string, request: RequestInit): Promise<Answer> {
  const reply = await fetch(url + path, request);
  return { status: reply.status, body: await reply.json() };
}

/** A call with the headers that this dialect wants. */
function toy(who: Trader, method: string, path: string, fields?: object): Promise<Answer> {
  const time = house.clock.nowMs();
  const body = fields && JSON.stringify(fields);
  const headers = {
    'toy-key': who.key,
    'toy-time': String(time),
    'toy-word': who.passphrase,
    'toy-seal': signature(who.secret, `${time}${method}${path}`, body),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return send(path, { method, headers, ...(body === undefined ? {} : { body }) });
}

async function result<T>(answer: Promise<Answer>): Promise<T> {
  const { status, body } = await answer;
  assert.equal(status, 200, JSON.stringify(body));
  const { ok, result } = body as { ok: boolean; result: T };
  assert.equal(ok, true);
  return result;
}

async function classic<T>(who: Trader, path: string, fields: object): Promise<T> {
  const target = `/api/spot/v1${path}`;
  const body = JSON.stringify(fields);
  const headers = { 'content-type': 'application/json', ...house.sign(who, 'POST', target, body) };
  const answer = await send(target, { method: 'POST', headers, body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return (answer.body as { data: T }).data;
}

interface ClassicOrder {
  readonly orderId: string;
  readonly side: string;
  readonly price: string;
  readonly status: string;
}

const PAIR = { symbol: 'BTCUSDT_SPBL' };
const ASK = { market: 'btc/usdt', side: 'ask', price: '30000', size: '0.5' };

test('it calls markets by its own names', async () => {
  const markets = await result<{ market: string }[]>(send('/toy/markets', {}));
  const [btc] = markets.filter(({ market }) => market === 'btc/usdt');
  assert.deepEqual(btc, { market: 'btc/usdt', decimals: '2' });
});

test('two accounts trade through it, and the classic dialect sees the same orders', async () => {
  const { id } = await result<{ id: string }>(toy(ann, 'POST', '/toy/orders', ASK));
  const [resting] = await classic<ClassicOrder[]>(ann, '/trade/open-orders', PAIR);
  const { orderId, side, price } = present(resting, 'order of the classic dialect');
  assert.deepEqual({ orderId, side, price }, { orderId: id, side: 'sell', price: '30000.00' });

  const bid = { ...ASK, side: 'bid', size: '0.2' };
  const taken = await result<{ id: string }>(toy(bob, 'POST', '/toy/orders', bid));
  assert.deepEqual(await result(toy(ann, 'GET', '/toy/orders')), [
    { id, market: 'btc/usdt', side: 'ask', filled: '0.2' },
  ]);
  const [bought] = await classic<ClassicOrder[]>(bob, '/trade/orderInfo', {
    ...PAIR,
    orderId: taken.id,
  });
  assert.equal(bought?.status, 'full_fill');

  assert.deepEqual(await result(toy(ann, 'DELETE', `/toy/orders/${id}`)), { id });
  assert.deepEqual(await result(toy(ann, 'GET', '/toy/orders')), []);
});

test('an order of the classic dialect can be cancelled through it', async () => {
  const fields = { ...PAIR, side: 'sell', orderType: 'limit', price: '31000', quantity: '0.1' };
  const { orderId } = await classic<ClassicOrder>(ann, '/trade/orders', fields);
  assert.deepEqual(await result(toy(ann, 'DELETE', `/toy/orders/${orderId}`)), { id: orderId });
});

const REFUSED: readonly [
  what: string,
  call: () => Promise<Answer>,
  status: number,
  body: object,
][] = [
  [
    'a market by the name of another dialect',
    () => toy(bob, 'POST', '/toy/orders', { ...ASK, market: 'BTCUSDT_SPBL' }),
    422,
    { ok: false, why: 'symbol unknown', about: "'BTCUSDT_SPBL'" },
  ],
  [
    'a field that is missing',
    () => toy(bob, 'POST', '/toy/orders', { ...ASK, price: '' }),
    422,
    { ok: false, why: 'parameter missing', about: 'price is required' },
  ],
  [
    'a price of zero',
    () => toy(bob, 'POST', '/toy/orders', { ...ASK, price: '0' }),
    422,
    { ok: false, why: 'price invalid', about: "'0'" },
  ],
  [
    'what the engine refuses',
    () => toy(bob, 'POST', '/toy/orders', { ...ASK, size: '5' }),
    422,
    { ok: false, why: 'balance insufficient', about: 'needs 5 BTC, has 1.1998' },
  ],
  [
    'an order of somebody else',
    () => toy(bob, 'DELETE', '/toy/orders/1000000000000001'),
    422,
    { ok: false, why: 'order unknown', about: '' },
  ],
  [
    'a wrong signature',
    () => toy({ ...bob, secret: 'wrong' }, 'GET', '/toy/orders'),
    422,
    { ok: false, why: 'signature wrong', about: '' },
  ],
  [
    'the headers of another dialect',
    () => send('/toy/orders', { headers: house.sign(bob, 'GET', '/toy/orders', '') }),
    422,
    { ok: false, why: 'key missing', about: '' },
  ],
  [
    'a path it does not have',
    () => send('/toy/nothing', {}),
    404,
    { ok: false, why: 'path unknown', about: '' },
  ],
];

for (const [what, call, status, body] of REFUSED) {
  test(`${what} is refused in its own frame`, async () => {
    assert.deepEqual(await call(), { status, body });
  });
}

test('calls are counted per endpoint as in any dialect', async () => {
  const answers = Array.from({ length: 6 }, () => toy(bob, 'POST', '/toy/orders', {}));
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  assert.ok(statuses.includes(429), String(statuses));
});

test('a path of no dialect is answered as the first one would', async () => {
  const { status, body } = await send('/elsewhere', {});
  assert.deepEqual([status, Object(body).code], [404, '40404']);
});

test('every refusal has words and a status', () => {
  for (const kind of Object.keys(REJECTS) as RejectKind[]) {
    const { status, body } = toyDialect.frame.refusal(refuse(kind), 0);
    assert.ok(status >= 400 && status < 600, kind);
    assert.ok(JSON.parse(body).why.length > 0, kind);
  }
});
