/** What was made under a right is worth what the right is worth now. By attacker's role. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Browser, PeopleVenue, type Row } from '../support/people-venue.ts';
import { type Credentials, signedHeaders } from '../support/signer.ts';
import { StreamClient } from '../support/streams-client.ts';

const venue = await PeopleVenue.open({ after });
const ASSETS = '/api/spot/v1/account/assets';
const ORDERS = '/api/spot/v1/trade/orders';
const ENTER = '/people/v1/access-codes';
const ALL = ['read', 'trade', 'transfer', 'withdraw', 'manage'];
const KEY_UNKNOWN = '40012';
const FORBIDDEN = '40014';
const ORDER = {
  ...{ symbol: 'BTCUSDT_SPBL', side: 'buy', orderType: 'limit', force: 'normal' },
  ...{ price: '20000', quantity: '0.01' },
};

function credentialsOf({ key, secret, passphrase }: Row): Credentials {
  return { key: String(key), secret: String(secret), passphrase: String(passphrase) };
}

async function by(key: Credentials, method: 'GET' | 'POST', target: string): Promise<string> {
  const body = method === 'GET' ? '' : JSON.stringify(ORDER);
  const timeMs = venue.clock.nowMs();
  const headers = signedHeaders(key, { method, target, body, timeMs });
  const sent = { method, headers: { ...headers, 'content-type': 'application/json' } };
  const answer = await fetch(
    venue.url + target,
    method === 'GET' ? { headers } : { ...sent, body },
  );
  const said: { code?: string } = Object(await answer.json());
  return String(said.code);
}

interface Let {
  readonly owner: Browser;
  readonly guest: Browser;
  readonly member: string;
  readonly key: Credentials;
}

/** An owner with money, and a guest who manages the account and has made a key for it. */
async function guestWithKey(name: string, rights: readonly string[] = ALL): Promise<Let> {
  const owner = await venue.person(`${name}@example.com`);
  const account = `/people/v1/accounts/${owner.accountId}`;
  const money = { coin: 'USDT', amount: '10000' };
  await venue.operator.call('POST', `/accounts/${owner.accountId}/deposits`, money);
  const code = await owner.done('POST', `${account}/access-codes`, { permissions: rights });
  const guest = await venue.person(`${name}-guest@example.com`);
  await guest.done('POST', ENTER, { code: code.data.code });
  await guest.signIn(`${name}-guest@example.com`);
  const asked = { permissions: ['read', 'trade'] };
  const { data } = await guest.done('POST', `${account}/keys`, asked);
  const key = credentialsOf(data);
  assert.equal(await by(key, 'GET', ASSETS), '00000');
  assert.equal(await by(key, 'POST', ORDERS), '00000');
  return { owner, guest, member: `${account}/people/${guest.personId}`, key };
}

test('guest: a key does what its maker may do now, and again when that is given back', async () => {
  const { owner, member, key } = await guestWithKey('cut');
  await owner.done('PATCH', member, { permissions: ['read'] });
  assert.equal(await by(key, 'POST', ORDERS), FORBIDDEN);
  assert.equal(await by(key, 'GET', ASSETS), '00000');
  await owner.done('PATCH', member, { permissions: ALL });
  assert.equal(await by(key, 'POST', ORDERS), '00000');
});

test('guest: a key ends with the access of its maker', async () => {
  const { owner, member, key } = await guestWithKey('removed');
  await owner.done('DELETE', member);
  assert.equal(await by(key, 'POST', ORDERS), KEY_UNKNOWN);
  assert.equal(await by(key, 'GET', ASSETS), KEY_UNKNOWN);
});

test('guest: a key ends when the operator takes the account or suspends the person', async () => {
  const one = await guestWithKey('taken');
  const path = `/people/${one.guest.personId}`;
  await venue.operator.call('DELETE', `${path}/accounts/${one.owner.accountId}`);
  assert.equal(await by(one.key, 'GET', ASSETS), KEY_UNKNOWN);
  const two = await guestWithKey('suspended');
  const asked = { suspended: true, reason: 'left' };
  await venue.operator.call('PATCH', `/people/${two.guest.personId}`, asked);
  assert.equal(await by(two.key, 'POST', ORDERS), KEY_UNKNOWN);
});

