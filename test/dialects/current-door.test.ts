/** The current interface at its door: who may call, how often, and what a refusal looks like. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { formatId } from '#dialects';
import { LIMITS } from '#domain';
import { closedAtEnd } from '../support/at-end.ts';
import { House, type Reply, START_MS, type Trader } from '../support/house.ts';
import { signature } from '../support/signer.ts';

const house = closedAtEnd(await House.open());
const limited = closedAtEnd(await House.open({ rateLimits: true }));

function refusal({ status, body }: Reply): unknown[] {
  return [status, body.code, body.msg];
}

test('ping and time answer without a frame', async () => {
  assert.equal((await house.get('/api/v3/ping')).text, '{}');
  const time = await house.get('/api/v3/time');
  assert.equal(time.text, `{"serverTime":${house.clock.nowMs()}}`);
  assert.equal(time.status, 200);
});

test('wrong headers of a public call are ignored', async () => {
  const headers = { 'ACCESS-KEY': 'nobody', 'ACCESS-SIGN': 'x', 'ACCESS-TIMESTAMP': 'noon' };
  assert.equal((await house.call({ url: '/api/v3/ping', headers })).status, 200);
});

for (const path of ['/api/v3/nope', '/capi/v3/market/nope?x=1', '/capi/nope']) {
  test(`${path} is unknown, in the words of this interface`, async () => {
    const { status, body } = await house.get(path);
    assert.deepEqual(
      [status, body],
      [
        404,
        {
          timestamp: START_MS,
          status: 404,
          error: 'Not Found',
          path: path.split('?')[0],
        },
      ],
    );
  });
}

test('a method that is not taken is refused with the ones that are', async () => {
  const reply = await house.call({ method: 'PUT', url: '/api/v3/time' });
  assert.deepEqual(refusal(reply), [
    400,
    -1150,
    "Request method 'PUT' not supported, use GET, HEAD",
  ]);
  assert.equal(reply.headers.allow, 'GET, HEAD');
});

test('a body over the limit is refused with 413', async () => {
  const body = `{"x":"${'y'.repeat(LIMITS.bodyBytesMax)}"}`;
  const reply = await house.call({ method: 'POST', url: '/api/v3/order', body });
  assert.equal(reply.status, 413);
});

test('every answer says what is used up, and a call too many is told to wait', async () => {
  const call = (address: string) => limited.call({ url: '/api/v3/ping', address });
  const first = await call('192.0.2.1');
  assert.equal(first.headers['x-used-weight-10s'], '1');
  assert.equal(first.headers['x-remaining-weight-10s'], '499');
  const others = await Promise.all(Array.from({ length: 499 }, () => call('192.0.2.1')));
  assert.ok(others.every(({ status }) => status === 200));
  assert.equal(others.at(-1)?.headers['x-remaining-weight-10s'], '0');
  const refused = await call('192.0.2.1');
  assert.deepEqual(
    [refused.status, refused.text],
    [429, '{"code":-1003,"message":"Too many requests"}'],
  );
  assert.ok(Number(refused.headers['retry-after']) >= 1);
  assert.equal(refused.headers['x-used-weight-10s'], '500', 'a refused call costs nothing');
  assert.equal((await call('192.0.2.2')).status, 200, 'another address');
});

test('without rate limits no call is counted', async () => {
  const { headers } = await house.get('/api/v3/ping');
  assert.equal(headers['x-used-weight-10s'], undefined);
});

const ACCOUNT = '/api/v3/account/';

/** Signed headers over this timestamp text. */
function at(who: Trader, timestamp: string): Record<string, string> {
  return {
    ...house.sign(who, 'GET', ACCOUNT, ''),
    'ACCESS-TIMESTAMP': timestamp,
    'ACCESS-SIGN': signature(who.secret, `${timestamp}GET${ACCOUNT}`),
  };
}

test('checks run in the order of the contract: each repair shows the next code', async () => {
  const ann = await house.trader('ann', { USDT: '1' }, { permissions: ['trade'] });
  const right = house.sign(ann, 'GET', ACCOUNT, '');
  const repairs: readonly (readonly [code: number, headers: Record<string, string>])[] = [
    [-1040, {}],
    [-1041, { 'access-key': 'nobody' }],
    [-1042, { 'ACCESS-SIGN': 'bad' }],
    [-1049, { 'ACCESS-TIMESTAMP': 'noon' }],
    [-1043, { 'ACCESS-PASSPHRASE': 'bad' }],
    [-1046, { 'ACCESS-TIMESTAMP': '1' }],
    [-1047, { 'ACCESS-TIMESTAMP': right['ACCESS-TIMESTAMP'] ?? '' }],
    [-1047, { 'access-key': ann.key }],
    [-1047, { 'ACCESS-SIGN': right['ACCESS-SIGN'] ?? '' }],
    [-1052, { 'ACCESS-PASSPHRASE': ann.passphrase }],
  ];
  const headers: Record<string, string> = {};
  for (const [code, repair] of repairs) {
    Object.assign(headers, repair);
    const { status, body } = await house.call({ url: ACCOUNT, headers });
    assert.deepEqual([status, body.code], [400, code], JSON.stringify(repair));
  }
});

