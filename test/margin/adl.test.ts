/** The score in deleveraging by rounded numbers: where they tell it at all, it is the exact one. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type HoldSide, numberScore, sideScore } from '#domain';
import { type Judged, judged, price } from './arbitrary.ts';

const SIDES: readonly HoldSide[] = ['long', 'short'];

/** How many scores numbers tell, of how many; asserts that those are right. */
function told({ contract, unit }: Judged, markTicks: number): { told: number; of: number } {
  const held = SIDES.filter((side) => (side === 'long' ? unit.longLots : unit.shortLots) > 0);
  const scores = held.map((side) => {
    const found = numberScore(contract, side, unit, markTicks);
    if (!Number.isNaN(found))
      assert.equal(BigInt(found), sideScore(contract, side, unit, markTicks));
    return found;
  });
  return { told: scores.filter((score) => !Number.isNaN(score)).length, of: held.length };
}

test('a score that numbers tell is the exact one, and they tell most', () => {
  const counts = { told: 0, of: 0 };
  fc.assert(
    fc.property(judged, price, (one, markTicks) => {
      const found = told(one, markTicks);
      counts.told += found.told;
      counts.of += found.of;
    }),
    { numRuns: 5_000 },
  );
  assert.ok(counts.told > 0.8 * counts.of, `${counts.told} of ${counts.of}`);
});

/** A tenth gained at every leverage, with money that is more or less by some units. */
const NEAR_WHOLE = fc.record({
  leverage: fc.integer({ min: 1, max: 125 }),
  tenths: fc.integer({ min: 1, max: 9 }),
  lots: fc.integer({ min: 1, max: 1_000_000 }),
  units: fc.integer({ min: -3, max: 3 }),
});

test('one that is next to a whole number is never taken for the other side of it', () => {
  const contract = { kind: 'linear', valueFactor: 1_000n, fineFactor: 10n ** 12n } as const;
  fc.assert(
    fc.property(NEAR_WHOLE, ({ leverage, tenths, lots, units }) => {
      const value = BigInt(lots) * 1_000n * 300_000n;
      const unit = {
        money: value / BigInt(leverage) + BigInt(units),
        longLots: lots,
        longOpen: value * contract.fineFactor,
        shortLots: 0,
        shortOpen: 0n,
        thresholdPpm: 5_600,
      };
      for (const markTicks of [300_000 + 30_000 * tenths, 300_000 - 30_000 * tenths]) {
        told({ contract, unit }, markTicks);
      }
    }),
    { numRuns: 3_000 },
  );
});
