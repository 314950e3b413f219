/** Keys that people make for their accounts: they sign in both dialects, and end with a word. */
import { strict as assert } from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, test } from 'node:test';
import { type Browser, PeopleVenue, type Row } from '../support/people-venue.ts';
import { type Credentials, signedHeaders } from '../support/signer.ts';

const venue = await PeopleVenue.open({ after });

const ASSETS = '/api/spot/v1/account/assets';

function keysOf({ accountId }: Browser): string {
  return `/people/v1/accounts/${accountId}/keys`;
}

function credentialsOf({ key, secret, passphrase }: Row): Credentials {
  return { key: String(key), secret: String(secret), passphrase: String(passphrase) };
}

async function read(key: Credentials, target = ASSETS): Promise<string> {
  const timeMs = venue.clock.nowMs();
  const headers = signedHeaders(key, { method: 'GET', target, body: '', timeMs });
  const answer = await fetch(venue.url + target, { headers });
  const said: { code?: string } = await answer
    .json()
    .then((value: unknown) => (typeof value === 'object' && value !== null ? value : {}));
  return said.code ?? String(answer.status);
}

test('a person makes a key, which signs in both dialects, and revokes it', async () => {
  const ada = await venue.person('ada@example.com');
  const body = { label: 'grid bot', permissions: ['read'] };
  const { data } = await ada.done('POST', keysOf(ada), body);
  const key = credentialsOf(data);
  assert.equal(await read(key), '00000');
  assert.equal(await read(key, '/api/v3/account'), '200');
  const { rows } = await ada.done('GET', keysOf(ada));
  assert.deepEqual(
    rows.map(({ label, key: name }) => [label, name]),
    [['grid bot', key.key]],
  );
  assert.doesNotMatch(JSON.stringify(rows), /secret|passphrase/);
  await ada.done('DELETE', `${keysOf(ada)}/${key.key}`);
  assert.equal(await read(key), '40012');
  await ada.refused('60606', 'DELETE', `${keysOf(ada)}/${key.key}`);
});

test('a key is as limited as its maker wants, and no more than its maker may', async () => {
  const ada = await venue.person('limits@example.com');
  const elsewhere = { permissions: ['read'], ipAllowList: ['203.0.113.0/24'] };
  const { data } = await ada.done('POST', keysOf(ada), elsewhere);
  assert.equal(await read(credentialsOf(data)), '40018');
  await ada.refused('40017', 'POST', keysOf(ada), { permissions: ['withdraw'] });
  await ada.refused('40017', 'POST', keysOf(ada), { ipAllowList: ['not an address'] });
  await ada.refused('40017', 'POST', keysOf(ada), { permisions: ['read'] });

  const path = `/people/v1/accounts/${ada.accountId}/access-codes`;
  const code = await ada.done('POST', path, { permissions: ['read', 'manage'] });
  const bob = await venue.person('manager@example.com');
  await bob.done('POST', '/people/v1/access-codes', { code: code.data.code });
  await bob.refused('40014', 'POST', keysOf(ada), { permissions: ['read', 'trade'] });
  await bob.done('POST', keysOf(ada), { permissions: ['read'] });
});

/** What the caller is told that it may do. */
async function permissionsOf(headers: Readonly<Record<string, string>>): Promise<unknown> {
  const answer = await fetch(`${venue.url}/v1/account`, { headers });
  const said: unknown = await answer.json();
  assert.equal(answer.status, 200, JSON.stringify(said));
  return Object(said).permissions;
}

test('a key and a session are told what they may do, as far as the person may', async () => {
  const ada = await venue.person('owner@example.com');
  const path = `/people/v1/accounts/${ada.accountId}`;
  const permissions = ['read', 'trade', 'manage'];
  const code = await ada.done('POST', `${path}/access-codes`, { permissions });
  const bob = await venue.person('made@example.com');
  await bob.done('POST', '/people/v1/access-codes', { code: code.data.code });
  const made = await bob.done('POST', keysOf(ada), { permissions: ['read', 'trade'] });
  const key = credentialsOf(made.data);
  const asKey = () => {
    const call = { method: 'GET', target: '/v1/account', body: '', timeMs: venue.clock.nowMs() };
    return permissionsOf(signedHeaders(key, call));
  };
  const asSession = ({ cookie, headers }: Browser) =>
    permissionsOf({ ...headers, cookie, 'x-outcry-account': ada.accountId });
  assert.deepEqual(await asSession(ada), ['read', 'trade', 'transfer']);
  assert.deepEqual(
    [await asSession(bob), await asKey()],
    [
      ['read', 'trade'],
      ['read', 'trade'],
    ],
  );
  await ada.done('PATCH', `${path}/people/${bob.personId}`, { permissions: ['read', 'manage'] });
  assert.deepEqual([await asSession(bob), await asKey()], [['read'], ['read']]);
});

test('a key may sign by a pair of its owner, and expires by the clock of the venue', async () => {
  const ada = await venue.person('pair@example.com');
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const asked = {
    permissions: ['read'],
    publicKey: String(publicKey.export({ format: 'pem', type: 'spki' })),
    expiresDays: 30,
  };
  const { data } = await ada.done('POST', keysOf(ada), asked);
  assert.equal(data.secret, '');
  const secret = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const key = { ...credentialsOf(data), secret };
  assert.equal(await read(key), '00000');
  assert.equal(await read(key, '/api/v3/account'), '200');
  const { rows } = await ada.done('GET', keysOf(ada));
  const expiresTime = String(venue.clock.nowMs() + 30 * 86_400_000);
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const raw = spki.subarray(-32).toString('base64');
  assert.deepEqual(
    rows.map((row) => [row.kind, row.publicKey, row.expiresTime]),
    [['ed25519', raw, expiresTime]],
  );
  await venue.advance(30 * 86_400_000);
  assert.equal(await read(key), '40012');
  const again = venue.browser();
  await again.signIn('pair@example.com');
  const listed = await again.done('GET', keysOf(ada));
  assert.deepEqual([listed.rows[0]?.key, listed.rows[0]?.expiresTime], [key.key, expiresTime]);
});

test('keys of others are unknown', async () => {
  const ada = await venue.person('mine@example.com');
  const { data } = await ada.done('POST', keysOf(ada), { permissions: ['read'] });
  const eve = await venue.person('eve@example.com');
  await eve.refused('60601', 'GET', keysOf(ada));
  await eve.refused('60601', 'POST', keysOf(ada), { permissions: ['read'] });
  await eve.refused('60601', 'DELETE', `${keysOf(ada)}/${data.key}`);
  await eve.refused('60606', 'DELETE', `${keysOf(eve)}/${data.key}`);
  assert.equal(await read(credentialsOf(data)), '00000');
});
