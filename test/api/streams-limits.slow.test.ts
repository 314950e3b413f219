/** What a stream connection may not do, and what becomes of one that does. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WebSocket } from 'ws';
import { STREAM_LIMITS, type StreamLimits } from '#api';
import { lots, ticks } from '#domain';
import { present } from '#kernel';
import { House, type Trader } from '../support/house.ts';
import { spotOrder } from '../support/orders.ts';
import { startHere } from '../support/server-here.ts';
import { type Message, StreamClient, topic, urlOf } from '../support/streams-client.ts';
import { until } from '../support/until.ts';

const QUICK: StreamLimits = { ...STREAM_LIMITS, sweepIntervalMs: 20, goodbyeMaxMs: 200 };

async function withHouse(
  limits: Partial<StreamLimits>,
  work: (house: House) => Promise<void>,
  rateLimits = false,
): Promise<void> {
  const house = await House.open({ streamLimits: { ...QUICK, ...limits }, rateLimits });
  try {
    await work(house);
  } finally {
    await house.close();
  }
}

test('a connection that follows nothing is closed, one that follows something is not', async () => {
  await withHouse({ withoutTopicMaxMs: 150 }, async (house) => {
    const [idle, busy] = [await StreamClient.at(house), await StreamClient.at(house)];
    busy.subscribe(topic('books'));
    await busy.push('books');
    assert.deepEqual(await idle.gone, { code: 1008, reason: 'no subscription' });
    busy.send('ping');
    assert.deepEqual(await busy.any(), { event: 'pong' });
    busy.send({ op: 'unsubscribe', args: [topic('books')] });
    assert.deepEqual(await busy.gone, { code: 1008, reason: 'no subscription' });
  });
});

test('a connection that says nothing is closed; pings of either kind keep it', async () => {
  await withHouse({ silenceMaxMs: 300 }, async (house) => {
    const [mute, text, frame] = [
      await StreamClient.at(house),
      await StreamClient.at(house),
      await StreamClient.at(house),
    ];
    for (const client of [mute, text, frame]) client.subscribe(topic('books'));
    const timer = setInterval(() => {
      text.send('ping');
      frame.socket.ping();
    }, 50);
    assert.deepEqual(await mute.gone, { code: 1008, reason: 'no ping' });
    assert.equal(text.socket.readyState, WebSocket.OPEN);
    assert.equal(frame.socket.readyState, WebSocket.OPEN);
    clearInterval(timer);
  });
});

test('the eleventh message in a second closes the connection', async () => {
  const work = async (house: House) => {
    const client = await StreamClient.at(house);
    for (let count = 0; count < 11; count += 1) client.send('ping');
    const goodbye = await client.gone;
    assert.deepEqual(goodbye, { code: 1008, reason: 'too many messages in a second' });
    assert.equal(client.messages.length, 10);
  };
  await withHouse({}, work, true);
});

test('the 241st subscription in an hour is refused and the connection stays', async () => {
  const work = async (house: House) => {
    const client = await StreamClient.at(house);
    const spellings = Array.from({ length: 241 }, (_, at) => topic('books5', spelling(at)));
    for (let at = 0; at < spellings.length; at += 81) {
      client.subscribe(...spellings.slice(at, at + 81));
    }
    const answer = await client.next(({ event }) => event === 'error', 'a refusal');
    assert.equal(answer.code, 30006);
    const confirmed = client.messages.filter(({ event }) => event === 'subscribe');
    assert.equal(confirmed.length, 240);
    client.send('ping');
    await client.next(({ event }) => event === 'pong', 'pong');
  };
  await withHouse({}, work, true);
});

/** BTCUSDT with the case of its letters as the bits of a number: up to 128 spellings, then more. */
function spelling(number: number): string {
  const suffix = number < 128 ? '' : '_spbl';
  const letters = [...'BTCUSDT'].map((letter, at) =>
    ((number >> at) & 1) === 1 ? letter.toLowerCase() : letter,
  );
  return letters.join('') + suffix;
}

const BAD: readonly { title: string; send: (client: StreamClient) => void; code: number }[] = [
  { title: 'a binary message', send: (client) => client.send(Buffer.from('ping')), code: 1003 },
  {
    title: 'a message over the limit',
    send: (client) => client.send('x'.repeat(STREAM_LIMITS.messageBytesMax + 1)),
    code: 1009,
  },
  {
    title: 'a huge message',
    send: (client) => client.send(`{"op":"${'x'.repeat(5_000_000)}"}`),
    code: 1009,
  },
];

