/** The current interface at its door: who may call, how often, and what a refusal looks like. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '#domain';
import { closedAtEnd } from '../support/at-end.ts';
import { House, type Reply, START_MS } from '../support/house.ts';

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
