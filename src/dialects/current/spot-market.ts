/** Public market data of pairs: tickers, order book, trades and candles. */
import type { DataJson, Services } from '#api';
import { isRefused, LIMITS, nextOpenTimeMs, type Refused, type SpotInstrument } from '#domain';
import { candleRows } from '../kit/candle-rows.ts';
import { EncodedMarket } from '../kit/encoded-market.ts';
import { type PublicEndpoint, publicEndpoint } from '../kit/endpoint.ts';
import { columnsOf, jsonList, listedName, listOf, row, whole } from '../kit/row.ts';
import { costs } from './costs.ts';
import { DEPTH_LEVELS, INTERVAL } from './intervals.ts';
import { figuresOf } from './market-figures.ts';
import {
  BEST_PRICES,
  CANDLE,
  CLOSE_TIME,
  DAY,
  DEPTH,
  LAST_PRICE,
  OPEN_TIME,
  PUBLIC_TRADE,
  type ShownTicker,
  withCloseTime,
  writeCandle,
  writeDepth,
} from './market-rows.ts';
import { rowsWanted } from './parameters.ts';
import { PAIR, pairsAsked, SOME_PAIRS, SPOT_BASE } from './spot-terms.ts';
import { marketName } from './symbols.ts';
import { END_TIME, rangeOf, START_TIME } from './time-range.ts';

const CANDLES_DEFAULT = 300;

/** What market data is read from: the live views and what of them is encoded already. */
export interface SpotMarketContext extends Services {
  readonly encoded: EncodedMarket<SpotInstrument>;
}

export function spotMarketContext(services: Services): SpotMarketContext {
  const encoded = new EncodedMarket<SpotInstrument>(services.live, {
    tickerFields: (pair, ticker) =>
      TICKER_FIELDS.write({ pair, figures: figuresOf(pair), ticker }).slice(1, -1),
    ticker: withCloseTime,
    book: (pair, book) => writeDepth(figuresOf(pair), book),
    bookEnd: () => '',
  });
  return { ...services, encoded };
}

interface PairTicker extends ShownTicker {
  readonly pair: SpotInstrument;
}

const PAIR_NAME = listedName<PairTicker>('Pair', 'BTCUSDT', ({ pair }) => marketName(pair.symbol));

/** Without the time of the answer, which is put in fresh: the rest stays the same for longer. */
const TICKER_FIELDS = row<PairTicker>()({
  symbol: PAIR_NAME,
  ...columnsOf(DAY, (both: PairTicker) => both),
  ...columnsOf(BEST_PRICES, (both: PairTicker) => both),
  count: whole('Trades of 24 hours', 1, ({ ticker }) => ticker.tradesCount),
  ...columnsOf(OPEN_TIME, (both: PairTicker) => both),
});

const TICKER = row<PairTicker & { readonly nowMs: number }>()({
  ...TICKER_FIELDS.columns,
  ...columnsOf(CLOSE_TIME, (both: { readonly nowMs: number }) => both),
});

const PRICE = row<PairTicker>()({
  symbol: PAIR_NAME,
  price: LAST_PRICE,
});

const BOOK_TICKER = row<PairTicker>()({
  symbol: PAIR_NAME,
  ...columnsOf(BEST_PRICES, (both: PairTicker) => both),
});

export const SPOT_MARKET = {
  ticker24h: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/market/ticker/24hr`,
    ...costs(2),
    permission: 'none',
    summary: 'Last price and 24 hours of some pairs or all',
    request: SOME_PAIRS,
    response: listOf(TICKER),
    example: { request: { symbol: 'BTCUSDT' } },
    answer: ({ live, encoded }: SpotMarketContext, { symbol, symbols }, { nowMs }) => {
      const pairs = pairsAsked(live.listings, symbol, symbols);
      return isRefused(pairs) ? pairs : jsonList(pairs, (pair) => encoded.ticker(pair, nowMs));
    },
  }),
  lastPrice: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/market/ticker/price`,
    ...costs(4),
    permission: 'none',
    summary: 'Last price of some pairs or all',
    request: SOME_PAIRS,
    response: listOf(PRICE),
    example: { request: { symbol: 'BTCUSDT' } },
    answer: (context: SpotMarketContext, { symbol, symbols }, { nowMs }) => {
      const pairs = pairsAsked(context.live.listings, symbol, symbols);
      return isRefused(pairs) ? pairs : tickerRows(context, pairs, nowMs, PRICE.write);
    },
  }),
  bookTicker: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/market/ticker/bookTicker`,
    ...costs(4),
    permission: 'none',
    summary: 'Best prices of some pairs or all',
    request: SOME_PAIRS,
    response: listOf(BOOK_TICKER),
    example: { request: { symbol: 'BTCUSDT' } },
    answer: (context: SpotMarketContext, { symbol, symbols }, { nowMs }) => {
      const pairs = pairsAsked(context.live.listings, symbol, symbols);
      return isRefused(pairs) ? pairs : tickerRows(context, pairs, nowMs, BOOK_TICKER.write);
    },
  }),
  depth: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/market/depth`,
    ...costs(5),
    permission: 'none',
    summary: 'Order book, best prices first: 15 levels of each side, or 200',
    request: { symbol: PAIR, limit: DEPTH_LEVELS },
    response: DEPTH,
    example: { request: { symbol: 'BTCUSDT' } },
    answer: ({ encoded }: SpotMarketContext, { symbol: pair, limit }, { nowMs }) =>
      encoded.depth(pair, 0, limit, nowMs),
  }),
  trades: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/market/trades`,
    ...costs(25),
    permission: 'none',
    summary: 'Recent public trades, newest first',
    request: { symbol: PAIR, limit: rowsWanted(LIMITS.pageRowsDefault, LIMITS.candlePageMax) },
    response: listOf(PUBLIC_TRADE),
    example: { request: { symbol: 'BTCUSDT', limit: '1' } },
    answer: ({ live }: SpotMarketContext, { symbol: pair, limit }) =>
      jsonList(live.recentTrades(pair.instrumentId, limit), (trade) =>
        PUBLIC_TRADE.write({ figures: figuresOf(pair), trade }),
      ),
  }),
  klines: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/market/klines`,
    ...costs(2),
    permission: 'none',
    summary: 'Candles, oldest first',
    request: {
      symbol: PAIR,
      interval: INTERVAL,
      limit: rowsWanted(CANDLES_DEFAULT, LIMITS.candlePageMax),
      startTime: START_TIME,
      endTime: END_TIME,
    },
    response: listOf(CANDLE),
    example: { request: { symbol: 'BTCUSDT', interval: '1m', limit: '1' } },
    answer: async (context: SpotMarketContext, asked, { nowMs }): Promise<DataJson | Refused> => {
      const { symbol: pair, interval, limit, startTime, endTime } = asked;
      const range = rangeOf(startTime, endTime);
      if (isRefused(range)) return range;
      const window = { ...range, limit, nowMs };
      const rows = await candleRows(context, pair.instrumentId, interval, window);
      return jsonList(rows, (candle) =>
        writeCandle(figuresOf(pair), candle, nextOpenTimeMs(interval, candle.openTimeMs) - 1),
      );
    },
  }),
} as const satisfies Record<string, PublicEndpoint<SpotMarketContext>>;

function tickerRows(
  { live }: SpotMarketContext,
  pairs: readonly SpotInstrument[],
  nowMs: number,
  write: (both: PairTicker) => string,
): DataJson {
  return jsonList(pairs, (pair) =>
    write({
      pair,
      figures: figuresOf(pair),
      ticker: live.ticker(pair.instrumentId, nowMs),
    }),
  );
}
