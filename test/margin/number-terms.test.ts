/** What is worked out in numbers is what bigints give, or is left to them. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  fineFactorOf,
  leveragedParts,
  leverageUnit,
  numberCost,
  numberValue,
  openShare,
  partOf,
  pieceFee,
  pieceMargin,
  ratedParts,
  tradeValue,
  type ValueTerms,
} from '#domain';
import * as arbitrary from './arbitrary.ts';

const PPM = 1_000_000n;
const value = fc.oneof(fc.maxSafeNat(), arbitrary.magnitude(12, 0));
const rate = fc.integer({ min: 0, max: 999_999 });

function linear(factor: number): ValueTerms {
  return { kind: 'linear', valueFactor: BigInt(factor), fineFactor: fineFactorOf('linear') };
}

test('a rate and a leverage of a value leave nothing out', () => {
  fc.assert(
    fc.property(value, rate, arbitrary.leverage, (whole, ratePpm, leverage) => {
      const rated = ratedParts(whole, ratePpm);
      const due = BigInt(whole) * BigInt(ratePpm);
      assert.deepEqual([BigInt(rated.units), BigInt(rated.rest)], [due / PPM, due % PPM]);
      const parts = leveragedParts(whole, leverage);
      assert.equal(BigInt(parts.units), BigInt(whole) / BigInt(leverage));
      assert.equal(BigInt(parts.rest), BigInt(whole) % BigInt(leverage));
    }),
    { numRuns: 500 },
  );
});

test('a cost is rounded up once, or no number', () => {
  fc.assert(
    fc.property(value, arbitrary.leverage, rate, (whole, leverage, feePpm) => {
      const share = PPM + BigInt(leverage) * BigInt(feePpm);
      const parts = PPM * BigInt(leverage);
      const exact = (BigInt(whole) * share + parts - 1n) / parts;
      const cost = numberCost(whole, leverage, feePpm);
      if (exact > BigInt(Number.MAX_SAFE_INTEGER)) assert.ok(Number.isNaN(cost));
      else assert.equal(BigInt(cost), exact);
    }),
    { numRuns: 500 },
  );
});

test('values are exact whatever their size, and numbers as long as they are safe', () => {
  const factor = arbitrary.magnitude(9);
  const size = arbitrary.magnitude(9);
  const price = arbitrary.magnitude(9);
  fc.assert(
    fc.property(factor, size, price, (lotFactor, lots, ticks) => {
      const terms = linear(lotFactor);
      const exact = BigInt(lotFactor) * BigInt(lots) * BigInt(ticks);
      const { fine, units, number } = tradeValue(terms, lots, ticks);
      assert.deepEqual([units, fine], [exact, exact * terms.fineFactor]);
      const isSafe = exact <= BigInt(Number.MAX_SAFE_INTEGER);
      assert.equal(number, isSafe ? Number(exact) : Number.NaN);
      assert.equal(numberValue({ ...terms, kind: 'inverse' }, lots, ticks), Number.NaN);
    }),
    { numRuns: 500 },
  );
});

test('the pieces of an order pay what it would pay as one', () => {
  const pieces = fc.array(fc.tuple(arbitrary.magnitude(7), arbitrary.price), { minLength: 1 });
  fc.assert(
    fc.property(
      arbitrary.magnitude(6),
      pieces,
      rate,
      arbitrary.leverage,
      (factor, fills, ppm, l) => {
        const terms = linear(factor);
        let carry = { feeAhead: 0n, marginOwed: 0n };
        let [fees, margins, fines] = [0n, 0n, 0n];
        for (const [size, price] of fills) {
          const worth = tradeValue(terms, size, price);
          const { fee, feeAhead } = pieceFee(terms, worth, ppm, carry.feeAhead);
          const { margin, marginOwed } = pieceMargin(terms, worth, l, carry.marginOwed);
          carry = { feeAhead, marginOwed };
          fees += fee;
          margins += margin;
          fines += worth.fine;
          const whole = PPM * terms.fineFactor;
          assert.equal(fees, (fines * BigInt(ppm) + whole - 1n) / whole);
          assert.equal(margins, fines / leverageUnit(terms, l));
        }
      },
    ),
  );
});

test('parts of lots take their parts of values and amounts', () => {
  const sides = fc.constantFrom('long' as const, 'short' as const);
  const amount = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 30n }), value.map(BigInt));
  const sizes = fc.tuple(arbitrary.size, arbitrary.size);
  fc.assert(
    fc.property(amount, sizes, sides, (open, [one, other], side) => {
      const [part, whole] = [Math.min(one, other), Math.max(one, other)];
      assert.equal(partOf(open, part, whole), (open * BigInt(part)) / BigInt(whole));
      const share = openShare(linear(1), side, open, part, whole);
      const [least, rest] = [open * BigInt(part), BigInt(whole)];
      assert.equal(share, side === 'long' ? (least + rest - 1n) / rest : least / rest);
    }),
    { numRuns: 500 },
  );
});
