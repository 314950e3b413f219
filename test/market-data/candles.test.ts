/** Candles in memory: what a client gets for a window, and what has to come from history. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Candle,
  LIMITS,
  lots,
  nextOpenTimeMs,
  openTimeMs,
  PERIODS,
  type Period,
  ticks,
} from '#domain';
import { AssertionFailed } from '#kernel';
import { type CandleWindow, candlesKept, fillGaps, LiveMarkets } from '#market-data';
import { CandleSeries } from '#market-data/testing';
import { naiveRows } from '../support/naive-market.ts';
import { at, BTCUSDT, DAY_MS, ETHBTC, MINUTE_MS, Tape } from '../support/tape.ts';

type Asked = Partial<Omit<CandleWindow, 'nowMs'>>;

function rowsOf(live: LiveMarkets, period: Period, nowMs: number, asked: Asked = {}) {
  const answer = live.candles(BTCUSDT.instrumentId, period, { limit: 100, nowMs, ...asked });
  assert.equal(answer.kind, 'rows');
  return answer.kind === 'rows' ? answer.rows : [];
}

/** "09:30 100/103/99/101 v7": time, open/high/low/close, volume in lots. */
function text(row: Candle): string {
  const time = new Date(row.openTimeMs).toISOString();
  const { open, high, low, close, baseLots } = row;
  return `${time.slice(0, 16).replace('T', ' ')} ${open}/${high}/${low}/${close} v${baseLots}`;
}

/** Trades at the given times and prices, one lot each unless told. */
function traded(rows: readonly [time: string, price: number, size?: number][]) {
  const live = new LiveMarkets();
  const tape = new Tape(live, at(rows[0]?.[0] ?? '2024-03-01 00:00'));
  for (const [time, price, size = 1] of rows) {
    tape.timeMs = at(time);
    tape.print(BTCUSDT, price, size);
  }
  return { live, tape };
}

const MORNING = [
  ['2024-03-01 09:30:10', 100, 2],
  ['2024-03-01 09:30:20', 103, 1],
  ['2024-03-01 09:30:59.999', 99, 4],
  ['2024-03-01 09:31:00', 101, 1],
  ['2024-03-01 09:34:30', 105, 3],
] as const;

/** One sale by its taker. */
const NO_TRADE = { firstTradeId: undefined, lastTradeId: undefined };
const TRADED = { tradesCount: 1, takerBuyLots: lots(0), takerBuyQuote: 0n, ...NO_TRADE };

