/** How clients of the current dialect's streams are let in, greeted, answered and refused. */
import { strict as assert } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StreamDialect } from '#api';
import { classicDialect, currentDialect } from '#dialects';
import { closedAtEnd } from '../support/at-end.ts';
import {
  CurrentStream,
  loginHeaders,
  type Message,
  type Product,
  refusedHandshake,
} from '../support/current-stream.ts';
import { House, type Trader } from '../support/house.ts';
import { until } from '../support/until.ts';

const PRODUCTS: readonly Product[] = ['spot', 'contract'];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('a stream of the current dialect', () => {
  let house: House;
  let ann: Trader;
  let port: number;

  before(async () => {
    house = await House.open();
    ann = await house.trader('ann', { USDT: '1000' });
    port = await house.port();
  });
  after(() => house.close());

  function greetingOf({ texts }: CurrentStream): { cid: string; rest: string } {
    const [text = ''] = texts;
    const cid = /^\{"cid":"([^"]*)"/.exec(text)?.[1] ?? '';
    return { cid, rest: text.replace(cid, '') };
  }

  for (const product of PRODUCTS) {
    test(`of ${product} greets without being asked, in the words of its path`, async () => {
      const time = house.clock.nowMs();
      const open = await CurrentStream.public(house, product);
      const own = await CurrentStream.private(house, product, ann);
      await Promise.all([open, own].map((stream) => stream.next('a greeting', () => true)));
      const [first, second] = [greetingOf(open), greetingOf(own)];
      assert.equal(first.rest, `{"cid":"","event":"connected","time":"${time}"}`);
      assert.equal(second.rest, `{"cid":"","type":"connected","time":"${time}"}`);
      for (const { cid } of [first, second]) assert.match(cid, UUID);
      assert.notEqual(first.cid, second.cid);
      await Promise.all([open.close(), own.close()]);
    });
  }

  test('is found by its host where the path is shared', async () => {
    const hosts = { 'ws-contract.example.test': 'invalid symbol : cmt_nopeusdt' };
    for (const [host, msg] of Object.entries({
      ...hosts,
      'WS-CONTRACT.example.test:80': hosts['ws-contract.example.test'],
      'ws-spot.example.test': 'invalid symbol : NOPEUSDT_SPBL',
      [`127.0.0.1:${port}`]: 'invalid symbol : NOPEUSDT_SPBL',
    })) {
      const stream = await CurrentStream.open(port, '/v3/ws/public', { Host: host });
      const answer = await stream.request('SUBSCRIBE', 'nopeusdt@ticker');
      assert.equal(answer.msg, `INVALID_ARGUMENT: ${msg}`, host);
      await stream.close();
    }
  });

  test('answers a ping with the id in its type, and a pong with nothing', async () => {
    const stream = await CurrentStream.public(house, 'spot');
    const silent = ['{"id":"5","method":"PONG"}', '{"event":"pong"}', '{"type":"pong","time":"1"}'];
    for (const text of silent) stream.send(text);
    const ids = ['7', '"7"', '"b-\\"x"', '123456789012345678', '1.5'];
    for (const id of ids) stream.send(`{"method":"PING","id":${id}}`);
    stream.send('{"method":"PING"}');
    await stream.until('all answers', () => stream.texts.length === ids.length + 2);
    assert.deepEqual(stream.texts.slice(1), [
      ...ids.map((id) => `{"result":true,"id":${id}}`),
      '{"result":true}',
    ]);
    await stream.close();
  });

  const REFUSED: readonly (readonly [Product, string, string])[] = [
    ['spot', '["nopeusdt@ticker"]', 'invalid symbol : NOPEUSDT_SPBL'],
    ['contract', '["NopeUSDT@ticker"]', 'invalid symbol : cmt_nopeusdt'],
    // Inverse contracts are not shown here.
    ['contract', '["BTCUSD@ticker"]', 'invalid symbol : cmt_btcusd'],
    ['contract', '["cmt_btcusdt@ticker"]', 'invalid symbol : cmt_cmt_btcusdt'],
    ['spot', '["BTCUSDT@depth50"]', 'invalid depth level : 50'],
    ['spot', '["BTCUSDT@nope"]', 'invalid event : nope'],
    ['contract', '["BTCUSDT@bookTicker"]', 'invalid event : bookticker'],
    ['spot', '["BTCUSDT@kline_7m"]', 'invalid event : kline_7m'],
    ['spot', '["BTCUSDT@kline_1m_MARK_PRICE"]', 'invalid event : kline_1m_mark_price'],
    ['spot', '["orders"]', 'invalid event : orders'],
    ['spot', '["BTCUSDT@ticker","BTCUSDT@nope"]', 'invalid event : nope'],
  ];

  for (const [product, params, detail] of REFUSED) {
    test(`of ${product} refuses ${params} as a whole`, async () => {
      const stream = await CurrentStream.public(house, product);
      stream.send(`{"id":101,"method":"SUBSCRIBE","params":${params}}`);
      await stream.next('a refusal', ({ result }) => result === false);
      const msg = `INVALID_ARGUMENT: ${detail}`;
      assert.equal(stream.texts[1], `{"result":false,"id":101,"msg":"${msg}"}`);
      await stream.request('PING');
      assert.equal(stream.messages.length, 3, 'nothing of it is followed');
      await stream.close();
    });
  }

  const UNREADABLE = ['hello', '[1,2]', '{"method":"SUBSCRIBE"}', '{"params":[]}', '{}'];

  for (const text of UNREADABLE) {
    test(`refuses ${text}`, async () => {
      const stream = await CurrentStream.public(house, 'contract');
      stream.send(text);
      const { msg } = await stream.next('a refusal', ({ result }) => result === false);
      assert.equal(msg, `INVALID_ARGUMENT: unrecognized message : ${text}`);
      await stream.close();
    });
  }

  test('refuses a binary message and a method it does not have', async () => {
    const stream = await CurrentStream.public(house, 'contract');
    stream.send(Buffer.from('{"method":"PING","id":1}'));
    const binary = await stream.next('a refusal', ({ result }) => result === false);
    assert.match(String(binary.msg), /^INVALID_ARGUMENT: unrecognized message : /);
    stream.send({ id: 3, method: 'FOO' });
    const answer = await stream.next('a refusal', ({ result }) => result === false);
    assert.deepEqual(answer, {
      result: false,
      id: 3,
      msg: 'INVALID_ARGUMENT: invalid event : FOO',
    });
    await stream.close();
  });

  test('closes after the sixth refusal', async () => {
    const stream = await CurrentStream.public(house, 'spot');
    for (let at = 0; at < 6; at += 1) stream.send('hello');
    const reason = 'Unrecognized message sent multiple times';
    assert.deepEqual(await stream.gone, { code: 1007, reason });
    assert.equal(stream.messages.filter(({ result }) => result === false).length, 6);
  });

  test('takes private channels by both of their names, on the private path only', async () => {
    const spot = await CurrentStream.private(house, 'spot', ann);
    await spot.subscribe('account', 'orders', 'fill', 'order');
    const refused = await spot.request('SUBSCRIBE', 'positions');
    assert.equal(refused.msg, 'INVALID_ARGUMENT: invalid event : positions');
    const shared = await spot.request('SUBSCRIBE', 'BTCUSDT@ticker');
    assert.equal(shared.msg, 'INVALID_ARGUMENT: invalid event : ticker');
    const contract = await CurrentStream.private(house, 'contract', ann);
    await contract.subscribe('account', 'orders', 'fill', 'positions', 'position');
    await Promise.all([spot.close(), contract.close()]);
  });

  const WRONG: readonly (readonly [string, Record<string, string>, number])[] = [
    ['no key', { 'ACCESS-KEY': '' }, -1040],
    ['no signature', { 'ACCESS-SIGN': '' }, -1041],
    ['no time', { 'ACCESS-TIMESTAMP': '' }, -1042],
    ['no passphrase', { 'ACCESS-PASSPHRASE': '' }, -1049],
    ['a time that is none', { 'ACCESS-TIMESTAMP': 'noon' }, -1043],
    ['an unknown key', { 'ACCESS-KEY': 'nobody' }, -1047],
    ['an old time', { 'ACCESS-TIMESTAMP': '1500000000000' }, -1046],
    ['a wrong signature', { 'ACCESS-SIGN': 'AAAA' }, -1047],
    ['a wrong passphrase', { 'ACCESS-PASSPHRASE': 'no' }, -1047],
  ];

  for (const [what, changes, code] of WRONG) {
    test(`is not opened with ${what}: 401 and ${code}`, async () => {
      for (const product of PRODUCTS) {
        const path = `/${product}/v3/ws/private`;
        const refused = await refusedHandshake(port, path, loginHeaders(house, ann, changes));
        assert.equal(refused.status, 401);
        assert.equal(JSON.parse(refused.body).code, code, refused.body);
      }
    });
  }

  test('needs the permission to read', async () => {
    const mute = await house.addKey(ann.accountId, 'mute', { permissions: ['trade'] });
    const headers = loginHeaders(house, mute);
    const refused = await refusedHandshake(port, '/spot/v3/ws/private', headers);
    assert.deepEqual([refused.status, JSON.parse(refused.body).code], [401, -1052]);
  });

  test('ends when its key is revoked', async () => {
    const own = await house.addKey(ann.accountId, 'short-lived');
    const stream = await CurrentStream.private(house, 'contract', own);
    await stream.subscribe('orders');
    await house.run({ kind: 'revoke_key', key: own.key });
    assert.deepEqual(await stream.gone, { code: 1008, reason: 'key revoked' });
  });
});

