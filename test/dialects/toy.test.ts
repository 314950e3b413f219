/** A dialect is a folder: one of the tests' own trades beside the classic one, on one server. */
import { strict as assert } from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { OwnListener, STREAM_LIMITS } from '#api';
import { classicDialect } from '#dialects';
import { REJECTS, type RejectKind, refuse } from '#domain';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { House, type Trader } from '../support/house.ts';
import type { Credentials } from '../support/signer.ts';
import { eventually, until } from '../support/until.ts';
import { toyDialect } from './toy.ts';

const listener = new OwnListener({ scheme: 'http', host: '127.0.0.1', port: 0 });
const dialect = toyDialect(listener);
const house = closedAtEnd(
  await House.open({ dialects: [classicDialect, dialect], rateLimits: true, hosts: [] }),
);
const url = `http://127.0.0.1:${await house.port()}`;
const ownUrl = await listener.listen();
const ann = await house.trader('ann', { USDT: '100000', BTC: '1' });
const bob = await house.trader('bob', { USDT: '100000', BTC: '1' });

/** Calls of which some are refused, wherever a window of five a second ends among them. */
const MORE_THAN_TWO_WINDOWS = 11;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function send(path: string, request: RequestInit): Promise<Answer> {
  const reply = await fetch(path.startsWith('/') ? url + path : path, request);
  return { status: reply.status, body: await reply.json() };
}

type Fields = Readonly<Record<string, string>>;

function mark(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

/** Key, time and mark, as the query of a call with this form, or the fields of a frame. */
function proofOf(who: Credentials, front: string, behind: string, timeMs: number) {
  const time = String(timeMs);
  return { key: who.key, time, mark: mark(who.secret, `${front}time=${time}${behind}`) };
}

/** A call as this dialect wants it: parameters of a GET in the query, of others in a form. */
function toy(who: Credentials, method: string, path: string, fields: Fields = {}): Promise<Answer> {
  const given = new URLSearchParams(fields).toString();
  const isQuery = method === 'GET';
  const [place, more = ''] = path.split('?');
  const asked = isQuery ? given : more;
  const front = `${asked === '' ? '' : `${asked}&`}key=${who.key}&`;
  const body = isQuery ? '' : given;
  const { time, mark: made } = proofOf(who, front, body, house.clock.nowMs());
  const target = `${place}?${front}time=${time}&mark=${made}`;
  // As some clients do: the form says that it is something else.
  const headers = { 'content-type': 'application/json' };
  return send(target, { method, ...(isQuery ? {} : { headers, body }) });
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

  assert.deepEqual(await result(toy(ann, 'DELETE', '/toy/orders', { id })), { id });
  assert.deepEqual(await result(toy(ann, 'GET', '/toy/orders')), []);
});

test('an order of the classic dialect can be cancelled through it', async () => {
  const fields = { ...PAIR, side: 'sell', orderType: 'limit', price: '31000', quantity: '0.1' };
  const { orderId } = await classic<ClassicOrder>(ann, '/trade/orders', fields);
  assert.deepEqual(await result(toy(ann, 'DELETE', '/toy/orders', { id: orderId })), {
    id: orderId,
  });
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
    () => toy(bob, 'DELETE', '/toy/orders', { id: '1000000000000001' }),
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
    'a parameter in the query and in the form',
    () => toy(bob, 'DELETE', '/toy/orders?id=1', { id: '1' }),
    422,
    { ok: false, why: 'parameter invalid', about: '"id" comes twice' },
  ],
  [
    'a call that is too old',
    () => send(`/toy/orders?key=${bob.key}&time=1&mark=00`, {}),
    422,
    { ok: false, why: 'timestamp expired', about: '' },
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
  const answers = Array.from({ length: MORE_THAN_TWO_WINDOWS }, () =>
    toy(bob, 'POST', '/toy/orders', {}),
  );
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  assert.ok(statuses.includes(429), String(statuses));
});

test('a path of no dialect is answered as the first one would', async () => {
  const { status, body } = await send('/elsewhere', {});
  assert.deepEqual([status, Object(body).code], [404, '40404']);
});

test('every refusal has words and a status', () => {
  for (const kind of Object.keys(REJECTS) as RejectKind[]) {
    const { status, body } = dialect.frame.refusal(refuse(kind), 0);
    assert.ok(status >= 400 && status < 600, kind);
    assert.ok(JSON.parse(body).why.length > 0, kind);
  }
});

