/** Fills the live views at start: books from the engine, trades and candles from the history. */
import { LIMITS, type StateReader } from '#domain';
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
      const newest = {
        instrumentId,
        period,
        fromMs: 0,
        toMs: CANDLE_TIME_MAX_MS,
        limit: candlesKept(period),
        keep: 'newest',
      } as const;
      live.seedCandles(instrumentId, period, await history.candles(newest));
    }
  }
}
