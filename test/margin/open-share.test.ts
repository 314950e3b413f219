/** Open values in numbers: each sum, share and gain is what bigints give, or is left to them. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type ContractKind,
  closingGain,
  fineFactorOf,
  fineParts,
  finePnl,
  leverageUnit,
  openPartFine,
  openPartOf,
  openShare,
  openShareOf,
  tradeValue,
  type ValueTerms,
} from '#domain';
import { OpenSum } from '#engine/testing';
import * as arbitrary from './arbitrary.ts';

const SIDE = fc.constantFrom('long' as const, 'short' as const);
const KIND = fc.constantFrom<ContractKind>('linear', 'inverse');
const SIZES = fc
  .tuple(arbitrary.size, arbitrary.size)
  .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);
/** Whole units, few fine units beside them, just below a unit, and what no number holds. */
const OPEN = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 30n }),
  fc.maxSafeNat().map((units) => BigInt(units) * 10n ** 12n),
  fc.tuple(fc.maxSafeNat(), fc.integer({ min: -9, max: 9 })).map(([units, beside]) => {
    const fine = BigInt(units) * 10n ** 12n + BigInt(beside);
    return fine < 0n ? 0n : fine;
  }),
  arbitrary.magnitude(12, 0).map(BigInt),
);

function terms(kind: ContractKind, valueFactor = 7n): ValueTerms {
  return { kind, valueFactor, fineFactor: fineFactorOf(kind) };
}

test('a part of an open value is kept without a loss', () => {
  fc.assert(
    fc.property(KIND, OPEN, (kind, open) => {
      assert.equal(openPartFine(terms(kind), openPartOf(terms(kind), open)), open);
    }),
  );
});

test('a share and what closing it gains are those of bigints', () => {
  fc.assert(
    fc.property(
      KIND,
      SIDE,
      OPEN,
      SIZES,
      arbitrary.magnitude(9),
      (kind, side, open, sizes, price) => {
        const contract = terms(kind);
        const [part, whole] = sizes;
        const share = openShareOf(contract, side, openPartOf(contract, open), part, whole);
        const exact = openShare(contract, side, open, part, whole);
        assert.equal(openPartFine(contract, share), exact);
        const worth = tradeValue(contract, part, price);
        const { units, rest } = fineParts(contract, finePnl(contract, side, exact, worth.fine));
        assert.deepEqual(closingGain(contract, side, share, worth), { pnl: units, residue: rest });
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a sum of open values is the same in numbers and in bigints, read at any time', () => {
  const step = fc.record({
    kind: fc.constantFrom('open' as const, 'close' as const, 'read' as const, 'set' as const),
    size: arbitrary.size,
    price: arbitrary.magnitude(9),
    open: OPEN,
    leverage: arbitrary.leverage,
  });
  fc.assert(
    fc.property(KIND, SIDE, fc.array(step, { maxLength: 30 }), (kind, side, steps) => {
      const contract = terms(kind);
      const sum = new OpenSum(contract);
      let exact = 0n;
      let held = 0;
      for (const { kind: what, size, price, open, leverage } of steps) {
        if (what === 'open') {
          const worth = tradeValue(contract, size, price);
          sum.addOpened(worth);
          exact += worth.fine;
          held += size;
        } else if (what === 'close' && held > 0) {
          const part = Math.min(size, held);
          const share = sum.openShare(side, part, held);
          const shared = openShare(contract, side, exact, part, held);
          assert.equal(openPartFine(contract, share), shared);
          sum.takeShare(share);
          exact -= shared;
          held -= part;
        } else if (what === 'read') assert.equal(sum.open, exact);
        else if (what === 'set' && held > 0) {
          sum.open = open;
          exact = open;
        }
        assert.ok(Math.abs(sum.roundedOpen - Number(exact)) <= 1e-14 * Number(exact));
        assert.equal(sum.beyondMargin(leverage), exact % leverageUnit(contract, leverage));
      }
      assert.equal(sum.open, exact);
    }),
    { numRuns: 500 },
  );
});