for (const { title, send, code } of BAD) {
  test(`${title} closes the connection with ${code}, and only this one`, async () => {
    await withHouse({}, async (house) => {
      const [bad, good] = [await StreamClient.at(house), await StreamClient.at(house)];
      send(bad);
      assert.equal((await bad.gone).code, code);
      good.send('ping');
      assert.deepEqual(await good.any(), { event: 'pong' });
    });
  });
}

test('text that is nested, empty or odd is refused and nothing else happens', async () => {
  await withHouse({}, async (house) => {
    const client = await StreamClient.at(house);
    const odd = [
      '',
      '[',
      '{}',
      '[[[['.repeat(4_000),
      'null',
      '0',
      '"ping"',
      '\u0000',
      '{"op":1e400}',
    ];
    for (const text of odd) {
      client.send(text);
      const answer = await client.any();
      assert.deepEqual([answer.event, typeof answer.code], ['error', 'number'], text.slice(0, 9));
    }
    const strange: unknown[] = [null, 1, [], [[]], [null], ['x'], { a: 1 }];
    for (const args of strange) {
      for (const op of ['subscribe', 'unsubscribe', 'login']) {
        client.send({ op, args });
        assert.equal((await client.any()).event, 'error', JSON.stringify({ op, args }));
      }
    }
  });
});

test('there is a bound on connections, and a place is free again after one ends', async () => {
  await withHouse({ connectionsMax: 2, connectionsForKeys: 0 }, async (house) => {
    const clients = [await StreamClient.at(house), await StreamClient.at(house)];
    assert.equal(await statusOf(house, '/spot/v1/stream'), 503);
    await clients[0]?.close();
    await gaugeBelow(house, 'outcry_stream_connections', 1);
    const third = await StreamClient.at(house);
    await third.close();
  });
});

