/** What rounded numbers tell of a side: where they tell it at all, it is what whole numbers say. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  breachPrice,
  type HoldSide,
  isBreached,
  numberScore,
  type RoundedSide,
  sideBreach,
  sideNumberScore,
  sideScore,
  sideStanding,
} from '#domain';
import { type Holding, holding, judged, price, thresholdPpm, unitOf } from './arbitrary.ts';

const SIDES: readonly HoldSide[] = ['long', 'short'];
const MANY = { numRuns: 5_000 };

function rounded(held: Holding, threshold: number): RoundedSide {
  const { contract, side, lots, open, money } = held;
  const fine = Number(money) * Number(contract.fineFactor);
  return { side, lots, open: Number(open), money: fine, thresholdPpm: threshold };
}

/** How often numbers told something, of how many. */
class Told {
  #told = 0;
  #asked = 0;

  count(isTold: boolean): boolean {
    this.#asked += 1;
    if (isTold) this.#told += 1;
    return isTold;
  }

  isMostly(): void {
    assert.ok(this.#told > 0.8 * this.#asked, `${this.#told} of ${this.#asked}`);
  }
}

function checkBreach(held: Holding, threshold: number, told: Told): void {
  const found = sideBreach(held.contract, rounded(held, threshold));
  const exact = breachPrice(held.contract, unitOf(held, threshold));
  if (!told.count(!Number.isNaN(found?.atTicks))) return;
  assert.deepEqual(found, exact && { ...exact, atTicks: Number(exact.atTicks) });
}

function checkScore(held: Holding, markTicks: number, told: Told): void {
  const { contract, side } = held;
  const found = sideNumberScore(contract, rounded(held, 0), markTicks);
  if (!told.count(!Number.isNaN(found))) return;
  assert.equal(BigInt(found), sideScore(contract, side, unitOf(held, 0), markTicks));
}

describe('a side in rounded numbers', () => {
  test('is liquidated at the same tick', () => {
    const told = new Told();
    fc.assert(
      fc.property(holding, thresholdPpm, (held, threshold) => checkBreach(held, threshold, told)),
      MANY,
    );
    told.isMostly();
  });

  test('has the same score', () => {
    const told = new Told();
    fc.assert(
      fc.property(holding, price, (held, markTicks) => checkScore(held, markTicks, told)),
      MANY,
    );
    told.isMostly();
  });

  test('stands above its threshold or below it where that is said', () => {
    const told = new Told();
    fc.assert(
      fc.property(holding, thresholdPpm, price, (held, threshold, markTicks) => {
        const found = sideStanding(held.contract, rounded(held, threshold), markTicks);
        if (!told.count(found !== 0)) return;
        assert.equal(found < 0, isBreached(held.contract, unitOf(held, threshold), markTicks));
      }),
      MANY,
    );
    told.isMostly();
  });
});

/** Prices that are whole parts of the entry, with money that is more or less by some units. */
const NEAR_WHOLE = fc.record({
  side: fc.constantFrom(...SIDES),
  leverage: fc.integer({ min: 1, max: 125 }),
  tenths: fc.integer({ min: -9, max: 9 }),
  lots: fc.integer({ min: 1, max: 1_000_000 }),
  units: fc.integer({ min: -3, max: 3 }),
});
const LINEAR = { kind: 'linear', valueFactor: 1_000n, fineFactor: 10n ** 12n } as const;

test('what is next to a whole number is never taken for the other side of it', () => {
  fc.assert(
    fc.property(NEAR_WHOLE, ({ side, leverage, tenths, lots, units }) => {
      const value = BigInt(lots) * 1_000n * 300_000n;
      const money = value / BigInt(leverage) + BigInt(units);
      const open = value * LINEAR.fineFactor;
      const held = { contract: LINEAR, side, lots, open, money };
      checkScore(held, 300_000 + 30_000 * tenths, new Told());
      checkBreach(held, 0, new Told());
    }),
    MANY,
  );
});

test('what is at its threshold within some units is left to whole numbers', () => {
  const contract = { ...LINEAR, valueFactor: 1_000_000n };
  fc.assert(
    fc.property(NEAR_WHOLE, thresholdPpm, ({ side, tenths, lots, units }, threshold) => {
      const markTicks = 300_000 + 30_000 * tenths;
      const entry = BigInt(lots) * contract.valueFactor * 300_000n;
      const value = BigInt(lots) * contract.valueFactor * BigInt(markTicks);
      const loss = side === 'long' ? entry - value : value - entry;
      const money = loss + (value * BigInt(threshold)) / 1_000_000n + BigInt(units);
      const held = { contract, side, lots, open: entry * contract.fineFactor, money };
      const found = sideStanding(contract, rounded(held, threshold), markTicks);
      if (found === 0) return;
      assert.equal(found < 0, isBreached(contract, unitOf(held, threshold), markTicks));
    }),
    MANY,
  );
});

test('the score of a hedge that numbers tell is the exact one, and they tell most', () => {
  const told = new Told();
  fc.assert(
    fc.property(judged, price, ({ contract, unit }, markTicks) => {
      for (const side of SIDES) {
        if ((side === 'long' ? unit.longLots : unit.shortLots) === 0) continue;
        const found = numberScore(contract, side, unit, markTicks);
        if (!told.count(!Number.isNaN(found))) continue;
        assert.equal(BigInt(found), sideScore(contract, side, unit, markTicks));
      }
    }),
    MANY,
  );
  told.isMostly();
});
