/** Fills the live views at start: books from the engine, trades and candles from the history. */
import { type Candle, type InstrumentId, LIMITS, type Period, type StateReader } from '#domain';
import {
  CANDLE_TIME_MAX_MS,
  candlesKept,
  type HistoryReader,
  type LiveMarkets,
  PERIODS,
} from '#views';

/** The history must be projected up to the state's last command, no more and no less. */
export async function seedLive(
  live: LiveMarkets,
  state: StateReader & { readonly seq: number },
  history: HistoryReader,
): Promise<void> {
  live.seedListings(state.seq, state.listings);
  for (const { instrumentId } of state.listings.spot) {
    for (const side of ['buy', 'sell'] as const) {
      live.seedBook(instrumentId, side, state.bookLevels(instrumentId, side));
    }
    const trades = await history.recentTrades(instrumentId, LIMITS.recentTradesMax);
    live.seedTrades(instrumentId, trades);
    if (trades.length === 0) continue;
    for (const { period } of PERIODS) {
      live.seedCandles(instrumentId, period, await keptCandles(history, instrumentId, period));
    }
  }
}

/** The newest candles that the live views keep, oldest first. They can be more than a page. */
async function keptCandles(
  history: HistoryReader,
  instrumentId: InstrumentId,
  period: Period,
): Promise<Candle[]> {
  const found: Candle[] = [];
  for (;;) {
    const limit = Math.min(candlesKept(period) - found.length, LIMITS.candlePageMax);
    const oldest = found[0];
    if (limit === 0) return found;
    const toMs = oldest === undefined ? CANDLE_TIME_MAX_MS : oldest.openTimeMs - 1;
    const window = { instrumentId, period, fromMs: 0, toMs, limit, keep: 'newest' } as const;
    const page = await history.candles(window);
    found.unshift(...page);
    if (page.length < limit) return found;
  }
}
