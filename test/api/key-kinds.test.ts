/** Keys of Ed25519, and keys that expire: over HTTP and in logins of streams, in both dialects. */
import { strict as assert } from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { publicKeyOf } from '#api';
import { RequestEd25519 } from '#api/testing';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { CurrentStream, loginHeaders, refusedHandshake } from '../support/current-stream.ts';
import { House, type Reply } from '../support/house.ts';
import type { Credentials } from '../support/signer.ts';
import { loginMessage, StreamClient } from '../support/streams-client.ts';

const ASSETS = '/api/spot/v1/account/assets';
const ORDERS = '/api/spot/v1/trade/orders';
const CURRENT_ACCOUNT = '/api/v3/account';
const ORDER = { symbol: 'BTCUSDT_SPBL', side: 'buy', orderType: 'limit', force: 'normal' };
const DAY_MS = 86_400_000;

const house = closedAtEnd(await House.open());
const alice = await house.trader('alice', { USDT: '100000' });

interface Pair {
  readonly privateKey: string;
  readonly publicKey: string;
}

function newPair(): Pair {
  const pair = generateKeyPairSync('ed25519');
  return { privateKey: pemOf(pair.privateKey, 'pkcs8'), publicKey: pemOf(pair.publicKey, 'spki') };
}

function pemOf(key: KeyObject, type: 'pkcs8' | 'spki'): string {
  const exported = key.export({ format: 'pem', type: type as 'pkcs8' });
  return String(exported);
}

/** A key whose owner signs with a pair, and that pair's other half in place of the secret. */
async function pairKey(
  name: string,
  changes: { readonly strictReplay?: true; readonly expiresTimeMs?: number } = {},
): Promise<Credentials> {
  const { privateKey, publicKey } = newPair();
  const known = present(publicKeyOf(publicKey), 'public key');
  const made = await house.addKey(alice.accountId, name, { ...changes, publicKey: known });
  return { ...made, secret: privateKey };
}

function codeOf({ body }: Reply): string {
  return String(body.code);
}

/** The first case of RFC 8032 with a text: its public key, the message 0x72, and its signature. */
const RFC = {
  publicKey: Buffer.from(
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    'hex',
  ).toString('base64'),
  text: 'r',
  signature: Buffer.from(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
      '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    'hex',
  ).toString('base64'),
};

test('a published signature is right, and in one spelling only', () => {
  const signing = new RequestEd25519(RFC.publicKey);
  assert.ok(signing.isSigned(RFC.text, undefined, RFC.signature));
  assert.ok(signing.isSigned('', Buffer.from(RFC.text), RFC.signature), 'text and body are one');
  assert.ok(!signing.isSigned('s', undefined, RFC.signature));
  // The last character before the padding has four bits that decoding overlooks.
  const other = `${RFC.signature.slice(0, 85)}B==`;
  assert.deepEqual(Buffer.from(other, 'base64'), Buffer.from(RFC.signature, 'base64'));
  assert.ok(!signing.isSigned(RFC.text, undefined, other));
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), (text) => {
      assert.ok(!signing.isSigned(RFC.text, undefined, text));
    }),
  );
});

test('public keys are taken as PEM and as base64, and no others', () => {
  const { publicKey, privateKey } = newPair();
  const raw = present(publicKeyOf(publicKey), 'raw');
  assert.equal(publicKeyOf(raw), raw);
  for (const end of ['\r\n', '', ' ']) {
    assert.equal(publicKeyOf(publicKey.replaceAll('\n', end)), raw, 'as a form pastes it');
  }
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
  const x25519 = generateKeyPairSync('x25519').publicKey;
  const weak = [
    Buffer.alloc(32),
    Buffer.from([1, ...new Uint8Array(31)]),
    Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa', 'hex'),
  ];
  const others = [
    ...['', 'no key', raw.slice(0, -1), `${raw}=`, privateKey, pemOf(rsa, 'spki')],
    ...[pemOf(x25519, 'spki'), ...weak.map((bytes) => bytes.toString('base64'))],
  ];
  for (const other of others) assert.equal(publicKeyOf(other), undefined, other);
});

test('a pair signs reads and orders of both dialects', async () => {
  const who = await pairKey('pair-key');
  assert.equal(codeOf(await house.signedGet(who, ASSETS)), '00000');
  const order = { ...ORDER, price: '100', quantity: '1' };
  assert.equal(codeOf(await house.signedPost(who, ORDERS, order)), '00000');
  assert.equal((await house.signedGet(who, CURRENT_ACCOUNT)).status, 200);

  const body = JSON.stringify(order);
  const headers = house.sign(who, 'POST', ORDERS, body);
  const changed = body.replace('"100"', '"101"');
  const refused = await house.call({ method: 'POST', url: ORDERS, body: changed, headers });
  assert.equal(codeOf(refused), '40012');
  const other = { ...who, secret: newPair().privateKey };
  assert.equal(codeOf(await house.signedGet(other, ASSETS)), '40012');
  const hmac = { ...who, secret: '' };
  assert.equal(codeOf(await house.signedGet(hmac, ASSETS)), '40012', 'no HMAC with no secret');
  const pass = { ...who, passphrase: 'other' };
  assert.equal(codeOf(await house.signedGet(pass, ASSETS)), '40012');
});

