/** The typed client, by every way to sign, against a whole server on a clock of its own. */
import { strict as assert } from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import {
  bearer,
  type ClientOptions,
  ed25519,
  hmac,
  NO_ANSWER,
  outcryClient,
  session,
  VenueError,
} from '#client';
import { present } from '#kernel';
import { tokenOf } from '../support/operator.ts';
import { PASSWORD, PeopleVenue } from '../support/people-venue.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { eventually } from '../support/until.ts';

const venue = await PeopleVenue.open({ after }, { sandbox: true });
const clientOf = (sign?: ClientOptions['sign']) => outcryClient({ url: `${venue.url}/`, sign });
const anybody = clientOf();
const operator = clientOf(bearer(ADMIN_TOKEN));

const BID = {
  symbol: 'BTC-USDT',
  side: 'buy',
  type: 'limit',
  price: '30000',
  size: '0.01',
} as const;

/** Signs up, proves the address by the link that the operator hands out, and signs in. */
async function signedIn(email: string) {
  const { code } = await operator.admin.makeInvitation({ uses: 1 });
  await anybody.people.signUp({ email, invitation: code });
  const found = await eventually(
    async () => (await operator.admin.links()).find((link) => link.email === email),
    (link) => assert.ok(link, `a link for ${email}`),
  );
  const { personId, linkId } = present(found, 'link');
  const handed = await operator.admin.handOutLink({
    person: personId,
    link: linkId,
    reason: 'no mails here',
  });
  const token = tokenOf(handed.path);
  await anybody.people.completeReset({ token, password: PASSWORD });
  const signer = session();
  const person = clientOf(signer);
  const { accounts } = await person.people.signIn({ email, password: PASSWORD });
  const { accountId } = present(accounts[0], 'account');
  return { person, signer, accountId };
}

const refusedWith = (code: string) => (error: unknown) =>
  error instanceof VenueError && error.code === code;

test('a person signs up, makes keys, and trades by session, by HMAC and by Ed25519', async () => {
  const { person, signer, accountId } = await signedIn('ada@example.com');
  await operator.admin.deposit({ account: accountId, coin: 'USDT', amount: '1000' });
  signer.actFor(accountId);
  const bySession = await person.native.placeOrder({ ...BID, clientId: 'one' });
  assert.equal(bySession.clientId, 'one');

  const made = await person.people.makeKey({ account: accountId, permissions: ['read', 'trade'] });
  const keyed = clientOf(hmac(made));
  // The clock of the venue is not that of this machine: the client asks and signs again.
  const byKey = await keyed.native.placeOrder(BID);
  const open = await keyed.native.openOrders({ symbol: 'BTC-USDT' });
  assert.deepEqual(open.map(({ id }) => id).toSorted(), [bySession.id, byKey.id].toSorted());

  const pair = generateKeyPairSync('ed25519');
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const other = await person.people.makeKey({ account: accountId, publicKey });
  const { key, passphrase } = other;
  const proved = clientOf(ed25519({ key, passphrase, privateKey }));
  await proved.native.cancelOrder({ id: byKey.id });
  const { rows } = await proved.native.closedOrders({ limit: 1 });
  assert.deepEqual([rows[0]?.id, rows[0]?.status], [byKey.id, 'cancelled']);

  await person.people.signOut();
  await assert.rejects(person.people.session(), refusedWith('60801'));
});

test('a refusal has its code, figures, hint and status', async () => {
  const { person, signer, accountId } = await signedIn('bob@example.com');
  signer.actFor(accountId);
  await assert.rejects(person.native.placeOrder(BID), (error) => {
    assert.ok(error instanceof VenueError);
    const { code, status, figures, hint } = error;
    assert.deepEqual([code, status], ['balance_insufficient', 422]);
    assert.deepEqual(figures, { needed: '300', has: '0', coin: 'USDT' });
    assert.notEqual(hint, '');
    return true;
  });
  await assert.rejects(operator.admin.account({ account: 'no/body' }), (error) => {
    assert.ok(error instanceof VenueError);
    assert.deepEqual([error.code, error.status, error.hint], ['60601', 404, '']);
    return true;
  });
  await assert.rejects(anybody.native.balances(), refusedWith('key_missing'));
});

test('fields go where the endpoint reads them', async () => {
  const made = await operator.admin.createAccount({ name: 'desk-1' });
  assert.equal((await operator.admin.account({ account: 'desk-1' })).accountId, made.accountId);
  const some = await operator.admin.accounts({ after: undefined, limit: 1 });
  assert.equal(some.length, 1);
  const { faultId } = await operator.sandbox.addFault({
    effect: { kind: 'rate_limited', retryAfterMs: 3_000 },
    target: 'GET /v1/time',
    count: 1,
  });
  await assert.rejects(anybody.native.time(), (error) => {
    assert.ok(error instanceof VenueError);
    assert.deepEqual([error.status, error.retryAfterMs], [429, 3_000]);
    return true;
  });
  assert.ok((await anybody.native.time()).time > 0);
  await operator.sandbox.removeFault({ faultId: String(faultId) });
  assert.match(await operator.admin.actionsCsv(), /^[a-zA-Z]+,/, 'a file is its text');
});

test('a call ends by its time, by its signal, and without a venue', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const { port } = silent.address() as AddressInfo;
  const client = outcryClient({ url: `http://127.0.0.1:${port}` });
  await assert.rejects(client.native.time({}, { timeoutMs: 20 }), refusedWith(NO_ANSWER));
  const stopped = new AbortController();
  const call = client.native.time({}, { signal: stopped.signal });
  stopped.abort(new Error('enough'));
  await assert.rejects(call, /enough/);
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
  await assert.rejects(client.native.time(), refusedWith(NO_ANSWER));
});
