/** What one caller may ask of the streams over all connections, and what others feel of it. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { STREAM_LIMITS, type StreamLimits } from '#api';
import { formatId } from '#dialects';
import { lots, type OrderId, ticks } from '#domain';
import { present } from '#kernel';
import { House, type Trader } from '../support/house.ts';
import { spotOrder } from '../support/orders.ts';
import {
  loginMessage,
  type Message,
  StreamClient,
  topic,
  urlOf,
} from '../support/streams-client.ts';

const QUICK: StreamLimits = { ...STREAM_LIMITS, sweepIntervalMs: 20, goodbyeMaxMs: 200 };
const ORDERS = topic('orders', 'default', 'spbl');

async function withHouse(
  limits: Partial<StreamLimits>,
  work: (house: House) => Promise<void>,
): Promise<void> {
  const house = await House.open({ streamLimits: { ...QUICK, ...limits }, rateLimits: true });
  try {
    await work(house);
  } finally {
    await house.close();
  }
}

async function pong(client: StreamClient): Promise<void> {
  client.send('ping');
  await client.next(({ event }) => event === 'pong', 'pong');
}

function snapshots({ messages }: StreamClient): number {
  return messages.filter(({ action }) => action === 'snapshot').length;
}

test('a topic that is followed already is confirmed without another snapshot', async () => {
  await withHouse({}, async (house) => {
    const ann = await house.trader('ann', { USDT: '1000' });
    const client = await StreamClient.at(house);
    await client.login(house, ann);
    for (const one of [topic('books'), ORDERS]) {
      client.subscribe(one, one, one);
      await client.push(one.channel);
      client.subscribe(one);
      await pong(client);
    }
    assert.equal(snapshots(client), 2);
    const confirmed = client.messages.filter(({ event }) => event === 'subscribe');
    assert.equal(confirmed.length, 8);
    client.send({ op: 'unsubscribe', args: [ORDERS] });
    client.subscribe(ORDERS);
    assert.equal((await client.push('orders')).action, 'snapshot');
    await client.close();
  });
});

const BAD_FRAMES = [
  ['/spot/v1/stream', JSON.stringify({ op: 'subscribe', args: Array(8_000).fill(0) })],
  ['/spot/v1/stream', JSON.stringify({ op: 'unsubscribe', args: Array(8_000).fill(0) })],
  ['/ws/v1', JSON.stringify({ op: 'subscribe', args: Array(8_000).fill(0) })],
] as const;

for (const [path, frame] of BAD_FRAMES) {
  test(`8,000 faults in one message to ${path} are one answer: ${frame.slice(0, 12)}`, async () => {
    await withHouse({}, async (house) => {
      const client = await StreamClient.connect(await urlOf(house), path);
      client.send(frame);
      await pong(client);
      const errors = client.messages.filter(({ event }) => event === 'error');
      assert.equal(errors.length, 1);
      assert.match(JSON.stringify(errors[0]), /and 7999 more/);
      await client.close();
    });
  });
}

test('subscriptions count over all connections of an address, a key for itself', async () => {
  await withHouse({ subscriptionsPerCallerMax: 5 }, async (house) => {
    const ann = await house.trader('ann');
    const [first, second] = [await StreamClient.at(house), await StreamClient.at(house)];
    first.subscribe(topic('books'), topic('ticker'), topic('trade'));
    await pong(first);
    second.subscribe(topic('books'), topic('ticker'), topic('trade'));
    const { code } = await second.next(({ event }) => event === 'error', 'a refusal');
    assert.equal(code, 30006);
    await second.login(house, ann);
    second.subscribe(topic('trade'));
    await second.next(({ event }) => event === 'subscribe', 'a confirmation');
    await Promise.all([first.close(), second.close()]);
  });
});

test('messages count over all connections of an address, and a login gets in', async () => {
  await withHouse({ messagesPerCallerMax: 4, messagesPerSecondMax: 4 }, async (house) => {
    const ann = await house.trader('ann');
    const clients = [await StreamClient.at(house), await StreamClient.at(house)];
    const [greedy, other] = [present(clients[0], 'client'), present(clients[1], 'client')];
    // The first of a connection is free.
    for (const client of clients) for (let at = 0; at < 4; at += 1) client.send('ping');
    const goodbye = await Promise.race([greedy.gone, other.gone]);
    assert.deepEqual(goodbye, { code: 1008, reason: 'too many messages in a second' });
    const mine = await StreamClient.at(house);
    await mine.login(house, ann);
    await mine.close();
  });
});

test('a key has so many connections and no more', async () => {
  await withHouse({ connectionsPerCallerMax: 2 }, async (house) => {
    const ann = await house.trader('ann');
    const clients: StreamClient[] = [];
    for (let at = 0; at < 2; at += 1) {
      const client = await StreamClient.at(house);
      await client.login(house, ann);
      clients.push(client);
    }
    const third = await StreamClient.at(house);
    third.send(loginMessage(house, ann));
    const reason = 'too many connections of this key or account';
    assert.deepEqual(await third.gone, { code: 1008, reason });
    await clients[0]?.close();
    const fourth = await StreamClient.at(house);
    await fourth.login(house, ann);
    for (const client of [clients[1], fourth]) await client?.close();
  });
});

test('one connection of an address too many logs in soon or goes', async () => {
  await withHouse({ connectionsPerCallerMax: 2, loginMaxMs: 300 }, async (house) => {
    const ann = await house.trader('ann');
    const seated = [await StreamClient.at(house), await StreamClient.at(house)];
    const [idle, owner] = [await StreamClient.at(house), await StreamClient.at(house)];
    await owner.login(house, ann);
    assert.deepEqual(await idle.gone, { code: 1008, reason: 'no room without a login' });
    for (const client of [...seated, owner]) {
      await pong(client);
      await client.close();
    }
  });
});

const PATIENCE = { timeout: 20_000 };

test('so many of an address wait until what is shown is new, then get in', PATIENCE, async () => {
  const fresh = Promise.withResolvers<void>();
  const contact = { isFresh: false, contactAgeMs: 1_000, ensure: () => fresh.promise };
  const house = await House.open({ streamLimits: QUICK, rateLimits: true, contact });
  try {
    const url = `${(await urlOf(house)).replace('http', 'ws')}/spot/v1/stream`;
    const sockets = Array.from({ length: 21 }, () => new WebSocket(url));
    const opened = sockets.map(async (socket) => {
      await once(socket, 'open');
      return socket;
    });
    // Which of them comes last is up to the machine.
    await assert.rejects(Promise.all(opened), /Unexpected server response: 429/);
    assert.ok(sockets.every(({ readyState }) => readyState !== WebSocket.OPEN));
    fresh.resolve();
    const results = await Promise.allSettled(opened);
    const entered = results.filter(({ status }) => status === 'fulfilled');
    assert.equal(entered.length, 20);
    for (const socket of sockets) socket.terminate();
  } finally {
    await house.close();
  }
});

test('a flood of connections without a login keeps no key out', async () => {
  const limits = { connectionsMax: 6, connectionsForKeys: 3, connectionsPerCallerMax: 1_000 };
  await withHouse(limits, async (house) => {
    const ann = await house.trader('ann');
    const url = (await urlOf(house)).replace('http', 'ws');
    const flood = Array.from({ length: 40 }, () => new WebSocket(`${url}/ws/v1`));
    for (const socket of flood) socket.on('error', () => undefined);
    // One that comes later would make the owner, who stands too, give way before the login.
    const served = (socket: WebSocket) =>
      new Promise<unknown>((resolve) => socket.once('open', resolve).once('close', resolve));
    await Promise.all(flood.map(served));
    const owner = await StreamClient.at(house);
    await owner.login(house, ann);
    owner.subscribe(ORDERS);
    await owner.push('orders');
    for (const socket of flood) socket.terminate();
    await owner.close();
  });
});

describe('an account with very many open orders', () => {
  const ORDERS_COUNT = 20_000;
  let house: House;
  let ann: Trader;
  const open: OrderId[] = [];

  before(async () => {
    house = await House.open();
    ann = await house.trader('ann', { USDT: '1000000000' });
    const { accountId } = ann;
    const changes = { openOrdersMax: 100_000 };
    await house.run({ kind: 'update_account', accountId, changes });
    for (let at = 0; at < ORDERS_COUNT; at += 1_000) {
      const orders = Array.from({ length: 1_000 }, (_, index) => place(at + index));
      open.push(...(await Promise.all(orders)));
    }
  });
  after(() => house.close());

  async function place(at: number): Promise<OrderId> {
    const pair = present(house.live.listings.spotBySymbol('BTC-USDT'), 'pair');
    const [first] = await house.run(
      spotOrder({
        accountId: ann.accountId,
        instrumentId: pair.instrumentId,
        side: 'buy',
        priceTicks: ticks(2_000_000 + (at % 1_000)),
        sizeLots: lots(10),
      }),
    );
    assert.ok(first?.kind === 'order_accepted');
    return first.orderId;
  }

  async function cancel(orderId: OrderId): Promise<void> {
    const pair = present(house.live.listings.spotBySymbol('BTC-USDT'), 'pair');
    const { accountId } = ann;
    const { instrumentId } = pair;
    await house.run({ kind: 'cancel_spot_order', accountId, instrumentId, orderId });
  }

  /** Processor time of the longest turns of this thread, longest first, until the work is done. */
  async function turnsWhile(work: Promise<unknown>): Promise<number[]> {
    const turnsMs: number[] = [];
    let isOver = false;
    void work.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const before = process.threadCpuUsage();
      await new Promise((resolve) => setImmediate(resolve));
      const { user, system } = process.threadCpuUsage(before);
      turnsMs.push((user + system) / 1_000);
    }
    return turnsMs.sort((left, right) => right - left);
  }

  test('gets its snapshot in slices that let others through', async () => {
    const socket = new WebSocket(`${(await urlOf(house)).replace('http', 'ws')}/spot/v1/stream`);
    await once(socket, 'open');
    socket.send(JSON.stringify(loginMessage(house, ann)));
    await once(socket, 'message');
    socket.send(JSON.stringify({ op: 'subscribe', args: [ORDERS] }));
    await once(socket, 'message');
    // Not read here: that would count as the server's work.
    const snapshot = once(socket, 'message');
    const turnsMs = await turnsWhile(snapshot);
    assert.ok(turnsMs.length > 30, `${turnsMs.length} turns`);
    const [data] = await snapshot;
    assert.equal(JSON.parse(String(data)).data.length, open.length);
    // The first copies the orders, the last is the client's own.
    assert.ok((turnsMs[2] ?? 0) < 25, `turns of ${turnsMs.slice(0, 5).join(', ')} ms`);
    socket.close();
    await once(socket, 'close');
  });

  test('loses and repeats nothing that happens while it is made', async () => {
    const client = await StreamClient.at(house);
    await client.login(house, ann);
    client.subscribe(ORDERS);
    let isThere = false;
    const snapshot = client.push('orders').finally(() => {
      isThere = true;
    });
    let changes = 0;
    while (!isThere) {
      await cancel(present(open.shift(), 'an open order'));
      open.push(await place(changes));
      changes += 1;
    }
    await cancel(present(open.shift(), 'an open order'));
    const { seq = 0 } = await snapshot;
    const last = seq + 1;
    await client.until(() => client.messages.some(({ seq: at = 0 }) => at >= last), 'an update');
    await client.until(() => sameIds(ordersOf(client.messages), open), 'the open orders');
    assertInSequence(client.messages);
    await client.close();
  });

  test('costs nothing once its reader has left', async () => {
    const client = await StreamClient.at(house);
    await client.login(house, ann);
    client.subscribe(ORDERS);
    await client.next(({ event }) => event === 'subscribe', 'a confirmation');
    client.socket.terminate();
    await client.gone;
    // The server hears of it in a turn of its own.
    while ((await openStreams(house)) > 0) await new Promise((resolve) => setImmediate(resolve));
    // Nothing but the server's own housekeeping is left: a whole snapshot takes many times this.
    // Of three looks one may hold the collection of what was before.
    let busyMs = Number.POSITIVE_INFINITY;
    for (let look = 0; look < 3 && busyMs >= 25; look += 1) {
      const before = process.threadCpuUsage();
      await new Promise((resolve) => setTimeout(resolve, 200));
      const { user, system } = process.threadCpuUsage(before);
      busyMs = (user + system) / 1_000;
    }
    assert.ok(busyMs < 25, `busy for ${busyMs} ms with nobody there`);
  });
});

