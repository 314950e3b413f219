/** What spot orders are worth: exact, whether a number holds it or not. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { baseAmount, lots, notional, spotPieceFee, ticks } from '#domain';

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
    }),
    { numRuns: 500 },
  );
});

test('the fees of the pieces of an order are their exact sum, rounded up to the next unit', () => {
  const received = fc.oneof(whole.map(BigInt), fc.bigInt({ min: 0n, max: 10n ** 30n }));
  const piece = fc.tuple(received, fc.integer({ min: 0, max: 999_999 }));
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      let [exact, charged, ahead] = [0n, 0n, 0];
      for (const [amount, feePpm] of pieces) {
        const { fee, feeAhead } = spotPieceFee(amount, feePpm, ahead);
        exact += amount * BigInt(feePpm);
        charged += fee;
        ahead = feeAhead;
        assert.equal(charged, (exact + 999_999n) / 1_000_000n);
        assert.equal(BigInt(ahead), charged * 1_000_000n - exact);
        assert.ok(fee >= 0n && fee <= amount);
      }
    }),
    { numRuns: 500 },
  );
});
