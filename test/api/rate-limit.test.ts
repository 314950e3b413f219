/** How often each endpoint may be called, and by whom a call is counted. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { CallerCounts } from '#api/testing';
import { NATIVE_ENDPOINTS, SPOT_ENDPOINTS } from '#dialects';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { House, type Reply, type Trader } from '../support/house.ts';
import { ROWS } from './swap-documented.ts';

const TICKER = '/api/spot/v1/market/tickers';
const ASSETS = '/api/spot/v1/account/assets';

const house = closedAtEnd(await House.open({ rateLimits: true }));
const alice = await house.trader('alice');
const bob = await house.trader('bob');

function burst(count: number, call: () => Promise<Reply>): Promise<Reply[]> {
  return Promise.all(Array.from({ length: count }, call));
}

function refusedIn(replies: readonly Reply[]): number {
  return replies.filter(({ status }) => status === 429).length;
}

test('one call too many is refused with the time to wait, at its endpoint only', async () => {
  const from = (address: string) => () => house.call({ url: TICKER, address });
  const replies = await burst(23, from('192.0.2.1'));
  assert.equal(refusedIn(replies), 3);
  const refused = replies.find(({ status }) => status === 429);
  assert.equal(refused?.body.code, '429');
  assert.equal(refused?.headers['retry-after'], '1');
  assert.equal(refusedIn(await burst(1, from('192.0.2.2'))), 0);
  const other = () => house.call({ url: '/api/spot/v1/public/products', address: '192.0.2.1' });
  assert.equal(refusedIn(await burst(1, other)), 0);
});

test('the addresses of one IPv6 network count together', async () => {
  const replies = await Promise.all(
    Array.from({ length: 23 }, (_, at) =>
      house.call({ url: TICKER, address: `2001:db8:0:7::${at.toString(16)}` }),
    ),
  );
  assert.equal(refusedIn(replies), 3);
  assert.equal((await house.call({ url: TICKER, address: '2001:db8:0:8::1' })).status, 200);
});

test('so many callers are remembered and no more: whose window ends first makes room', () => {
  const counts = new CallerCounts(1_000, 3);
  for (const [at, caller] of ['ann', 'bob', 'cid'].entries()) counts.add(caller, 1, at);
  assert.equal(counts.add('bob', 1, 3), 2);
  assert.equal(counts.add('dan', 1, 4), 1);
  assert.equal(counts.size, 3);
  assert.equal(counts.of('ann', 5), undefined);
  assert.equal(counts.of('bob', 5)?.used, 2);
  assert.equal(counts.add('ann', 1, 1_003), 1, 'what is over is forgotten');
  assert.equal(counts.size, 2);
});

test('what a call used up is given back to the window that it was counted in, to no other', () => {
  const counts = new CallerCounts(1_000);
  counts.add('ann', 5, 0);
  counts.giveBack('ann', 2, 0, 500);
  assert.equal(counts.of('ann', 500)?.used, 3);
  counts.add('ann', 5, 1_200);
  counts.giveBack('ann', 2, 0, 1_300);
  assert.equal(counts.of('ann', 1_300)?.used, 5);
});

test('whoever calls the API of the house without a key is counted by address', async () => {
  const publicEndpoints = Object.values(NATIVE_ENDPOINTS).filter(
    ({ permission }) => permission === 'none',
  );
  for (const { path, rate } of publicEndpoints) {
    const { limit } = present(rate, path);
    const replies = await burst(limit + 3, () => house.call({ url: path, address: '192.0.2.40' }));
    assert.equal(refusedIn(replies), 3, path);
  }
  assert.equal(publicEndpoints.length, 11);
});

test('signed calls count by account, from wherever they come', async () => {
  const call = (who: Trader) => (address: string) =>
    house.call({ url: ASSETS, headers: house.sign(who, 'GET', ASSETS, ''), address });
  // The first call pays for the slow hash of the passphrase; the burst must fit its window.
  await Promise.all([call(alice)('192.0.2.9'), call(bob)('192.0.2.9')]);
  const window = present(SPOT_ENDPOINTS.assets.rate, 'rate').windowMs;
  await new Promise((resolve) => setTimeout(resolve, window + 50));
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, at) => call(alice)(`192.0.2.${at}`)),
  );
  assert.equal(refusedIn(replies), 2);
  assert.equal((await call(bob)('192.0.2.0')).status, 200);
});

test('the keys of an account count together', async () => {
  const dave = await house.trader('dave');
  const { accountId } = dave;
  const second = { accountId, ...(await house.addKey(accountId, 'dave-two')) };
  await Promise.all([house.signedGet(dave, ASSETS), house.signedGet(second, ASSETS)]);
  const window = present(SPOT_ENDPOINTS.assets.rate, 'rate').windowMs;
  await new Promise((resolve) => setTimeout(resolve, window + 50));
  const replies = await Promise.all([
    ...Array.from({ length: 6 }, () => house.signedGet(dave, ASSETS)),
    ...Array.from({ length: 6 }, () => house.signedGet(second, ASSETS)),
  ]);
  assert.equal(refusedIn(replies), 2);
});

/** A call that is refused for what it asks, once it has been let in. */
function empty(who: Trader, method: 'GET' | 'POST', path: string): Promise<Reply> {
  return method === 'GET' ? house.signedGet(who, path) : house.signedPost(who, path, {});
}

test('each contract endpoint counts for itself, in the window it is documented with', async () => {
  const carol = await house.trader('carol');
  // The first call pays for the slow hash of the passphrase.
  await house.signedGet(carol, ASSETS);
  for (const [name, { method, path, access, rate }] of ROWS) {
    const address = '192.0.2.20';
    const replies = await burst(rate.limit + 1, () =>
      access === 'public' ? house.call({ url: path, address }) : empty(carol, method, path),
    );
    const refused = replies.filter(({ status }) => status === 429);
    assert.deepEqual([refused.length, refused[0]?.body.code], [1, '429'], name);
    // The burst took a part of the first second.
    assert.equal(refused[0]?.headers['retry-after'], String(rate.seconds), name);
    const other = await (access === 'public' ? house.get(path) : empty(bob, method, path));
    assert.notEqual(other.status, 429, name);
  }
});

test('refused calls do not make the wait longer', async () => {
  const call = () => house.call({ url: TICKER, address: '192.0.2.3' });
  assert.equal(refusedIn(await burst(60, call)), 40);
  const { windowMs } = present(SPOT_ENDPOINTS.tickers.rate, 'rate');
  const startMs = performance.now();
  let last = await call();
  while (last.status === 429 && performance.now() - startMs < 3 * windowMs) {
    assert.equal(last.headers['retry-after'], '1', 'a part of a second counts as one');
    last = await call();
  }
  assert.equal(last.status, 200);
  assert.ok(performance.now() - startMs < windowMs + 500, 'the window ended on time');
});

test('a call that fails to sign does not use up the rate of the key', async () => {
  const thief = { ...bob, secret: 'guess' };
  const window = present(SPOT_ENDPOINTS.bills.rate, 'rate').windowMs;
  assert.equal(window, 1_000);
  const bills = '/api/spot/v1/account/bills';
  const replies = await burst(20, () => house.signedPost(thief, bills, {}));
  assert.deepEqual(new Set(replies.map(({ body }) => body.code)), new Set(['40012', '429']));
  assert.equal((await house.signedPost(bob, bills, {})).body.code, '00000');
});

test('the switch turns every limit off', async () => {
  const open = await House.open({ rateLimits: false });
  assert.equal(refusedIn(await burst(100, () => open.get(TICKER))), 0);
  await open.close();
});