test('its own listener serves it without the prefix, and nothing else', async () => {
  assert.deepEqual(await send(`${ownUrl}/markets`, {}), await send('/toy/markets', {}));
  const other = { ...ASK, price: '40000', size: '0.01' };
  const { id } = await result<{ id: string }>(toy(ann, 'POST', `${ownUrl}/orders`, other));
  await result(toy(ann, 'DELETE', `${ownUrl}/orders`, { id }));
  for (const path of ['/toy/markets', '/api/spot/v1/public/time', '/health/live', '/metrics']) {
    const { status, body } = await send(ownUrl + path, {});
    assert.deepEqual([status, body], [404, { ok: false, why: 'path unknown', about: '' }], path);
  }
});

test('under its own name it stands without the prefix, too', async () => {
  const asked = request(`${url}/markets`, { headers: { host: 'toy.example' } }).end();
  const [answer] = await once(asked, 'response');
  assert.equal(answer.statusCode, 200);
  const text = await answer.toArray();
  assert.deepEqual(
    JSON.parse(Buffer.concat(text).toString()),
    (await send('/toy/markets', {})).body,
  );
  const { status } = await send('/markets', {});
  assert.equal(status, 404, 'but not under others');
});

/** A client of the socket, with all that it was sent. */
class Socket {
  readonly messages: Record<string, unknown>[] = [];
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.messages.push(JSON.parse(String(data))));
  }

  static async open(at: string): Promise<Socket> {
    const socket = new Socket(new WebSocket(at.replace('http', 'ws')));
    await once(socket.#socket, 'open');
    return socket;
  }

  send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  login(who: Credentials): void {
    this.send({ wants: 'login', ...proofOf(who, '', '', house.clock.nowMs()) });
  }

  async next(
    fits: (message: Record<string, unknown>) => boolean,
  ): Promise<Record<string, unknown>> {
    return eventually(
      () => this.messages.find(fits),
      (found) => assert.ok(found, JSON.stringify(this.messages)),
    ).then((found) => present(found, 'message'));
  }

  close(): void {
    this.#socket.close();
  }
}

const FAR = { market: 'btc/usdt', side: 'bid', price: '20000', size: '0.01' };

test('trades are followed by a name in path or query, and on its own listener', async () => {
  const places = [
    `${url}/toy/ws/trades@btcusdt`,
    `${url}/toy/stream?streams=trades@btcusdt`,
    `${ownUrl}/ws/trades@btcusdt`,
  ];
  for (const place of places) {
    const socket = await Socket.open(place);
    const { data } = await socket.next(({ what }) => what === 'trades@btcusdt');
    assert.ok(Array.isArray(data) && data.length > 0, place);
    socket.close();
  }
  const unknown = await Socket.open(`${url}/toy/ws/trades@nothing`);
  assert.deepEqual(await unknown.next(() => true), {
    fault: 'channel_unknown',
    about: 'trades@nothing',
  });
  unknown.close();
});

test('orders over a socket: placed by the login, answered in order, seen as events', async () => {
  const carl = await house.trader('carl', { USDT: '100000' });
  const socket = await Socket.open(`${url}/toy/ws`);
  socket.login(carl);
  await socket.next(({ login }) => login === 'done');
  socket.send({ wants: 'follow', what: 'orders' });
  for (let id = 1; id <= 3; id += 1) socket.send({ wants: 'place', id, of: FAR });
  socket.send({ wants: 'orders', id: 4 });
  await socket.next(({ id }) => id === 4);
  const answers = socket.messages.filter(({ id }) => id !== undefined);
  assert.deepEqual(
    answers.map(({ id }) => id),
    [1, 2, 3, 4],
  );
  const placed = answers.slice(0, 3).map(({ result }) => Object(result).id);
  assert.deepEqual(
    Object(answers[3]?.result).map((row: { id: string }) => row.id),
    placed.toReversed(),
  );
  const seen = () => socket.messages.filter(({ what }) => what === 'orders');
  await until('its events', () => JSON.stringify(seen()).includes(placed[2]));
  const shown = await result<{ id: string }[]>(toy(carl, 'GET', '/toy/orders'));
  assert.deepEqual(
    shown.map(({ id }) => id),
    placed.toReversed(),
    'they are those of the calls',
  );
  socket.close();
});

