/**
 * Sessions of people over two processes of a cluster, whose people are in one PostgreSQL: whoever
 * signs in at one trades at the other, and what ends at one ends at the other.
 */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { present } from '#kernel';
import { Operator, tokenOf } from '../support/operator.ts';
import { Browser, PASSWORD, type Row } from '../support/people-venue.ts';
import { newDatabase, postgresOrSkip } from '../support/postgres.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { StreamClient } from '../support/streams-client.ts';
import { until } from '../support/until.ts';
import { ServerCluster } from './server-cluster.ts';

const SESSION = '/people/v1/session';
const ASSETS = '/api/spot/v1/account/assets';
const ORDERS = '/api/spot/v1/trade/orders';
const OPEN_ORDERS = '/api/spot/v1/trade/open-orders';
const NEW_PASSWORD = 'five blue trees dream';
const ALL = ['read', 'trade', 'transfer', 'withdraw', 'manage'];
/** A process asks again after two seconds; the rest is for a machine that is busy. */
const END_MAX_MS = 12_000;

/** The same browser at another process. */
function at(url: string, { cookie, csrfToken, session }: Browser): Browser {
  const browser = new Browser(url);
  return Object.assign(browser, { cookie, csrfToken, session });
}

/** A stream at the second process, by a key. */
async function following(url: string, { key, secret, passphrase }: Row): Promise<StreamClient> {
  const client = await StreamClient.connect(url);
  const credentials = { key: String(key), secret: String(secret), passphrase: String(passphrase) };
  await client.login({ clock: { nowMs: Date.now } }, credentials);
  return client;
}

/** How long it takes until a session is over somewhere. */
async function endOf(browser: Browser): Promise<number> {
  const fromMs = performance.now();
  await until('the session is over', async () => {
    return (await browser.call('GET', SESSION)).code === '60801';
  });
  return performance.now() - fromMs;
}

const server = await postgresOrSkip();
if (server !== undefined) {
  const env = { OUTCRY_PEOPLE: newDatabase(server) };
  const cluster = await ServerCluster.start({ after }, ['member', 'member'], { env });
  const [first = '', second = ''] = cluster.processes.map(({ url }) => url);
  const operator = new Operator(first, ADMIN_TOKEN);

  const member = async (email: string): Promise<Browser> => {
    await operator.call('POST', '/people', { email });
    const token = tokenOf(await operator.linkFor(email));
    const browser = new Browser(first);
    const chosen = { token, password: PASSWORD };
    await browser.done('POST', '/people/v1/password-resets/complete', chosen);
    await browser.signIn(email);
    const deposit = { coin: 'USDT', amount: '1000' };
    await operator.call('POST', `/accounts/${browser.accountId}/deposits`, deposit);
    return browser;
  };

  test('whoever signs in at one process trades at the other', async () => {
    const ada = await member('ada@example.com');
    const there = at(second, ada);
    await there.done('GET', SESSION);
    const symbol = 'BTCUSDT_SPBL';
    const order = { symbol, side: 'buy', orderType: 'limit', force: 'normal', quantity: '0.01' };
    const placed = await there.trade('POST', ORDERS, { ...order, price: '20000' });
    assert.equal(placed.code, '00000', placed.msg);
    const { orderId } = placed.data;
    const { rows } = await ada.trade('POST', OPEN_ORDERS, { symbol });
    assert.deepEqual(
      rows.map((row) => row.orderId),
      [orderId],
    );
    const foreign = { 'x-csrf-token': 'another', 'x-outcry-account': ada.accountId };
    const refused = await there.call('POST', ORDERS, order, foreign);
    assert.equal(refused.code, '60805', 'its page is asked for there, too');

    const keys = `/people/v1/accounts/${ada.accountId}/keys`;
    const made = await there.done('POST', keys, { permissions: ['read'] });
    assert.deepEqual(
      (await ada.done('GET', keys)).rows.map(({ key }) => key),
      [made.data.key],
    );
  });

  test('signing out at one process ends the session and its streams at the other', async () => {
    const ada = await member('out@example.com');
    const there = at(second, ada);
    await there.done('GET', SESSION);
    const stream = there.stream(`/spot/v1/stream?account=${ada.accountId}`);
    await once(stream, 'open');
    const closed = once(stream, 'close');
    await ada.done('DELETE', SESSION);
    assert.equal((await ada.call('GET', SESSION)).code, '60801', 'at once where it was done');
    assert.ok((await endOf(there)) < END_MAX_MS);
    const [code] = await closed;
    assert.equal(code, 1008);
    assert.equal((await there.trade('GET', ASSETS, undefined, ada.accountId)).code, '60801');
  });

  test('a changed password, and a person who is suspended, are over everywhere', async () => {
    const ada = await member('change@example.com');
    const other = new Browser(second);
    await other.signIn('change@example.com');
    await ada.done('POST', '/people/v1/password', {
      password: PASSWORD,
      newPassword: NEW_PASSWORD,
    });
    assert.ok((await endOf(other)) < END_MAX_MS);
    const there = at(second, ada);
    await there.done('GET', SESSION);
    const suspended = { suspended: true, reason: 'a test' };
    await operator.call('PATCH', `/people/${present(ada.personId, 'id')}`, suspended);
    assert.ok((await endOf(there)) < END_MAX_MS);
  });

  test('a stream by a key closes at the other process with the right of its maker', async () => {
    const owner = await member('owner@example.com');
    const guest = await member('guest@example.com');
    const account = `/people/v1/accounts/${owner.accountId}`;
    const code = await owner.done('POST', `${account}/access-codes`, { permissions: ALL });
    await guest.done('POST', '/people/v1/access-codes', { code: code.data.code });
    await guest.signIn('guest@example.com');
    const { data } = await guest.done('POST', `${account}/keys`, { permissions: ['read'] });
    const client = await following(second, data);
    const own = await owner.done('POST', `${account}/keys`, { permissions: ['read'] });
    const kept = await following(second, own.data);
    const fromMs = performance.now();
    await owner.done('DELETE', `${account}/people/${guest.personId}`);
    assert.deepEqual(await client.gone, { code: 1008, reason: 'rights changed' });
    assert.ok(performance.now() - fromMs < END_MAX_MS);
    kept.send('ping');
    assert.equal((await kept.any()).event, 'pong', 'the key of the owner goes on');
    await kept.close();
  });
}