test('stranger with a session: what was made ends with a reset of the password', async () => {
  const { owner, guest, key } = await guestWithKey('reset');
  const account = `/people/v1/accounts/${owner.accountId}`;
  const code = await guest.done('POST', `${account}/access-codes`, { permissions: ['read'] });
  await venue.advance(1);
  await venue.operator.call('POST', `/people/${guest.personId}/password-reset`, {});
  const token = await venue.linkOf('reset-guest@example.com');
  await venue.choose(guest, token, 'five blue trees dream');
  assert.equal(await by(key, 'POST', ORDERS), KEY_UNKNOWN);
  const eve = await venue.person('reset-eve@example.com');
  await eve.refused('60815', 'POST', ENTER, { code: code.data.code });
});

test('guest: a code of one who is suspended lets nobody in', async () => {
  const { owner, guest } = await guestWithKey('codes');
  const path = `/people/v1/accounts/${owner.accountId}/access-codes`;
  const code = await guest.done('POST', path, { permissions: ['read'] });
  const asked = { suspended: true, reason: 'left' };
  await venue.operator.call('PATCH', `/people/${guest.personId}`, asked);
  const eve = await venue.person('codes-eve@example.com');
  await eve.refused('60815', 'POST', ENTER, { code: code.data.code });
});

test('keys are listed with their maker, those of the operator with none', async () => {
  const { owner, guest } = await guestWithKey('listed');
  await venue.operator.call('POST', `/accounts/${owner.accountId}/keys`, { label: 'desk' });
  const { rows } = await owner.done('GET', `/people/v1/accounts/${owner.accountId}/keys`);
  assert.deepEqual(
    rows.map(({ madeBy }) => madeBy),
    [guest.personId, ''],
  );
});

test('access codes are listed with their maker, without the code, and withdrawn', async () => {
  const { owner, guest } = await guestWithKey('coded');
  const path = `/people/v1/accounts/${owner.accountId}/access-codes`;
  const made = await guest.done('POST', path, { permissions: ['read', 'trade'] });
  const { rows } = await owner.done('GET', path);
  assert.deepEqual(
    rows.map(({ madeBy, permissions, expiresTime }) => [madeBy, permissions, expiresTime]),
    [[guest.personId, ['read', 'trade'], made.data.expiresTime]],
  );
  assert.equal(JSON.stringify(rows).includes(String(made.data.code)), false);
  const eve = await venue.person('coded-eve@example.com');
  await eve.refused('60601', 'GET', path);
  const own = `/people/v1/accounts/${eve.accountId}/access-codes/${rows[0]?.codeId}`;
  await eve.refused('60815', 'DELETE', own);
  await owner.done('DELETE', `${path}/${rows[0]?.codeId}`);
  await owner.refused('60815', 'DELETE', `${path}/${rows[0]?.codeId}`);
  assert.deepEqual((await owner.done('GET', path)).rows, []);
  await eve.refused('60815', 'POST', ENTER, { code: made.data.code });
});

test('guest: a stream by a key closes with the right of its maker', async () => {
  const { owner, member, key } = await guestWithKey('followed');
  const client = await StreamClient.connect(venue.url);
  await client.login(venue, key);
  await owner.done('DELETE', member);
  assert.deepEqual(await client.gone, { code: 1008, reason: 'rights changed' });
});

test('guest: a key of before a restart is still bounded after it', async () => {
  const { owner, member, key } = await guestWithKey('restarted');
  await owner.done('DELETE', member);
  await venue.restart();
  assert.equal(await by(key, 'GET', ASSETS), KEY_UNKNOWN);
});

test('suspended person: a link that is being used lifts no suspension', async () => {
  const email = 'racing@example.com';
  const racing = await venue.person(email);
  const person = `/people/${racing.personId}`;
  const suspend = (suspended: boolean, reason: string) =>
    venue.operator.call('PATCH', person, { suspended, reason });
  for (let round = 0; round < 5; round += 1) {
    await venue.operator.call('POST', `${person}/password-reset`, {});
    const token = await venue.linkOf(email);
    const chosen = { token, password: 'five blue trees dream' };
    const completing = venue.browser().call('POST', '/people/v1/password-resets/complete', chosen);
    const suspending = suspend(true, 'stolen mailbox');
    await Promise.all([completing, suspending]);
    const { data } = await venue.operator.call('GET', person);
    assert.equal(data.state, 'suspended', `round ${round}`);
    await suspend(false, 'found it');
  }
});
