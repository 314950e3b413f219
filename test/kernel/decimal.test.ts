/** Decimal text to integers and back: nothing rounds, nothing is lost, odd text is named. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  formatDecimal,
  formatTrimmed,
  mulDivCeil,
  mulDivFloor,
  parseDecimal,
  parseScaled,
  plainDecimalText,
  plainNumberText,
  Ring,
} from '#kernel';

const scale = fc.nat({ max: 18 });
const integer = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });

describe('reading', () => {
  const cases: [text: string, scale: number, expected: bigint | string][] = [
    ['12.5', 2, 1250n],
    ['12', 0, 12n],
    ['12.50', 1, 125n],
    ['12.5000000000', 1, 125n],
    ['0.00000001', 8, 1n],
    ['-3.1', 2, -310n],
    ['007', 0, 7n],
    ['12.505', 2, 'too_precise'],
    ['0.1', 0, 'too_precise'],
    ['9'.repeat(65), 0, 'too_large'],
    ['', 2, 'malformed'],
    ['.5', 2, 'malformed'],
    ['5.', 2, 'malformed'],
    ['1e5', 2, 'malformed'],
    ['1,000', 2, 'malformed'],
    [' 1', 2, 'malformed'],
    ['+1', 2, 'malformed'],
    ['1\n', 2, 'malformed'],
    ['٣', 2, 'malformed'],
    ['NaN', 2, 'malformed'],
    ['0x10', 2, 'malformed'],
  ];
  for (const [text, decimals, expected] of cases) {
    test(`${JSON.stringify(text)} at ${decimals} decimals is ${expected}`, () => {
      assert.equal(parseDecimal(text, decimals), expected);
    });
  }

  test('a quantity that is no safe integer is too large', () => {
    assert.equal(parseScaled('9007199254740991', 0), Number.MAX_SAFE_INTEGER);
    assert.equal(parseScaled('9007199254740992', 0), 'too_large');
    assert.equal(parseScaled('90071992547409.92', 2), 'too_large');
  });

  test('a quantity is read as the bigint is, whatever its text', () => {
    const letters = fc.constantFrom(...'0123456789', '.', '-', ' ');
    const odd = fc.string({ unit: letters, maxLength: 20 });
    const plain = fc.stringMatching(/^[0-9]{1,9}(\.[0-9]{0,9})?$/);
    fc.assert(
      fc.property(fc.oneof(odd, plain), fc.nat({ max: 10 }), (text, decimals) => {
        const value = parseDecimal(text, decimals);
        if (typeof value !== 'bigint') assert.equal(parseScaled(text, decimals), value);
        else if (value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER) {
          assert.equal(parseScaled(text, decimals), Number(value));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('writing', () => {
  test('what is written reads back, padded or trimmed', () => {
    fc.assert(
      fc.property(integer, scale, (value, decimals) => {
        assert.equal(parseDecimal(formatDecimal(value, decimals), decimals), value);
        assert.equal(parseDecimal(formatTrimmed(value, decimals), decimals), value);
      }),
    );
  });

  const cases: [value: bigint | number, scale: number, padded: string, trimmed: string][] = [
    [1250, 2, '12.50', '12.5'],
    [1200n, 2, '12.00', '12'],
    [0n, 8, '0.00000000', '0'],
    [5, 2, '0.05', '0.05'],
    [-5n, 2, '-0.05', '-0.05'],
    [100, 0, '100', '100'],
  ];
  for (const [value, decimals, padded, trimmed] of cases) {
    test(`${value} at ${decimals} decimals is ${padded} or ${trimmed}`, () => {
      assert.equal(formatDecimal(value, decimals), padded);
      assert.equal(formatTrimmed(value, decimals), trimmed);
    });
  }

  test('an exponent is written out, digit for digit', () => {
    assert.equal(plainNumberText(1.5e-7), '0.00000015');
    assert.equal(plainNumberText(1e21), '1000000000000000000000');
    assert.equal(plainDecimalText('-12.34e1'), '-123.4');
    assert.equal(plainDecimalText('1.2E+3'), '1200');
    assert.equal(plainDecimalText('12.5'), '12.5');
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e60 }), (value) => {
        assert.equal(Number(plainNumberText(value)), value === 0 ? Number(`${value}`) : value);
      }),
    );
  });
});

describe('rounding', () => {
  test('floor and ceil meet the exact quotient from both sides', () => {
    fc.assert(
      fc.property(
        integer,
        integer,
        fc.bigInt({ min: 1n, max: 10n ** 20n }),
        (a, b, denominator) => {
          const floor = mulDivFloor(a, b, denominator);
          const ceil = mulDivCeil(a, b, denominator);
          assert.ok(floor * denominator <= a * b && a * b < (floor + 1n) * denominator);
          assert.equal(ceil, floor * denominator === a * b ? floor : floor + 1n);
        },
      ),
    );
  });
});

test('a ring keeps the newest and gives them newest first', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.nat()),
      fc.nat(12),
      (size, all, limit) => {
        const ring = new Ring<number>(size);
        for (const value of all) ring.push(value);
        assert.deepEqual(ring.newest(limit), all.slice(-size).reverse().slice(0, limit));
        assert.equal(ring.size, Math.min(size, all.length));
      },
    ),
  );
});
