/**
 * Fills the live views at start: books and prices from the engine, trades and candles from the
 * history.
 */
import {
  CANDLE_PRICES,
  CANDLE_TIME_MAX_MS,
  type Candle,
  type CandlePrice,
  type InstrumentId,
  LIMITS,
  PERIODS,
  type Period,
  type StateReader,
} from '#domain';
import type { HistoryReader } from '#history';
import { candlesKept, type LiveMarkets } from '#market-data';

type SeedState = StateReader & { readonly seq: number };

/** As seedLive, while no history can be read: books and prices only. */
export function seedWithoutPast(
  live: LiveMarkets,
  state: SeedState & Pick<StateReader, 'timeMs'>,
): void {
  live.seedListings(state.seq, state.listings);
  const { spot, contracts } = state.listings;
  for (const { instrumentId } of spot) live.startUnknown(instrumentId, 'last', state.timeMs);
  for (const { instrumentId } of contracts.values()) {
    for (const price of CANDLE_PRICES) live.startUnknown(instrumentId, price, state.timeMs);
  }
  for (const { instrumentId } of [...spot, ...contracts.values()]) {
    seedBook(live, state, instrumentId);
  }
  seedPrices(live, state);
}

function seedPrices(live: LiveMarkets, state: SeedState): void {
  for (const { instrumentId } of state.listings.contracts.values()) {
    const prices = state.contractPrices(instrumentId);
    if (prices !== undefined) live.seedPrices(prices);
  }
}

/** The history must be projected up to the state's last command, no more and no less. */
export async function seedLive(
  live: LiveMarkets,
  state: SeedState,
  history: HistoryReader,
): Promise<void> {
  live.seedListings(state.seq, state.listings);
  const { spot, contracts } = state.listings;
  for (const { instrumentId } of [...spot, ...contracts.values()]) {
    seedBook(live, state, instrumentId);
    await seedPast(live, history, instrumentId);
  }
  seedPrices(live, state);
  for (const { instrumentId } of contracts.values()) {
    if (state.contractPrices(instrumentId) === undefined) continue;
    await seedPublished(live, history, instrumentId);
  }
}

/** What the venue has published of a contract that no trade says. */
async function seedPublished(
  live: LiveMarkets,
  history: HistoryReader,
  instrumentId: InstrumentId,
): Promise<void> {
  await seedCandles(live, history, instrumentId, 'mark');
  await seedCandles(live, history, instrumentId, 'index');
  const [settled] = await history.fundingRates({ instrumentId, offset: 0, limit: 1 });
  if (settled !== undefined) live.seedFunding(settled);
}

function seedBook(live: LiveMarkets, state: SeedState, instrumentId: InstrumentId): void {
  for (const side of ['buy', 'sell'] as const) {
    live.seedBook(instrumentId, side, state.bookLevels(instrumentId, side));
  }
}

async function seedPast(
  live: LiveMarkets,
  history: HistoryReader,
  instrumentId: InstrumentId,
): Promise<void> {
  const trades = await history.recentTrades(instrumentId, LIMITS.recentTradesMax);
  live.seedTrades(instrumentId, trades);
  if (trades.length > 0) await seedCandles(live, history, instrumentId, 'last');
}

async function seedCandles(
  live: LiveMarkets,
  history: HistoryReader,
  instrumentId: InstrumentId,
  price: CandlePrice,
): Promise<void> {
  for (const { period } of PERIODS) {
    const candles = await keptCandles(history, instrumentId, period, price);
    live.seedCandles(instrumentId, period, candles, price);
  }
}

/** The newest candles that the live views keep, oldest first. They can be more than a page. */
async function keptCandles(
  history: HistoryReader,
  instrumentId: InstrumentId,
  period: Period,
  price: CandlePrice,
): Promise<Candle[]> {
  const found: Candle[] = [];
  for (;;) {
    const limit = Math.min(candlesKept(period, price) - found.length, LIMITS.candlePageMax);
    const oldest = found[0];
    if (limit === 0) return found;
    const toMs = oldest === undefined ? CANDLE_TIME_MAX_MS : oldest.openTimeMs - 1;
    const window = { instrumentId, period, price, fromMs: 0, toMs, limit, keep: 'newest' } as const;
    const page = await history.candles(window);
    found.unshift(...page);
    if (page.length < limit) return found;
  }
}
