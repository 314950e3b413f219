/**
 * Public market data of pairs: tickers, order book, trades and candles. Books and candles are put
 * together by hand, because they have many rows: digits need no escaping.
 */
import Type from 'typebox';
import type { DataJson, Services } from '#api';
import {
  type Candle,
  formatId,
  isRefused,
  LIMITS,
  nextOpenTimeMs,
  notional,
  type Period,
  type PublicTrade,
  type Refused,
  type SpotInstrument,
  type Ticker,
} from '#domain';
import { formatDecimal, formatTrimmed } from '#kernel';
import type { DepthView } from '#market-data';
import { candleRows } from '../candle-rows.ts';
import { EncodedMarket } from '../encoded-market.ts';
import { type PublicEndpoint, publicEndpoint } from '../endpoint.ts';
import { changeRatio } from '../ratios.ts';
import {
  columnsOf,
  decimal,
  id,
  jsonList,
  listedName,
  listOf,
  row,
  type Shape,
  truth,
  whole,
} from '../row.ts';
import * as schema from '../schema.ts';
import { priceText } from './amounts.ts';
import { costs } from './costs.ts';
import { DEPTH_LEVELS, INTERVAL } from './intervals.ts';
import { rowsWanted } from './parameters.ts';
import { PAIR, pairsAsked, SOME_PAIRS, SPOT_BASE, TIME_MS } from './spot-terms.ts';
import { marketName } from './symbols.ts';
import { END_TIME, rangeOf, START_TIME } from './time-range.ts';

const DAY_MS = 86_400_000;
const RATIO_DECIMALS = 6;
const CANDLES_DEFAULT = 300;

/** What market data is read from: the live views and what of them is encoded already. */
export interface SpotMarketContext extends Services {
  readonly encoded: EncodedMarket<SpotInstrument>;
}

export function spotMarketContext(services: Services): SpotMarketContext {
  const encoded = new EncodedMarket<SpotInstrument>(services.live, {
    tickerFields: (pair, ticker) => TICKER_FIELDS.write({ pair, ticker }).slice(1, -1),
    ticker: (fields, nowMs) => `{${fields},"openTime":${nowMs - DAY_MS},"closeTime":${nowMs}}`,
    depthSides: writeDepth,
    depth: (book) => book,
  });
  return { ...services, encoded };
}

interface PairTicker {
  readonly pair: SpotInstrument;
  readonly ticker: Ticker;
}

function price(description: string, example: string, of: (ticker: Ticker) => Ticker['last']) {
  return decimal<PairTicker>(description, example, ({ pair, ticker }) =>
    priceText(of(ticker), pair.priceScale),
  );
}

function size(description: string, example: string, of: (ticker: Ticker) => Ticker['bidLots']) {
  return decimal<PairTicker>(description, example, ({ pair, ticker }) =>
    formatTrimmed(of(ticker), pair.quantityScale),
  );
}

const PAIR_NAME = listedName<PairTicker>('Pair', 'BTCUSDT', ({ pair }) => marketName(pair.symbol));

const BEST_PRICES = row<PairTicker>()({
  bidPrice: price('Best bid; 0 for none', '29990.00', ({ bid }) => bid),
  bidQty: size('Quantity there', '0.5', ({ bidLots }) => bidLots),
  askPrice: price('Best ask; 0 for none', '30010.00', ({ ask }) => ask),
  askQty: size('Quantity there', '0.25', ({ askLots }) => askLots),
});

/** Without its times, which are put in fresh: the rest stays the same for longer. */
const TICKER_FIELDS = row<PairTicker>()({
  symbol: PAIR_NAME,
  priceChange: decimal('Change of 24 hours', '300.00', ({ pair, ticker }) =>
    ticker.open === 0 ? '0' : formatDecimal(ticker.last - ticker.open, pair.priceScale),
  ),
  priceChangePercent: decimal('The same as a fraction: 0.01 is 1 %', '0.010101', ({ ticker }) =>
    changeRatio(ticker.open, ticker.last, RATIO_DECIMALS),
  ),
  lastPrice: price('Latest price; 0 before the first trade', '30000.00', ({ last }) => last),
  ...columnsOf(BEST_PRICES, (both: PairTicker) => both),
  openPrice: price('Price 24 hours ago', '29700.00', ({ open }) => open),
  highPrice: price('Highest price', '31000.00', ({ high }) => high),
  lowPrice: price('Lowest price', '29000.00', ({ low }) => low),
  volume: size('Volume in base coin', '0.03', ({ baseLots }) => baseLots),
  quoteVolume: decimal('Volume in quote coin', '900.5', ({ pair, ticker }) =>
    formatTrimmed(ticker.quoteAmount, pair.quote.scale),
  ),
});

const TICKER = row<PairTicker & { readonly nowMs: number }>()({
  ...TICKER_FIELDS.columns,
  openTime: whole('24 hours before', TIME_MS - DAY_MS, ({ nowMs }) => nowMs - DAY_MS),
  closeTime: whole('Server time', TIME_MS, ({ nowMs }) => nowMs),
});

