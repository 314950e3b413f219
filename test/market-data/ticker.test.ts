/** The rolling 24 hours, the price at 00:00 UTC, best prices and what a volume is worth in USDT. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LIMITS, type SpotInstrument, type Ticker } from '#domain';
import { LiveMarkets } from '#market-data';
import { at, BTCUSDT, ETHBTC, ETHEUR, Tape, USDTEUR } from '../support/tape.ts';

type Print = readonly [time: string, price: number, size: number];

function traded(prints: readonly Print[], instrument: SpotInstrument = BTCUSDT) {
  const live = new LiveMarkets();
  const tape = new Tape(live, at(prints[0]?.[0] ?? '2024-03-01 00:00'));
  for (const [time, price, size] of prints) {
    tape.timeMs = at(time);
    tape.print(instrument, price, size);
  }
  return { live, tape };
}

/** "last open utc0 high low volume" */
function text(ticker: Ticker): string {
  const { last, open, openUtc0, high, low, baseLots } = ticker;
  return `${last} ${open} ${openUtc0} ${high} ${low} v${baseLots}`;
}

describe('the ticker', () => {
  const prints: readonly Print[] = [
    ['2024-03-01 10:00:30', 100, 1],
    ['2024-03-01 12:00', 150, 2],
    ['2024-03-01 18:00', 80, 4],
    ['2024-03-02 00:00', 90, 8],
    ['2024-03-02 10:00:59.999', 95, 16],
  ];
  const table: readonly [what: string, now: string, expected: string][] = [
    ['after the last trade', '2024-03-02 10:00:59.999', '95 100 90 150 80 v31'],
    ['when the first has just left', '2024-03-02 10:01', '95 150 90 150 80 v30'],
    ['while the high is inside', '2024-03-02 12:00:59', '95 150 90 150 80 v30'],
    ['when the high has just left', '2024-03-02 12:01', '95 80 90 95 80 v28'],
    ['when the low has just left', '2024-03-02 18:01', '95 90 90 95 90 v24'],
    ['after midnight', '2024-03-03 00:00', '95 90 95 95 90 v24'],
    ['in the last minute of the last trade', '2024-03-03 10:00:59', '95 95 95 95 95 v16'],
    ['24 hours after the last trade', '2024-03-03 10:01', '95 95 95 95 95 v0'],
    ['years later', '2034-03-03 10:00', '95 95 95 95 95 v0'],
  ];
  for (const [what, now, expected] of table) {
    it(`tells of the last 24 hours ${what}`, () => {
      const { live } = traded(prints);
      assert.equal(text(live.ticker(BTCUSDT.instrumentId, at(now))), expected);
    });
  }
  it('tells the same when asked all along, also by a clock that goes back', () => {
    const { live } = traded(prints);
    for (const [what, now, expected] of [...table, ...table.toReversed()]) {
      assert.equal(text(live.ticker(BTCUSDT.instrumentId, at(now))), expected, what);
    }
  });
  it('counts all trades since the time that it says it begins at', () => {
    const { live } = traded([
      ['2024-03-01 10:00', 1990, 1],
      ['2024-03-01 10:00:59', 1991, 1],
      ['2024-03-01 10:01', 2010, 1],
    ]);
    const ticker = live.ticker(BTCUSDT.instrumentId, at('2024-03-02 10:00'));
    assert.equal(text(ticker), '2010 1990 2010 2010 1990 v3');
    assert.deepEqual([ticker.tradesCount, ticker.openTimeMs], [3, at('2024-03-01 10:00')]);
    const later = live.ticker(BTCUSDT.instrumentId, at('2024-03-02 10:01:30'));
    assert.equal(text(later), '2010 2010 2010 2010 2010 v1');
    assert.deepEqual([later.tradesCount, later.openTimeMs], [1, at('2024-03-01 10:01')]);
  });
  it('tells the same when asked after every trade', () => {
    const live = new LiveMarkets();
    const tape = new Tape(live, at('2024-03-01 10:00:30'));
    const seen: string[] = [];
    for (const [time, price, size] of prints) {
      tape.timeMs = at(time);
      tape.print(BTCUSDT, price, size);
      seen.push(text(live.ticker(BTCUSDT.instrumentId, tape.timeMs)));
    }
    assert.deepEqual(seen, [
      '100 100 100 100 100 v1',
      '150 100 100 150 100 v3',
      '80 100 100 150 80 v7',
      '90 100 90 150 80 v15',
      '95 100 90 150 80 v31',
    ]);
  });
  it('is all zeros before the first trade, but for the book', () => {
    const { live, tape } = traded([]);
    tape.place(BTCUSDT, 'buy', 99, 5);
    const ticker = live.ticker(BTCUSDT.instrumentId, tape.timeMs);
    assert.equal(text(ticker), '0 0 0 0 0 v0');
    assert.equal(ticker.quoteAmount, 0n);
    assert.deepEqual([ticker.bid, ticker.bidLots, ticker.ask, ticker.askLots], [99, 5, 0, 0]);
  });
  it('shows the best prices with the size there', () => {
    const { live, tape } = traded([]);
    for (const [price, size] of [
      [98, 1],
      [99, 5],
      [99, 2],
    ] as const) {
      tape.place(BTCUSDT, 'buy', price, size);
    }
    tape.place(BTCUSDT, 'sell', 102, 3);
    tape.place(BTCUSDT, 'sell', 101, 4);
    const { bid, bidLots, ask, askLots } = live.ticker(BTCUSDT.instrumentId, tape.timeMs);
    assert.deepEqual([bid, bidLots, ask, askLots], [99, 7, 101, 4]);
  });
});

