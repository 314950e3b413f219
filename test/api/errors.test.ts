/** What is answered to calls that reach no handler, and that the answer never says too much. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { pino } from 'pino';
import type { KeyRegistry } from '#api';
import { LIMITS } from '#domain';
import { closedAtEnd } from '../support/at-end.ts';
import { House, START_MS } from '../support/house.ts';

const TIME = '/api/spot/v1/public/time';
const ORDERS = '/api/spot/v1/trade/orders';

const house = closedAtEnd(await House.open());
const alice = await house.trader('alice', { USDT: '1000' });

test('every refusal has the same five fields', async () => {
  const { status, headers, body } = await house.get('/api/spot/v1/nowhere');
  assert.equal(status, 404);
  assert.match(String(headers['content-type']), /^application\/json/);
  assert.deepEqual(body, {
    code: '40404',
    msg: 'No such path',
    message: 'No such path',
    requestTime: START_MS,
    data: null,
  });
});

const PATHS = [
  ['GET', '/', 404, '40404'],
  ['GET', '/api/spot/v1/market/tickr', 404, '40404'],
  ['POST', '/api/swap/v3/order/none', 404, '40404'],
  ['GET', `${TIME}/`, 404, '40404'],
  ['GET', '/api/spot/v1/%zz', 404, '40404'],
  ['POST', TIME, 405, '405'],
  ['DELETE', ORDERS, 405, '405'],
  ['GET', ORDERS, 405, '405'],
] as const;

for (const [method, url, status, code] of PATHS) {
  test(`${method} ${url} is answered ${status} with code ${code}`, async () => {
    const reply = await house.call({ method, url });
    assert.deepEqual([reply.status, reply.body.code], [status, code]);
  });
}

test('a wrong method is told the right ones, and OPTIONS just asks for them', async () => {
  assert.equal((await house.call({ method: 'GET', url: ORDERS })).headers.allow, 'POST');
  const options = await house.call({ method: 'OPTIONS', url: TIME });
  assert.deepEqual([options.status, options.headers.allow, options.text], [204, 'GET, HEAD', '']);
  assert.equal((await house.call({ method: 'OPTIONS', url: '/nowhere' })).status, 404);
});

test('HEAD is GET without the body', async () => {
  const reply = await house.call({ method: 'HEAD', url: TIME });
  assert.deepEqual([reply.status, reply.text], [200, '']);
});

test('a body over the limit is refused before anybody reads it', async () => {
  const body = 'x'.repeat(LIMITS.bodyBytesMax + 1);
  const reply = await house.call({ method: 'POST', url: ORDERS, body });
  assert.deepEqual([reply.status, reply.body.code], [413, '40017']);
});

test('a target over the limit is refused', async () => {
  const reply = await house.get(`${TIME}?x=${'y'.repeat(LIMITS.targetLengthMax)}`);
  assert.deepEqual([reply.status, reply.body.code], [400, '40017']);
});

const BODIES = [
  ['application/json', '{', '40007'],
  ['application/json', 'null', '40007'],
  ['application/json', '[1]', '40007'],
  ['application/json', '{}', '40017'],
  ['application/json; charset=UTF-8', '{}', '40017'],
  ['Application/JSON', '{}', '40017'],
  ['application/jsonp', '{}', '40007'],
  ['text/plain', '{}', '40007'],
  ['application/x-www-form-urlencoded', 'symbol=BTCUSDT', '40007'],
] as const;

for (const [type, body, code] of BODIES) {
  test(`${body} as ${type} is answered ${code}`, async () => {
    const headers = { ...house.sign(alice, 'POST', ORDERS, body), 'content-type': type };
    const reply = await house.call({ method: 'POST', url: ORDERS, headers, body });
    assert.deepEqual([reply.status, reply.body.code], [400, code]);
  });
}

test('a parameter given twice is refused, not guessed', async () => {
  const { body } = await house.get('/api/spot/v1/market/ticker?symbol=BTCUSDT&symbol=ETHUSDT');
  assert.equal(body.code, '40017');
});

test('a fault of our own says nothing outside, and its log nothing that was sent', async () => {
  let logged = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk);
      done();
    },
  });
  const keys: KeyRegistry = {
    isFrozen: () => false,
    lookup: () => {
      throw new Error('the vault is broken');
    },
    sign: () => 'new',
  };
  const broken = await House.open({ keys, log: pino(sink) });
  const who = { key: 'my-key', secret: 'my-secret', passphrase: 'my-pass' };
  const reply = await broken.signedPost(who, ORDERS, { note: 'my-note' });
  await broken.close();
  assert.equal(reply.status, 500);
  assert.deepEqual(reply.body, {
    code: '40015',
    msg: 'Internal error',
    message: 'Internal error',
    requestTime: START_MS,
    data: null,
  });
  assert.match(logged, /the vault is broken/);
  assert.doesNotMatch(logged, /my-/);
});

test('text that is no HTTP gets a JSON answer and loses its connection', async () => {
  assert.equal(await house.codeOverSocket({ url: TIME }), '00000');
  const socket = connect(await house.port(), '127.0.0.1');
  socket.end('BREW /coffee HTCPCP/1.0\r\n\r\n');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  await once(socket, 'close');
  assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.equal(JSON.parse(answer.slice(answer.indexOf('{'))).code, '40017');
});

test('a process supervisor is told that the venue lives and serves', async () => {
  assert.equal((await house.get('/health/live')).status, 200);
  const ready = await house.get('/health/ready');
  assert.deepEqual([ready.status, ready.body], [200, { status: 'ready' }]);
});

test('metrics count calls by route and refusals by reason', async () => {
  await house.get('/api/spot/v1/market/ticker?symbol=NOPE');
  const reply = await Promise.resolve(house.app.inject('/metrics'));
  assert.match(reply.payload, /outcry_refusals_total\{reject="symbol_unknown"\} 1\n/);
  const count = 'outcry_request_duration_seconds_count';
  const route = 'method="GET",route="/api/spot/v1/market/ticker",status="400"';
  assert.match(reply.payload, new RegExp(`${count}\\{${route}\\} 2\\n`));
  assert.doesNotMatch(reply.payload, /NOPE/);
});
