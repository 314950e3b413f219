/** What becomes of the messages and connections that a fault rule hits, in both dialects. */
import { strict as assert } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { WebSocket } from 'ws';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import { topic } from '../support/streams-client.ts';
import { FaultyHouse } from './faults-house.ts';
import { codeOf, SIDES, type Side, SideClient } from './faults-side.ts';
import { BookCopy, type BookRow } from './streams-book.ts';

const LOST = { kind: 'drop_message' } as const;
const TWICE = { kind: 'duplicate_message' } as const;
const CUT = { kind: 'disconnect_stream' } as const;
const MAINTENANCE = { kind: 'maintenance' } as const;
const LATE_MS = 250;
const GONE = { code: 1013, reason: 'maintenance' };

let ann: Trader;
let bob: Trader;
let count = 0;
let orders = 0;
let clients: SideClient[] = [];

const desk = closedAtEnd(await FaultyHouse.open());

beforeEach(async () => {
  count += 1;
  ann = await desk.trader(`ann${count}`);
  bob = await desk.trader(`bob${count}`);
});

afterEach(async () => {
  const isSpoiled = await desk.house.venue.read((state) => [...state.sandbox.faults()].length > 0);
  if (isSpoiled) await desk.lift();
  for (const { client } of clients) client.socket.terminate();
  clients = [];
});

async function connect(side: Side): Promise<SideClient> {
  const client = await SideClient.connect(desk, side);
  clients.push(client);
  return client;
}

/** So many orders, one after the other. */
async function trade(side: Side, who: Trader, ordersCount: number): Promise<void> {
  for (let order = 0; order < ordersCount; order += 1) {
    orders += 1;
    await side.order(desk, who, orders);
  }
}

