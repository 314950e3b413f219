/**
 * A minute of load on a book that a client rebuilds from a stream. Twice a second the load rests,
 * so that stream and REST speak of the same sequence number, and both must agree.
 */
import { strict as assert } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { BookLoad, type BookMarket } from './book-load.ts';
import type { Trader } from './house.ts';

export const LENGTH_MS = 60_000;
const ROUND_MS = 450;
export const ALL_LEVELS = 200;
export const NAMES = ['ann', 'bob', 'cat', 'dan'];
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
}

/** Loads the book for a minute and compares whenever the load rests. */
export async function follow(
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
}
