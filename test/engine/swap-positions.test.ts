/** Position ids, what a position has done under its id, and the three leverages, as tables. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { play, playOn, QUIET_LINEAR, scenario } from './swap-table.ts';

describe('a position id', () => {
  test('is new each time a side goes from flat to open, and stays until it is flat', () => {
    const venue = playOn(QUIET_LINEAR)`
      ann joins 10x with 1000
      tom joins cross with 1000
      ann and tom trade 10 @ 30000
    `;
    const first = venue.position('ann', 'long');
    const other = venue.position('tom', 'short');
    assert.notEqual(first.positionId, other.positionId);
    play(venue)`
      ann and tom trade 5 @ 30000
      tom open_long 7 @ 30000
      ann close_long 7 @ 30000
    `;
    assert.equal(venue.position('ann', 'long').positionId, first.positionId);
    assert.equal(venue.position('ann', 'long').openedSeq, first.openedSeq);
    assert.ok(venue.position('ann', 'long').updatedSeq > first.updatedSeq);
    play(venue)`
      tom open_long 8 @ 30000
      ann close_long 8 @ 30000
    `;
    assert.equal(venue.position('ann', 'long').positionId, 0);
    assert.equal(venue.position('ann', 'long').openedTimeMs, 0);
    play(venue)`ann and tom trade 1 @ 30000`;
    const second = venue.position('ann', 'long');
    assert.ok(second.positionId > first.positionId);
    assert.equal(venue.position('tom', 'short').positionId, other.positionId);
    assert.equal(second.openedSeq, venue.engine.seq);
    assert.equal(second.openedTimeMs, venue.engine.timeMs);
  });

  test('is in the fills of a trade and in the bills of funding', () => {
    const venue = playOn({ ...QUIET_LINEAR, fundingInterestPpm: 300 })`
      ann joins 10x with 1000
      tom joins 10x with 1000
      index 30000
      ann and tom trade 10 @ 30000
    `;
    const [long, short] = [venue.position('ann', 'long'), venue.position('tom', 'short')];
    const trade = venue.steps.at(-1)?.events.find(({ kind }) => kind === 'contract_trade');
    assert.ok(trade?.kind === 'contract_trade');
    assert.equal(trade.taker.positionId, long.positionId);
    assert.equal(trade.maker.positionId, short.positionId);
    const bills = venue
      .tick(8 * 3_600_000)
      .flatMap((event) => (event.kind === 'balance_changed' ? [event.position] : []));
    assert.deepEqual(bills, [
      { side: 'long', positionId: long.positionId },
      { side: 'short', positionId: short.positionId },
    ]);
    assert.ok(venue.position('ann', 'long').totals.funding < 0n);
    assert.equal(
      venue.position('ann', 'long').totals.funding,
      -venue.position('tom', 'short').totals.funding,
    );
  });
});

describe('what a position has done under its id', () => {
  scenario('adds up over openings and closes, and what is held loses its part')`
    ann joins 10x with 1000
    tom joins cross with 1000
    ann and tom trade 10 @ 30000               # V 300, fee 0.18
    ann has long.opened 10 for 300 fee 0.18, long.closed 0 for 0 fee 0
    ann and tom trade 5 @ 32000                # V 160, fee 0.096
    ann has long.opened 15 for 460 fee 0.276, long.open 460, long.held fee 0.276 funding 0
    tom bids 5 @ 33000
    ann close_long 5 @ 33000                   # V 165, fee 0.099
    ann has long.closed 5 for 165 fee 0.099, long.held fee 0.184 funding 0
    ann has long.opened 15 for 460 fee 0.276, long.forced 0
    tom bids 10 @ 33000
    ann close_long 10 @ 33000
    ann has long none, long.opened 0 for 0 fee 0, long.closed 0 for 0 fee 0
  `;
});

describe('the three leverages', () => {
  scenario('are kept apart when they are named')`
    ann joins with 100
    ann has leverages cross 20x isolated 20x/20x
    ann leverage 7x of cross
    ann leverage 10x long of isolated
    ann leverage 40x short of isolated
    ann has leverages cross 7x isolated 10x/40x, long.leverage 10x, short.leverage 40x
    ann mode cross stored
    ann has mode cross, long.leverage 7x, short.leverage 7x
    ann leverage 9x of cross
    ann leverage 3x of isolated
    ann has leverages cross 9x isolated 3x/3x, long.leverage 9x, short.leverage 9x
    ann mode isolated stored
    ann has leverages cross 9x isolated 3x/3x, long.leverage 3x, short.leverage 3x
  `;

  scenario('follow the one in use where none is named, as they always have')`
    ann joins with 100
    ann leverage 7x of cross
    ann leverage 10x long
    ann leverage 40x short
    ann mode cross
    ann has leverages cross 10x isolated 10x/40x, long.leverage 10x, short.leverage 10x
    ann leverage 25x short
    ann mode isolated
    ann has leverages cross 25x isolated 25x/25x, long.leverage 25x
  `;

  scenario('of the other mode may change whatever is open, within the bounds of the contract')`
    ann joins 10x with 100
    tom joins cross with 1000
    ann and tom trade 1 @ 30000
    ann open_long 1 @ 29000
    ann leverage 11x
      -> refused leverage_locked
    ann leverage 10x
      ->
    ann leverage 11x of cross
      ->
    ann leverage 1000x of cross
      -> refused leverage_out_of_range
    ann has leverages cross 11x isolated 10x/10x, long.leverage 10x
  `;
});