for (const side of SIDES) {
  const { stream, book, best } = side;
  const target = `${stream} ${book}`;

  test(`${stream}: a lost message leaves a gap, which a new snapshot heals`, async () => {
    const client = await connect(side);
    const from = await client.follow(book);
    await desk.rule(LOST, { target, skipCount: 1, hitsMax: 1 });
    await trade(side, ann, 4);
    await client.heard(book, from + 4);
    assert.deepEqual(client.numbers(book, from), [0, 1, 3, 4]);
    client.leave(book);
    const again = await client.follow(book);
    await trade(side, ann, 1);
    assert.equal((await client.push(book)).seq, again + 1);
  });

  test(`${stream}: a message that comes twice has one number`, async () => {
    const client = await connect(side);
    const from = await client.follow(book);
    await desk.rule(TWICE, { target, skipCount: 1, hitsMax: 1 });
    await trade(side, ann, 3);
    await client.heard(book, from + 3);
    assert.deepEqual(client.numbers(book, from), [0, 1, 2, 2, 3]);
    const [one, other] = client.messages.filter(({ seq }) => seq === from + 2);
    assert.deepEqual(one, other);
  });

  test(`${stream}: a message that is late is overtaken`, async () => {
    const client = await connect(side);
    const from = await client.follow(book);
    await desk.rule({ kind: 'delay_message', ms: LATE_MS }, { target, hitsMax: 1 });
    const startMs = performance.now();
    await trade(side, ann, 3);
    await client.heard(book, from + 1);
    assert.ok(performance.now() - startMs >= LATE_MS);
    assert.deepEqual(client.numbers(book, from), [0, 2, 3, 1]);
  });

  test(`${stream}: a connection that ends in place of a message, and only this one`, async () => {
    const [cut, whole] = [await connect(side), await connect(side)];
    assert.equal((await cut.login(ann)).event, 'login');
    const from = await cut.follow(book);
    await whole.follow(book);
    await desk.rule(CUT, { target, key: ann.key, skipCount: 1 });
    await trade(side, ann, 2);
    assert.deepEqual(await cut.client.gone, { code: 1011, reason: 'fault rule' });
    assert.deepEqual(cut.numbers(book, from), [0, 1]);
    await whole.heard(book, from + 2);
    assert.deepEqual(whole.numbers(book, from), [0, 1, 2]);
  });

  test(`${stream}: of a key only its own messages are lost, private ones too`, async () => {
    const [hers, his] = [await connect(side), await connect(side)];
    assert.equal((await hers.login(ann)).event, 'login');
    assert.equal((await his.login(bob)).event, 'login');
    const [herFrom, hisFrom] = [await hers.follow(side.orders), await his.follow(side.orders)];
    await desk.rule(LOST, { key: ann.key, target: `${stream} ${side.orders}`, hitsMax: 1 });
    await trade(side, ann, 2);
    await trade(side, bob, 2);
    await hers.heard(side.orders, herFrom + 2);
    await his.heard(side.orders, hisFrom + 2);
    assert.deepEqual(hers.numbers(side.orders, herFrom), [0, 2]);
    assert.deepEqual(his.numbers(side.orders, hisFrom), [0, 1, 2]);
  });

  test(`${stream}: other channels and the other stream lose nothing`, async () => {
    const client = await connect(side);
    const others = await Promise.all(SIDES.map(async (one) => ({ one, has: await connect(one) })));
    const from = await client.follow(book);
    const bestFrom = await client.follow(best);
    await desk.rule(LOST, { target });
    for (const { one, has } of others) {
      if (one.stream === stream) continue;
      const otherFrom = await has.follow(one.book);
      await trade(one, bob, 1);
      await has.heard(one.book, otherFrom + 1);
    }
    await trade(side, ann, 2);
    await client.heard(best, bestFrom + 2);
    assert.deepEqual(client.numbers(book, from), [0]);
  });

  test(`${stream}: when all pushes are lost, answers are not`, async () => {
    await desk.rule(LOST, { target: stream });
    const client = await connect(side);
    assert.equal((await client.login(ann)).event, 'login');
    assert.equal((await client.subscribe(book)).event, 'subscribe');
    await trade(side, ann, 1);
    await client.ping();
    assert.deepEqual(client.numbers(book), []);
  });

  test(`${stream}: the same seed loses the same messages again`, async () => {
    const lost = async (seed: number): Promise<number[]> => {
      const client = await connect(side);
      const from = await client.follow(book);
      const faultId = await desk.rule(LOST, { target, probabilityPpm: 400_000, seed });
      await trade(side, ann, 20);
      await desk.lift(faultId);
      await trade(side, ann, 1);
      await client.heard(book, from + 21);
      client.client.socket.terminate();
      return client.numbers(book, from);
    };
    const first = await lost(3);
    assert.deepEqual(await lost(3), first);
    assert.ok(first.length > 6 && first.length < 20, first.join());
    assert.notDeepEqual(await lost(4), first);
  });

  test(`${stream}: maintenance ends connections and lets nobody in until it is over`, async () => {
    const there = await connect(side);
    await there.follow(book);
    await desk.rule(MAINTENANCE, { target: stream });
    assert.deepEqual(await there.client.gone, GONE);
    const late = await connect(side);
    assert.equal(codeOf(await late.client.any()), 40200);
    assert.deepEqual(await late.client.gone, GONE);
    await desk.lift();
    await (await connect(side)).follow(book);
  });

  test(`${stream}: maintenance for a key is for that key`, async () => {
    const [hers, his] = [await connect(side), await connect(side)];
    await hers.login(ann);
    await his.login(bob);
    await desk.rule(MAINTENANCE, { key: ann.key });
    assert.deepEqual(await hers.client.gone, GONE);
    const again = await connect(side);
    await again.follow(book);
    assert.equal(codeOf(await again.login({ ...ann, secret: 'guess' })), 40200);
    assert.deepEqual(await again.client.gone, GONE);
    await his.follow(side.orders);
  });

  test(`${stream}: maintenance of a channel leaves the others open`, async () => {
    const [follower, other] = [await connect(side), await connect(side)];
    await follower.follow(book);
    await other.follow(best);
    await desk.rule(MAINTENANCE, { target });
    assert.deepEqual(await follower.client.gone, GONE);
    assert.equal(codeOf(await other.subscribe(book)), 40200);
    assert.equal((await other.subscribe(best)).event, 'subscribe');
    assert.equal(other.client.socket.readyState, WebSocket.OPEN);
  });
}

