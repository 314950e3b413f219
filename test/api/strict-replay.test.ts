/** A strict key: each signed request that changes something is executed once, come what may. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { ReplayGuard } from '#api/testing';
import { LIMITS } from '#domain';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { House, type Reply, type Request } from '../support/house.ts';
import type { Credentials } from '../support/signer.ts';

const ORDERS = '/api/spot/v1/trade/orders';
const ASSETS = '/api/spot/v1/account/assets';
const ORDER = { symbol: 'BTCUSDT_SPBL', side: 'buy', orderType: 'limit', force: 'normal' };
const BODY = JSON.stringify({ ...ORDER, price: '100', quantity: '1' });

const house = closedAtEnd(await House.open());
const alice = await house.trader('alice', { USDT: '100000' });
const strict = await house.addKey(alice.accountId, 'strict-key', { strictReplay: true });

function signed(who: Credentials, body = BODY, url = ORDERS): Request {
  return { method: 'POST', url, body, headers: house.sign(who, 'POST', url, body) };
}

function codeOf({ body }: Reply): string {
  return String(body.code);
}

test('without strictness two equal requests of one millisecond are two orders', async () => {
  const request = signed(alice);
  assert.equal(codeOf(await house.call(request)), '00000');
  assert.equal(codeOf(await house.call(request)), '00000');
});

test('a strict key has a request executed once, at once or as long as it is in time', async () => {
  const request = signed(strict);
  const twins = await Promise.all([house.call(request), house.call(request)]);
  assert.deepEqual(twins.map(codeOf).sort(), ['00000', '40008']);
  for (let second = 0; second < LIMITS.requestAgeMaxMs / 1_000; second += 5) {
    const again = await house.call(request);
    assert.equal(codeOf(again), '40008');
    assert.match(String(again.body.msg), /signs each request anew/);
    house.clock.advance(5_000);
  }
  assert.equal(codeOf(await house.call(signed(strict))), '00000', 'signed anew');
});

test('a request that was signed ahead of time is remembered to its last moment', async () => {
  const ahead = LIMITS.requestAheadMaxMs;
  house.clock.advance(ahead);
  const request = signed(strict);
  house.clock.advance(-ahead);
  assert.equal(codeOf(await house.call(request)), '00000');
  house.clock.advance(ahead + LIMITS.requestAgeMaxMs);
  const last = await house.call(request);
  assert.match(String(last.body.msg), /signs each request anew/, 'still in time, still known');
  house.clock.advance(1);
  assert.match(String((await house.call(request)).body.msg), /timestamp/);
});

test('what a strict key signs further ahead than is remembered is refused everywhere', async () => {
  const url = '/api/v3/order';
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', price: '100', quantity: '1' };
  const body = JSON.stringify(order);
  const ahead = 20_000;
  house.clock.advance(ahead);
  const headers = house.sign(strict, 'POST', url, body);
  house.clock.advance(-ahead);
  const early = await house.call({ method: 'POST', url, body, headers });
  assert.equal(early.status, 400, early.text);
  assert.match(early.text, /at most 5 s ahead/);
  house.clock.advance(ahead);
  const inTime = await house.call({ method: 'POST', url, body, headers });
  assert.equal(inTime.status, 200, 'its signature was not used up');
});

test('reading may be repeated', async () => {
  const request = { url: ASSETS, headers: house.sign(strict, 'GET', ASSETS, '') };
  assert.equal(codeOf(await house.call(request)), '00000');
  assert.equal(codeOf(await house.call(request)), '00000');
});

test('a signature that was refused for its permission is not used up', async () => {
  const reader = await house.addKey(alice.accountId, 'strict-reader', {
    permissions: ['read'],
    strictReplay: true,
  });
  const request = signed(reader);
  assert.equal(codeOf(await house.call(request)), '40014');
  assert.equal(codeOf(await house.call(request)), '40014');
});

test('after a start nothing is taken that may have been executed before it', async () => {
  const record = present(house.vault.record(strict.key), 'record');
  const request = signed(strict);
  assert.equal(codeOf(await house.call(request)), '00000');
  // What a start does: the keys as the journal has them, and the time of its last command.
  house.vault.apply({ kind: 'key_revoked', key: strict.key });
  house.vault.restore([record], [], house.clock.nowMs());
  const again = await house.call(request);
  assert.match(String(again.body.msg), /signed before the venue started/);
  house.clock.advance(LIMITS.requestAheadMaxMs);
  assert.equal(codeOf(await house.call(signed(strict))), '40008', 'it may have been signed ahead');
  house.clock.advance(1);
  assert.equal(codeOf(await house.call(signed(strict))), '00000');
});

test('the guard remembers a bounded number and refuses beyond it', () => {
  const guard = new ReplayGuard();
  for (let at = 0; at < LIMITS.strictSignaturesMax; at += 1) {
    assert.equal(guard.take(`signature ${at}`, 1_000_000), 'new');
  }
  assert.equal(guard.take('one more', 1_000_000), 'full');
  assert.equal(guard.take('signature 7', 1_000_000), 'repeated');
  const later = 1_000_000 + 2 * (LIMITS.requestAgeMaxMs + LIMITS.requestAheadMaxMs) + 2;
  assert.equal(guard.take('one more', later), 'new', 'room again');
});