describe('the candles of a morning', () => {
  const nowMs = at('2024-03-01 09:36:30');
  const minutes = [
    '2024-03-01 09:30 100/103/99/99 v7',
    '2024-03-01 09:31 101/101/101/101 v1',
    '2024-03-01 09:32 101/101/101/101 v0',
    '2024-03-01 09:33 101/101/101/101 v0',
    '2024-03-01 09:34 105/105/105/105 v3',
    '2024-03-01 09:35 105/105/105/105 v0',
    '2024-03-01 09:36 105/105/105/105 v0',
  ];
  const at0932 = at('2024-03-01 09:32');
  const table: readonly [what: string, Asked, rows: readonly string[]][] = [
    ['everything from the first trade to now', {}, minutes],
    ['the newest two', { limit: 2 }, minutes.slice(-2)],
    ['the newest two up to a time', { limit: 2, toMs: at0932 }, minutes.slice(1, 3)],
    ['the first two from a time', { limit: 2, fromMs: at0932 }, minutes.slice(2, 4)],
    ['from long before the first trade', { fromMs: 0, limit: 3 }, minutes.slice(0, 3)],
    ['both ends, included', { fromMs: at0932, toMs: at0932 }, minutes.slice(2, 3)],
    ['from inside a minute', { fromMs: at0932 + 1, limit: 1 }, minutes.slice(3, 4)],
    ['up to inside a minute', { toMs: at0932 + 1, limit: 1 }, minutes.slice(2, 3)],
    ['up to long after now', { toMs: nowMs + DAY_MS, limit: 1 }, minutes.slice(-1)],
    ['from the current minute', { fromMs: at('2024-03-01 09:36') }, minutes.slice(-1)],
    ['after the current minute', { fromMs: at('2024-03-01 09:36') + 1 }, []],
    ['before the first trade', { toMs: at('2024-03-01 09:29') }, []],
    ['before time itself', { toMs: -1 }, []],
    ['an empty window', { fromMs: at0932, toMs: at0932 - 1 }, []],
  ];
  for (const [what, asked, expected] of table) {
    it(`answers ${what}`, () => {
      const { live } = traded([...MORNING].map(([time, price, size]) => [time, price, size]));
      assert.deepEqual(rowsOf(live, '1min', nowMs, asked).map(text), expected);
    });
  }

  it('shows the current candle as it grows', () => {
    const { live, tape } = traded([['2024-03-01 09:30', 100]]);
    const current = () => rowsOf(live, '5min', tape.timeMs, { limit: 1 }).map(text);
    assert.deepEqual(current(), ['2024-03-01 09:30 100/100/100/100 v1']);
    tape.wait(10_000);
    tape.print(BTCUSDT, 90, 2);
    assert.deepEqual(current(), ['2024-03-01 09:30 100/100/90/90 v3']);
    tape.wait(2 * MINUTE_MS);
    tape.print(BTCUSDT, 95, 1);
    assert.deepEqual(current(), ['2024-03-01 09:30 100/100/90/95 v4']);
  });

  it('adds up the quote amount to the last unit', () => {
    const { live, tape } = traded([['2024-03-01 09:30', 3_000_001, 7]]);
    tape.print(BTCUSDT, 2_999_999, 1_000_000_000);
    const rows = rowsOf(live, '1d', tape.timeMs);
    assert.deepEqual(
      rows.map((row) => row.quoteAmount),
      [3_000_001n * 7n + 2_999_999_000_000_000n],
    );
  });

  it('counts a volume no further than the safe integers', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const { live, tape } = traded([['2024-03-01 09:30', 1, most]]);
    const volumes = () => [
      rowsOf(live, '1min', tape.timeMs, { limit: 1 })[0]?.baseLots,
      rowsOf(live, '1M', tape.timeMs, { limit: 1 })[0]?.baseLots,
      live.ticker(BTCUSDT.instrumentId, tape.timeMs).baseLots,
    ];
    assert.deepEqual(volumes(), [most, most, most]);
    tape.print(BTCUSDT, 1, most);
    tape.print(BTCUSDT, 1, most);
    assert.deepEqual(volumes(), [most, most, most]);
    tape.wait(MINUTE_MS);
    tape.print(BTCUSDT, 1, 5);
    assert.deepEqual(volumes(), [5, most, most]);
    tape.wait(DAY_MS);
    assert.deepEqual(volumes(), [0, most, 5]);
  });

  it('has no candles before the first trade', () => {
    const live = new LiveMarkets();
    const tape = new Tape(live, at('2024-03-01 00:00'));
    tape.place(BTCUSDT, 'buy', 100, 1);
    tape.print(ETHBTC, 100, 1);
    assert.deepEqual(rowsOf(live, '1min', tape.timeMs), []);
  });

  it('takes a time before the last step for the time of that step', () => {
    const { live } = traded([['2024-03-01 09:30', 100]]);
    const rows = rowsOf(live, '1min', at('2024-03-01 09:00'));
    assert.deepEqual(rows.map(text), ['2024-03-01 09:30 100/100/100/100 v1']);
  });

  it('refuses no limit and more than a page', () => {
    const { live } = traded([['2024-03-01 09:30', 100]]);
    assert.throws(() => rowsOf(live, '1min', 0, { limit: 0 }), AssertionFailed);
    assert.throws(() => rowsOf(live, '1min', 0, { limit: 1_001 }), AssertionFailed);
  });
});

