/** Positions as rows of words, held against plain fields: what 64 bits do not hold, too. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ContractKind, fineFactorOf } from '#domain';
import { Position } from '#engine/testing';
import { present } from '#kernel';

/** More than a page has rows for. */
const POSITIONS_COUNT = 40;
const AMOUNTS = ['margin', 'marginOwed', 'realizedPnl', 'open'] as const;
const TIMES = ['openedTimeMs', 'updatedTimeMs'] as const;
/** The bounds of 64 bits and what is next to them come as often as all others. */
const AMOUNT = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.bigInt({ min: 0n, max: 10n ** 12n }),
  fc.integer({ min: -2, max: 2 }).map((beside) => 2n ** 63n + BigInt(beside)),
  fc.integer({ min: -2, max: 2 }).map((beside) => -(2n ** 63n) + BigInt(beside)),
);
const CHANGE = fc.record({
  at: fc.nat({ max: POSITIONS_COUNT - 1 }),
  field: fc.constantFrom(...AMOUNTS),
  amount: AMOUNT,
  time: fc.constantFrom(...TIMES),
  timeMs: fc.maxSafeNat(),
});

type Fields = Record<(typeof AMOUNTS)[number], bigint> & Record<(typeof TIMES)[number], number>;

function fieldsOf(of: Fields): Fields {
  const { margin, marginOwed, realizedPnl, open, openedTimeMs, updatedTimeMs } = of;
  return { margin, marginOwed, realizedPnl, open, openedTimeMs, updatedTimeMs };
}

for (const kind of ['linear', 'inverse'] satisfies ContractKind[]) {
  test(`each word of ${kind} positions keeps what was written into it`, () => {
    const terms = { kind, valueFactor: 7n, fineFactor: fineFactorOf(kind) };
    const property = fc.property(fc.array(CHANGE, { maxLength: 200 }), (changes) => {
      const rows = Array.from({ length: POSITIONS_COUNT }, () => new Position('long', 5, terms));
      const known = rows.map(fieldsOf);
      for (const { at, field, amount, time, timeMs } of changes) {
        const [row, plain] = [present(rows[at], 'row'), present(known[at], 'fields')];
        // An open value is never below zero.
        const value = field === 'open' && amount < 0n ? -amount : amount;
        row[field] = value;
        plain[field] = value;
        row[time] = timeMs;
        plain[time] = timeMs;
      }
      assert.deepEqual(rows.map(fieldsOf), known);
    });
    fc.assert(property, { numRuns: 100 });
  });
}
