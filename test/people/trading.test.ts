/** A session trades in both dialects and follows the private streams, as far as its person may. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import type { WebSocket } from 'ws';
import { type Browser, PASSWORD, PeopleVenue } from '../support/people-venue.ts';
import { until } from '../support/until.ts';

const venue = await PeopleVenue.open({ after });

const CLASSIC = '/api/spot/v1/trade/orders';
const CURRENT = '/api/v3/order';
const bid = (price: string) => ({
  ...{ symbol: 'BTCUSDT_SPBL', side: 'buy', orderType: 'limit', force: 'normal' },
  ...{ price, quantity: '0.01' },
});
const currentBid = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' };

async function fund({ accountId }: Browser, coin = 'USDT', amount = '100000'): Promise<void> {
  const path = `/accounts/${accountId}/deposits`;
  const { code, msg } = await venue.operator.call('POST', path, { coin, amount });
  assert.equal(code, '00000', msg);
}

async function trader(name: string): Promise<Browser> {
  const browser = await venue.person(`${name}@example.com`);
  await fund(browser);
  return browser;
}

/** Another person of an account, by a code of its owner. */
async function letIn(owner: Browser, name: string, permissions: string[]): Promise<Browser> {
  const path = `/people/v1/accounts/${owner.accountId}/access-codes`;
  const { data } = await owner.done('POST', path, { permissions });
  const other = await venue.person(`${name}@example.com`);
  await other.done('POST', '/people/v1/access-codes', { code: data.code });
  await other.refused('60815', 'POST', '/people/v1/access-codes', { code: data.code });
  return other;
}

test('a session orders and reads in both dialects', async () => {
  const ada = await trader('both');
  const placed = await ada.trade('POST', CLASSIC, bid('20000'));
  assert.equal(placed.code, '00000', placed.msg);
  const other = await ada.trade('POST', CURRENT, {
    ...currentBid,
    quantity: '0.01',
    price: '20001',
  });
  assert.equal(other.status, 200, other.msg);
  const body = { symbol: 'BTCUSDT_SPBL' };
  const open = await ada.trade('POST', '/api/spot/v1/trade/open-orders', body);
  assert.equal(open.rows.length, 2);
  const assets = await ada.trade('GET', '/api/spot/v1/account/assets');
  assert.equal(assets.code, '00000', assets.msg);
});

test('what changes something needs the token of the page, and its account', async () => {
  const ada = await trader('token');
  const mine = { 'x-outcry-account': ada.accountId };
  const asked = bid('20000');
  const noToken = await ada.call('POST', CLASSIC, asked, { ...mine, 'x-csrf-token': '' });
  assert.deepEqual([noToken.status, noToken.code], [403, '60805']);
  const currentOrder = { ...currentBid, quantity: '0.01', price: '20000' };
  const current = await ada.call('POST', CURRENT, currentOrder, { ...mine, 'x-csrf-token': 'x' });
  assert.equal(current.status, 403);
  const elsewhere = { ...mine, origin: venue.url.replace(/:\d+$/, ':1') };
  assert.equal((await ada.call('POST', CLASSIC, asked, elsewhere)).code, '60805');
  assert.equal((await ada.call('POST', CLASSIC, asked)).code, '40017');
  for (const account of ['1e3', '0', '-1', '999999', 'nobody', '']) {
    const said = await ada.trade('POST', CLASSIC, asked, account);
    assert.ok(['60601', '40017'].includes(said.code), `${account}: ${said.code}`);
  }
  const eve = await trader('eve');
  assert.equal((await eve.trade('POST', CLASSIC, asked, ada.accountId)).code, '60601');
  assert.equal((await ada.trade('POST', CLASSIC, asked)).code, '00000');
});

test('a frozen account reads and does not write', async () => {
  const ada = await trader('frozen');
  const path = `/accounts/${ada.accountId}`;
  await venue.operator.call('PATCH', path, { frozen: true });
  assert.equal((await ada.trade('POST', CLASSIC, bid('20000'))).code, '40013');
  assert.equal((await ada.trade('GET', '/api/spot/v1/account/assets')).code, '00000');
});

test('several people use an account, each as far as they may', async () => {
  const ada = await trader('owner');
  const bob = await letIn(ada, 'reader', ['read']);
  const account = ada.accountId;
  assert.equal(
    (await bob.trade('GET', '/api/spot/v1/account/assets', undefined, account)).code,
    '00000',
  );
  assert.equal((await bob.trade('POST', CLASSIC, bid('20000'), account)).code, '40014');
  await bob.refused('40014', 'GET', `/people/v1/accounts/${account}/people`);
  const person = `/people/v1/accounts/${account}/people/${bob.personId}`;
  await ada.done('PATCH', person, { permissions: ['read', 'trade'] });
  assert.equal((await bob.trade('POST', CLASSIC, bid('20000'), account)).code, '00000');
  const { rows } = await ada.done('GET', `/people/v1/accounts/${account}/people`);
  assert.deepEqual(
    rows.map(({ you, permissions }) => [you, permissions]),
    [
      [true, ['read', 'trade', 'transfer', 'withdraw', 'manage']],
      [false, ['read', 'trade']],
    ],
  );
  await ada.refused('40014', 'DELETE', `/people/v1/accounts/${account}/people/${ada.personId}`);
  await ada.done('DELETE', person);
  assert.equal((await bob.trade('POST', CLASSIC, bid('20000'), account)).code, '60601');
  await bob.signIn('reader@example.com');
  assert.notEqual(bob.accountId, account);
});

