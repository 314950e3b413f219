/** Numbers and times as a reader sees and types them. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatDecimal } from '#kernel';
import {
  compact,
  compare,
  cut,
  fixed,
  grouped,
  percentText,
  readTyped,
  signOf,
  sumOf,
  withSign,
} from '../../ui/src/model/numbers.ts';
import { clockText, countdown, dateTimeText, offsetMs } from '../../ui/src/model/times.ts';

test('decimals are rounded half away from zero, or cut off', () => {
  const rows: readonly [text: string, decimals: number, rounded: string, shortened: string][] = [
    ['1.005', 2, '1.01', '1'],
    ['-1.005', 2, '-1.01', '-1'],
    ['1.2', 4, '1.2000', '1.2'],
    ['0.994', 2, '0.99', '0.99'],
    ['-0.004', 2, '0.00', '0'],
    ['999.999', 0, '1000', '999'],
    ['30000', 1, '30000.0', '30000'],
  ];
  for (const [text, decimals, rounded, shortened] of rows) {
    assert.equal(fixed(text, decimals), rounded, text);
    assert.equal(cut(text, decimals), shortened, text);
  }
});

test('a sum has the decimals of the longest text', () => {
  assert.equal(sumOf(['1.5', '-0.025', '3']), '4.475');
  assert.equal(sumOf(['-1.10', '1.1']), '0.00');
  assert.equal(sumOf([]), '0');
});

test('thousands are grouped left of the point only', () => {
  const rows = [
    ['0', '0'],
    ['999', '999'],
    ['1000', '1,000'],
    ['-1234567.891011', '-1,234,567.891011'],
    ['123456', '123,456'],
  ] as const;
  for (const [text, shown] of rows) assert.equal(grouped(text), shown);
});

test('a volume in few characters', () => {
  const rows = [
    ['0.12345', '0.12'],
    ['999.999', '999.99'],
    ['1000', '1K'],
    ['1234567.8', '1.23M'],
    ['-2500000000', '-2.5B'],
    ['999999', '999.99K'],
    ['7000000000000', '7T'],
  ] as const;
  for (const [text, shown] of rows) assert.equal(compact(text), shown);
});

test('ratios in percent and signs', () => {
  assert.equal(percentText('0.01234', 2), '1.23%');
  assert.equal(percentText('-0.00375', 4), '-0.3750%');
  assert.equal(percentText('1', 0), '100%');
  assert.deepEqual(['2.5', '0.00', '-1'].map(withSign), ['+2.5', '0.00', '-1']);
  assert.deepEqual(['2.5', '0.00', '-1'].map(signOf), [1, 0, -1]);
  assert.deepEqual([compare('1.10', '1.1'), compare('9', '10'), compare('-1', '-2')], [0, -1, 1]);
});

test('what is typed: thousands may be grouped, everything else that is odd is refused', () => {
  const value = (units: bigint) => ({ kind: 'number', value: units });
  const rows: readonly [typed: string, read: unknown][] = [
    ['30000', value(3_000_000n)],
    [' 30,000.5 ', value(3_000_050n)],
    ['30 000', value(3_000_000n)],
    ['1\u202f234\u00a0567.89', value(123_456_789n)],
    ['.5', value(50n)],
    ['5.', value(500n)],
    ['1.100', value(110n)],
    ['', { kind: 'empty' }],
    ['0,5', { kind: 'malformed' }],
    ['0,500', { kind: 'malformed' }],
    ['12,34', { kind: 'malformed' }],
    ['1,2345', { kind: 'malformed' }],
    ['1e3', { kind: 'malformed' }],
    ['-1', { kind: 'malformed' }],
    ['+1', { kind: 'malformed' }],
    ['.', { kind: 'malformed' }],
    ['1.2.3', { kind: 'malformed' }],
    ['0x10', { kind: 'malformed' }],
    ['1.234', { kind: 'too_precise', decimalsMax: 2 }],
    ['9'.repeat(65), { kind: 'too_large' }],
  ];
  for (const [typed, read] of rows) assert.deepEqual(readTyped(typed, 2), read, typed);
});

test('whatever is shown grouped can be typed again', () => {
  const property = fc.property(
    fc.bigInt({ min: 0n, max: 10n ** 30n }),
    fc.integer({ min: 0, max: 12 }),
    (value, scale) => {
      const shown = grouped(formatDecimal(value, scale));
      assert.deepEqual(readTyped(shown, scale), { kind: 'number', value });
    },
  );
  fc.assert(property);
});

test('time left is never below zero and shows days when there are any', () => {
  const rows = [
    [-5, '00:00:00'],
    [1, '00:00:01'],
    [59_000, '00:00:59'],
    [28_799_001, '08:00:00'],
    [183_600_000, '2d 03:00:00'],
  ] as const;
  for (const [leftMs, shown] of rows) assert.equal(countdown(leftMs), shown);
});

test('times in a zone', () => {
  const timeMs = 1_795_235_652_453;
  assert.equal(dateTimeText(timeMs, 'UTC'), '2026-11-21 04:34:12');
  assert.equal(clockText(timeMs, 'UTC'), '04:34:12');
  assert.equal(clockText(timeMs, 'Asia/Shanghai'), '12:34:12');
  const rows = [
    ['UTC', timeMs, 0],
    ['Asia/Shanghai', timeMs, 8 * 60],
    ['Asia/Kolkata', timeMs, 5.5 * 60],
    ['America/New_York', timeMs, -5 * 60],
    ['America/New_York', Date.UTC(2026, 6, 1), -4 * 60],
  ] as const;
  for (const [zone, atMs, minutes] of rows) {
    assert.equal(offsetMs(atMs, zone), minutes * 60_000, zone);
  }
});
