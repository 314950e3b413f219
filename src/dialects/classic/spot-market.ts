/** Handlers of the public spot endpoints: everything comes from the live views in memory. */
import type { Answer, DataJson, JsonObject, Services } from '#api';
import {
  type Candle,
  type InstrumentId,
  isRefused,
  type Period,
  type SpotInstrument,
  type Ticks,
} from '#domain';
import type { LiveMarkets } from '#market-data';
import { candleRows } from '../candle-rows.ts';
import { EncodedMarket } from '../encoded-market.ts';
import type { PublicHandler } from '../handlers.ts';
import { readCandles, readDepth, readPairQuery, readTrades } from './spot-read-market.ts';
import {
  jsonList,
  writeCandles,
  writeCoins,
  writeDepthSides,
  writeProducts,
  writeTicker,
  writeTickerFields,
  writeTrades,
} from './spot-write-market.ts';

type MarketOptions = Pick<Services, 'live' | 'history' | 'historyReady'>;

/** One handler per public endpoint, by its name in the table. */
export function marketHandlers(options: MarketOptions) {
  const { live } = options;
  const { listings } = live;
  const encoded = new EncodedMarket<SpotInstrument>(live, {
    tickerFields: writeTickerFields,
    ticker: writeTicker,
    depthSides: writeDepthSides,
  });
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
      if (isRefused(query)) return query;
      return encoded.depth(query.pair, query.step, query.limit, nowMs);
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
  const { pair, period, ...range } = query;
  const { instrumentId } = pair;
  const rows = await candleRows(options, instrumentId, period, { ...range, nowMs });
  const rates = await usdtRates(options, instrumentId, period, rows, nowMs);
  return writeCandles(pair, rows, ({ openTimeMs, quoteAmount }) =>
    live.usdtValueAt(instrumentId, quoteAmount, rates.get(openTimeMs)),
  );
}

/**
 * What the quote coin was worth at the end of each candle, so that what a closed one says stays as
 * it is whatever the coin is worth later.
 */
async function usdtRates(
  options: MarketOptions,
  instrumentId: InstrumentId,
  period: Period,
  candles: readonly Candle[],
  nowMs: number,
): Promise<ReadonlyMap<number, Ticks>> {
  const rate = options.live.usdtRate(instrumentId);
  const [first, last] = [candles[0], candles.at(-1)];
  if (rate === undefined || first === undefined || last === undefined) return new Map();
  const window = { fromMs: first.openTimeMs, toMs: last.openTimeMs, limit: candles.length, nowMs };
  const rows = await candleRows(options, rate.instrumentId, period, window);
  return new Map(rows.map(({ openTimeMs, close }) => [openTimeMs, close]));
}
