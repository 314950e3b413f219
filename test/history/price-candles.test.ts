/** Candles of mark and index prices on random days: in the history, live, and after a start. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  CANDLE_TIME_MAX_MS,
  type Candle,
  type CandlePrice,
  type InstrumentId,
  lots,
  openTimeMs,
  PERIODS,
  type Period,
  ticks,
} from '#domain';
import { present } from '#kernel';
import { LiveMarkets } from '#market-data';
import { CONTRACTS, moves, RandomDay } from '../support/random-days.ts';
import { historyTest, project } from './contract.ts';
import { eventsOf } from './contracts.ts';

const PRICES = ['mark', 'index'] as const satisfies readonly CandlePrice[];
const UNTRADED = {
  baseLots: lots(0),
  quoteAmount: 0n,
  tradesCount: 0,
  takerBuyLots: lots(0),
  takerBuyQuote: 0n,
  firstTradeId: undefined,
  lastTradeId: undefined,
};

interface Which {
  readonly instrumentId: InstrumentId;
  readonly period: Period;
  readonly price: (typeof PRICES)[number];
}

/** From every price that was published. */
function naiveCandles(day: RandomDay, { instrumentId, period, price }: Which): Candle[] {
  const prices = eventsOf(day).flatMap(({ event, step: { timeMs } }) => {
    if (event.kind !== 'contract_priced' || event.prices.instrumentId !== instrumentId) return [];
    const priceTicks = price === 'mark' ? event.prices.markTicks : event.prices.indexTicks;
    return priceTicks === 0 ? [] : [{ priceTicks, timeMs }];
  });
  const byOpen = Map.groupBy(prices, ({ timeMs }) => openTimeMs(period, timeMs));
  return [...byOpen].map(([openMs, group]) => {
    const all = group.map(({ priceTicks }) => priceTicks);
    return {
      openTimeMs: openMs,
      open: present(all[0], 'first'),
      high: ticks(Math.max(...all)),
      low: ticks(Math.min(...all)),
      close: present(all.at(-1), 'last'),
      ...UNTRADED,
    };
  });
}

function* everyCandles(): Generator<Which> {
  for (const instrumentId of CONTRACTS) {
    for (const { period } of PERIODS)
      for (const price of PRICES) yield { instrumentId, period, price };
  }
}

historyTest('candles of mark and index prices are those of what was published', async (stage) => {
  let compared = 0;
  const run = fc.asyncProperty(moves, async (list) => {
    const live = new LiveMarkets();
    const day = new RandomDay((step) => live.apply(step));
    for (const [index, one] of list.entries()) day.play(one, index);
    const history = stage.newHistory();
    await project(history, day.steps);
    const reader = await history.openReader();
    const seeded = new LiveMarkets();
    seeded.seedListings(day.engine.seq, day.engine.listings);
    for (const which of everyCandles()) {
      const { instrumentId, period, price } = which;
      const window = { fromMs: 0, toMs: CANDLE_TIME_MAX_MS, limit: 1_000, keep: 'oldest' } as const;
      const expected = naiveCandles(day, which);
      assert.deepEqual(await reader.candles({ ...which, ...window }), expected);
      const last = await reader.lastCandleBefore(which, day.timeMs + 1);
      assert.deepEqual(last, expected.at(-1));
      seeded.seedCandles(instrumentId, period, expected.slice(-300), price);
      const asked = { limit: 200, nowMs: day.timeMs };
      const rows = live.candles(instrumentId, period, asked, price);
      assert.deepEqual(seeded.candles(instrumentId, period, asked, price), rows);
      assert.ok(rows.kind === 'rows' && rows.rows.length >= Math.min(expected.length, 200));
      compared += expected.length;
    }
    await reader.close();
  });
  const numRuns = stage.runs(10);
  await fc.assert(run, { numRuns });
  assert.ok(compared > 100 * numRuns, `only ${compared} candles were compared`);
});
