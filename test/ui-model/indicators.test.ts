/** Indicators of the chart, against published worked values and against themselves from scratch. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { present } from '#kernel';
import type { Bar } from '../../ui/src/model/candles.ts';
import { heikinAshi } from '../../ui/src/model/chart-style.ts';
import { fundingLine } from '../../ui/src/model/funding-line.ts';
import { IndicatorRun } from '../../ui/src/model/indicator-run.ts';
import {
  INDICATORS,
  type IndicatorKind,
  newIndicator,
  readIndicators,
  type SettingValues,
} from '../../ui/src/model/indicators.ts';
import { volumeProfile } from '../../ui/src/model/volume-profile.ts';

const MINUTE_S = 60;

function closes(values: readonly number[]): Bar[] {
  return values.map((close, at) => ({
    ...{ time: at * MINUTE_S, open: close, high: close, low: close, close },
    volume: 1,
  }));
}

function lineOf(
  kind: IndicatorKind,
  bars: readonly Bar[],
  settings: SettingValues,
  line = 0,
): readonly number[] {
  const run = new IndicatorRun({ ...newIndicator(kind, 'one'), settings });
  run.take(bars, 0);
  return present(run.lines[line], 'a line');
}

function isNear(found: number | undefined, wanted: number, within: number): void {
  const distance = Math.abs((found ?? Number.NaN) - wanted);
  assert.ok(distance <= within, `${found} is not ${wanted}`);
}

/** The ten-day averages that StockCharts works through in its chart school. */
const SCHOOL = [
  22.27, 22.19, 22.08, 22.17, 22.18, 22.13, 22.23, 22.43, 22.24, 22.29, 22.15, 22.39, 22.38, 22.61,
  23.36, 24.05, 23.75, 23.83, 23.95, 23.63,
];

test('the simple average is that of the chart school', () => {
  const line = lineOf('sma', closes(SCHOOL), { period: 10 });
  assert.ok(line.slice(0, 9).every(Number.isNaN));
  isNear(line[9], 22.22, 0.005);
  isNear(line[13], 22.31, 0.01);
  isNear(line[19], 23.21, 0.01);
});

test('the exponential average forgets by two parts in eleven, as of ten days', () => {
  const line = lineOf('ema', closes(SCHOOL), { period: 10 });
  for (let at = 10; at < SCHOOL.length; at += 1) {
    const before = present(line[at - 1], 'the one before');
    isNear(line[at], before + (present(SCHOOL[at], 'a close') - before) * (2 / 11), 1e-9);
  }
});

test('the weighted average counts the last day most', () => {
  const line = lineOf('wma', closes([77, 79, 79, 81, 83, 49, 55]), { period: 5 });
  isNear(line[4], (77 + 79 * 2 + 79 * 3 + 81 * 4 + 83 * 5) / 15, 1e-9);
  isNear(line[5], (79 + 79 * 2 + 81 * 3 + 83 * 4 + 49 * 5) / 15, 1e-9);
});

/** The closes of which Wilder's index is worked out in the same chart school. */
const STRENGTH = [
  44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826, 45.8931,
  46.0328, 45.614, 46.282, 46.282, 46.0028, 46.0328, 46.4116, 46.2222, 45.6439,
];

test('relative strength is that of the chart school', () => {
  const line = lineOf('rsi', closes(STRENGTH), { period: 14 });
  assert.ok(line.slice(0, 14).every(Number.isNaN));
  for (const [at, wanted] of [70.53, 66.32, 66.55, 69.41, 66.36, 57.97].entries()) {
    isNear(line[14 + at], wanted, 0.05);
  }
});

test('Bollinger bands lie two deviations of the whole window around its average', () => {
  const values = [2, 4, 4, 4, 5, 5, 7, 9];
  const bars = closes(values);
  const settings = { period: 8, deviations: 2 };
  assert.equal(lineOf('bollinger', bars, settings, 0)[7], 9);
  assert.equal(lineOf('bollinger', bars, settings, 1)[7], 5);
  assert.equal(lineOf('bollinger', bars, settings, 2)[7], 1);
});

function candle(at: number, high: number, low: number, close: number, volume = 1): Bar {
  return { time: at * MINUTE_S, open: close, high, low, close, volume };
}