describe('edges of the calendar', () => {
  const table: readonly [Period, trades: readonly [string, number][], rows: readonly string[]][] = [
    [
      '1w', // 2024-03-03 is a Sunday.
      [
        ['2024-03-03 23:59:59', 1],
        ['2024-03-04 00:00', 2],
      ],
      ['2024-02-26 00:00 1/1/1/1 v1', '2024-03-04 00:00 2/2/2/2 v1'],
    ],
    [
      '1M', // Over the end of a leap year's February and one month without trades.
      [
        ['2024-02-29 23:59:59', 1],
        ['2024-03-01 00:00', 2],
        ['2024-05-31 12:00', 3],
      ],
      [
        '2024-02-01 00:00 1/1/1/1 v1',
        '2024-03-01 00:00 2/2/2/2 v1',
        '2024-04-01 00:00 2/2/2/2 v0',
        '2024-05-01 00:00 3/3/3/3 v1',
      ],
    ],
    [
      '1M', // Over the end of a year.
      [
        ['2023-12-31 23:59:59', 1],
        ['2024-01-01 00:00', 2],
      ],
      ['2023-12-01 00:00 1/1/1/1 v1', '2024-01-01 00:00 2/2/2/2 v1'],
    ],
    [
      '3d', // Counted from the Unix epoch: 2024-03-01 is the second of its three days.
      [
        ['2024-02-29 00:00', 1],
        ['2024-03-02 23:59', 2],
        ['2024-03-03 00:00', 3],
      ],
      ['2024-02-29 00:00 1/2/1/2 v2', '2024-03-03 00:00 3/3/3/3 v1'],
    ],
    [
      '1d',
      [
        ['2024-03-01 23:59:59.999', 1],
        ['2024-03-02 00:00', 2],
      ],
      ['2024-03-01 00:00 1/1/1/1 v1', '2024-03-02 00:00 2/2/2/2 v1'],
    ],
  ];
  for (const [period, trades, expected] of table) {
    it(`splits ${period} at ${trades[1]?.[0]}`, () => {
      const { live, tape } = traded(trades);
      assert.deepEqual(rowsOf(live, period, tape.timeMs).map(text), expected);
    });
  }
});

describe('a pair nobody traded for years', () => {
  const { live } = traded([
    ['2004-03-01 09:30', 100],
    ['2024-03-01 09:30', 200],
  ]);
  const nowMs = at('2044-03-01 09:30');

  it('fills only the rows that are asked for', () => {
    for (const { period } of PERIODS) {
      const newest = rowsOf(live, period, nowMs, { limit: 1_000 });
      const first = rowsOf(live, period, nowMs, { limit: 1_000, fromMs: 0 });
      assert.ok(newest.length <= 1_000 && first.length <= 1_000);
      assert.equal(first[0]?.openTimeMs, openTimeMs(period, at('2004-03-01 09:30')), period);
      assert.equal(newest.at(-1)?.openTimeMs, openTimeMs(period, nowMs), period);
      assert.equal(newest.at(-1)?.close, 200, period);
    }
  });

  it('answers fast, wherever the window is', () => {
    const started = process.hrtime.bigint();
    for (let round = 0; round < 100; round += 1) {
      rowsOf(live, '1min', nowMs, { limit: 100 });
      rowsOf(live, '1min', nowMs, { limit: 100, fromMs: at('2014-01-01 00:00') });
      rowsOf(live, '1min', nowMs, { limit: 100, fromMs: 0 });
    }
    const tookMs = Number(process.hrtime.bigint() - started) / 1e6;
    // Walking the 21 million minutes of the gap for each would take a minute.
    assert.ok(tookMs < 1_000, `300 answers took ${tookMs} ms`);
  });
});

describe('filling gaps', () => {
  const candle = (openMs: number, close: number): Candle => ({
    openTimeMs: openMs,
    open: ticks(1),
    high: ticks(9),
    low: ticks(1),
    close: ticks(close),
    baseLots: lots(1),
    quoteAmount: 1n,
    ...TRADED,
  });
  const range = { period: '1min', fromMs: 0, toMs: 3 * MINUTE_MS, limit: 10 } as const;
  const closes = (rows: readonly Candle[]) =>
    rows.map((row) => [row.openTimeMs / MINUTE_MS, row.close]);

  it('starts from the price before the range', () => {
    const rows = fillGaps(range, [candle(2 * MINUTE_MS, 7)], ticks(5));
    assert.deepEqual(closes(rows), [
      [0, 5],
      [1, 5],
      [2, 7],
      [3, 7],
    ]);
  });
  it('starts with the first candle when there was no price before', () => {
    const rows = fillGaps(range, [candle(2 * MINUTE_MS, 7)], undefined);
    assert.deepEqual(closes(rows), [
      [2, 7],
      [3, 7],
    ]);
  });
  it('has nothing to show without any price', () => {
    assert.deepEqual(fillGaps(range, [], undefined), []);
  });
  it('stops at the limit and starts at the next whole period', () => {
    const rows = fillGaps({ ...range, fromMs: 1, limit: 2 }, [], ticks(5));
    assert.deepEqual(closes(rows), [
      [1, 5],
      [2, 5],
    ]);
  });
  it('crashes on candles that do not fit the range', () => {
    const twice = [candle(MINUTE_MS, 7), candle(MINUTE_MS, 8)];
    assert.throws(() => fillGaps(range, twice, ticks(5)), AssertionFailed);
    const early = [candle(0, 7)];
    assert.throws(() => fillGaps({ ...range, fromMs: 1 }, early, ticks(5)), AssertionFailed);
  });
});

