/** What spot orders are worth: exact, whether a number holds it or not. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { baseAmount, feeOn, lots, notional, tickLotsValue, ticks } from '#domain';

const whole = fc.oneof(fc.maxSafeNat(), fc.nat({ max: 1_000_000 }));
const factor = fc.integer({ min: 0, max: 24 }).map((digits) => 10n ** BigInt(digits));
const pair = fc.record({ quoteUnitsPerTickLot: factor, baseUnitsPerLot: factor });

test('values of a price and a size are exact products', () => {
  fc.assert(
    fc.property(pair, whole, whole, (factors, price, size) => {
      const { quoteUnitsPerTickLot: quote, baseUnitsPerLot: base } = factors;
      const value = BigInt(price) * BigInt(size) * quote;
      assert.equal(notional(factors, ticks(price), lots(size)), value);
      assert.equal(baseAmount(factors, size), BigInt(size) * base);
      assert.equal(baseAmount(factors, -size), -BigInt(size) * base);
      assert.equal(tickLotsValue(factors, -price), -BigInt(price) * quote);
    }),
    { numRuns: 500 },
  );
});

test('a fee is rounded up to the next unit', () => {
  const received = fc.oneof(whole.map(BigInt), fc.bigInt({ min: 0n, max: 10n ** 30n }));
  fc.assert(
    fc.property(received, fc.integer({ min: 0, max: 999_999 }), (amount, feePpm) => {
      const exact = (amount * BigInt(feePpm) + 999_999n) / 1_000_000n;
      assert.equal(feeOn(amount, feePpm), exact);
    }),
    { numRuns: 500 },
  );
});
