/** A wave of liquidations among cross hedges: what it costs grows with what it closes. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '#domain';
import { Floor, refuseNone } from '../support/floor.ts';
import { isNetting } from './swap-arithmetic.ts';
import { QUIET_LINEAR } from './swap-table.ts';

/** Six times as many may cost so many times as much; looking at all for each would cost 36. */
const RATIO_MAX = 14;

/**
 * Losers are long 6 at 30,000 with a hundredth behind it. Their counterparties are long 4 at 10,000
 * and short 10 at 20,000 on one balance: closing the shorts costs more than they have before the
 * gain of the hedge is booked. Ian and Jon made the trades and are flat again.
 */
function hedged(count: number): Floor {
  const venue = Floor.ofContract({ ...QUIET_LINEAR, priceBandPpm: 900_000 }, { checks: false });
  const cross = { mode: 'cross', leverage: 20 } as const;
  venue.open('ian', '10000000', cross);
  venue.open('jon', '10000000', cross);
  const names = Array.from({ length: count }, (_, at) => String(at));
  venue.index('10000');
  for (const name of names) {
    venue.open(`hedge${name}`, '25.5', cross);
    venue.trade(`hedge${name}`, 'ian', '10000', 4);
  }
  venue.index('20000');
  for (const name of names) venue.trade('jon', `hedge${name}`, '20000', 10);
  venue.index('30000');
  refuseNone(venue.order('jon', 'close_long', '30000', 10 * count));
  refuseNone(venue.order('ian', 'close_short', '30000', 4 * count));
  for (const name of names) {
    venue.open(`loser${name}`, '10', { leverage: 100 });
    refuseNone(venue.order(`loser${name}`, 'open_long', '30000', 6));
  }
  return venue;
}

function fall(venue: Floor): { readonly events: readonly Event[]; readonly ms: number } {
  const before = process.cpuUsage();
  const events = [...venue.index('29000')];
  while (venue.engine.hasWork) events.push(...venue.run({ kind: 'continue_work' }));
  const { user, system } = process.cpuUsage(before);
  return { events, ms: (user + system) / 1_000 };
}

test('deleveraging over cross hedges costs about the same for each', () => {
  const costs = [1_500, 9_000].map((count) => {
    const venue = hedged(count);
    const { events, ms } = fall(venue);
    const all = events.filter(({ kind }) => kind === 'liquidated');
    assert.equal(all.length, count, 'everybody was liquidated');
    assert.equal(events.filter(isNetting).length, count);
    assert.equal(venue.engine.contractPrices(venue.contract.instrumentId)?.openInterestLots, 0);
    venue.engine.check();
    return ms;
  });
  const [few = 0, many = 0] = costs;
  assert.ok(many < RATIO_MAX * few, `${few} ms and ${many} ms`);
});
