/** A liquidation that meets more orders than one order may goes on with the next price. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { type Event, LIMITS, type MarginMode } from '#domain';
import { Floor } from '../support/floor.ts';

const MOST = LIMITS.orderMatchesMax;
const SIZE = 2 * MOST + 10;

function traded(events: readonly Event[]): { readonly inBook: number; readonly outside: number } {
  const trades = events.filter((event) => event.kind === 'contract_trade');
  const inBook = trades.filter((trade) => trade.inBook).length;
  return { inBook, outside: trades.length - inBook };
}

function liquidated(mode: MarginMode): Floor {
  const venue = Floor.ofContract(undefined, { checks: false });
  venue.fundInsurance('1000');
  venue.open('ann', '1540', { mode, leverage: 10 });
  venue.open('sam', '100000', { mode: 'cross' });
  venue.open('bea', '1000000', { mode: 'cross' });
  venue.trade('ann', 'sam', '30000', SIZE);
  for (let at = 0; at < SIZE + 5; at += 1) venue.order('bea', 'open_long', '27150', 1);
  return venue;
}

test('the book takes all of a fixed position before anybody is deleveraged', () => {
  const venue = liquidated('isolated');
  const steps = [venue.index('27120'), venue.tick(), venue.tick()].map(traded);
  assert.deepEqual(steps, [
    { inBook: MOST, outside: 0 },
    { inBook: MOST, outside: 0 },
    { inBook: SIZE - 2 * MOST, outside: 0 },
  ]);
  assert.equal(venue.position('ann', 'long').lots, 0);
  assert.equal(venue.position('sam', 'short').lots, SIZE);
  venue.engine.check();
});

test('a crossed position that part of its orders saves is left alone', () => {
  const venue = liquidated('cross');
  const steps = [venue.index('27120'), venue.tick()].map(traded);
  assert.deepEqual(steps, [
    { inBook: MOST, outside: 0 },
    { inBook: 0, outside: 0 },
  ]);
  assert.equal(venue.position('ann', 'long').lots, SIZE - MOST);
  venue.engine.check();
});
