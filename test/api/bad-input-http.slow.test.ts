/**
 * Calls that are wrong as HTTP or as JSON, before any parameter is: bodies, content types, paths,
 * methods and queries. Every endpoint of the tables is called with them.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Endpoint } from '#api';
import { ADMIN_ENDPOINTS, SPOT_ENDPOINTS, SWAP_ENDPOINTS } from '#dialects';
import { LIMITS } from '#domain';
import { closedAtEnd } from '../support/at-end.ts';
import { assertRefusal, type Call, Site, successData } from './bad-input-site.ts';

const JSON_TYPE = 'application/json';
const { placeOrder, openOrders, orderHistory, time, ticker } = SPOT_ENDPOINTS;
const OPEN_ORDERS_BODY = '{"symbol":"BTCUSDT_SPBL"}';
const ALL: readonly Endpoint[] = [
  ...Object.values(SPOT_ENDPOINTS),
  ...Object.values(SWAP_ENDPOINTS),
  ...Object.values(ADMIN_ENDPOINTS),
];
const WITH_BODY = ALL.filter(({ method }) => method === 'POST' || method === 'PATCH');

const site = closedAtEnd(await Site.open());

/** The path with its parameters filled in, so that only the rest of the call is wrong. */
function targetOf({ path }: Endpoint): string {
  const symbol = path.includes('/contracts/') ? 'BTC-USD-PERP' : 'ETH-BTC';
  return path.replace(':account', 'liquidity').replace(':symbol', symbol);
}

function send(
  endpoint: Endpoint,
  body: string | Buffer,
  type = JSON_TYPE,
  more: Partial<Call> = {},
) {
  const { method } = endpoint;
  const headers = { ...(type === '' ? {} : { 'content-type': type }), ...more.headers };
  const call = { method, target: targetOf(endpoint), body, ...more, headers };
  return site.call(endpoint.permission, call);
}

/** Fails unless the call is refused with this code and leaves everything as it was. */
async function assertRefused(call: () => ReturnType<typeof send>, code: string, what: string) {
  const before = await site.fingerprint();
  assert.equal(assertRefusal(await call(), what), code, what);
  assert.equal(await site.fingerprint(), before, what);
}

function nested(levels: number, open: string, close: string): string {
  return open.repeat(levels) + close.repeat(levels);
}

const NO_OBJECTS: readonly string[] = [
  '{',
  '}',
  '{"symbol":"BTCUSDT_SPBL"',
  '{"symbol":"BTCUSDT_SPBL",}',
  '{symbol:"BTCUSDT_SPBL"}',
  "{'symbol':'BTCUSDT_SPBL'}",
  '{"symbol":"BTCUSDT_SPBL"}{}',
  '{"symbol":"BTCUSDT_SPBL"}]',
  '{"symbol":NaN}',
  '{"symbol":Infinity}',
  '{"symbol":0x10}',
  '{"symbol":01}',
  '{"symbol":+1}',
  '{"symbol":1.}',
  '{"symbol":"\n"}',
  '{"symbol":"\\x41"}',
  '/* */ {}',
  'symbol=BTCUSDT_SPBL',
  '<symbol>BTCUSDT</symbol>',
  'null',
  'true',
  '1',
  '"text"',
  '[1]',
  '[{"symbol":"BTCUSDT_SPBL"}]',
  ' ',
  '\u0000',
  '\ufeff{}',
  nested(30_000, '[', ']'),
];

for (const endpoint of WITH_BODY) {
  test(`${endpoint.method} ${endpoint.path} takes no body but a JSON object`, async () => {
    for (const body of NO_OBJECTS) {
      await assertRefused(() => send(endpoint, body), '40007', body.slice(0, 60));
    }
    const binary = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
    await assertRefused(() => send(endpoint, binary), '40007', 'bytes that are no text');
  });

  test(`${endpoint.method} ${endpoint.path} is refused without the fields it needs`, async () => {
    const needsAny = (endpoint.request.required ?? []).length > 0;
    if (!needsAny) return;
    for (const body of ['', '{}', '[]', '{"unknown":1}', '{"":""}']) {
      await assertRefused(() => send(endpoint, body), '40017', body);
    }
  });

  test(`${endpoint.method} ${endpoint.path} takes no body over the limit`, async () => {
    const body = `{"a":"${'x'.repeat(LIMITS.bodyBytesMax)}"}`;
    await assertRefused(() => send(endpoint, body), '40017', 'too long');
    await assertRefused(
      () => send(endpoint, body, JSON_TYPE, { chunked: true }),
      '40017',
      'chunks',
    );
    const deep = nested(100_000, '[', ']');
    await assertRefused(() => send(endpoint, deep), '40017', 'a hundred thousand levels');
  });

  test(`${endpoint.method} ${endpoint.path} takes no body of another type`, async () => {
    const body = JSON.stringify(endpoint.example.request);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx']) {
      await assertRefused(() => send(endpoint, body, type), '40007', type);
    }
    const packed = { headers: { 'content-encoding': 'gzip' } };
    const bytes = gzipSync(body);
    await assertRefused(() => send(endpoint, bytes, JSON_TYPE, packed), '40007', 'gzip');
    const wide = Buffer.from(body, 'utf16le');
    const type = `${JSON_TYPE}; charset=utf-16`;
    await assertRefused(() => send(endpoint, wide, type), '40007', type);
  });
}

