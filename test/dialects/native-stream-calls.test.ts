/** Calls over the house's own stream: the endpoints of REST in frames, by a key or by a session. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { classicDialect, nativeDialect } from '#dialects';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { House } from '../support/house.ts';
import {
  type AccountData,
  type Message,
  NativeStream,
  type Row,
} from '../support/native-stream.ts';
import { PeopleVenue } from '../support/people-venue.ts';

const house = closedAtEnd(
  await House.open({ dialects: [classicDialect, nativeDialect], rateLimits: true }),
);
const ann = await house.trader('ann', { USDT: '1000000', BTC: '20' });

const venue = await PeopleVenue.open({ after });
const port = Number(new URL(venue.url).port);

const BID = { symbol: 'BTC-USDT', side: 'buy', type: 'limit', price: '20000', size: '0.001' };
/** Calls of which some are refused, wherever a second begins among them. */
const MORE_THAN_TWO_SECONDS = 241;

async function loggedIn(): Promise<NativeStream> {
  const stream = await NativeStream.at(house);
  assert.equal((await stream.login(house, ann)).error, undefined);
  return stream;
}

function idOf({ data, error }: Message): string {
  assert.equal(error, undefined, JSON.stringify(error));
  return (data as { id: string }).id;
}

test('an order is placed, read and cancelled as over REST, and seen as an event', async () => {
  const stream = await loggedIn();
  await stream.done('subscribe', { channels: ['account'] });
  await stream.push('account');
  const id = idOf(await stream.call('POST', '/v1/orders', { ...BID, clientId: 'a/b' }));
  const update = await stream.push('account');
  assert.deepEqual(
    (update.data as AccountData).orders.map((row) => row.id),
    [id],
  );
  const { text } = await house.signedGet(ann, `/v1/orders/${id}`);
  for (const path of [`/v1/orders/${id}`, '/v1/orders/a%2Fb']) {
    assert.deepEqual((await stream.call('GET', path)).data, JSON.parse(text));
  }
  const open = await stream.call('GET', '/v1/orders', { symbol: 'BTC-USDT' });
  assert.deepEqual(open.data, [JSON.parse(text)]);
  assert.equal(idOf(await stream.call('DELETE', `/v1/orders/${id}`)), id);
  const { data } = await stream.call('GET', '/v1/closed-orders', { limit: 1 });
  assert.equal((data as { rows: Row[] }).rows[0]?.reason, 'cancelled_by_owner');
  await stream.close();
});

test('the answers of calls leave in the order of the calls', async () => {
  const stream = await loggedIn();
  for (let id = 0; id < 30; id += 1) {
    const isOrder = id % 2 === 0;
    const call = isOrder ? { method: 'POST', input: BID } : { method: 'GET' };
    stream.send({ id, op: 'call', path: '/v1/orders', ...call });
  }
  await stream.until('the last answer', () => stream.messages.find(({ id }) => id === 29));
  const ids = stream.messages.map(({ id }) => id).filter((id) => typeof id === 'number');
  assert.deepEqual(
    ids,
    Array.from({ length: 30 }, (_, at) => at),
  );
  await stream.close();
});

const REFUSED: readonly (readonly [fields: object, kind: string])[] = [
  [{ method: 'POST' }, 'parameter_missing'],
  [{ path: '/v1/orders' }, 'parameter_missing'],
  [{ method: 'PUT', path: '/v1/orders' }, 'method_not_allowed'],
  [{ method: 'post', path: '/v1/orders' }, 'method_not_allowed'],
  [{ method: 'GET', path: '/v1/nothing' }, 'path_unknown'],
  [{ method: 'GET', path: '/api/spot/v1/public/time' }, 'path_unknown'],
  [{ method: 'GET', path: '/v1/orders/' }, 'path_unknown'],
  [{ method: 'GET', path: '/v1/orders/a/b' }, 'path_unknown'],
  [{ method: 'GET', path: '/v1/orders/%E0%A4%A' }, 'path_unknown'],
  [{ method: 'GET', path: '/v1/orders?symbol=BTC-USDT' }, 'parameter_invalid'],
  [{ method: 'GET', path: '/v1/orders/nobody' }, 'order_unknown'],
  [{ method: 'GET', path: '/v1/orders', input: [] }, 'parameter_invalid'],
  [{ method: 'GET', path: '/v1/orders', input: 'x' }, 'parameter_invalid'],
  [{ method: 'GET', path: '/v1/orders', body: {} }, 'parameter_invalid'],
  [{ method: 'POST', path: '/v1/orders', input: { ...BID, price: '' } }, 'parameter_missing'],
  [{ method: 'POST', path: '/v1/orders', input: { ...BID, extra: '1' } }, 'parameter_invalid'],
  [{ method: 'POST', path: '/v1/orders', input: { ...BID, size: '999' } }, 'balance_insufficient'],
];