test('a frame is judged by its own mark, and refused as a call would be', async () => {
  const dora = await house.trader('dora', { USDT: '100000' });
  const reader = await house.addKey(dora.accountId, 'dora-reads', { permissions: ['read'] });
  const socket = await Socket.open(`${url}/toy/ws`);
  const ask = async (id: string, message: object) => {
    socket.send({ id, ...message });
    const { id: _id, ...answer } = await socket.next((one) => one.id === id);
    return answer;
  };
  const signed = (who: Credentials, of: object) => ({
    of,
    ...proofOf(who, '', JSON.stringify(of), house.clock.nowMs()),
  });
  assert.deepEqual(await ask('a', { wants: 'place', of: FAR }), { why: 'key_missing', about: '' });
  const { result: placed } = await ask('b', { wants: 'place', ...signed(dora, FAR) });
  assert.match(Object(placed).id, /^[0-9]{16}$/);
  const wrong = { ...signed(dora, FAR), of: { ...FAR, size: '9' } };
  assert.deepEqual(await ask('c', { wants: 'place', ...wrong }), {
    why: 'signature_wrong',
    about: '',
  });
  assert.deepEqual(await ask('d', { wants: 'place', ...signed(reader, FAR) }), {
    why: 'permission_missing',
    about: 'trade',
  });
  const broken = { ...FAR, price: '' };
  assert.deepEqual(await ask('e', { wants: 'place', ...signed(dora, broken) }), {
    why: 'parameter_missing',
    about: 'price is required',
  });
  const many = await Promise.all(
    Array.from({ length: MORE_THAN_TWO_WINDOWS }, (_, at) =>
      ask(`f${at}`, { wants: 'place', ...signed(dora, broken) }),
    ),
  );
  const limited = many.find(({ why }) => why === 'rate_exceeded');
  assert.equal(limited?.again, '1', 'the limit of the endpoint is the same over HTTP and here');
  socket.send({ wants: 'nothing' });
  await socket.next(({ fault }) => fault === 'operation_unknown');
  socket.close();
});

test('a key that is revoked calls no more, and its socket is closed', async () => {
  const eve = await house.trader('eve', { USDT: '100000' });
  const socket = await Socket.open(`${url}/toy/ws`);
  socket.login(eve);
  await socket.next(({ login }) => login === 'done');
  await house.run({ kind: 'revoke_key', key: eve.key });
  const dead = await Socket.open(`${url}/toy/ws`);
  dead.login(eve);
  await dead.next(({ login }) => login === 'refused');
  socket.close();
});

test('a network pays before it is known who calls, and by what became of it', async () => {
  const used = async () => Number((await fetch(`${url}/toy/markets`)).headers.get('toy-weight'));
  const paid = async (call: () => Promise<unknown>) => {
    const before = await used();
    await call();
    return (await used()) - before - 1;
  };
  const { id } = await result<{ id: string }>(
    toy(await house.trader('finn', { USDT: '1000' }), 'POST', '/toy/orders', FAR),
  );
  const finn = { key: 'finn-key', secret: 'finn-key-secret', passphrase: 'finn-key-pass' };
  const cancel = () => toy(finn, 'DELETE', '/toy/orders', { id });
  assert.equal(await paid(() => result(cancel())), 1);
  assert.equal(await paid(cancel), 11, 'what is refused costs more');
  assert.equal(await paid(() => toy({ ...finn, key: 'nobody' }, 'DELETE', '/toy/orders')), 11);
  let status = 200;
  for (let count = 0; count < 200 && status === 200; count += 1) {
    ({ status } = await fetch(`${url}/toy/markets`));
  }
  assert.equal(status, 429);
  assert.equal((await cancel()).status, 429, 'signed calls of the network, too');
});

test('calls are no messages of a stream: more of them are taken in a second', async () => {
  const gail = await house.trader('gail', { USDT: '100000' });
  const socket = await Socket.open(`${url}/toy/ws`);
  socket.login(gail);
  await socket.next(({ login }) => login === 'done');
  const calls = 2 * STREAM_LIMITS.messagesPerCallerMax;
  for (let id = 1; id <= calls; id += 1) socket.send({ wants: 'orders', id });
  await socket.next(({ id }) => id === calls);
  const answered = socket.messages.filter(({ id }) => id !== undefined);
  assert.deepEqual(
    answered.map(({ id }) => id),
    Array.from({ length: calls }, (_, at) => at + 1),
  );
  socket.close();
});

test('calls over a socket are counted in the figures of their route', async () => {
  const text = await (await fetch(`${url}/metrics`)).text();
  assert.match(text, /_count\{method="WS POST",route="\/toy\/orders",status="200"\} [1-9]/);
  assert.match(text, /_count\{method="WS POST",route="\/toy\/orders",status="422"\} [1-9]/);
});