/** The current dialect with other bounds, and the classic one beside it. */
async function houseWith(
  limits: StreamDialect['limits'],
  choices: { readonly rateLimits: boolean },
): Promise<House> {
  const dialect = {
    ...currentDialect,
    streams: (services: Parameters<typeof currentDialect.streams>[0]) => {
      const streams = currentDialect.streams(services);
      const changed = { ...streams[0]?.limits, ...limits };
      return streams.map((stream) => ({ ...stream, limits: changed }));
    },
  };
  return closedAtEnd(await House.open({ dialects: [classicDialect, dialect], ...choices }));
}

test('a client is pinged in the words of its path, and closed when it says nothing', async () => {
  const limits = { pingIntervalMs: 500, silenceMaxMs: 2_500 };
  const house = await houseWith(limits, { rateLimits: true });
  const ann = await house.trader('ann');
  const open = await CurrentStream.public(house, 'contract');
  const own = await CurrentStream.private(house, 'contract', ann);
  const isPing = ({ event, type }: Message) => event === 'ping' || type === 'ping';
  const [first, second] = await Promise.all([
    open.next('a ping', isPing),
    own.next('a ping', isPing),
  ]);
  const time = String(house.clock.nowMs());
  assert.deepEqual(
    [first, second],
    [
      { event: 'ping', time },
      { type: 'ping', time },
    ],
  );
  assert.deepEqual(await open.gone, { code: 1008, reason: 'no ping' });
  await own.gone;
});