describe('volume in USDT', () => {
  const usdt = (live: LiveMarkets, instrument: SpotInstrument, nowMs: number) => {
    const { amount, scale } = live.ticker(instrument.instrumentId, nowMs).usdtValue;
    return `${amount} at ${scale}`;
  };

  it('is the quote volume of a pair that quotes in USDT', () => {
    // 2.0000 BTC at 30000.00 USDT.
    const { live, tape } = traded([['2024-03-01 10:00', 3_000_000, 20_000]]);
    assert.equal(usdt(live, BTCUSDT, tape.timeMs), '60000000000 at 6');
  });
  it('goes over the pair of the quote coin against USDT', () => {
    // 3.0000 ETH at 0.0500 BTC is 0.15 BTC; at 30000.01 USDT that is 4500.0015.
    const { live, tape } = traded([['2024-03-01 10:00', 500, 30_000]], ETHBTC);
    assert.equal(usdt(live, ETHBTC, tape.timeMs), '0 at 6', 'no price for BTC yet');
    tape.print(BTCUSDT, 3_000_001, 1);
    assert.equal(usdt(live, ETHBTC, tape.timeMs), '4500001500 at 6');
  });
  it('goes over the pair of USDT against the quote coin, rounded down', () => {
    // 1.00 ETH at 1000.00 EUR; one USDT costs 0.93 EUR: 1075.268817.2 USDT.
    const { live, tape } = traded([['2024-03-01 10:00', 100_000, 100]], ETHEUR);
    assert.equal(usdt(live, ETHEUR, tape.timeMs), '0 at 6', 'no price for EUR yet');
    tape.print(USDTEUR, 93, 1);
    assert.equal(usdt(live, ETHEUR, tape.timeMs), '1075268817 at 6');
  });
});

describe('recent trades', () => {
  it('are the newest ones, newest first, and never more than memory holds', () => {
    const { live, tape } = traded([]);
    const count = LIMITS.recentTradesMax + 10;
    for (let trade = 1; trade <= count; trade += 1) tape.print(BTCUSDT, trade, 1, 'sell');
    tape.print(ETHBTC, 7, 1);
    const all = live.recentTrades(BTCUSDT.instrumentId, count);
    assert.equal(all.length, LIMITS.recentTradesMax);
    assert.deepEqual(all.slice(0, 3), tape.tradesOf(BTCUSDT).toReversed().slice(0, 3));
    assert.equal(all.at(-1)?.priceTicks, 11);
    assert.deepEqual(live.recentTrades(BTCUSDT.instrumentId, 2), all.slice(0, 2));
  });
  it('start from seeded ones', () => {
    const { tape } = traded([
      ['2024-03-01 10:00', 1, 1],
      ['2024-03-01 10:01', 2, 1],
    ]);
    const newestFirst = tape.trades.toReversed();
    const live = new LiveMarkets();
    const later = new Tape(live, at('2024-03-01 10:02'));
    live.seedTrades(BTCUSDT.instrumentId, newestFirst);
    later.print(BTCUSDT, 3, 1);
    const prices = live.recentTrades(BTCUSDT.instrumentId, 10).map((trade) => trade.priceTicks);
    assert.deepEqual(prices, [3, 2, 1]);
  });
});
