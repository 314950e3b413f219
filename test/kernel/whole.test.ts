/** Whole numbers as bigints by way of a buffer. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { wholeToBigInt } from '#kernel';

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