test('a client that follows nothing is closed', async () => {
  const house = await houseWith({ withoutTopicMaxMs: 1_000 }, { rateLimits: true });
  const idle = await CurrentStream.public(house, 'spot');
  const busy = await CurrentStream.public(house, 'spot');
  await busy.subscribe('BTCUSDT@ticker');
  assert.deepEqual(await idle.gone, { code: 1008, reason: 'no subscription' });
  assert.equal((await busy.request('PING')).result, true);
  await busy.close();
});

test('requests of an hour and channels of a connection are bounded', async () => {
  const house = await houseWith({ subscriptionsPerHourMax: 4, topicsMax: 2 }, { rateLimits: true });
  const stream = await CurrentStream.public(house, 'spot');
  await stream.subscribe('BTCUSDT@ticker', 'BTCUSDT@trade');
  await stream.subscribe('btcusdt@ticker');
  const third = await stream.request('SUBSCRIBE', 'BTCUSDT@depth15');
  assert.equal(third.msg, 'INVALID_ARGUMENT: too many channels');
  assert.equal((await stream.request('UNSUBSCRIBE', 'BTCUSDT@trade')).result, true);
  const fifth = await stream.request('SUBSCRIBE', 'BTCUSDT@depth15');
  assert.equal(fifth.msg, 'INVALID_ARGUMENT: too many requests');
  assert.equal((await stream.request('PING')).result, true);
  await stream.close();
});

test('an address has so many connections, and begins so many in a while', async () => {
  const limits = { connectionsPerAddressMax: 2, connectsMax: 4 };
  const house = await houseWith(limits, { rateLimits: true });
  const port = await house.port();
  const streams = [
    await CurrentStream.public(house, 'spot'),
    await CurrentStream.public(house, 'contract'),
  ];
  const third = await refusedHandshake(port, '/spot/v3/ws/public');
  assert.equal(third.status, 429);
  assert.equal(
    third.body,
    '{"code":-1003,"message":"Too many requests: connections of an address"}',
  );
  await streams[0]?.close();
  await until('one is gone', async () => {
    const { payload } = await house.app.inject('/metrics');
    return payload.includes('outcry_stream_connections 1');
  });
  streams[0] = await CurrentStream.public(house, 'spot');
  await Promise.all(streams.map((stream) => stream.close()));
  assert.equal((await refusedHandshake(port, '/v3/ws/public')).status, 429, 'the fifth begun');
});

test('without rate limits no address is bounded', async () => {
  const house = await houseWith(
    { connectionsPerAddressMax: 1, connectsMax: 1 },
    { rateLimits: false },
  );
  const streams = [
    await CurrentStream.public(house, 'spot'),
    await CurrentStream.public(house, 'spot'),
  ];
  await Promise.all(streams.map((stream) => stream.close()));
});
