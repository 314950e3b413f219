/**
 * A client that keeps a book from the stream alone has the venue's: for a minute under load, spot
 * and contract side by side. Every message is held to its number and its checksum. Twice a second
 * the load rests, so that stream and REST speak of the same sequence number, and both must agree.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { present } from '#kernel';
import { House, type Trader } from '../support/house.ts';
import { StreamClient, topic } from '../support/streams-client.ts';
import { LINEAR_SYMBOL, SwapDesk } from '../support/swap-desk.ts';
import { SwapStream } from '../support/swap-stream.ts';
import { BookLoad, type BookMarket, publicAnswer, spotMarket, swapMarket } from './book-load.ts';
import { BookCopy, type BookRow } from './streams-book.ts';
import { type Sides, SwapBookCopy, sidesOf } from './swap-book-copy.ts';

const LENGTH_MS = 60_000;
const ROUND_MS = 450;
const ALL_LEVELS = 200;
const NAMES = ['ann', 'bob', 'cat', 'dan'];
/** What the slowest machine must have done in the minute for the test to mean anything. */
const CALLS_MIN = 3_000;
const UPDATES_MIN = 300;
const COMPARISONS_MIN = 40;

/** A copy of a book and the client that feeds it. */
interface Follower {
  /** Asks and bids as text. */
  restBook(): Promise<string>;
  /** Takes in everything that has come, and waits until the copy reads like this. */
  reach(book: string, what: string): Promise<void>;
  snapshots(): number;
  updates(): number;
}

/** Loads the book for a minute and compares whenever the load rests. */
async function follow(
  context: TestContext,
  market: BookMarket,
  traders: readonly Trader[],
  follower: Follower,
): Promise<void> {
  const load = new BookLoad(market, traders);
  const { venue } = market.house;
  const endMs = performance.now() + LENGTH_MS;
  let comparedSeq = 0;
  let comparisons = 0;
  while (performance.now() < endMs) {
    await load.run(ROUND_MS);
    const seq = venue.releasedSeq;
    assert.ok(seq > comparedSeq, 'the load moved the market');
    await follower.reach(await follower.restBook(), `the book of REST at ${seq}`);
    assert.equal(venue.releasedSeq, seq, 'both were of the same sequence number');
    comparedSeq = seq;
    comparisons += 1;
  }
  const sides: readonly unknown[][] = JSON.parse(await follower.restBook());
  const depth = sides.map(({ length }) => length);
  assert.deepEqual(depth, [ALL_LEVELS, ALL_LEVELS], 'the venue has more levels than it shows');
  const updates = follower.updates();
  context.diagnostic(`${load.calls} calls, ${updates} updates, ${comparisons} comparisons`);
  assert.equal(follower.snapshots(), 1, 'a reader that keeps up gets one snapshot');
  assert.ok(load.calls > CALLS_MIN, `${load.calls} calls`);
  assert.ok(updates > UPDATES_MIN, `${updates} updates`);
  assert.ok(comparisons > COMPARISONS_MIN, `${comparisons} comparisons`);
}

function textOf({ asks, bids }: Pick<BookRow, 'asks' | 'bids'> | Sides): string {
  return JSON.stringify([asks, bids]);
}

function spotFollower(house: House, client: StreamClient): Follower {
  const copy = new BookCopy();
  let read = 0;
  const takeIn = () => {
    for (; read < client.messages.length; read += 1) {
      const { arg, action, data, seq } = present(client.messages[read], 'message');
      if (action === undefined) continue;
      assert.equal(arg?.channel, 'books');
      copy.apply(action, data?.[0] as BookRow, present(seq, 'number'));
    }
    return textOf(copy);
  };
  return {
    restBook: async () => {
      const path = `/api/spot/v1/market/depth?symbol=BTCUSDT_SPBL&limit=${ALL_LEVELS}`;
      return textOf(((await publicAnswer(house, path)) as { readonly data: BookRow }).data);
    },
    reach: (book, what) => client.until(() => takeIn() === book, what),
    snapshots: () => copy.snapshots,
    updates: () => copy.updates,
  };
}

function swapFollower(house: House, stream: SwapStream): Follower {
  const copy = new SwapBookCopy();
  let read = 0;
  const takeIn = () => {
    for (; read < stream.messages.length; read += 1) {
      const message = present(stream.messages[read], 'message');
      if (message.table !== undefined) copy.take(message);
    }
    return textOf(copy.sides());
  };
  return {
    restBook: () => swapRestBook(house),
    reach: (book, what) => stream.until(what, () => takeIn() === book),
    snapshots: () => copy.partials,
    updates: () => copy.updates,
  };
}

async function swapRestBook(house: House): Promise<string> {
  const path = `/api/swap/v3/market/depth?symbol=${LINEAR_SYMBOL}&limit=${ALL_LEVELS}`;
  const answer = await publicAnswer(house, path);
  assert.ok(typeof answer === 'object' && answer !== null);
  return textOf(sidesOf(answer));
}

describe('a book rebuilt from the stream', { concurrency: true }, () => {
  test('of a pair', { timeout: 2 * LENGTH_MS }, async (context) => {
    const house = await House.open();
    context.after(() => house.close());
    const money = { USDT: '90000000', BTC: '9000' };
    const traders = await Promise.all(NAMES.map((name) => house.trader(name, money)));
    const client = await StreamClient.at(house);
    client.subscribe(topic('books'));
    await follow(context, spotMarket(house), traders, spotFollower(house, client));
    await client.close();
  });

  test('of a contract', { timeout: 2 * LENGTH_MS }, async (context) => {
    const desk = await SwapDesk.open();
    const { house } = desk;
    context.after(() => house.close());
    const changes = { openOrdersMax: 100_000 };
    await desk.change(changes);
    const money = { cmt_btcusdt: '100000000' };
    const traders = await Promise.all(NAMES.map((name) => desk.trader(name, money)));
    const stream = await SwapStream.open(await house.port());
    await stream.subscribe(`swap/depth:${LINEAR_SYMBOL}`);
    await follow(context, swapMarket(house), traders, swapFollower(house, stream));
    const late = await SwapStream.open(await house.port());
    await late.subscribe(`swap/depth:${LINEAR_SYMBOL}`);
    const second = new SwapBookCopy();
    second.take(await late.push('swap/depth'));
    assert.equal(textOf(second.sides()), await swapRestBook(house), 'a late client has it too');
    await Promise.all([stream.close(), late.close()]);
  });
});