const DEEP = [nested(30_000, '[', ']'), nested(10_000, '{"a":', '}').replace(':}', ':1}')];

test('a deep value in a field that nobody reads is no reason to fall over', async () => {
  for (const deep of DEEP) {
    const body = `{"symbol":"BTCUSDT_SPBL","x":${deep}}`;
    successData(await send(openOrders, body), 'deep');
    // A number with many digits has the body read in another way, which may not go as deep.
    const delicate = `{"symbol":"BTCUSDT_SPBL","n":12345678901234567890,"x":${deep}}`;
    const answer = await send(openOrders, delicate);
    if (answer.status !== 200) assert.equal(assertRefusal(answer, 'deep and delicate'), '40007');
  }
});

const INHERITED = [
  '{"__proto__":{"symbol":"BTCUSDT_SPBL"}}',
  '{"constructor":{"prototype":{"symbol":"BTCUSDT_SPBL"}}}',
  '{"constructor":{"symbol":"BTCUSDT_SPBL"},"prototype":{"symbol":"BTCUSDT_SPBL"}}',
];

for (const body of INHERITED) {
  test(`${body} gives nothing a symbol, neither this call nor a later one`, async () => {
    await assertRefused(() => send(orderHistory, body), '40017', body);
    await assertRefused(() => send(orderHistory, '{}'), '40017', 'after it');
    assert.equal(Object.hasOwn(Object.prototype, 'symbol'), false);
  });
}

for (const body of [
  '{"symbol":"BTCUSDT_SPBL","symbol":"BTCUSDT_SPBL"}',
  '{"symbol":"BTCUSDT_SPBL","s\\u0079mbol":"NOPE"}',
  '{"symbol":"BTCUSDT_SPBL","x":[{"y":1,"symbol":1,"symbol":2}]}',
]) {
  test(`a body with a field that comes twice is refused: ${body}`, async () => {
    await assertRefused(() => send(openOrders, body), '40007', body);
    assert.match((await send(openOrders, body)).text, /symbol.{1,2} comes twice/);
  });
}

test('content types that mean JSON are taken, and so is none at all', async () => {
  const types = ['', JSON_TYPE, 'APPLICATION/JSON', `${JSON_TYPE};charset=UTF-8`, `${JSON_TYPE} ;`];
  for (const type of types) successData(await send(openOrders, OPEN_ORDERS_BODY, type), type);
});

test('a body in chunks is signed and read like any other', async () => {
  const answer = await send(openOrders, OPEN_ORDERS_BODY, JSON_TYPE, { chunked: true });
  successData(answer, 'chunked');
});

test('bytes that are no UTF-8 do not pass for what they look like', async () => {
  const order = { ...placeOrder.example.request, clientOrderId: 'bytes' };
  const bytes = Buffer.from(JSON.stringify(order), 'utf8');
  const at = bytes.indexOf('bytes');
  for (const byte of [0x80, 0xc0, 0xff]) {
    const broken = Buffer.from(bytes);
    broken[at] = byte;
    await assertRefused(() => send(placeOrder, broken), '40305', `byte ${byte}`);
  }
});

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'SEARCH', 'PURGE'];

test('every path answers the methods it does not take with 405 and those it takes', async () => {
  const before = await site.fingerprint();
  for (const path of new Set(ALL.map((endpoint) => endpoint.path))) {
    const here = ALL.filter((endpoint) => endpoint.path === path);
    const taken = here.map(({ method }): string => method);
    for (const method of METHODS.filter((one) => !taken.includes(one))) {
      const [endpoint = time] = here;
      const target = targetOf(endpoint).replace(':key', 'key');
      const answer = await site.call(endpoint.permission, { method, target });
      assert.equal(assertRefusal(answer, `${method} ${path}`), '405');
      const allowed = String(answer.headers.allow).split(', ');
      assert.deepEqual(
        allowed.filter((one) => one !== 'HEAD'),
        taken.toSorted(),
      );
    }
  }
  assert.equal(await site.fingerprint(), before);
});