test('a call is refused as REST refuses it', async () => {
  const stream = await loggedIn();
  for (const [fields, kind] of REFUSED) {
    assert.equal(await stream.refused('call', fields), kind, JSON.stringify(fields));
  }
  const { error } = await stream.call('POST', '/v1/orders', { ...BID, symbol: 'NO-SUCH' });
  const { text } = await house.signedPost(ann, '/v1/orders', { ...BID, symbol: 'NO-SUCH' });
  assert.deepEqual({ error }, JSON.parse(text));
  await stream.close();
});

test('without a login only what is public is called', async () => {
  const stream = await NativeStream.at(house);
  assert.equal((await stream.call('GET', '/v1/time')).error, undefined);
  assert.equal((await stream.call('GET', '/v1/orders')).error?.kind, 'key_missing');
  assert.equal((await stream.call('POST', '/v1/orders', BID)).error?.kind, 'key_missing');
  await stream.close();
});

test('each call needs the permission, and a key that is revoked calls no more', async () => {
  const reader = await house.addKey(ann.accountId, 'ann-reads', { permissions: ['read'] });
  const stream = await NativeStream.at(house);
  await stream.login(house, reader);
  assert.equal((await stream.call('GET', '/v1/balances')).error, undefined);
  assert.equal((await stream.call('POST', '/v1/orders', BID)).error?.kind, 'permission_missing');
  await house.run({ kind: 'revoke_key', key: reader.key });
  assert.deepEqual(await stream.gone, { code: 1008, reason: 'key revoked' });
});

test('the rate of an endpoint is the same here and over REST', async () => {
  const stream = await loggedIn();
  for (let id = 0; id < MORE_THAN_TWO_SECONDS; id += 1) {
    stream.send({ id, op: 'call', method: 'DELETE', path: '/v1/orders/nobody' });
  }
  const refused = await stream.until('a refusal', () =>
    stream.messages.find(({ error }) => error?.kind === 'rate_exceeded'),
  );
  assert.ok(present(refused.retryAfter, 'retryAfter') >= 1);
  await stream.close();
});

test('frames that are no calls are bounded over all connections of a caller', async () => {
  const streams = [await loggedIn(), await loggedIn(), await loggedIn()];
  for (const stream of streams) {
    for (let at = 0; at < 90; at += 1) stream.send({ op: 'ping' });
  }
  const { code, reason } = await Promise.race(streams.map(({ gone }) => gone));
  assert.deepEqual([code, reason], [1008, 'too many messages in a second']);
  for (const stream of streams) stream.socket.terminate();
});

test('more messages in a second than one connection may send end it', async () => {
  const stream = await loggedIn();
  for (let id = 0; id < 900; id += 1) {
    stream.send({ id, op: 'call', method: 'GET', path: '/v1/nothing' });
  }
  assert.equal((await stream.gone).code, 1008);
});

/** What a browser of a page sends with its handshake. */
function pageOf(cookie: string, origin = venue.url): Record<string, string> {
  return { cookie, origin };
}

/** The status with which a handshake is refused. */
async function refusedBy(headers: Record<string, string>, query: string): Promise<string> {
  return NativeStream.open(port, headers, query).then(
    () => 'opened',
    (error: Error) => error.message,
  );
}

test('a page calls with its session, for the account that it names', async () => {
  const ada = await venue.person('stream-ada@example.com');
  const path = `/accounts/${ada.accountId}/deposits`;
  await venue.operator.call('POST', path, { coin: 'USDT', amount: '1000' });
  const stream = await NativeStream.open(port, pageOf(ada.cookie), `?account=${ada.accountId}`);
  await stream.done('subscribe', { channels: ['account'] });
  await stream.push('account');
  const id = idOf(await stream.call('POST', '/v1/orders', { ...BID, size: '0.01' }));
  const update = await stream.push('account');
  assert.deepEqual(
    (update.data as AccountData).orders.map((row) => row.id),
    [id],
  );
  const eve = await venue.person('stream-eve@example.com');
  const other = `?account=${ada.accountId}`;
  assert.match(await refusedBy(pageOf(eve.cookie), other), /404|403/, "somebody else's account");
  await ada.done('DELETE', '/people/v1/session');
  assert.deepEqual(await stream.gone, { code: 1008, reason: 'session ended' });
});

test('a page of another origin gets no session', async () => {
  const ada = await venue.person('stream-origin@example.com');
  const mine = `?account=${ada.accountId}`;
  for (const origin of ['https://evil.example', 'null', venue.url.replace(/:\d+$/, ':1')]) {
    const found = await refusedBy(pageOf(ada.cookie, origin), mine);
    assert.match(found, /403|421/, origin);
  }
  assert.match(await refusedBy({ origin: venue.url }, mine), /401/, 'without the cookie');
  const unnamed = await NativeStream.open(port, pageOf(ada.cookie));
  assert.equal((await unnamed.call('GET', '/v1/balances')).error?.kind, 'key_missing');
  assert.equal(await unnamed.refused('subscribe', { channels: ['account'] }), 'key_missing');
  await unnamed.close();
});