test('a strict pair has a signature executed once, however it is spelled', async () => {
  const who = await pairKey('strict-pair', { strictReplay: true });
  const body = JSON.stringify({ ...ORDER, price: '100', quantity: '1' });
  const headers = house.sign(who, 'POST', ORDERS, body);
  const codes: string[] = [];
  const spelled = present(headers['ACCESS-SIGN'], 'signature');
  const other = `${spelled.slice(0, 85)}${spelled[85] === 'A' ? 'B' : 'x'}==`;
  for (const sign of [spelled, spelled, other]) {
    const request = { method: 'POST', url: ORDERS, body } as const;
    codes.push(
      codeOf(await house.call({ ...request, headers: { ...headers, 'ACCESS-SIGN': sign } })),
    );
  }
  assert.deepEqual(codes, ['00000', '40008', '40012']);
});

test('a pair logs streams of both dialects in', async () => {
  const who = await pairKey('stream-pair');
  const classic = await StreamClient.at(house);
  classic.send(loginMessage(house, who));
  assert.deepEqual(await classic.any(), { event: 'login', code: 0 });
  const current = await CurrentStream.private(house, 'spot', who);
  await current.subscribe('account');
  await Promise.all([classic.close(), current.close()]);
});

test('an expired key is as unknown as a revoked one, and its streams are closed', async () => {
  const expiresTimeMs = house.clock.nowMs() + DAY_MS;
  const secret = await house.addKey(alice.accountId, 'passing-key', { expiresTimeMs });
  const pair = await pairKey('passing-pair', { expiresTimeMs });
  const classic = await StreamClient.at(house);
  classic.send(loginMessage(house, secret));
  assert.equal((await classic.any()).event, 'login');
  const current = await CurrentStream.private(house, 'spot', pair);
  const staying = await CurrentStream.private(house, 'spot', alice);

  house.clock.advance(DAY_MS - 1);
  for (const who of [secret, pair]) {
    assert.equal(codeOf(await house.signedGet(who, ASSETS)), '00000', 'to its last moment');
  }
  house.clock.advance(1);
  const goodbye = { code: 1008, reason: 'key expired' };
  assert.deepEqual(await classic.gone, goodbye);
  assert.deepEqual(await current.gone, goodbye);
  const unknown = { ...secret, key: 'no-such-key' };
  const port = await house.port();
  const path = '/spot/v3/ws/private';
  for (const url of [ASSETS, CURRENT_ACCOUNT]) {
    const { status, body } = await house.signedGet(unknown, url);
    for (const who of [secret, pair]) {
      const answer = await house.signedGet(who, url);
      const { code, msg } = answer.body;
      assert.deepEqual([answer.status, code, msg], [status, body.code, body.msg]);
    }
  }
  const login = await refusedHandshake(port, path, loginHeaders(house, unknown));
  for (const who of [secret, pair]) {
    assert.deepEqual(await refusedHandshake(port, path, loginHeaders(house, who)), login);
    const client = await StreamClient.at(house);
    client.send(loginMessage(house, who));
    assert.equal((await client.any()).event, 'error');
    assert.equal((await client.gone).code, 1008);
  }
  await staying.subscribe('account');
  await staying.close();
});

test('wrong signatures of a pair are held off unread, from where they come', async (t) => {
  const limited = await House.open({ rateLimits: true });
  try {
    const owner = await limited.trader('owner');
    const { publicKey, privateKey } = newPair();
    const known = { publicKey: present(publicKeyOf(publicKey), 'public key') };
    const made = await limited.addKey(owner.accountId, 'pair-key', known);
    const headersOf = (secret: string) => limited.sign({ ...made, secret }, 'GET', ASSETS, '');
    const wrong = headersOf(newPair().privateKey);
    const right = headersOf(privateKey);
    // Failures are counted within a second: here it does not pass.
    const atMs = performance.now();
    t.mock.method(performance, 'now', () => atMs);
    const codes = new Map<string, number>();
    for (let count = 0; count < 30; count += 1) {
      const code = codeOf(await limited.call({ url: ASSETS, headers: wrong, address: '10.1.0.1' }));
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    assert.deepEqual([...codes.keys()], ['40012', '429']);
    const there = await limited.call({ url: ASSETS, headers: right, address: '10.1.0.1' });
    assert.equal(codeOf(there), '429');
    const here = await limited.call({ url: ASSETS, headers: right, address: '10.2.0.1' });
    assert.equal(codeOf(here), '00000');
  } finally {
    await limited.close();
  }
});
