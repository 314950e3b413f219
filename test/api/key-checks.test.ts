/** Checks of credentials under attack: what they say, how often, and what a wait may not let in. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { PASSPHRASE_COST } from '#api/testing';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { House, type Reply } from '../support/house.ts';
import type { Credentials } from '../support/signer.ts';
import { loginMessage, StreamClient } from '../support/streams-client.ts';

const ASSETS = '/api/spot/v1/account/assets';
const ORDERS = '/api/spot/v1/trade/orders';
const CANCEL = '/api/spot/v1/trade/cancel-order';
const ORDER = { symbol: 'BTCUSDT_SPBL', side: 'buy', orderType: 'limit', force: 'normal' };

/** With the real cost of a guess: some tests are about what happens meanwhile. */
const house = closedAtEnd(await House.open({ rateLimits: true, passphraseCost: PASSPHRASE_COST }));
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

test('a flood of wrong passphrases keeps no owner waiting for the first check', async () => {
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

/** Keys whose first requests keep the slow hash busy for some rounds. */
async function crowd(name: string, count: number): Promise<Credentials[]> {
  const keys: Credentials[] = [];
  for (let at = 0; at < count; at += 1) {
    keys.push(await house.addKey(alice.accountId, `${name}-${at}`));
  }
  return keys;
}

test('a key revoked while its passphrase is checked is refused', async () => {
  const owner = await house.trader('passing');
  const others = await crowd('busy', 8);
  const busy = others.map((key) => house.signedGet(key, ASSETS));
  const pending = house.signedGet(owner, ASSETS);
  let isAnswered = false;
  const noting = pending.then(() => {
    isAnswered = true;
  });
  await house.run({ kind: 'revoke_key', key: owner.key });
  assert.equal(isAnswered, false, 'the check took longer than the revocation');
  assert.equal((await pending).body.code, '40012');
  await Promise.all([noting, ...busy]);
});

test('a key revoked during the login of a stream is not logged in', async () => {
  const owner = await house.trader('streaming');
  const others = await crowd('loud', 8);
  const client = await StreamClient.at(house);
  const busy = others.map((key) => house.signedGet(key, ASSETS));
  client.send(loginMessage(house, owner));
  client.send('ping');
  const before = house.venue.releasedSeq;
  await house.run({ kind: 'revoke_key', key: owner.key });
  assert.ok(house.venue.releasedSeq > before);
  const answer = await client.next(({ event }) => event !== 'pong', 'the answer to the login');
  assert.equal(answer.event, 'error');
  assert.equal((await client.gone).code, 1008);
  await Promise.all(busy);
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
