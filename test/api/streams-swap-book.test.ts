/** A client that keeps a book from the stream alone has the venue's, message by message. */
import { strict as assert } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { present } from '#kernel';
import { LINEAR_SYMBOL } from './contract-desk.ts';
import type { Trader } from './house.ts';
import { OPEN_LONG, OPEN_SHORT, SwapDesk } from './swap-desk.ts';
import { type Message, SwapStream } from './swap-stream.ts';

const CHECKSUM_LEVELS = 25;
const ALL_LEVELS = 200;
const CHANNEL = `swap/depth:${LINEAR_SYMBOL}`;
/** Rounds of so many orders; between two of them the market rests. */
const ROUNDS = 5;
const ORDERS = 1_000;
/** Orders that are on their way at the same time. */
const AT_ONCE = 20;

type Level = readonly [price: string, size: string, count: number];

interface Sides {
  readonly asks: readonly Level[];
  readonly bids: readonly Level[];
}

function sidesOf(row: object): Sides {
  return { asks: levelsIn(row, 'asks'), bids: levelsIn(row, 'bids') };
}

function levelsIn(row: object, name: string): Level[] {
  const levels: unknown = Reflect.get(row, name);
  assert.ok(Array.isArray(levels), `${name} is a list`);
  return levels.map(([price, size, count]) => [String(price), String(size), Number(count)]);
}

/** A book as a client keeps it, checked against each message that changes it. */
class ClientBook {
  readonly #asks = new Map<string, Level>();
  readonly #bids = new Map<string, Level>();
  #seq: number | undefined;

  take(message: Message): void {
    const row = present(message.data?.[0], 'row of a book');
    const { asks, bids } = sidesOf(row);
    if (message.action === 'partial') {
      this.#asks.clear();
      this.#bids.clear();
    } else
      assert.equal(message.seq, present(this.#seq, 'partial first') + 1, 'no message is missing');
    this.#seq = message.seq;
    replace(this.#asks, asks);
    replace(this.#bids, bids);
    assert.equal(this.checksum(), row.checksum, `checksum of message ${message.seq}`);
  }

  sides(): Sides {
    const byPrice = (one: Level, other: Level) => Number(one[0]) - Number(other[0]);
    return {
      asks: [...this.#asks.values()].sort(byPrice),
      bids: [...this.#bids.values()].sort(byPrice).reverse(),
    };
  }

  checksum(): number {
    const { asks, bids } = this.sides();
    const texts: string[] = [];
    for (let at = 0; at < CHECKSUM_LEVELS; at += 1) {
      for (const level of [bids[at], asks[at]]) {
        if (level !== undefined) texts.push(`${level[0]}:${level[1]}`);
      }
    }
    return crc32(texts.join(':')) | 0;
  }
}

function replace(side: Map<string, Level>, levels: readonly Level[]): void {
  for (const level of levels) {
    if (level[1] === '0') assert.ok(side.delete(level[0]), 'only what is there goes');
    else side.set(level[0], level);
  }
}

let desk: SwapDesk;
before(async () => {
  desk = await SwapDesk.open();
});
after(() => desk.house.close());

/** From a little beyond 30000 outward, in steps of half a unit: many levels, and many trades. */
const ORDER = fc.record({
  steps: fc.integer({ min: -20, max: 400 }),
  size: fc.integer({ min: 1, max: 50 }).map(String),
  isBuyer: fc.boolean(),
  isCancelled: fc.boolean(),
});

type Order = typeof ORDER extends fc.Arbitrary<infer One> ? One : never;

async function act([buyer, seller]: readonly [Trader, Trader], order: Order): Promise<void> {
  const { steps, size, isBuyer, isCancelled } = order;
  const who = isBuyer ? buyer : seller;
  const price = (30_000 + (isBuyer ? -steps : steps) / 2).toFixed(1);
  const orderId = await desk.place(who, { ...(isBuyer ? OPEN_LONG : OPEN_SHORT), price, size });
  if (!isCancelled) return;
  await desk.call(who, 'cancelOrder', { symbol: LINEAR_SYMBOL, orderId });
}

/** What REST says of the book. */
async function restBook(): Promise<Sides> {
  const query = `symbol=${LINEAR_SYMBOL}&limit=${ALL_LEVELS}`;
  const { body } = await desk.house.get(`/api/swap/v3/market/depth?${query}`);
  return sidesOf(body);
}

async function load(traders: readonly [Trader, Trader], seed: number): Promise<void> {
  const orders = fc.sample(ORDER, { numRuns: ORDERS, seed });
  for (let at = 0; at < orders.length; at += AT_ONCE) {
    await Promise.all(orders.slice(at, at + AT_ONCE).map((order) => act(traders, order)));
  }
}

test('a book under load, message by message, and against REST', { timeout: 60_000 }, async () => {
  const rich = { cmt_btcusdt: '100000000' };
  const traders = [await desk.trader('buyer', rich), await desk.trader('seller', rich)] as const;
  const changes = { openOrdersMax: 100_000 };
  const { instrumentId } = present(desk.house.live.listings.contract(LINEAR_SYMBOL), 'contract');
  await desk.house.run({ kind: 'update_contract', instrumentId, changes });
  const stream = await SwapStream.open(await desk.house.port());
  await stream.subscribe(CHANNEL);
  const book = new ClientBook();
  let taken = 0;
  const takeAll = () => {
    const pushes = stream.messages.filter(({ table }) => table === 'swap/depth');
    for (const message of pushes.slice(taken)) book.take(message);
    taken = pushes.length;
    return JSON.stringify(book.sides());
  };
  for (let round = 1; round <= ROUNDS; round += 1) {
    await load(traders, round);
    const shown = await restBook();
    await stream.until('the book of REST', () => takeAll() === JSON.stringify(shown));
  }
  assert.ok(taken > 5 * ROUNDS, `the book changed in ${taken} messages`);
  const late = await SwapStream.open(await desk.house.port());
  await late.subscribe(CHANNEL);
  const second = new ClientBook();
  second.take(await late.push('swap/depth'));
  const shown = await restBook();
  assert.equal(shown.asks.length, ALL_LEVELS, 'the venue has more levels than it shows');
  assert.deepEqual(second.sides(), shown);
  await Promise.all([stream.close(), late.close()]);
});
