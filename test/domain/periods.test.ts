/** Where candles begin, checked against the calendar. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CANDLE_TIME_MAX_MS, nextOpenTimeMs, openTimeMs, PERIODS, type Period } from '#domain';

const at = (text: string) => Date.parse(text);

const CANDLES: [Period, instant: string, opens: string, next: string][] = [
  ['1min', '2026-03-01T12:34:56.789Z', '2026-03-01T12:34:00Z', '2026-03-01T12:35:00Z'],
  ['3min', '2026-03-01T12:34:56Z', '2026-03-01T12:33:00Z', '2026-03-01T12:36:00Z'],
  ['5min', '2026-03-01T12:34:56Z', '2026-03-01T12:30:00Z', '2026-03-01T12:35:00Z'],
  ['15min', '2026-03-01T12:44:59.999Z', '2026-03-01T12:30:00Z', '2026-03-01T12:45:00Z'],
  ['30min', '2026-03-01T12:30:00Z', '2026-03-01T12:30:00Z', '2026-03-01T13:00:00Z'],
  ['1h', '2026-03-01T12:00:00Z', '2026-03-01T12:00:00Z', '2026-03-01T13:00:00Z'],
  ['2h', '2026-03-01T13:59:59Z', '2026-03-01T12:00:00Z', '2026-03-01T14:00:00Z'],
  ['4h', '2026-03-01T15:00:00Z', '2026-03-01T12:00:00Z', '2026-03-01T16:00:00Z'],
  ['6h', '2026-03-01T17:59:00Z', '2026-03-01T12:00:00Z', '2026-03-01T18:00:00Z'],
  ['12h', '2026-03-01T11:59:00Z', '2026-03-01T00:00:00Z', '2026-03-01T12:00:00Z'],
  ['1d', '2026-03-01T23:59:59.999Z', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'],
  ['3d', '1970-01-06T23:00:00Z', '1970-01-04T00:00:00Z', '1970-01-07T00:00:00Z'],
  // A week begins on Monday, also across a year's end, and before the first Monday of 1970.
  ['1w', '2026-03-01T23:59:59Z', '2026-02-23T00:00:00Z', '2026-03-02T00:00:00Z'],
  ['1w', '2026-03-02T00:00:00Z', '2026-03-02T00:00:00Z', '2026-03-09T00:00:00Z'],
  ['1w', '2026-01-01T00:00:00Z', '2025-12-29T00:00:00Z', '2026-01-05T00:00:00Z'],
  ['1w', '1970-01-01T00:00:00Z', '1969-12-29T00:00:00Z', '1970-01-05T00:00:00Z'],
  // A month has 28 to 31 days.
  ['1M', '2026-02-28T23:59:59.999Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
  ['1M', '2028-02-29T12:00:00Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
  ['1M', '2026-12-31T23:59:59Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
];

for (const [period, instant, opens, next] of CANDLES) {
  test(`${instant} is in the ${period} candle of ${opens}`, () => {
    assert.equal(openTimeMs(period, at(instant)), at(opens));
    assert.equal(nextOpenTimeMs(period, at(opens)), at(next));
  });
}

test('every instant is in exactly one candle of each period', () => {
  // The last candle of the calendar ends beyond it.
  const instant = fc.integer({ min: 0, max: CANDLE_TIME_MAX_MS - 31 * 86_400_000 });
  fc.assert(
    fc.property(instant, fc.constantFrom(...PERIODS), (timeMs, { period, lengthMs }) => {
      const open = openTimeMs(period, timeMs);
      const next = nextOpenTimeMs(period, open);
      assert.ok(open <= timeMs && timeMs < next);
      assert.equal(openTimeMs(period, open), open);
      assert.equal(openTimeMs(period, next - 1), open);
      if (lengthMs !== undefined) assert.equal(next - open, lengthMs);
      if (period === '1w') assert.equal(new Date(open).getUTCDay(), 1);
      if (period === '1M') assert.equal(new Date(open).getUTCDate(), 1);
    }),
  );
});

test('stored ids never change', () => {
  const ids = PERIODS.map(({ period, id }) => `${id} ${period}`);
  assert.deepEqual(ids, [
    '1 1min',
    '2 3min',
    '3 5min',
    '4 15min',
    '5 30min',
    '6 1h',
    '7 2h',
    '8 4h',
    '9 6h',
    '15 8h',
    '10 12h',
    '11 1d',
    '12 3d',
    '13 1w',
    '14 1M',
  ]);
});

test('each granularity of contracts is a period of that length', () => {
  const granularitiesS = [
    60, 180, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400, 604_800,
  ];
  const found = granularitiesS.map(
    (seconds) => PERIODS.find(({ lengthMs }) => lengthMs === seconds * 1_000)?.period,
  );
  assert.equal(found.join(' '), '1min 3min 5min 15min 30min 1h 2h 4h 6h 12h 1d 1w');
});

test('a time outside the calendar is a fault of the caller', () => {
  for (const timeMs of [0.5, Number.NaN, CANDLE_TIME_MAX_MS + 1]) {
    assert.throws(() => openTimeMs('1M', timeMs), { name: 'AssertionFailed' });
  }
});
