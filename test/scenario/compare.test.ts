/** What an expected figure means. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isExpected, meets } from '#scenario/testing';

const HOLDS: readonly (readonly [string, string])[] = [
  ['30000', '30000.00'],
  ['-0.5', '-0.50'],
  ['filled', 'filled'],
  ['above 100', '100.00000001'],
  ['below 100', '99.99999999'],
  ['at least 100', '100'],
  ['at most 100', '100.0'],
  ['not 0', '0.00000001'],
  ['not filled', 'open'],
  ['about 100 within 0.5', '99.5'],
  ['about 100 within 0.5', '100.5'],
];

const FAILS: readonly (readonly [string, string])[] = [
  ['30000', '30000.01'],
  ['30000', ''],
  ['30000', 'nothing'],
  ['filled', 'open'],
  ['above 100', '100'],
  ['below 100', '100.00'],
  ['at least 100', '99.99999999'],
  ['at most 100', '100.00000001'],
  ['at most 100', 'nothing'],
  ['not 0', '0.00'],
  ['about 100 within 0.5', '99.49999999'],
  ['about 100 within 0.5', '100.50000001'],
  ['about 100 within 0.5', 'open'],
];

test('figures hold, or not', () => {
  for (const [expected, actual] of HOLDS)
    assert.ok(meets(expected, actual), `${expected} ${actual}`);
  for (const [expected, actual] of FAILS)
    assert.ok(!meets(expected, actual), `${expected} ${actual}`);
});

test('comparisons need numbers', () => {
  for (const text of ['above all', 'about 3 within', 'about x within 3', 'at least', '']) {
    assert.equal(isExpected(text), /^(about 3|at least)/.test(text), text);
  }
  for (const [expected] of HOLDS) assert.ok(isExpected(expected), expected);
});

test('of two numbers exactly one is above, below or the same as the other', () => {
  const figure = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map((units) => {
    const digits = String(units < 0n ? -units : units).padStart(9, '0');
    return `${units < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`;
  });
  fc.assert(
    fc.property(figure, figure, (one, other) => {
      const found = ['above ', 'below ', ''].filter((word) => meets(word + one, other));
      assert.equal(found.length, 1);
      assert.equal(meets(`not ${one}`, other), !meets(one, other));
      assert.equal(meets(`at least ${one}`, other), !meets(`below ${one}`, other));
    }),
  );
});