describe('candles that memory no longer holds', () => {
  /** One candle per period with random gaps, and every window asked of it. */
  const scenario = fc.record({
    period: fc.constantFrom(...PERIODS.map((row) => row.period)),
    gaps: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 320, size: 'max' }),
    seeded: fc.nat(320),
    from: fc.option(fc.nat(1_000), { nil: undefined }),
    to: fc.option(fc.nat(1_000), { nil: undefined }),
    limit: fc.integer({ min: 1, max: 60 }),
    idle: fc.nat(5),
  });

  it('come from history, and the answer is as if nothing had ever been dropped', () => {
    let needed = 0;
    const check = fc.property(scenario, ({ period, gaps, seeded, from, to, limit, idle }) => {
      const keptMax = 5;
      const all: Candle[] = [];
      let openMs = openTimeMs(period, at('2001-02-03 00:00'));
      const opens = [openMs];
      for (const [index, gap] of gaps.entries()) {
        all.push({
          openTimeMs: openMs,
          open: ticks(10 + index),
          high: ticks(12 + index),
          low: ticks(9),
          close: ticks(11 + index),
          baseLots: lots(1 + index),
          quoteAmount: BigInt(index),
          ...TRADED,
        });
        for (let step = 0; step < gap; step += 1) openMs = nextOpenTimeMs(period, openMs);
        opens.push(openMs);
      }
      const series = new CandleSeries(period, keptMax);
      series.seed(all.slice(0, seeded).slice(-keptMax));
      for (const candle of all.slice(seeded)) series.add(candle);
      const nowMs = (all.at(-1)?.openTimeMs ?? 0) + idle * 7 * DAY_MS;
      const pick = (index: number | undefined) =>
        index === undefined ? undefined : (opens[index % opens.length] ?? 0) + (index % 3) - 1;
      const window = { fromMs: pick(from), toMs: pick(to), limit, nowMs };
      const answer = series.answer(window);
      const expected = naiveRows(period, all, window);
      if (answer.kind === 'rows') return assert.deepEqual(answer.rows, expected);
      needed += 1;
      const { range, recent, recentFromMs } = answer;
      const older = all
        .filter((row) => row.openTimeMs >= range.fromMs && row.openTimeMs < recentFromMs)
        .slice(0, range.limit);
      const before = all.filter((row) => row.openTimeMs < range.fromMs).at(-1)?.close;
      return assert.deepEqual(fillGaps(range, [...older, ...recent], before), expected);
    });
    // Minutes over weeks make long naive lists: few idle weeks, many runs.
    fc.assert(check, { numRuns: 150 });
    assert.ok(needed > 10, `only ${needed} windows reached behind memory`);
  });

  it('are dropped in time: the bound holds for every period', () => {
    const series = new CandleSeries('1min', 1_000);
    for (let minute = 0; minute < 5_000; minute += 1) {
      const price = ticks(1);
      const size = lots(1);
      const prices = { open: price, high: price, low: price, close: price };
      const traded = { baseLots: size, quoteAmount: 1n, ...TRADED };
      series.add({ openTimeMs: minute * MINUTE_MS, ...prices, ...traded });
      assert.ok(series.size <= 1_128, `${series.size} candles after minute ${minute}`);
      assert.ok(series.size >= Math.min(minute + 1, 1_000));
    }
  });

  it('keep a full page of every period in memory', () => {
    for (const { period } of PERIODS) {
      assert.ok(candlesKept(period) >= LIMITS.candlePageMax, period);
    }
  });
});

