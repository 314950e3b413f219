/** Handlers of the public spot endpoints: everything comes from the live views in memory. */
import type { Candle, SpotInstrument } from '#domain';
import { type CandleAnswer, fillGaps, type LiveMarkets } from '#views';
import {
  type CandlesQuery,
  type DataJson,
  isRefused,
  type JsonObject,
  jsonList,
  readCandles,
  readDepth,
  readPairQuery,
  readTrades,
  writeCandles,
  writeCoins,
  writeProducts,
  writeTrades,
} from '#wire';
import type { AppOptions } from '../options.ts';
import type { Answer, PublicHandler } from '../serve.ts';
import { EncodedMarket } from './encoded-market.ts';

type NeedsHistory = Exclude<CandleAnswer, { kind: 'rows' }>;
type MarketOptions = Pick<AppOptions, 'live' | 'history' | 'historyReady'>;

/** One handler per public endpoint, by its name in the table. */
export function marketHandlers(options: MarketOptions) {
  const { live } = options;
  const { listings } = live;
  const encoded = new EncodedMarket(live);
  return {
    time: (_input, nowMs) => String(nowMs),
    currencies: () => writeCoins(listings.assets),
    products: () => writeProducts(listings.spot),
    product: (input) => onPair(live, input, (pair) => writeProducts([pair])),
    ticker: (input, nowMs) => onPair(live, input, (pair) => encoded.ticker(pair, nowMs)),
    tickers: (_input, nowMs) => jsonList(listings.spot, (pair) => encoded.ticker(pair, nowMs)),
    trades: (input) => trades(live, input),
    candles: (input, nowMs) => candles(options, input, nowMs),
    depth: (input, nowMs) => {
      const query = readDepth(input, listings);
      return isRefused(query) ? query : encoded.depth(query, nowMs);
    },
  } as const satisfies Record<string, PublicHandler>;
}

function onPair(
  live: LiveMarkets,
  input: JsonObject,
  answer: (pair: SpotInstrument) => DataJson,
): Answer {
  const query = readPairQuery(input, live.listings);
  return isRefused(query) ? query : answer(query.pair);
}

function trades(live: LiveMarkets, input: JsonObject): Answer {
  const query = readTrades(input, live.listings);
  if (isRefused(query)) return query;
  return writeTrades(query.pair, live.recentTrades(query.pair.instrumentId, query.limit));
}

async function candles(options: MarketOptions, input: JsonObject, nowMs: number): Promise<Answer> {
  const { live } = options;
  const query = readCandles(input, live.listings);
  if (isRefused(query)) return query;
  const { pair, period, fromMs, toMs, limit } = query;
  const { instrumentId } = pair;
  const answer = live.candles(instrumentId, period, { fromMs, toMs, limit, nowMs });
  const rows = answer.kind === 'rows' ? answer.rows : await olderCandles(options, query, answer);
  return writeCandles(pair, rows, (amount) => live.usdtValue(instrumentId, amount));
}

/** The rows of an answer that reaches further back than memory. */
async function olderCandles(
  options: MarketOptions,
  query: CandlesQuery,
  needed: NeedsHistory,
): Promise<readonly Candle[]> {
  await options.historyReady();
  const { instrumentId } = query.pair;
  const { range, recent, recentFromMs } = needed;
  const { period, fromMs, limit } = range;
  const toMs = Math.min(range.toMs, recentFromMs - 1);
  const [stored, before] = await Promise.all([
    options.history.candles({ instrumentId, period, fromMs, toMs, limit, keep: 'oldest' }),
    options.history.lastCandleBefore(instrumentId, period, fromMs),
  ]);
  return fillGaps(range, [...stored, ...recent], before?.close);
}