test('a code is worth no more than whoever made it may give', async () => {
  const ada = await trader('maker');
  const bob = await letIn(ada, 'manager', ['read', 'manage']);
  const path = `/people/v1/accounts/${ada.accountId}/access-codes`;
  await bob.refused('40014', 'POST', path, { permissions: ['read', 'trade'] });
  const { data } = await bob.done('POST', path, { permissions: ['read'] });
  await ada.done('DELETE', `/people/v1/accounts/${ada.accountId}/people/${bob.personId}`);
  const eve = await venue.person('late@example.com');
  await eve.refused('60815', 'POST', '/people/v1/access-codes', { code: data.code });
});

test('people open as many accounts as the venue allows', async () => {
  const ada = await venue.person('many@example.com');
  for (let at = 1; at < 5; at += 1) {
    await ada.done('POST', '/people/v1/accounts', { label: `account ${at}` });
  }
  await ada.refused('60813', 'POST', '/people/v1/accounts', { label: 'one more' });
  const { rows } = await ada.done('GET', '/people/v1/accounts');
  assert.equal(new Set(rows.map(({ accountId }) => accountId)).size, 5);
  const body = { label: 'savings' };
  const named = await ada.done('PATCH', `/people/v1/accounts/${rows[1]?.accountId}`, body);
  assert.equal(named.data.label, 'savings');
});

interface Followed {
  readonly socket: WebSocket;
  readonly messages: string[];
  readonly gone: Promise<readonly [code: number, reason: string]>;
}

async function follow(browser: Browser, account = browser.accountId): Promise<Followed> {
  const socket = browser.stream(`/spot/v1/stream?account=${account}`);
  const messages: string[] = [];
  socket.on('message', (data) => messages.push(String(data)));
  const gone = once(socket, 'close').then(
    ([code, reason]) => [Number(code), String(reason)] as const,
  );
  await once(socket, 'open');
  const arg = { instType: 'SP', channel: 'orders', instId: 'default' };
  socket.send(JSON.stringify({ op: 'subscribe', args: [arg] }));
  await until('a private snapshot', () => messages.some((text) => text.includes('"snapshot"')));
  return { socket, messages, gone };
}

/** The status of a handshake that is refused. */
async function statusOf(socket: WebSocket): Promise<number> {
  socket.on('error', () => undefined);
  const [, response]: { statusCode?: number }[] = await once(socket, 'unexpected-response');
  return response?.statusCode ?? 0;
}

test('private streams open by the session, and close when it ends', async () => {
  const ada = await trader('stream');
  const { messages, gone } = await follow(ada);
  await ada.trade('POST', CLASSIC, bid('20500'));
  await until('the order', () => messages.some((text) => text.includes('20500')));
  const other = venue.browser();
  await other.signIn('stream@example.com');
  const { rows } = await other.done('GET', '/people/v1/sessions');
  const [session] = rows.filter(({ current }) => current !== true);
  await other.done('DELETE', `/people/v1/sessions/${session?.sessionId}`);
  assert.deepEqual(await gone, [1008, 'session ended']);
  await ada.refused('60801', 'GET', '/people/v1/session');
});

test('a stream stays when the token is renewed, and goes with the account', async () => {
  const ada = await trader('renew');
  const bob = await letIn(ada, 'renewed', ['read']);
  const { messages, gone } = await follow(bob, ada.accountId);
  await bob.done('POST', '/people/v1/session/confirm', { password: PASSWORD });
  await ada.trade('POST', CLASSIC, bid('20600'));
  await until('the order', () => messages.some((text) => text.includes('20600')));
  await ada.done('DELETE', `/people/v1/accounts/${ada.accountId}/people/${bob.personId}`);
  assert.deepEqual(await gone, [1008, 'session ended']);
});

test('a stream of a stranger, or of another page, is refused before it opens', async () => {
  const ada = await trader('handshake');
  const path = `/spot/v1/stream?account=${ada.accountId}`;
  assert.equal(await statusOf(ada.stream(path, venue.url.replace(/:\d+$/, ':1'))), 403);
  assert.equal(await statusOf(ada.stream('/spot/v1/stream?account=999999')), 404);
  const nobody = venue.browser();
  assert.equal(await statusOf(nobody.stream(path)), 401);
  const eve = await venue.person('handshake-eve@example.com');
  assert.equal(await statusOf(eve.stream(path)), 404);
  const current = `/spot/v3/ws/private?account=${ada.accountId}`;
  const socket = ada.stream(current);
  await once(socket, 'open');
  socket.close();
  assert.equal(await statusOf(nobody.stream(current)), 401);
});
