/** Checks of credentials under attack: what they say, how often, and what a wait may not let in. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { KeyVault } from '#api';
import { Authenticator } from '#api/testing';
import { loginOf } from '#dialects/testing';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { House, type Reply } from '../support/house.ts';
import type { Credentials } from '../support/signer.ts';
import { loginMessage, StreamClient } from '../support/streams-client.ts';

const ASSETS = '/api/spot/v1/account/assets';
const ORDERS = '/api/spot/v1/trade/orders';
const CANCEL = '/api/spot/v1/trade/cancel-order';
const ORDER = { symbol: 'BTCUSDT_SPBL', side: 'buy', orderType: 'limit', force: 'normal' };

const house = closedAtEnd(await House.open({ rateLimits: true }));
const alice = await house.trader('alice', { USDT: '100000' });

/** What a refusal says, without the time at which it was said. */
async function said(who: Credentials, headers: Record<string, string> = {}): Promise<object> {
  const signed = { ...house.sign(who, 'GET', ASSETS, ''), ...headers };
  const { status, body } = await house.call({ url: ASSETS, headers: signed, address: '192.0.2.1' });
  return { status, ...body, requestTime: 0 };
}

test('an unknown key, a wrong passphrase and a wrong signature are answered alike', async () => {
  const text = 'Key, passphrase or signature is wrong';
  const expected = { status: 400, code: '40012', msg: text, message: text, data: null };
  const answers = [
    await said({ ...alice, key: 'nobody' }),
    await said({ ...alice, passphrase: 'guess' }),
    await said({ ...alice, passphrase: 'x'.repeat(200) }),
    await said({ ...alice, secret: 'guess' }),
    await said({ key: 'nobody', secret: 'guess', passphrase: 'guess' }),
    await said(alice, { 'ACCESS-SIGN': 'bad' }),
  ];
  for (const answer of answers) assert.deepEqual(answer, { ...expected, requestTime: 0 });
});

test('a flood of wrong signatures keeps no owner from the first call', async () => {
  const fresh = await house.addKey(alice.accountId, 'fresh-key');
  let isOver = false;
  const flood = async (at: number): Promise<void> => {
    for (let round = 0; !isOver; round += 1) {
      const thief = { ...fresh, secret: 'guess', passphrase: `guess ${at} ${round}` };
      await house.signedGet(thief, ASSETS);
    }
  };
  const floods = Array.from({ length: 50 }, (_, at) => flood(at));
  await new Promise((resolve) => setImmediate(resolve));
  const reply = await house.signedGet(fresh, ASSETS);
  isOver = true;
  await Promise.all(floods);
  assert.equal(reply.body.code, '00000', 'the owner is let in at the first try');
});

function callsFrom(address: string, count: number, who: (at: number) => Credentials) {
  const call = (_: unknown, at: number): Promise<Reply> =>
    house.call({ url: ASSETS, headers: house.sign(who(at), 'GET', ASSETS, ''), address });
  return Promise.all(Array.from({ length: count }, call));
}

