/** Amounts with at least so many decimals: what is added is zeros, and nothing else changes. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatPadded } from '#dialects/testing';
import { formatDecimal, parseDecimal } from '#kernel';

const ROWS = [
  [1n, 8, 8, '0.00000001'],
  [-150n, 2, 8, '-1.50000000'],
  [7n, 0, 8, '7.00000000'],
  [7n, 0, 0, '7'],
  [1_500_000_000n, 9, 8, '1.50000000'],
  [1_500_000_001n, 9, 8, '1.500000001'],
] as const;

for (const [value, scale, decimalsMin, wanted] of ROWS) {
  test(`${value} at scale ${scale} with ${decimalsMin} decimals or more`, () => {
    assert.equal(formatPadded(value, scale, decimalsMin), wanted);
  });
}

test('whatever is written is the same amount', () => {
  const scales = fc.nat(18);
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), scales, (value, scale) => {
      const text = formatPadded(value, scale, 8);
      assert.equal(parseDecimal(text, scale), value);
      if (scale > 8) return;
      assert.equal(text, formatDecimal(value * 10n ** BigInt(8 - scale), 8));
    }),
  );
});