describe('seeded candles', () => {
  const minute = (time: string, price: number): Candle => ({
    openTimeMs: at(time),
    open: ticks(price),
    high: ticks(price),
    low: ticks(price),
    close: ticks(price),
    baseLots: lots(1),
    quoteAmount: 10n,
    ...TRADED,
  });

  it('grow with the trades that follow in the same minute', () => {
    const live = new LiveMarkets();
    const tape = new Tape(live, at('2024-03-01 09:31:30'));
    const seed = [minute('2024-03-01 09:30', 100), minute('2024-03-01 09:31', 101)];
    live.seedCandles(BTCUSDT.instrumentId, '1min', seed);
    tape.print(BTCUSDT, 99, 2);
    assert.deepEqual(rowsOf(live, '1min', tape.timeMs).map(text), [
      '2024-03-01 09:30 100/100/100/100 v1',
      '2024-03-01 09:31 101/101/99/99 v3',
    ]);
    const ticker = live.ticker(BTCUSDT.instrumentId, tape.timeMs);
    assert.deepEqual([ticker.high, ticker.low, ticker.baseLots], [101, 99, 4]);
  });

  it('are all there is when they are fewer than memory holds, and else may not be', () => {
    const kept = candlesKept('1h');
    const hours = (count: number) =>
      Array.from({ length: count }, (_, hour) => ({
        ...minute('2024-01-01 00:00', 100),
        openTimeMs: at('2024-01-01 00:00') + hour * 60 * MINUTE_MS,
      }));
    for (const [count, kind] of [
      [kept - 1, 'rows'],
      [kept, 'needs_history'],
    ] as const) {
      const live = new LiveMarkets();
      const tape = new Tape(live, at('2025-01-01 00:00'));
      live.seedCandles(BTCUSDT.instrumentId, '1h', hours(count));
      const window = { fromMs: 0, limit: 10, nowMs: tape.timeMs };
      assert.equal(live.candles(BTCUSDT.instrumentId, '1h', window).kind, kind, `${count} hours`);
    }
  });

  it('must ascend and come first', () => {
    const live = new LiveMarkets();
    const tape = new Tape(live, at('2024-03-01 09:31'));
    const backward = [minute('2024-03-01 09:31', 1), minute('2024-03-01 09:30', 1)];
    const seed = (rows: readonly Candle[]) => () =>
      live.seedCandles(ETHBTC.instrumentId, '1min', rows);
    assert.throws(seed(backward), AssertionFailed);
    tape.print(BTCUSDT, 1, 1);
    rowsOf(live, '1min', tape.timeMs);
    assert.throws(
      () => live.seedCandles(BTCUSDT.instrumentId, '1min', backward.toReversed()),
      AssertionFailed,
    );
  });
});

describe('a past that is made up', () => {
  const minute = (openTimeMs: number, price: number): Candle => ({
    openTimeMs,
    open: ticks(price),
    high: ticks(price + 1),
    low: ticks(price - 1),
    close: ticks(price),
    baseLots: lots(10),
    quoteAmount: 1_000n,
    tradesCount: 0,
    takerBuyLots: lots(5),
    takerBuyQuote: 500n,
    ...NO_TRADE,
  });
  const noonMs = at('2024-03-01 12:00');
  const earlier = [minute(noonMs - 2 * MINUTE_MS, 90), minute(noonMs - MINUTE_MS, 95)];
  const asked = { limit: 10, nowMs: noonMs + MINUTE_MS };

  it('is worked out by the first question, once, and goes on in what is traded', () => {
    const series = new CandleSeries('1min', 10);
    const limits: number[] = [];
    series.precede((limit) => {
      limits.push(limit);
      return earlier;
    });
    series.add({ ...minute(noonMs, 100), tradesCount: 1 });
    assert.deepEqual(limits, []);
    for (let time = 0; time < 2; time += 1) {
      const answer = series.answer(asked);
      assert.equal(answer.kind, 'rows');
      assert.deepEqual(
        answer.kind === 'rows' && answer.rows.map(({ close }) => close),
        [90, 95, 100, 100],
      );
    }
    assert.deepEqual(limits, [9]);
  });

  it('is joined where both have a part of one candle', () => {
    const series = new CandleSeries('1h', 10);
    const hourMs = at('2024-03-01 12:00');
    series.precede(() => [minute(hourMs, 90)]);
    series.add({ ...minute(hourMs + 30 * MINUTE_MS, 100), tradesCount: 2 });
    const { open, close, baseLots, tradesCount } = series.last ?? assert.fail('no candle');
    assert.deepEqual([open, close, baseLots, tradesCount], [90, 100, 20, 2]);
    assert.equal(series.size, 1);
  });

  it('is left out where older candles are in the history', () => {
    const series = new CandleSeries('1min', 1);
    series.seed([minute(noonMs, 100)]);
    series.precede(() => earlier);
    assert.equal(series.size, 1);
    assert.equal(series.answer(asked).kind, 'needs_history');
  });
});
