/**
 * A minute of load on a book that a client rebuilds from a stream. Twice a second the load rests,
 * so that stream and REST speak of the same sequence number, and both must agree.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { BookLoad, type BookMarket, spotMarket, swapMarket } from './book-load.ts';
import { House, type Trader } from './house.ts';
import { SwapDesk } from './swap-desk.ts';

const LENGTH_MS = 60_000;
const ROUND_MS = 450;
export const ALL_LEVELS = 200;
const NAMES = ['ann', 'bob', 'cat', 'dan'];
/** What the slowest machine must have done in the minute for the test to mean anything. */
const CALLS_MIN = 3_000;
const UPDATES_MIN = 200;
const COMPARISONS_MIN = 40;

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

/** A minute of load on a pair and on a contract, side by side, each with a follower of its own. */
export function followBooks(
  name: string,
  followers: Readonly<Record<'pair' | 'contract', (house: House) => Promise<Follower>>>,
): void {
  describe(name, { concurrency: true }, () => {
    test('of a pair', { timeout: 2 * LENGTH_MS }, async (context) => {
      const house = await House.open();
      context.after(() => house.close());
      const money = { USDT: '90000000', BTC: '9000' };
      const traders = await Promise.all(NAMES.map((who) => house.trader(who, money)));
      await follow(context, spotMarket(house), traders, await followers.pair(house));
    });

    test('of a contract', { timeout: 2 * LENGTH_MS }, async (context) => {
      const desk = await SwapDesk.open();
      const { house } = desk;
      context.after(() => house.close());
      await desk.change({ openOrdersMax: 100_000 });
      const money = { cmt_btcusdt: '100000000' };
      const traders = await Promise.all(NAMES.map((who) => desk.trader(who, money)));
      await follow(context, swapMarket(house), traders, await followers.contract(house));
    });
  });
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
  assert.equal(follower.snapshots?.() ?? 1, 1, 'a reader that keeps up gets one snapshot');
  assert.ok(load.calls > CALLS_MIN, `${load.calls} calls`);
  assert.ok(updates > UPDATES_MIN, `${updates} updates`);
  assert.ok(comparisons > COMPARISONS_MIN, `${comparisons} comparisons`);
  await follower.end();
}