async function openStreams(house: House): Promise<number> {
  const text = await (await fetch(`${await urlOf(house)}/metrics`)).text();
  return Number(/^outcry_stream_connections (.*)$/m.exec(text)?.[1]);
}

/** The open orders that snapshot and updates add up to. */
function ordersOf(messages: readonly Message[]): Set<string> {
  const open = new Set<string>();
  for (const { action, data = [] } of messages) {
    if (action === undefined) continue;
    for (const row of data as readonly { ordId: string; status: string }[]) {
      if (row.status === 'new') {
        assert.ok(!open.has(row.ordId), `${row.ordId} came twice`);
        open.add(row.ordId);
      } else {
        assert.ok(open.delete(row.ordId), `${row.ordId} was not open`);
      }
    }
  }
  return open;
}

function sameIds(shown: ReadonlySet<string>, open: readonly OrderId[]): boolean {
  return shown.size === open.length && open.every((orderId) => shown.has(formatId(orderId)));
}

function assertInSequence(messages: readonly Message[]): void {
  const seqs = messages.flatMap(({ action, seq }) => (action === undefined ? [] : [seq ?? 0]));
  for (const [at, seq] of seqs.entries()) {
    if (at > 0) assert.equal(seq, (seqs[at - 1] ?? 0) + 1);
  }
}
