/** Candles put together from pages and a stream, against candles worked out from all trades. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nextOpenTimeMs, openTimeMs, PERIODS as PERIODS_OF_VENUE } from '#domain';
import { type Bar, barOf, CandleSeries } from '../../ui/src/model/candles.ts';
import { nextOpenMs, PERIODS } from '../../ui/src/model/periods.ts';

const MINUTE_S = 60;

interface Deal {
  readonly minute: number;
  readonly price: number;
}

/** What the venue would answer: every minute from the first trade to this one, gaps filled. */
function barsOf(deals: readonly Deal[], nowMinute: number): Bar[] {
  const bars: Bar[] = [];
  const first = deals[0]?.minute ?? nowMinute;
  for (let minute = first; minute <= nowMinute; minute += 1) {
    const prices = deals.filter((deal) => deal.minute === minute).map(({ price }) => price);
    const before = bars.at(-1)?.close ?? 0;
    bars.push({
      time: minute * MINUTE_S,
      open: prices[0] ?? before,
      high: prices.length === 0 ? before : Math.max(...prices),
      low: prices.length === 0 ? before : Math.min(...prices),
      close: prices.at(-1) ?? before,
      volume: prices.length,
    });
  }
  return bars;
}

const history = fc
  .array(
    fc.record({ wait: fc.integer({ min: 0, max: 4 }), price: fc.integer({ min: 1, max: 9 }) }),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  .map((rows) => {
    let minute = 100;
    return rows.map(({ wait, price }) => {
      minute += wait;
      return { minute, price };
    });
  });

test('pages and live bars together are the candles of all trades', () => {
  const property = fc.property(
    history,
    fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 }),
    fc.nat({ max: 39 }),
    (deals, pageSizes, knownAt) => {
      const series = new CandleSeries('1min', 1_000);
      const answered = deals.slice(0, Math.min(knownAt, deals.length - 1) + 1);
      const page = barsOf(answered, answered.at(-1)?.minute ?? 0);
      // The stream tells the bars that changed, one by one, while the page is under way.
      deals.forEach((deal, at) => {
        if (at < knownAt / 2) return;
        const now = barsOf(deals.slice(0, at + 1), deal.minute);
        series.merge(now.slice(-1));
        if (at === knownAt) series.merge(page.slice(-(pageSizes[0] ?? 1)));
      });
      const all = barsOf(deals, deals.at(-1)?.minute ?? 0);
      series.merge(all.slice(-5));
      for (let at = 0; (series.oldestMs ?? 0) > 100 * 60_000; at += 1) {
        const older = all.filter(({ time }) => time * 1_000 < (series.oldestMs ?? 0));
        if (older.length === 0) break;
        series.merge(older.slice(-(pageSizes[at % pageSizes.length] ?? 1)));
      }
      // A late page of an earlier time says nothing new.
      series.merge(page);
      series.merge(all);
      assert.deepEqual(series.bars, all);
    },
  );
  fc.assert(property);
});

function bar(minute: number, close: number, volume = 1): Bar {
  return { time: minute * MINUTE_S, open: close, high: close, low: close, close, volume };
}

test('what a chart has to do', () => {
  const series = new CandleSeries('1min', 100);
  assert.deepEqual(series.merge([]), { kind: 'none' });
  assert.deepEqual(series.merge([bar(10, 5), bar(11, 6)]), { kind: 'all' });
  assert.deepEqual(series.merge([bar(11, 6)]), { kind: 'none' });
  assert.deepEqual(series.merge([bar(11, 7, 2)]), { kind: 'tail', from: 1 });
  assert.deepEqual(series.merge([bar(14, 8)]), { kind: 'tail', from: 2 });
  assert.deepEqual(series.bars.slice(1), [bar(11, 7, 2), bar(12, 7, 0), bar(13, 7, 0), bar(14, 8)]);
  assert.deepEqual(series.merge([bar(12, 9)]), { kind: 'all' });
  assert.equal(series.oldestMs, 10 * 60_000);
});

test('a page that was under way for long does not undo what a stream has told since', () => {
  const series = new CandleSeries('1min', 100);
  series.merge([bar(10, 5, 3)]);
  series.merge([bar(9, 4), bar(10, 4, 1)]);
  assert.deepEqual(series.bars, [bar(9, 4), bar(10, 5, 3)]);
  series.merge([bar(10, 4, 2), bar(11, 6)]);
  assert.deepEqual(series.bars, [bar(9, 4), bar(10, 5, 3), bar(11, 6)]);
});

test('a series is bounded, whatever hole it is told of', () => {
  const series = new CandleSeries('1min', 5);
  series.merge([bar(1, 5)]);
  for (let minute = 2; minute < 9; minute += 1) series.merge([bar(minute, 5)]);
  assert.deepEqual(
    series.bars.map(({ time }) => time / MINUTE_S),
    [4, 5, 6, 7, 8],
  );
  assert.equal(series.hasRoom, false);
  series.merge([bar(1_000_000, 6)]);
  assert.deepEqual(series.bars, [bar(1_000_000, 6)]);
});

test('a row of the venue is a bar of numbers', () => {
  const BOUGHT = {
    ...{ takerBuyVolume: '6', takerBuyTurnover: '12' },
    ...{ firstTrade: '1000000000000001', lastTrade: '1000000000000003' },
  };
  const figures = { open: '1', high: '4', low: '0.5', close: '2', volume: '12' };
  const row = { time: 1_795_235_640_000, ...figures, turnover: '24', trades: 3, ...BOUGHT };
  const expected = { time: 1_795_235_640, open: 1, high: 4, low: 0.5, close: 2, volume: 12 };
  assert.deepEqual(barOf(row), expected);
});

test('periods follow each other as the venue’s do', () => {
  assert.deepEqual(
    PERIODS.map(({ period, lengthMs }) => [period, lengthMs]),
    // The interface that the pages use has no candles of eight hours.
    PERIODS_OF_VENUE.filter(({ period }) => period !== '8h').map(({ period, lengthMs }) => [
      period,
      lengthMs,
    ]),
  );
  const property = fc.property(
    fc.constantFrom(...PERIODS),
    fc.integer({ min: 0, max: 2_000_000_000 }),
    ({ period }, seconds) => {
      const openMs = openTimeMs(period, seconds * 1_000);
      assert.equal(nextOpenMs(period, openMs), nextOpenTimeMs(period, openMs));
    },
  );
  fc.assert(property);
});