test('address and account are looked at before the permission', async () => {
  const choices = { permissions: ['read'], ipAllowList: ['192.0.2.7'] } as const;
  const bob = await house.trader('bob', {}, choices);
  const order = (address: string) => {
    const headers = house.sign(bob, 'DELETE', '/api/v3/order?orderId=1', '');
    return house.call({ method: 'DELETE', url: '/api/v3/order?orderId=1', headers, address });
  };
  assert.deepEqual(refusal(await order('192.0.2.8')), [400, -1056, 'Invalid IP address']);
  const { accountId } = bob;
  await house.run({ kind: 'update_account', accountId, changes: { frozen: true } });
  assert.deepEqual(refusal(await order('192.0.2.7')), [400, -1050, 'User status is abnormal']);
  await house.run({ kind: 'update_account', accountId, changes: { frozen: false } });
  assert.equal(refusal(await order('192.0.2.7'))[1], -1052);
});

const STAMPS: readonly [awayMs: number, status: number][] = [
  [-30_000, 200],
  [-30_001, 400],
  [30_000, 200],
  [30_001, 400],
];

for (const [awayMs, status] of STAMPS) {
  test(`a timestamp ${awayMs} ms from the venue's time is answered ${status}`, async () => {
    const who = await house.trader(`stamp${awayMs}`);
    const headers = at(who, String(house.clock.nowMs() + awayMs));
    assert.equal((await house.call({ url: ACCOUNT, headers })).status, status);
  });
}

test('timestamps need not grow, and both spellings of a path are signed as sent', async () => {
  const who = await house.trader('spelled');
  const later = at(who, String(house.clock.nowMs() + 10));
  assert.equal((await house.call({ url: ACCOUNT, headers: later })).status, 200);
  const earlier = at(who, String(house.clock.nowMs()));
  assert.equal((await house.call({ url: ACCOUNT, headers: earlier })).status, 200);
  const plain = house.sign(who, 'GET', '/api/v3/account', '');
  assert.equal((await house.call({ url: '/api/v3/account', headers: plain })).status, 200);
  const other = await house.call({ url: ACCOUNT, headers: plain });
  assert.equal(refusal(other)[1], -1047, 'the slash is a part of what is signed');
});

test('a DELETE without a body may say that it is JSON, a body must be it', async () => {
  const who = await house.trader('delete');
  const call = (url: string, type: string, body?: string) => {
    const headers = { ...house.sign(who, 'DELETE', url, body ?? ''), 'content-type': type };
    return house.call({ method: 'DELETE', url, headers, ...(body === undefined ? {} : { body }) });
  };
  const one = '/api/v3/order?orderId=1000000000000001';
  assert.equal(refusal(await call(one, 'application/json'))[1], -2200);
  const batch = '/api/v3/order/batch';
  assert.equal(refusal(await call(batch, 'text/plain', '{"orderIds":[1]}'))[1], -1045);
  assert.equal(refusal(await call(batch, 'application/json', '{"orderIds":'))[1], -1135);
  assert.equal((await call(batch, 'application/json', '{"orderIds":[1]}')).status, 200);
});

test('signed calls are counted by account, its orders too, from wherever they come', async () => {
  const who = await limited.trader('counted', { USDT: '1000' });
  const call = (address: string) => {
    const headers = limited.sign(who, 'GET', ACCOUNT, '');
    return limited.call({ url: ACCOUNT, headers, address });
  };
  assert.equal((await call('192.0.2.3')).headers['x-used-weight-10s'], '5');
  assert.equal((await call('192.0.2.4')).headers['x-used-weight-10s'], '10');
  const url = '/api/v3/order';
  const body = '{}';
  const headers = limited.sign(who, 'POST', url, body);
  const refused = await limited.call({ method: 'POST', url, headers, body });
  assert.equal(refused.status, 400);
  assert.equal(refused.headers['x-order-count-10s'], '1', 'a refused placement counts');
  assert.equal(refused.headers['x-order-count-1m'], '1');
  assert.equal(refused.headers['x-remaining-weight-10s'], '485');
});

test('a batch counts as many orders as it has, up to what a minute allows', async () => {
  const who = await limited.trader('batches', { USDT: '1000' });
  const url = '/api/v3/order/batch';
  const send = (orders: number) => {
    const orderList = Array.from({ length: orders }, () => ({}));
    const body = JSON.stringify({ symbol: 'BTCUSDT', orderList });
    const headers = limited.sign(who, 'POST', url, body);
    return limited.call({ method: 'POST', url, headers, body });
  };
  const three = await send(3);
  assert.deepEqual([three.status, three.headers['x-order-count-1m']], [200, '3']);
  assert.equal((await send(0)).headers['x-order-count-1m'], '4', 'an empty one counts as one');
  assert.equal((await send(296)).headers['x-order-count-1m'], '300');
  const over = await send(1);
  assert.deepEqual([over.status, over.headers['x-order-count-1m']], [429, '300']);
});

test('what a batch may hold is bounded', async () => {
  const who = await house.trader('bounds');
  const send = (method: 'POST' | 'DELETE', fields: object) => {
    const url = '/api/v3/order/batch';
    const body = JSON.stringify(fields);
    return house.call({ method, url, headers: house.sign(who, method, url, body), body });
  };
  const orderList = Array.from({ length: 11 }, () => ({}));
  const orders = await send('POST', { symbol: 'BTCUSDT', orderList });
  assert.deepEqual(refusal(orders).slice(0, 2), [400, -1140]);
  const orderIds = Array.from({ length: 51 }, (_, at) => formatId(at));
  assert.deepEqual(refusal(await send('DELETE', { orderIds })).slice(0, 2), [400, -1140]);
  assert.deepEqual(refusal(await send('DELETE', {})).slice(0, 2), [400, -1141]);
});
