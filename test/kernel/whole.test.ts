/** Whole numbers as bigints, and bigints as numbers, by way of a buffer. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { wholeToBigInt, wholeToNumber } from '#kernel';

test('every safe integer is the bigint it is', () => {
  const edges = [0, 1, -1, 2 ** 31, 2 ** 32, -(2 ** 32), 2 ** 32 - 1, Number.MAX_SAFE_INTEGER];
  for (const value of [...edges, Number.MIN_SAFE_INTEGER]) {
    assert.equal(wholeToBigInt(value), BigInt(value));
  }
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      assert.equal(wholeToBigInt(value), BigInt(value));
    }),
  );
});

test('every bigint is the number that is nearest to it', () => {
  const edges = [31n, 32n, 52n, 53n, 54n, 63n, 64n, 65n, 127n].flatMap((bits) => {
    return [-3n, -2n, -1n, 0n, 1n, 2n, 3n].map((beside) => 2n ** bits + beside);
  });
  for (const value of [0n, 1n, ...edges]) {
    assert.equal(wholeToNumber(value), Number(value));
    assert.equal(wholeToNumber(-value), Number(-value));
  }
  const anyWhole = fc.oneof(fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n }), fc.bigInt());
  const words = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(fc.oneof(anyWhole, words), (value) => {
      assert.equal(wholeToNumber(value), Number(value));
    }),
    { numRuns: 1_000 },
  );
});