test('a client that keeps a book sees each gap, asks again and has the book', async () => {
  const [spot] = SIDES;
  assert.ok(spot !== undefined);
  const { client } = await connect(spot);
  await desk.rule(LOST, { target: 'spot books', skipCount: 3, probabilityPpm: 200_000, seed: 1 });
  const newest = (2_000_000 + orders + 40) / 100;
  const work = tradeWhileSpoiled(spot, 40);
  const copy = new BookCopy();
  let gaps = 0;
  let isWhole = true;
  let lastSeq = 0;
  client.subscribe(topic('books'));
  while (!isWhole || Number(copy.bids[0]?.[0]) !== newest) {
    const { action, data, seq = 0 } = await client.push('books');
    const row = (data as BookRow[])[0] ?? assert.fail('no row');
    const isGap: boolean = action === 'update' && isWhole && seq !== lastSeq + 1;
    lastSeq = seq;
    if (isGap) gaps += 1;
    isWhole = action === 'snapshot' || (isWhole && !isGap);
    if (isWhole) copy.apply(action, row, seq);
    else {
      client.send({ op: 'unsubscribe', args: [topic('books')] });
      client.subscribe(topic('books'));
    }
  }
  await work;
  assert.ok(gaps >= 3, `${gaps} gaps`);
  const { body } = await desk.get('/api/spot/v1/market/depth?symbol=BTCUSDT&limit=200');
  assert.partialDeepStrictEqual(body.data, { asks: copy.asks, bids: copy.bids });
});

/** Trades under the rules that are set, and once more without them. */
async function tradeWhileSpoiled(side: Side, ordersCount: number): Promise<void> {
  await trade(side, ann, ordersCount - 1);
  await desk.lift();
  await trade(side, ann, 1);
}

test('a candle channel is named as it is documented, however the client spells it', async () => {
  const [spot] = SIDES;
  assert.ok(spot !== undefined);
  await desk.rule(LOST, { target: 'spot candle1H' });
  const client = await connect(spot);
  await client.follow('candle1m');
  for (const spelling of ['candle1H', 'candle1h', 'candle1Hutc']) {
    assert.equal((await client.subscribe(spelling)).event, 'subscribe');
  }
  await client.ping();
  assert.deepEqual(
    client.messages.filter(({ arg }) => arg?.channel.startsWith('candle1H')).length,
    2,
  );
});

test('maintenance with a chance draws for each connection that is open', async () => {
  const [spot] = SIDES;
  assert.ok(spot !== undefined);
  const open = [];
  for (let at = 0; at < 20; at += 1) open.push(await connect(spot));
  await desk.rule(MAINTENANCE, { target: 'spot', hitsMax: 7 });
  await Promise.all(open.slice(0, 7).map(({ client }) => client.gone));
  for (const client of open.slice(7)) await client.ping();
});

test('late messages count as unsent, and too many of them end the connection', async () => {
  const small = await FaultyHouse.open({ unsentBytesMax: 20_000, behindBytes: 10_000 });
  try {
    const [spot] = SIDES;
    assert.ok(spot !== undefined);
    const who = await small.trader('ann');
    const client = await SideClient.connect(small, spot);
    await client.follow('books');
    await small.rule({ kind: 'delay_message', ms: 600_000 });
    await spot.order(small, who, 1);
    const one = await unsentBytes(small);
    assert.ok(one > 100, `${one} bytes`);
    for (let order = 2; order < 20_000 / one + 2; order += 1) await spot.order(small, who, order);
    assert.deepEqual(await client.client.gone, { code: 1008, reason: 'reader too slow' });
    assert.deepEqual(client.numbers('books').length, 1);
    while ((await unsentBytes(small)) > 0) await new Promise((resolve) => setImmediate(resolve));
  } finally {
    await small.close();
  }
});

async function unsentBytes({ house }: FaultyHouse): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${await house.port()}/metrics`)).text();
  return Number(/^outcry_stream_unsent_bytes (.*)$/m.exec(text)?.[1]);
}
