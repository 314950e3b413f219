/**
 * Load on a book that clients rebuild from their streams. Twice a second the load rests, so that
 * streams and REST speak of the same sequence number, and all must agree. Twenty seconds fill the
 * book and turn it over several times; BOOK_MINUTES=10 makes that a long run.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { BookLoad, type BookMarket, spotMarket, swapMarket } from './book-load.ts';
import { House, type Trader } from './house.ts';
import { SwapDesk } from './swap-desk.ts';

const LENGTH_MS = Number(process.env.BOOK_MINUTES ?? 1 / 3) * 60_000;
const ROUND_MS = 450;
export const ALL_LEVELS = 200;
const NAMES = ['ann', 'bob', 'cat', 'dan'];
/** What the slowest machine must have done for the test to mean anything. */
const CALLS_MIN = 2_500;
const UPDATES_MIN = 65;
const COMPARISONS_MIN = 13;

/** A copy of a book and the client that feeds it. */
export interface Follower {
  /** Asks and bids as text. */
  restBook(): Promise<string>;
  /** Takes in everything that has come, and waits until the copy reads like this. */
  reach(book: string, what: string): Promise<void>;
  /** Undefined where the client does not say. */
  snapshots?(): number;
  updates(): number;
  /** Looks at what is left to prove, and leaves. */
  end(): Promise<void>;
}

/** By what it keeps its book from. */
type Followers = Readonly<Record<string, (house: House) => Promise<Follower>>>;

/** Load on a pair and on a contract, side by side, each with followers of its own. */
export function followBooks(followers: Readonly<Record<'pair' | 'contract', Followers>>): void {
  describe('a book rebuilt from its stream', { concurrency: true }, () => {
    test('of a pair', { timeout: LENGTH_MS + 60_000 }, async (context) => {
      const house = await House.open();
      context.after(() => house.close());
      const money = { USDT: '90000000', BTC: '9000' };
      const traders = await Promise.all(NAMES.map((who) => house.trader(who, money)));
      await follow(context, spotMarket(house), traders, followers.pair);
    });

    test('of a contract', { timeout: LENGTH_MS + 60_000 }, async (context) => {
      const desk = await SwapDesk.open();
      const { house } = desk;
      context.after(() => house.close());
      await desk.change({ openOrdersMax: 100_000 });
      const money = { cmt_btcusdt: '100000000' };
      const traders = await Promise.all(NAMES.map((who) => desk.trader(who, money)));
      await follow(context, swapMarket(house), traders, followers.contract);
    });
  });
}

/** Loads the book and compares whenever the load rests. */
async function follow(
  context: TestContext,
  market: BookMarket,
  traders: readonly Trader[],
  followers: Followers,
): Promise<void> {
  const starts = Object.entries(followers).map(
    async ([name, start]) => [name, await start(market.house)] as const,
  );
  const all = await Promise.all(starts);
  const load = new BookLoad(market, traders);
  const { venue } = market.house;
  const endMs = performance.now() + LENGTH_MS;
  let comparedSeq = 0;
  let comparisons = 0;
  // On a busy machine it takes longer until there was enough to see.
  const isEnough = () => load.calls > CALLS_MIN && comparisons > COMPARISONS_MIN;
  while (performance.now() < endMs || !isEnough()) {
    await load.run(ROUND_MS);
    const seq = venue.releasedSeq;
    assert.ok(seq > comparedSeq, 'the load moved the market');
    const compare = async ([name, follower]: (typeof all)[number]) =>
      follower.reach(await follower.restBook(), `the book of REST at ${seq} from ${name}`);
    await Promise.all(all.map(compare));
    assert.equal(venue.releasedSeq, seq, 'all were of the same sequence number');
    comparedSeq = seq;
    comparisons += 1;
  }
  for (const [name, follower] of all) {
    const sides: readonly unknown[][] = JSON.parse(await follower.restBook());
    const depth = sides.map(({ length }) => length);
    assert.deepEqual(depth, [ALL_LEVELS, ALL_LEVELS], 'the venue has more levels than it shows');
    const updates = follower.updates();
    context.diagnostic(`${name}: ${load.calls} calls, ${updates} updates`);
    assert.ok(updates > UPDATES_MIN, `${updates} updates from ${name}`);
    assert.equal(follower.snapshots?.() ?? 1, 1, 'a reader that keeps up gets one snapshot');
    await follower.end();
  }
}
