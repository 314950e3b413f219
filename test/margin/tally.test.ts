/** The totals of a position against plain sums, for amounts small and larger than numbers hold. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NO_TOTALS, type PositionTotals, partOf } from '#domain';
import { type Filled, Tally } from '#engine/testing';

const FACTORS = { linear: 10n ** 12n, inverse: 10n ** 24n } as const;
const SIZE = fc.integer({ min: 1, max: 1_000_000 });
const AMOUNT = fc.oneof(
  fc.bigInt({ min: 0n, max: 1_000_000n }),
  fc.bigInt({ min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER) }),
  fc.bigInt({ min: 0n, max: 10n ** 24n }),
);
const STEPS = fc.array(
  fc.record({
    kind: fc.constantFrom('open', 'open', 'close', 'take', 'funding', 'read', 'restore'),
    size: SIZE,
    units: AMOUNT,
    rest: fc.bigInt({ min: 0n, max: 10n ** 24n - 1n }),
    fee: AMOUNT,
  }),
  { maxLength: 40 },
);

/** Plain sums. */
class Sums {
  totals: PositionTotals = NO_TOTALS;

  open({ size, worth, fee }: Filled): void {
    const { openedLots, openedValue, openedFee, heldFee } = this.totals;
    this.totals = {
      ...this.totals,
      openedLots: openedLots + BigInt(size),
      openedValue: openedValue + worth.fine,
      openedFee: openedFee + fee,
      heldFee: heldFee + fee,
    };
  }

  close({ size, worth, fee }: Filled, held: number, isForced: boolean): void {
    const { closedLots, closedValue, closedFee, liquidationFee } = this.totals;
    const { heldFee, heldFunding } = this.totals;
    this.totals = {
      ...this.totals,
      closedLots: closedLots + BigInt(size),
      closedValue: closedValue + worth.fine,
      closedFee: closedFee + (isForced ? 0n : fee),
      liquidationFee: liquidationFee + (isForced ? fee : 0n),
      heldFee: heldFee - partOf(heldFee, size, held),
      heldFunding: heldFunding - partOf(heldFunding, size, held),
    };
  }

  fund(delta: bigint): void {
    const { funding, heldFunding } = this.totals;
    this.totals = { ...this.totals, funding: funding + delta, heldFunding: heldFunding + delta };
  }
}

for (const kind of ['linear', 'inverse'] as const) {
  const fineFactor = FACTORS[kind];

  test(`${kind}: totals are plain sums however large they are`, () => {
    fc.assert(
      fc.property(STEPS, (steps) => {
        const sums = new Sums();
        let tally = new Tally({ kind, fineFactor, valueFactor: 1n });
        let held = 0;
        for (const step of steps) {
          const { units, fee } = step;
          // Only inverse values are no whole units.
          const rest = kind === 'linear' ? 0n : step.rest;
          const number =
            kind === 'linear' && units <= Number.MAX_SAFE_INTEGER ? Number(units) : Number.NaN;
          const worth = { units, fine: units * fineFactor + rest, number };
          const isClose = step.kind === 'close' || step.kind === 'take';
          const size = isClose ? Math.min(step.size, held) : step.size;
          if (step.kind === 'open') {
            sums.open({ size, worth, fee });
            tally.countOpened({ size, worth, fee });
            held += size;
          } else if (isClose && size > 0) {
            sums.close({ size, worth, fee }, held, step.kind === 'take');
            tally.countClosed({ size, worth, fee }, held, step.kind === 'take');
            held -= size;
          } else if (step.kind === 'funding') {
            const delta = step.size % 2 === 0 ? units : -units;
            sums.fund(delta);
            tally.countFunding(delta);
          } else if (step.kind === 'read') {
            assert.deepEqual(tally.totals, sums.totals);
          } else if (step.kind === 'restore') {
            const { totals } = tally;
            tally = new Tally({ kind, fineFactor, valueFactor: 1n });
            tally.totals = totals;
          }
        }
        assert.deepEqual(tally.totals, sums.totals);
      }),
      { numRuns: 500 },
    );
  });
}