test('a client refused for want of room may hang up as rudely as it likes', async () => {
  await withHouse({ connectionsMax: 0 }, async (house) => {
    const { hostname, port } = new URL(await urlOf(house));
    for (const hangUp of ['resetAndDestroy', 'end'] as const) {
      const arrived = once(house.listener, 'connection');
      const socket = connect(Number(port), hostname);
      socket.write(
        'GET /spot/v1/stream HTTP/1.1\r\nhost: venue\r\nconnection: upgrade\r\n' +
          'upgrade: websocket\r\nsec-websocket-version: 13\r\n' +
          'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      );
      const [theirs] = await arrived;
      const gone = once(theirs, 'close');
      await once(socket, 'data');
      socket[hangUp]();
      await gone;
    }
    assert.equal(await statusOf(house, '/ws/v1'), 503);
  });
});

test('other paths are not upgraded, and a stream path is no page', async () => {
  await withHouse({}, async (house) => {
    assert.equal(await statusOf(house, '/spot/v1/streams'), 404);
    assert.equal(await statusOf(house, '/health/live'), 200);
    assert.equal((await house.get('/spot/v1/stream')).status, 404);
  });
});

/** The status with which an upgrade is refused. */
async function statusOf(house: House, path: string): Promise<number | undefined> {
  const socket = new WebSocket(`${(await urlOf(house)).replace('http', 'ws')}${path}`);
  const [request, response] = await once(socket, 'unexpected-response');
  request.destroy();
  return response.statusCode;
}

async function gauge(house: House, name: string): Promise<number> {
  const text = await (await fetch(`${await urlOf(house)}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

/** Waits until a gauge is at most so much. */
async function gaugeBelow(house: House, name: string, most: number): Promise<void> {
  await until(`${name} at most ${most}`, async () => (await gauge(house, name)) <= most);
}

/** Moves the best bid up a tick and down again: two changes of every book channel. */
async function wiggle(house: House, { accountId }: Trader, times: number): Promise<void> {
  const pair = present(house.live.listings.spotBySymbol('BTC-USDT'), 'pair');
  const { instrumentId } = pair;
  for (let count = 0; count < times; count += 1) {
    const [first] = await house.run(
      spotOrder({
        accountId,
        instrumentId,
        side: 'buy',
        priceTicks: ticks(2_000_000 + count),
        sizeLots: lots(10),
      }),
    );
    assert.ok(first?.kind === 'order_accepted');
    const { orderId } = first;
    await house.run({ kind: 'cancel_spot_order', accountId, instrumentId, orderId });
  }
}

const SLOW: Partial<StreamLimits> = {
  updateIntervalMs: 0,
  behindBytes: 100_000,
  behindMaxMs: 60_000,
};

/** Follows the book in 240 spellings, so that each change is 240 messages. */
async function followManyTimes(house: House): Promise<StreamClient> {
  const client = await StreamClient.at(house);
  for (let at = 0; at < 240; at += 60) {
    const spellings = Array.from({ length: 60 }, (_, index) => spelling(at + index));
    client.subscribe(...spellings.map((instId) => topic('books', instId)));
  }
  await client.until(() => client.messages.length === 480, 'all snapshots');
  return client;
}

test('a reader that pauses costs bounded memory and then gets the newest book', async () => {
  await withHouse(SLOW, async (house) => {
    const ann = await house.trader('ann', { USDT: '1000000' });
    const client = await followManyTimes(house);
    client.socket.pause();
    const changes = 400;
    let unsentMax = 0;
    while ((await gauge(house, 'outcry_stream_unsent_bytes')) < 100_000) {
      await wiggle(house, ann, 20);
    }
    for (let round = 0; round < 10; round += 1) {
      await wiggle(house, ann, changes / 20);
      unsentMax = Math.max(unsentMax, await gauge(house, 'outcry_stream_unsent_bytes'));
    }
    assert.ok(unsentMax < 2 * 100_000, `${unsentMax} bytes unsent`);
    const newest = await house.signedPost(ann, '/api/spot/v1/trade/orders', {
      symbol: 'BTCUSDT_SPBL',
      side: 'buy',
      orderType: 'limit',
      force: 'normal',
      price: '12345.67',
      quantity: '0.01',
    });
    assert.equal(newest.status, 200);
    const before = client.messages.length;
    client.socket.resume();
    await client.until(() => areAllNewest(client.messages), 'the newest book in every spelling');
    const late = client.messages.slice(before);
    assert.ok(
      late.some(({ action }) => action === 'snapshot'),
      'it skipped to a snapshot',
    );
    const last = lastOf(client.messages).values();
    const seqs = new Set([...last].map(({ seq }) => seq));
    assert.equal(seqs.size, 1);
    await client.close();
  });
});

/** The last push of each spelling. */
function lastOf(messages: readonly Message[]): Map<string, Message> {
  const pushes = messages.filter(({ action }) => action !== undefined);
  return new Map(pushes.map((message) => [message.arg?.instId ?? '', message]));
}

function areAllNewest(messages: readonly Message[]): boolean {
  const last = [...lastOf(messages).values()];
  return last.length === 240 && last.every(({ data }) => JSON.stringify(data).includes('12345.67'));
}

test('a reader that stays behind is closed, and its memory is given back', async () => {
  await withHouse({ ...SLOW, behindMaxMs: 300 }, async (house) => {
    const ann = await house.trader('ann', { USDT: '1000000' });
    const client = await followManyTimes(house);
    client.socket.pause();
    while ((await gauge(house, 'outcry_stream_connections')) > 0) await wiggle(house, ann, 20);
    assert.equal(await gauge(house, 'outcry_stream_unsent_bytes'), 0);
    client.socket.resume();
    await client.gone;
  });
});

test('slow readers have no time left once all together leave too much unread', async () => {
  const tight = { ...SLOW, behindBytes: 20_000, unsentBytesTotalMax: 30_000 };
  await withHouse(tight, async (house) => {
    const ann = await house.trader('ann', { USDT: '1000000' });
    const clients = [await followManyTimes(house), await followManyTimes(house)];
    for (const { socket } of clients) socket.pause();
    await until('one connection left', async () => {
      await wiggle(house, ann, 20);
      return (await gauge(house, 'outcry_stream_connections')) <= 1;
    });
    for (const { socket } of clients) socket.resume();
    const [first, second] = clients;
    assert.deepEqual(await second?.gone, { code: 1008, reason: 'reader too slow' });
    await first?.close();
  });
});

test('a reader that asks without reading is cut off at the bound of unsent bytes', async () => {
  await withHouse({ ...SLOW, unsentBytesMax: 300_000 }, async (house) => {
    const client = await followManyTimes(house);
    client.socket.pause();
    const again = Array.from({ length: 100 }, (_, at) => topic('books', spelling(at)));
    while ((await gauge(house, 'outcry_stream_connections')) > 0) {
      client.send({ op: 'unsubscribe', args: again });
      client.subscribe(...again);
      assert.ok((await gauge(house, 'outcry_stream_unsent_bytes')) <= 300_000);
    }
    client.socket.resume();
    await client.gone;
  });
});

test('a message larger than all that may be unsent reaches a reader who keeps up', async () => {
  await withHouse({ unsentBytesMax: 20_000, behindBytes: 10_000 }, async (house) => {
    const ann = await house.trader('ann', { USDT: '1000000' });
    const order = { side: 'buy', orderType: 'limit', price: '20000', quantity: '0.001' };
    const batch = { symbol: 'BTCUSDT', orderList: Array.from({ length: 50 }, () => order) };
    for (let round = 0; round < 2; round += 1) {
      const placed = await house.signedPost(ann, '/api/spot/v1/trade/batch-orders', batch);
      assert.equal(placed.status, 200, placed.text);
    }
    const client = await StreamClient.at(house);
    await client.login(house, ann);
    client.subscribe(topic('orders', 'default', 'spbl'), topic('account', 'default', 'spbl'));
    assert.equal((await client.push('orders')).data?.length, 100);
    assert.equal((await client.push('account')).data?.length, 1, 'and what is sent along with it');
    await house.run({ kind: 'cancel_all_spot_orders', accountId: ann.accountId });
    assert.equal((await client.push('orders')).data?.length, 100);
    await client.push('account');
    await client.close();
  });
});

/** Bytes of buffers that are in use, once what is not has been collected. */
function bufferBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().arrayBuffers;
}

test('snapshots in many spellings are not kept once they are sent', async () => {
  await withHouse({}, async (house) => {
    const ann = await house.trader('ann', { USDT: '1000000', BTC: '1' });
    for (const side of ['sell', 'buy']) {
      const order = { symbol: 'BTCUSDT_SPBL', orderType: 'limit', force: 'normal', side };
      const trader = side === 'buy' ? ann : await house.trader('bob', { BTC: '1' });
      const fields = { ...order, price: '20000', quantity: '0.01' };
      assert.equal(
        (await house.signedPost(trader, '/api/spot/v1/trade/orders', fields)).status,
        200,
      );
    }
    house.clock.advance(600 * 60_000);
    const client = await StreamClient.at(house);
    const before = bufferBytes();
    for (let at = 0; at < 240; at += 60) {
      const spellings = Array.from({ length: 60 }, (_, index) => spelling(at + index));
      client.subscribe(...spellings.map((instId) => topic('candle1m', instId)));
      await client.until(() => client.messages.length === 2 * (at + 60), 'its snapshots');
    }
    const rows = client.messages.at(-1)?.data?.length;
    assert.equal(rows, 500, 'each is long');
    // What nobody holds may take more than one collection to go.
    const deadlineMs = performance.now() + 10_000;
    for (let kept = bufferBytes() - before; kept >= 2_000_000; kept = bufferBytes() - before) {
      assert.ok(performance.now() < deadlineMs, `${kept} bytes are kept of snapshots sent`);
      client.send('ping');
      await client.next(({ event }) => event === 'pong', 'pong');
    }
    await client.close();
  });
});

test('a server that stops says goodbye with 1001 within its grace', async () => {
  const server = await startHere();
  const clients = [
    await StreamClient.connect(server.url),
    await StreamClient.connect(server.url),
    await StreamClient.connect(server.url, '/ws/v1'),
  ];
  clients[0]?.subscribe(topic('books'));
  clients[1]?.socket.pause();
  const startMs = performance.now();
  await server.close();
  assert.ok(performance.now() - startMs < 3_000, 'one silent client does not hold it up');
  clients[1]?.socket.resume();
  assert.deepEqual(await clients[0]?.gone, { code: 1001, reason: 'server stopping' });
  assert.deepEqual(await clients[2]?.gone, { code: 1001, reason: 'server stopping' });
  await clients[1]?.gone;
});
