/**
 * The live views behind the real engine: its books and ours agree after every command, and a
 * reader that starts in the middle from seeds ends up the same as one that saw everything.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Event, PERIODS, type PublicTrade, type Step } from '#domain';
import { Engine } from '#engine';
import { candlesKept, LiveMarkets } from '#market-data';
import { seedLive } from '#venue';
import { historyFile, historyOf, VENUE_ID } from '../support/history-files.ts';
import { type NaiveTrade, naiveCandles } from '../support/naive-market.ts';
import { CONTRACTS, MARKETS, moves, RandomDay, SIDES } from '../support/random-days.ts';
import { HOUR_MS } from '../support/tape.ts';

function assertSameBooks(live: LiveMarkets, engine: Engine): void {
  for (const market of MARKETS) {
    const { asks, bids } = live.depth(market, 0, 1_000);
    for (const [side, rows] of [
      ['sell', asks],
      ['buy', bids],
    ] as const) {
      const levels = [...engine.bookLevels(market, side)];
      assert.deepEqual(
        rows,
        levels.map((level) => [level.priceTicks, level.lots]),
      );
    }
  }
}

function assertSamePrices(live: LiveMarkets, engine: Engine): void {
  for (const contract of CONTRACTS) {
    const prices = live.contractPrices(contract);
    assert.ok(prices !== undefined, 'a contract is priced when it is listed');
    assert.deepEqual(prices, engine.contractPrices(contract));
  }
}

function assertSameAnswers(a: LiveMarkets, b: LiveMarkets, nowMs: number): void {
  for (const market of MARKETS) {
    const { asks, bids } = a.depth(market, 1, 200);
    const other = b.depth(market, 1, 200);
    assert.deepEqual({ asks, bids }, { asks: other.asks, bids: other.bids });
    assert.deepEqual(a.ticker(market, nowMs), b.ticker(market, nowMs));
    assert.deepEqual(a.recentTrades(market, 2_000), b.recentTrades(market, 2_000));
    assert.deepEqual(a.contractPrices(market), b.contractPrices(market));
    for (const { period } of PERIODS) {
      const window = { limit: 1_000, nowMs };
      assert.deepEqual(a.candles(market, period, window), b.candles(market, period, window));
    }
  }
  assert.deepEqual(a.listings, b.listings);
}

/** The trades of all books, oldest first. */
function tradesOf(steps: readonly Step[]): NaiveTrade[] {
  return steps.flatMap(({ events, timeMs }) =>
    events.flatMap((event) => {
      const isPublic = event.kind === 'trade' || (event.kind === 'contract_trade' && event.inBook);
      if (!isPublic) return [];
      const { tradeId, instrumentId, priceTicks, sizeLots, takerSide, quoteAmount } = event;
      const trade = { tradeId, instrumentId, priceTicks, sizeLots, takerSide };
      return [{ ...trade, timeMs, quoteAmount }];
    }),
  );
}

/** A reader that starts from the engine's state and plain recomputation of all trades so far. */
function seeded({ engine, steps }: RandomDay): LiveMarkets {
  const live = new LiveMarkets();
  const trades = tradesOf(steps);
  live.seedListings(engine.seq, engine.listings);
  for (const market of MARKETS) {
    for (const side of SIDES) live.seedBook(market, side, engine.bookLevels(market, side));
    const own = trades.filter((trade) => trade.instrumentId === market);
    live.seedTrades(market, own.map(withoutQuote).toReversed());
    for (const { period } of PERIODS) {
      const candles = naiveCandles(period, own);
      live.seedCandles(market, period, candles.slice(-candlesKept(period)));
    }
    const prices = engine.contractPrices(market);
    if (prices !== undefined) live.seedPrices(prices);
  }
  return live;
}

function withoutQuote({ quoteAmount: _quote, ...trade }: NaiveTrade): PublicTrade {
  return trade;
}

/** Counts what random days have to contain, so that a test that tried nothing fails. */
class Tally {
  readonly #counts = new Map<string, number>();

  add(events: readonly Event[]): void {
    for (const event of events) {
      const isForced = event.kind === 'contract_trade' && !event.inBook;
      const what = isForced ? 'deleveraging' : event.kind;
      this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
    }
  }

  assertSome(...kinds: readonly string[]): void {
    for (const kind of kinds) {
      const count = this.#counts.get(kind) ?? 0;
      assert.ok(count > 5, `only ${count} of ${kind} were tried`);
    }
  }
}

const SEEN = [
  'trade',
  'contract_trade',
  'order_closed',
  'contract_order_closed',
  'trigger_order_closed',
  'contract_priced',
  'funding_settled',
  'liquidated',
  'deleveraging',
] as const;

describe('live market data behind the engine', () => {
  it('agrees with the books, and a late start from seeds changes nothing', () => {
    const tally = new Tally();
    const check = fc.property(moves, fc.nat(150), (list, seedAt) => {
      const live = new LiveMarkets();
      const day = new RandomDay((step) => live.apply(step));
      let late: LiveMarkets | undefined;
      for (const [index, one] of list.entries()) {
        if (index === seedAt) {
          late = seeded(day);
          assert.equal(late.seq, day.engine.seq);
        }
        for (const step of day.play(one, index)) {
          late?.apply(step);
          tally.add(step.events);
        }
        assertSameBooks(live, day.engine);
        assertSamePrices(live, day.engine);
        if (index % 10 === 9) live.ticker(MARKETS[index % 4] ?? assert.fail(), day.timeMs);
      }
      late ??= seeded(day);
      assertSameAnswers(live, late, day.timeMs);
      assertSameAnswers(live, late, day.timeMs + 13 * HOUR_MS);
    });
    fc.assert(check, { numRuns: 25 });
    tally.assertSome(...SEEN);
  });

  it('starts again from a snapshot and the history as if it had never stopped', async (t) => {
    const tally = new Tally();
    const check = fc.asyncProperty(moves, fc.nat(150), async (list, stopAt) => {
      const live = new LiveMarkets();
      const day = new RandomDay((step) => live.apply(step));
      for (const [index, one] of list.slice(0, stopAt).entries()) day.play(one, index);
      const file = historyFile(t);
      const writer = await historyOf(file).openWriter(VENUE_ID);
      await writer.project(day.steps);
      await writer.close();
      const late = new LiveMarkets();
      const reader = await historyOf(file).openReader();
      await seedLive(late, Engine.restore(day.engine.dump()), reader);
      await reader.close();
      assertSameAnswers(live, late, day.timeMs);
      for (const [index, one] of list.slice(stopAt).entries()) {
        for (const step of day.play(one, index)) late.apply(step);
      }
      assertSameAnswers(live, late, day.timeMs);
      for (const { events } of day.steps) tally.add(events);
    });
    await fc.assert(check, { numRuns: 10 });
    tally.assertSome('trade', 'contract_trade', 'contract_priced');
  });
});