const LAST_PRICE = row<PairTicker>()({
  symbol: PAIR_NAME,
  price: price('Latest price; 0 before the first trade', '30000.00', ({ last }) => last),
});

const BOOK_TICKER = row<PairTicker>()({
  symbol: PAIR_NAME,
  ...columnsOf(BEST_PRICES, (both: PairTicker) => both),
});

const LEVELS = Type.Array(Type.Tuple([schema.decimal('Price'), schema.decimal('Quantity')]));

const DEPTH: Shape = {
  schema: Type.Object(
    {
      lastUpdateId: schema.wholeNumber('Grows with every change of the book'),
      bids: LEVELS,
      asks: LEVELS,
    },
    { additionalProperties: false },
  ),
  example: { lastUpdateId: 4512, bids: [['29990.00', '0.5']], asks: [['30010.00', '0.25']] },
};

function writeDepth(pair: SpotInstrument, { asks, bids, version }: DepthView): string {
  const [bidsJson, asksJson] = [writeLevels(pair, bids), writeLevels(pair, asks)];
  return `{"lastUpdateId":${version},"bids":${bidsJson},"asks":${asksJson}}`;
}

function writeLevels(pair: SpotInstrument, levels: DepthView['asks']): string {
  return jsonList(levels, ([priceTicks, lots]) => {
    const price = formatDecimal(priceTicks, pair.priceScale);
    return `["${price}","${formatTrimmed(lots, pair.quantityScale)}"]`;
  });
}

interface PairTrade {
  readonly pair: SpotInstrument;
  readonly trade: PublicTrade;
}

const PUBLIC_TRADE = row<PairTrade>()({
  id: id('Trade id', '700000000000000031', ({ trade }) => formatId(trade.tradeId)),
  price: decimal('Price', '30010.00', ({ pair, trade }) =>
    formatDecimal(trade.priceTicks, pair.priceScale),
  ),
  qty: decimal('Quantity in base coin', '0.0005', ({ pair, trade }) =>
    formatTrimmed(trade.sizeLots, pair.quantityScale),
  ),
  quoteQty: decimal('Value in quote coin', '15.005', ({ pair, trade }) =>
    formatTrimmed(notional(pair, trade.priceTicks, trade.sizeLots), pair.quote.scale),
  ),
  time: whole('When it traded', TIME_MS, ({ trade }) => trade.timeMs),
  isBuyerMaker: truth(
    'Whether the buyer had rested',
    false,
    ({ trade }) => trade.takerSide === 'sell',
  ),
  isBestMatch: truth('Always true', true, () => true),
});

const CANDLE: Shape = {
  schema: Type.Tuple([
    schema.wholeNumber('When it opened'),
    ...['First price', 'Highest price', 'Lowest price', 'Last price', 'Volume in base coin'].map(
      schema.decimal,
    ),
    schema.wholeNumber('Its last millisecond'),
    schema.decimal('Volume in quote coin'),
    schema.wholeNumber('Trades'),
    schema.decimal('Volume that takers bought, in base coin'),
    schema.decimal('The same in quote coin'),
  ]),
  example: [
    1_795_235_640_000,
    ...['30000.00', '30010.00', '29990.00', '30010.00', '0.0005'],
    1_795_235_699_999,
    '15.005',
    1,
    '0.0005',
    '15.005',
  ],
};

function writeCandle(pair: SpotInstrument, period: Period, candle: Candle): string {
  const { openTimeMs, open, high, low, close } = candle;
  const prices = [open, high, low, close].map((ticks) => formatDecimal(ticks, pair.priceScale));
  const volume = formatTrimmed(candle.baseLots, pair.quantityScale);
  const closeMs = nextOpenTimeMs(period, openTimeMs) - 1;
  const quote = formatTrimmed(candle.quoteAmount, pair.quote.scale);
  return `[${openTimeMs},"${prices.join('","')}","${volume}",${closeMs},"${quote}"]`;
}

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
    response: listOf(LAST_PRICE),
    example: { request: { symbol: 'BTCUSDT' } },
    answer: (context: SpotMarketContext, { symbol, symbols }, { nowMs }) => {
      const pairs = pairsAsked(context.live.listings, symbol, symbols);
      return isRefused(pairs) ? pairs : tickerRows(context, pairs, nowMs, LAST_PRICE.write);
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
        PUBLIC_TRADE.write({ pair, trade }),
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
      return jsonList(rows, (candle) => writeCandle(pair, interval, candle));
    },
  }),
} as const satisfies Record<string, PublicEndpoint<SpotMarketContext>>;

function tickerRows(
  { live }: SpotMarketContext,
  pairs: readonly SpotInstrument[],
  nowMs: number,
  write: (both: PairTicker) => string,
): DataJson {
  return jsonList(pairs, (pair) => write({ pair, ticker: live.ticker(pair.instrumentId, nowMs) }));
}
