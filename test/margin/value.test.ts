/** Values, average entries, profit and shares of a position, for random fills. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  averageEntry,
  deleveragingScore,
  feeOnFine,
  finePnl,
  fineToFloor,
  fineValue,
  openShare,
  valueFloor,
} from '#domain';
import * as arbitrary from './arbitrary.ts';

test('a fee is rounded up, once', () => {
  fc.assert(
    fc.property(arbitrary.holding, arbitrary.feePpm, ({ contract, open }, feePpm) => {
      const fee = feeOnFine(contract, open, feePpm);
      const whole = 1_000_000n * contract.fineFactor;
      const exact = open * BigInt(feePpm);
      assert.ok(fee * whole >= exact && (fee - 1n) * whole < exact);
    }),
  );
});

test('a value is rounded down, by less than one unit', () => {
  fc.assert(
    fc.property(arbitrary.terms, arbitrary.size, arbitrary.price, (contract, lots, price) => {
      const fine = fineValue(contract, lots, price);
      const left = fine - valueFloor(contract, lots, price) * contract.fineFactor;
      assert.ok(left >= 0n && left < contract.fineFactor);
    }),
  );
});

test('an inverse value is cut at the last fine digit', () => {
  fc.assert(
    fc.property(arbitrary.terms, arbitrary.size, arbitrary.price, (contract, lots, price) => {
      fc.pre(contract.kind === 'inverse');
      const fine = fineValue(contract, lots, price);
      const numerator = BigInt(lots) * contract.valueFactor * contract.fineFactor;
      const cut = numerator - fine * BigInt(price);
      assert.ok(cut >= 0n && cut < BigInt(price));
    }),
  );
});

test('what one side gains at a price, the other loses', () => {
  fc.assert(
    fc.property(arbitrary.holding, arbitrary.price, ({ contract, lots, open }, price) => {
      const value = fineValue(contract, lots, price);
      const long = finePnl(contract, 'long', open, value);
      assert.equal(long + finePnl(contract, 'short', open, value), 0n);
      const booked = fineToFloor(contract, long) + fineToFloor(contract, -long);
      assert.ok(booked === 0n || booked === -1n, 'rounding pays nobody');
    }),
  );
});

test('a long gains when the price rises, whatever the contract', () => {
  fc.assert(
    fc.property(
      arbitrary.holding,
      arbitrary.price,
      arbitrary.price,
      ({ contract, lots, open }, one, other) => {
        const [low, high] = one < other ? [one, other] : [other, one];
        const pnlAt = (price: number) =>
          finePnl(contract, 'long', open, fineValue(contract, lots, price));
        assert.ok(pnlAt(low) <= pnlAt(high));
      },
    ),
  );
});

test('parts of an open value add up to the whole', () => {
  fc.assert(
    fc.property(arbitrary.holding, fc.array(arbitrary.size), ({ contract, lots, open }, parts) => {
      let left = { lots, open };
      for (const part of [...parts, lots]) {
        const closed = Math.min(part, left.lots);
        if (closed === 0) continue;
        const share = openShare(contract, 'long', left.open, closed, left.lots);
        assert.ok(share >= 0n && share <= left.open);
        left = { lots: left.lots - closed, open: left.open - share };
      }
      assert.deepEqual(left, { lots: 0, open: 0n });
    }),
  );
});

test('an average entry lies between the prices paid', () => {
  const fills = fc.array(fc.tuple(arbitrary.size, arbitrary.price), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(arbitrary.terms, fills, (contract, paid) => {
      const open = paid.reduce((sum, [lots, at]) => sum + fineValue(contract, lots, at), 0n);
      fc.pre(open >= contract.fineFactor * 1_000n);
      const size = paid.reduce((sum, [lots]) => sum + lots, 0);
      const average = Number(averageEntry(contract, open, size, 3)) / 1_000;
      const prices = paid.map(([, at]) => at);
      assert.ok(average >= Math.min(...prices) - 0.001, `${average} not below all`);
      assert.ok(average <= Math.max(...prices) * (1 + 1e-9) + 0.001, `${average} not above all`);
    }),
  );
});

test('a close moves no average entry by more than rounding', () => {
  fc.assert(
    fc.property(arbitrary.holding, arbitrary.size, ({ contract, lots, open }, part) => {
      fc.pre(part < lots && open >= BigInt(lots) * 1_000_000n);
      const rest = open - openShare(contract, 'long', open, part, lots);
      const before = Number(averageEntry(contract, open, lots, 0));
      const after = Number(averageEntry(contract, rest, lots - part, 0));
      assert.ok(Math.abs(before - after) <= 1 + before * 1e-6);
    }),
  );
});

test('an average entry is rounded half up', () => {
  const linear = { kind: 'linear', valueFactor: 7n, fineFactor: 1n } as const;
  const inverse = { kind: 'inverse', valueFactor: 6n, fineFactor: 1n } as const;
  assert.equal(averageEntry(linear, 7n * 4n, 3, 0), 1n);
  assert.equal(averageEntry(linear, 7n * 3n, 2, 0), 2n);
  assert.equal(averageEntry(linear, 7n * 5n, 3, 1), 17n);
  assert.equal(averageEntry(inverse, 4n, 1, 0), 2n);
  assert.equal(averageEntry(inverse, 9n, 2, 1), 13n);
  assert.equal(averageEntry(linear, 0n, 0, 0), 0n);
});

describe('the rank in deleveraging', () => {
  const cases: [what: string, figures: [bigint, bigint, bigint, bigint], score: bigint][] = [
    ['a tenth gained at ten times', [100n, 1_000n, 1_100n, 110n], 1_000_000_000n],
    ['a tenth gained at once', [100n, 1_000n, 1_100n, 1_100n], 100_000_000n],
    ['a tenth lost at ten times', [-100n, 1_000n, 900n, 90n], -10_000_000n],
    ['a tenth lost at once', [-100n, 1_000n, 900n, 900n], -100_000_000n],
    ['nothing behind it', [100n, 1_000n, 1_100n, -1n], 0n],
  ];
  for (const [what, [pnl, open, value, equity], score] of cases) {
    test(`${what}: ${score}`, () => {
      assert.equal(deleveragingScore(pnl, open, value, equity), score);
    });
  }
});

test('who gains more with less behind it is deleveraged first', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 20n });
  fc.assert(
    fc.property(amount, amount, amount, amount, (pnl, open, value, equity) => {
      const score = deleveragingScore(pnl, open, value, equity);
      assert.ok(deleveragingScore(2n * pnl, open, value, equity) >= score, 'more profit');
      assert.ok(deleveragingScore(pnl, open, value, 2n * equity) <= score, 'more equity');
      assert.ok(deleveragingScore(-pnl, open, value, equity) <= 0n, 'a loss comes later');
      assert.equal(deleveragingScore(pnl, open, value, 0n), 0n, 'without equity it has no rank');
    }),
  );
});