/** Of the same chart school: fourteen days of a stochastic oscillator without smoothing. */
const RANGES: readonly (readonly [number, number, number])[] = [
  [127.009, 125.3574, 0],
  [127.6159, 126.1633, 0],
  [126.5911, 124.9296, 0],
  [127.3472, 126.0937, 0],
  [128.173, 126.8199, 0],
  [128.4317, 126.4817, 0],
  [127.3671, 126.034, 0],
  [126.422, 124.8301, 0],
  [126.8995, 126.3921, 0],
  [126.8498, 125.7156, 0],
  [125.646, 124.5615, 0],
  [125.7156, 124.5715, 0],
  [127.1582, 125.0689, 0],
  [127.7154, 126.8597, 127.2876],
  [127.6855, 126.6309, 127.1781],
  [128.2228, 126.8001, 128.0138],
  [128.2725, 126.7105, 127.1085],
];

test('the stochastic oscillator is that of the chart school', () => {
  const bars = RANGES.map(([high, low, close], at) => candle(at, high, low, close));
  const settings = { period: 14, smoothing: 1, dPeriod: 3 };
  const fast = lineOf('stochastic', bars, settings, 0);
  isNear(fast[15], 89.2, 0.1);
  isNear(fast[16], 65.81, 0.1);
  isNear(lineOf('stochastic', bars, settings, 1)[16], 74.2, 1);
});

test('the true range counts what a market jumped over', () => {
  const bars = [candle(0, 10, 8, 9), candle(1, 15, 14, 14), candle(2, 15, 14, 15)];
  isNear(lineOf('atr', bars, { period: 2 })[1], (2 + 6) / 2, 1e-9);
  isNear(lineOf('atr', bars, { period: 2 })[2], (4 + 1) / 2, 1e-9);
});

test('on-balance volume adds what rose and takes what fell', () => {
  const bars = [10, 11, 11, 9, 12].map((close, at) => candle(at, close, close, close, at + 1));
  assert.deepEqual(lineOf('obv', bars, {}), [0, 2, 2, -2, 3]);
});

test('the average price of the day begins anew at midnight UTC', () => {
  const at = (time: number, price: number, volume: number): Bar => ({
    ...{ time, open: price, high: price, low: price, close: price, volume },
  });
  const day = 86_400;
  const bars = [at(0, 10, 1), at(60, 20, 3), at(120, 99, 0), at(day, 30, 2)];
  assert.deepEqual(lineOf('vwap', bars, {}), [10, 17.5, 17.5, 30]);
});

test('MACD is the distance of two averages, its histogram that from their average', () => {
  const bars = closes(Array.from({ length: 40 }, (_, at) => 100 + (at % 7) * at));
  const settings = { fast: 3, slow: 6, signal: 4 };
  const [fast, slow] = [lineOf('ema', bars, { period: 3 }), lineOf('ema', bars, { period: 6 })];
  for (let at = 5; at < bars.length; at += 1) {
    const line = present(lineOf('macd', bars, settings, 1)[at], 'a value');
    isNear(line, present(fast[at], 'fast') - present(slow[at], 'slow'), 1e-9);
    const signal = present(lineOf('macd', bars, settings, 2)[at], 'a value');
    isNear(lineOf('macd', bars, settings, 0)[at], line - signal, 1e-9);
  }
});

test('Ichimoku takes the middle of the highest and the lowest price', () => {
  const bars = Array.from({ length: 6 }, (_, at) => candle(at, 10 + at, 5 - at, 7));
  const settings = { conversion: 2, base: 3, spanB: 4 };
  const at5 = [0, 1, 2, 3, 4].map((line) => lineOf('ichimoku', bars, settings, line)[5]);
  assert.deepEqual(at5, [7.5, 7.5, 7.5, 7.5, 7]);
});

test('the supertrend stands below a market that rises and above one that falls', () => {
  const walk = [...Array(40).keys()].map((at) => (at < 20 ? 100 + at * 5 : 195 - (at - 20) * 5));
  const bars = walk.map((close, at) => candle(at, close + 1, close - 1, close));
  const settings = { period: 3, multiplier: 2 };
  const [up, down] = [0, 1].map((line) => lineOf('supertrend', bars, settings, line));
  assert.ok(present(up?.[18], 'below') < present(walk[18], 'a close'));
  assert.ok(present(down?.[39], 'above') > present(walk[39], 'a close'));
  assert.ok(Number.isNaN(up?.[39]));
});