function codes(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { body } of replies) {
    const code = String(body.code);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

test('failed checks of one key from one network are limited, the right ones never', async () => {
  const thief = { ...alice, secret: 'guess' };
  const replies = await callsFrom('2001:db8::1', 15, () => thief);
  assert.deepEqual(codes(replies), { '40012': 10, '429': 5 });
  assert.equal(replies.at(-1)?.headers['retry-after'], '1');
  const [neighbour] = await callsFrom('2001:db8::ffff:2', 1, () => thief);
  assert.equal(neighbour?.status, 429, 'addresses of one /64 count as one');
  const [other] = await callsFrom('2001:db8:0:1::1', 1, () => thief);
  assert.equal(other?.body.code, '40012');
  const [owner] = await callsFrom('2001:db8::1', 1, () => alice);
  assert.equal(owner?.body.code, '00000');
});

test('failed checks from one address are limited over all keys', async () => {
  const stranger = (at: number) => ({ key: `key-${at}`, secret: 'guess', passphrase: 'guess' });
  const replies = await callsFrom('192.0.2.77', 60, stranger);
  assert.deepEqual(codes(replies), { '40012': 50, '429': 10 });
});

test('a passphrase is looked at under a right signature only', async () => {
  const vault = new KeyVault(Buffer.alloc(32, 1));
  const sealed = vault.seal({ ...alice, passphrase: 'the right one' }, 'chosen');
  const known = { label: '', permissions: ['read'], ipAllowList: [], createdTimeMs: 1 } as const;
  vault.restore([{ ...known, key: alice.key, accountId: alice.accountId, sealed }], []);
  const key = present(vault.lookup(alice.key), 'key');
  const looked: string[] = [];
  key.isPassphrase = (text) => looked.push(text) > 0;
  const door = new Authenticator(vault, true);
  const nowMs = house.clock.nowMs();
  const ask = (who: Credentials) => {
    const headers = house.sign(who, 'GET', ASSETS, '');
    const { 'ACCESS-SIGN': signature = '', 'ACCESS-TIMESTAMP': timestamp = '' } = headers;
    const shown = { key: who.key, signature, timestamp, passphrase: who.passphrase };
    const signed = { method: 'GET', target: ASSETS, unit: 'milliseconds' } as const;
    return loginOf(shown, signed).check({ address: '192.0.2.3', nowMs }, door);
  };
  for (let guess = 0; guess < 100; guess += 1) await ask({ ...alice, secret: `guess ${guess}` });
  assert.deepEqual(looked, []);
  assert.equal(Object(await ask(alice)).accountId, alice.accountId);
  assert.deepEqual(looked, [alice.passphrase]);
});

test('who has signed has ten wrong passphrases a second and keeps no owner out', async () => {
  const stolen = await house.addKey(alice.accountId, 'stolen-key');
  const guesses = await callsFrom('198.51.100.1', 15, (at) => ({
    ...stolen,
    passphrase: `guess ${at}`,
  }));
  assert.deepEqual(codes(guesses), { '40012': 10, '429': 5 });
  const [hit] = await callsFrom('198.51.100.1', 1, () => stolen);
  assert.equal(hit?.status, 429, 'the right guess does not show among too many wrong ones');
  const [owner] = await callsFrom('198.51.100.2', 1, () => stolen);
  assert.equal(owner?.body.code, '00000', 'the owner is let in from elsewhere');
  const [other] = await callsFrom('198.51.100.1', 1, () => alice);
  assert.equal(other?.body.code, '00000', 'and other keys from there');
});

test('a revoked key is refused in calls and logins, used before or not', async () => {
  for (const isUsed of [true, false]) {
    const owner = await house.trader(`revoked-${isUsed}`);
    if (isUsed) assert.equal((await house.signedGet(owner, ASSETS)).body.code, '00000');
    const client = await StreamClient.at(house);
    await house.run({ kind: 'revoke_key', key: owner.key });
    assert.equal((await house.signedGet(owner, ASSETS)).body.code, '40012');
    client.send(loginMessage(house, owner));
    assert.equal((await client.any()).event, 'error');
    assert.equal((await client.gone).code, 1008);
  }
});

test('a key revoked while its cancel looks for the order cancels nothing', async () => {
  for (let round = 0; round < 20; round += 1) {
    // An account of its own, or the rate of cancels would refuse the later ones.
    const { accountId } = await house.trader(`waiting-${round}`, { USDT: '1000' });
    const owner = await house.addKey(accountId, `waiting-${round}`);
    const clientOrderId = `kept-${round}`;
    const terms = { price: '100', quantity: '1', clientOrderId };
    await house.signedPost(owner, ORDERS, { ...ORDER, ...terms });
    const revoked = house.run({ kind: 'revoke_key', key: owner.key });
    const body = { symbol: ORDER.symbol, clientOrderId };
    const cancelled = await house.signedPost(owner, CANCEL, body);
    await revoked;
    assert.equal(cancelled.body.code, '40012', `round ${round}`);
    const found = await house.venue.read((state) =>
      state.openOrderByClientId(accountId, clientOrderId),
    );
    assert.equal(present(found, 'the order').clientOrderId, clientOrderId);
  }
});