const NO_PATHS = [
  '//',
  '/api',
  '/api/spot/v1',
  '/api/spot/v2/public/time',
  '/API/SPOT/V1/PUBLIC/TIME',
  '/api/spot/v1/public/time/',
  '/api/spot/v1//public/time',
  '/api/spot/v1/public/../public/time',
  '/api/spot/v1/public/time%00',
  '/api/spot/v1/public/%74ime%2f',
  '/api/spot/v1/public/time;a=b',
  '/%zz',
  '/%',
  '/%c0%ae%c0%ae/',
  '/..%2f..%2fetc%2fpasswd',
  '/docs/../../package.json',
  '/docs/%2e%2e/package.json',
  '/admin',
  '/admin/v1/',
  '/__proto__',
  '/constructor',
  '*',
];

for (const target of NO_PATHS) {
  test(`${target} is no path`, async () => {
    for (const method of ['GET', 'POST']) {
      const answer = await site.send({ method, target });
      assert.equal(assertRefusal(answer, target), '40404');
    }
  });
}

test('a target with a host in front is for a proxy, and no path of ours', async () => {
  for (const host of ['localhost', 'venue.example']) {
    const target = `http://${host}${time.path}`;
    const answer = await site.send({ method: 'GET', target });
    assert.equal(assertRefusal(answer, target), '40404');
  }
});

test('a target that is too long is refused, by us or already by the HTTP parser', async () => {
  const { permission, path } = time;
  for (const [length, status, code] of [
    [LIMITS.targetLengthMax + 1, 400, '40017'],
    [15_000, 400, '40017'],
  ] as const) {
    const target = `${path}?a=`.padEnd(length, 'x');
    const answer = await site.call(permission, { method: 'GET', target });
    assert.deepEqual([answer.status, assertRefusal(answer, 'long')], [status, code]);
  }
  const target = `${path}?a=`.padEnd(20_000, 'x');
  const answer = await site.call(permission, { method: 'GET', target });
  assert.deepEqual([answer.status, JSON.parse(answer.text).code], [431, '40017']);
});

const QUERIES = [
  'symbol=%zz',
  'symbol=%',
  'symbol=%ff',
  'symbol=%00',
  'symbol=BTCUSDT%20',
  'symbol=BTCUSDT&symbol=BTCUSDT',
  'symbol[]=BTCUSDT',
  'symbol[a]=BTCUSDT',
  'symbol.a=BTCUSDT',
  'Symbol=BTCUSDT',
  'symbol',
  'symbol=',
  '=BTCUSDT',
  '&&&',
  '__proto__[symbol]=BTCUSDT',
  '__proto__=BTCUSDT',
  'constructor=BTCUSDT',
  '?symbol=BTCUSDT',
  `${'a=1&'.repeat(900)}`,
];

for (const query of QUERIES) {
  test(`the query ${query.slice(0, 40)} names no pair`, async () => {
    const answer = await site.send({ method: 'GET', target: `${ticker.path}?${query}` });
    assert.match(assertRefusal(answer, query), /^(40017|50004)$/);
  });
}

/** A parameter that outranks another one: that one is not even looked at. */
const NOT_READ_WITH: Readonly<Record<string, string>> = { start: 'startTime', end: 'endTime' };

for (const endpoint of ALL.filter(({ method }) => method === 'GET')) {
  const parameters = Object.keys(endpoint.request.properties);
  if (parameters.length === 0) continue;
  test(`GET ${endpoint.path} refuses any parameter that comes twice`, async () => {
    for (const parameter of parameters) {
      const { [NOT_READ_WITH[parameter] ?? '']: _, ...others } = endpoint.example.request;
      const given = { ...others, [parameter]: '1' };
      const query = Object.entries(given).map(([name, value]) => `${name}=${value}`);
      const target = `${targetOf(endpoint)}?${query.join('&')}&${parameter}=1`;
      const answer = await site.attack(endpoint.permission, { method: 'GET', target }, target);
      assert.equal(assertRefusal(answer, target), '40017');
    }
  });
}

test('a parameter nobody knows is refused when it comes twice', async () => {
  const target = `${ticker.path}?symbol=BTCUSDT&x=1&x=2`;
  const answer = await site.send({ method: 'GET', target });
  assert.equal(assertRefusal(answer, target), '40017');
  assert.match(answer.text, /x.{1,2} comes twice/);
});

test('a parameter nobody knows, and a body where none belongs, are ignored', async () => {
  const target = `${ticker.path}?symbol=BTCUSDT&x=1&y=2&__proto__=3`;
  successData(await site.send({ method: 'GET', target }), 'unknown parameters');
  successData(await site.send({ method: 'GET', target: time.path, body: '{"a":1}' }), 'a body');
});