const someBars = fc
  .array(
    fc.record({
      open: fc.integer({ min: 90, max: 110 }),
      close: fc.integer({ min: 90, max: 110 }),
      above: fc.nat({ max: 5 }),
      below: fc.nat({ max: 5 }),
      volume: fc.nat({ max: 3 }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((rows) =>
    rows.map(
      ({ open, close, above, below, volume }, at): Bar => ({
        ...{ time: at * MINUTE_S * 600, open, close, volume },
        high: Math.max(open, close) + above,
        low: Math.min(open, close) - below,
      }),
    ),
  );

for (const { kind, lines } of INDICATORS) {
  test(`${kind}: extended bar by bar it is what it is from scratch`, () => {
    const property = fc.property(someBars, fc.nat(), (bars, seed) => {
      const settings = { period: 3, fast: 2, slow: 4, signal: 2, conversion: 2, base: 3, spanB: 4 };
      const choice = { id: 'one', kind, settings: { ...settings, smoothing: 2, dPeriod: 2 } };
      const grown = new IndicatorRun(choice);
      const known: Bar[] = [];
      for (const [at, bar] of bars.entries()) {
        // A bar is first seen half made, often without volume, and then as it ended.
        const half = { ...bar, close: bar.open, volume: (seed + at) % 2 };
        if ((seed >> (at % 8)) % 2 === 1) grown.take([...known, half], at);
        known.push(bar);
        grown.take(known, at);
      }
      const fresh = new IndicatorRun(choice);
      fresh.take(bars, 0);
      for (let line = 0; line < lines.length; line += 1) {
        for (const [at, wanted] of (fresh.lines[line] ?? []).entries()) {
          const found = grown.lines[line]?.[at] ?? Number.NaN;
          const isSame = Object.is(found, wanted) || Math.abs(found - wanted) < 1e-6;
          assert.ok(isSame, `line ${line} at ${at}: ${found} is not ${wanted}`);
        }
      }
    });
    fc.assert(property, { numRuns: 60 });
  });
}

test('a profile holds all the volume, at prices that were traded', () => {
  const property = fc.property(someBars, fc.integer({ min: 1, max: 30 }), (bars, rows) => {
    const profile = volumeProfile(bars, rows);
    const wanted = bars.reduce((sum, { volume }) => sum + volume, 0);
    const found = profile.reduce((sum, { up, down }) => sum + up + down, 0);
    if (profile.length > 0) isNear(found, wanted, 1e-6);
  });
  fc.assert(property);
  const two = [candle(0, 10, 0, 10, 100), candle(1, 10, 5, 6, 50)];
  assert.deepEqual(volumeProfile(two, 2), [
    { low: 0, high: 5, up: 50, down: 0 },
    { low: 5, high: 10, up: 100, down: 0 },
  ]);
});

test('a funding rate holds from its settlement to the next', () => {
  const bars = closes([1, 2, 3, 4]);
  const rates = [
    { timeMs: 60_000, rate: 0.0001 },
    { timeMs: 185_000, rate: -0.0002 },
  ];
  assert.deepEqual(fundingLine(bars, rates), [Number.NaN, 0.0001, 0.0001, -0.0002]);
});

test('Heikin-Ashi bars are averages, and a new last bar costs one', () => {
  const bars = [
    { time: 0, open: 10, high: 14, low: 8, close: 12, volume: 1 },
    { time: 60, open: 12, high: 16, low: 11, close: 15, volume: 2 },
  ];
  const made: Bar[] = [];
  heikinAshi(bars, 0, made);
  assert.deepEqual(made, [
    { time: 0, open: 11, high: 14, low: 8, close: 11, volume: 1 },
    { time: 60, open: 11, high: 16, low: 11, close: 13.5, volume: 2 },
  ]);
  const [first] = made;
  heikinAshi([...bars.slice(0, 1), candle(1, 20, 20, 20)], 1, made);
  assert.equal(made[0], first);
  assert.equal(made[1]?.close, 20);
});

test('what was kept of indicators is read as far as it can be', () => {
  assert.deepEqual(readIndicators('no json'), []);
  assert.deepEqual(readIndicators('{"a":1}'), []);
  const kept = [
    { id: 'a', kind: 'ema', settings: { period: 9 } },
    { id: 'b', kind: 'ema', settings: { period: 'nine' } },
    { id: 'c', kind: 'gone', settings: {} },
    null,
  ];
  assert.deepEqual(readIndicators(JSON.stringify(kept)), [
    { id: 'a', kind: 'ema', settings: { period: 9 } },
    { id: 'b', kind: 'ema', settings: { period: 20 } },
  ]);
});
