/** Public data of pairs and contracts: what is listed, prices, books, trades and candles. */
import Type from 'typebox';
import type { DataJson, Services } from '#api';
import {
  type Candle,
  type ContractPrices,
  isRefused,
  LIMITS,
  type Lots,
  PERIODS,
  type Period,
  type PublicTrade,
  type Refused,
  type Ticker,
  type Ticks,
  type TradeId,
  valueFloor,
} from '#domain';
import { formatTrimmed } from '#kernel';
import type { LiveMarkets } from '#market-data';
import { priceText } from '../kit/amounts.ts';
import { candleRows } from '../kit/candle-rows.ts';
import { formatFundingRate } from '../kit/contract-figures.ts';
import { type PublicEndpoint, publicEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { shown } from '../kit/fields.ts';
import { formatId } from '../kit/ids.ts';
import { changeRatio } from '../kit/ratios.ts';
import { type Field, optionalText, pageLimit } from '../kit/request.ts';
import {
  type Column,
  decimal,
  id,
  jsonList,
  listOf,
  nullOr,
  objectOf,
  oneOf,
  orNull,
  row,
  truth,
  whole,
} from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { COIN_ROW, MARKET_ROW } from './market-rows.ts';
import { SPAN, spanOf } from './pages.ts';
import {
  BASE,
  isPair,
  MARKET,
  type Market,
  marketsOf,
  moneyOf,
  type OfMarket,
  SYMBOL,
  sizeText,
} from './terms.ts';

/** By address. */
const RATE = { limit: 20, windowMs: 1_000 };
export const CANDLES_DEFAULT = 300;
export const LEVELS_DEFAULT = 50;
const LEVELS_MAX = 500;
const RATIO_DECIMALS = 6;

const TIME = row<number>()({
  time: whole('The clock of the venue, in Unix milliseconds', TIME_MS, (nowMs) => nowMs),
});

interface ShownTicker extends OfMarket {
  readonly ticker: Ticker;
  /** Undefined for a pair. */
  readonly prices: ContractPrices | undefined;
}

function price(description: string, example: string, of: (ticker: Ticker) => Ticks) {
  return decimal<ShownTicker>(description, example, ({ market, ticker }) =>
    priceText(of(ticker), market),
  );
}

function contractPrice(
  description: string,
  example: string,
  of: (prices: ContractPrices, market: Market) => string,
): Column<ShownTicker, string | null> {
  const known = decimal<ShownTicker>(description, example, ({ prices, market }) =>
    prices === undefined ? '0' : of(prices, market),
  );
  return nullOr(`${description}; null of a pair`, known, ({ prices }) => prices === undefined);
}

const TICKER = row<ShownTicker>()({
  symbol: SYMBOL,
  last: price('Last price; 0 before the first trade', '30000.00', ({ last }) => last),
  bid: price('Best bid; 0 for none', '29990.00', ({ bid }) => bid),
  bidSize: decimal('Size there', '0.5', ({ market, ticker }) => sizeText(ticker.bidLots, market)),
  ask: price('Best ask; 0 for none', '30010.00', ({ ask }) => ask),
  askSize: decimal('Size there', '0.25', ({ market, ticker }) => sizeText(ticker.askLots, market)),
  open: price('First price of the last 24 hours', '29700.00', ({ open }) => open),
  high: price('Highest of them', '31000.00', ({ high }) => high),
  low: price('Lowest of them', '29000.00', ({ low }) => low),
  change: decimal('Of the last price from the first, as a fraction', '0.010101', ({ ticker }) =>
    changeRatio(ticker.open, ticker.last, RATIO_DECIMALS),
  ),
  volume: decimal('Size traded in 24 hours', '0.03', ({ market, ticker }) =>
    sizeText(ticker.baseLots, market),
  ),
  turnover: decimal('Its value in the money of the market', '900.5', ({ market, ticker }) =>
    formatTrimmed(ticker.quoteAmount, moneyOf(market).scale),
  ),
  trades: whole('How many trades', 12, ({ ticker }) => ticker.tradesCount),
  index: contractPrice('Index price', '30001.5', ({ indexTicks }, market) =>
    priceText(indexTicks, market),
  ),
  mark: contractPrice('Mark price', '30002.0', ({ markTicks }, market) =>
    priceText(markTicks, market),
  ),
  openInterest: contractPrice('Contracts held long, as many as short', '250', (prices, market) =>
    sizeText(prices.openInterestLots, market),
  ),
  fundingRate: contractPrice('Rate as it would be charged now', '0.0001', ({ fundingRatePpb }) =>
    formatFundingRate(fundingRatePpb),
  ),
  openValue: contractPrice(
    'Their value at the mark price, in the money of the market',
    '7500.5',
    ({ openInterestLots, markTicks }, market) =>
      isPair(market) || markTicks === 0
        ? '0'
        : formatTrimmed(valueFloor(market, openInterestLots, markTicks), market.margin.scale),
  ),
  buyMax: contractPrice('Highest price of a buy', '45003.0', ({ highestTicks }, market) =>
    priceText(highestTicks, market),
  ),
  sellMin: contractPrice('Lowest price of a sell', '15001.0', ({ lowestTicks }, market) =>
    priceText(lowestTicks, market),
  ),
  indexStale: nullOr(
    'No source of the index for too long: nothing is opened or liquidated; null of a pair',
    truth<ShownTicker>('Whether it is', false, ({ prices }) => prices?.indexStale === true),
    ({ prices }) => prices === undefined,
  ),
  fundingTime: nullOr(
    'When funding is settled next, in Unix milliseconds; null of a pair',
    whole<ShownTicker>('When', TIME_MS, ({ prices }) => prices?.nextFundingMs ?? 0),
    ({ prices }) => prices === undefined,
  ),
});

type Levels = readonly (readonly [Ticks, Lots])[];

const LEVELS = Type.Array(Type.Tuple([schema.decimal('Price'), schema.decimal('Size')]));

const BOOK = objectOf({
  symbol: SYMBOL,
  version: {
    schema: schema.wholeNumber('Grows with every change of the book'),
    example: 4512,
  },
  bids: { schema: LEVELS, example: [['29990.00', '0.5']] },
  asks: { schema: LEVELS, example: [['30010.00', '0.25']] },
});

interface ShownTrade extends OfMarket {
  readonly trade: PublicTrade;
}

export const TRADE = row<ShownTrade>()({
  id: id('Trade', formatId(31), ({ trade }) => formatId(trade.tradeId)),
  time: whole('When, in Unix milliseconds', TIME_MS, ({ trade }) => trade.timeMs),
  side: oneOf(['buy', 'sell'], 'What the taker did', 'buy', ({ trade }) => trade.takerSide),
  price: decimal('Price', '30010.00', ({ market, trade }) => priceText(trade.priceTicks, market)),
  size: decimal('Size', '0.0005', ({ market, trade }) => sizeText(trade.sizeLots, market)),
});

interface ShownCandle extends OfMarket {
  readonly candle: Candle;
}

function candlePrice(description: string, example: string, of: (candle: Candle) => Ticks) {
  return decimal<ShownCandle>(description, example, ({ market, candle }) =>
    priceText(of(candle), market),
  );
}

function tradeOf(which: string, of: (candle: Candle) => TradeId | undefined) {
  return orNull<ShownCandle>(
    schema.id('Trade'),
    `${which} trade of it; null for none`,
    formatId(31),
    ({ candle }) => {
      const trade = of(candle);
      return trade === undefined ? null : formatId(trade);
    },
  );
}

export const CANDLE = row<ShownCandle>()({
  time: whole('When it begins, in Unix milliseconds', TIME_MS, ({ candle }) => candle.openTimeMs),
  open: candlePrice('First price', '30000.00', ({ open }) => open),
  high: candlePrice('Highest', '30010.00', ({ high }) => high),
  low: candlePrice('Lowest', '29990.00', ({ low }) => low),
  close: candlePrice('Last', '30010.00', ({ close }) => close),
  volume: decimal('Size traded', '0.0005', ({ market, candle }) =>
    sizeText(candle.baseLots, market),
  ),
  turnover: decimal('Its value in the money of the market', '15.005', ({ market, candle }) =>
    formatTrimmed(candle.quoteAmount, moneyOf(market).scale),
  ),
  trades: whole('How many trades', 1, ({ candle }) => candle.tradesCount),
  takerBuyVolume: decimal('Of the volume what takers bought', '0.0005', ({ market, candle }) =>
    sizeText(candle.takerBuyLots, market),
  ),
  takerBuyTurnover: decimal('Its value', '15.005', ({ market, candle }) =>
    formatTrimmed(candle.takerBuyQuote, moneyOf(market).scale),
  ),
  firstTrade: tradeOf('First', ({ firstTradeId }) => firstTradeId),
  lastTrade: tradeOf('Last', ({ lastTradeId }) => lastTradeId),
});

export const PERIOD_WORDS = PERIODS.map(({ period }) => period);

/** To the letter: 1M is a month, and nobody who means a minute shall get one. */
const PERIOD: Field<Period> = {
  schema: schema.required('Length of a candle', schema.choices(...PERIOD_WORDS)),
  read: (fields, name) => {
    const given = fields.requiredText(name);
    const found = PERIOD_WORDS.find((period) => period === given);
    if (found === undefined && given !== '') {
      fields.refuse(
        'parameter_invalid',
        `${name} ${shown(given)}, takes ${PERIOD_WORDS.join(', ')}`,
      );
    }
    return found ?? '1min';
  },
};

const SOME_MARKET = optionalText('A market alone, as in BTC-USDT; all of them without it');

export const MARKET_DATA = {
  time: publicEndpoint({
    method: 'GET',
    path: `${BASE}/time`,
    rate: RATE,
    permission: 'none',
    summary: 'The clock of the venue',
    request: {},
    response: TIME,
    answer: (_services: Services, _values, { nowMs }) => TIME.write(nowMs),
  }),
  coins: publicEndpoint({
    method: 'GET',
    path: `${BASE}/coins`,
    rate: RATE,
    permission: 'none',
    summary: 'Coins: their decimals, and the networks they come and go by',
    request: {},
    response: listOf(COIN_ROW),
    answer: ({ live, coinAsHeld = (coin) => coin }: Services) =>
      jsonList(live.listings.assets.map(coinAsHeld), COIN_ROW.write),
  }),
  markets: publicEndpoint({
    method: 'GET',
    path: `${BASE}/markets`,
    rate: RATE,
    permission: 'none',
    summary: 'Pairs and contracts: what an order of them may be',
    request: {},
    response: listOf(MARKET_ROW),
    answer: ({ live }: Services) =>
      jsonList(marketsOf(live.listings), (market) => MARKET_ROW.write({ market })),
  }),
  tickers: publicEndpoint({
    method: 'GET',
    path: `${BASE}/tickers`,
    rate: RATE,
    permission: 'none',
    summary: 'Prices and the last 24 hours, of one market or of all',
    request: { symbol: SOME_MARKET },
    response: listOf(TICKER),
    answer: (services: Services, { symbol }, { nowMs }) => tickers(services, symbol, nowMs),
  }),
  book: publicEndpoint({
    method: 'GET',
    path: `${BASE}/book`,
    rate: RATE,
    permission: 'none',
    summary: 'Order book of a market, best prices first',
    request: {
      symbol: MARKET,
      limit: pageLimit('Levels of each side', LEVELS_DEFAULT, LEVELS_MAX),
    },
    response: BOOK,
    example: { request: { symbol: 'BTC-USDT' } },
    answer: ({ live }: Services, { symbol: market, limit }) => {
      const { asks, bids, updateId } = live.depth(market.instrumentId, 0, limit);
      const sides = `"bids":${levels(bids, market)},"asks":${levels(asks, market)}`;
      return `{"symbol":"${market.symbol}","version":${updateId},${sides}}`;
    },
  }),
  trades: publicEndpoint({
    method: 'GET',
    path: `${BASE}/trades`,
    rate: RATE,
    permission: 'none',
    summary: 'Recent trades of a market, newest first',
    request: {
      symbol: MARKET,
      limit: pageLimit('Rows', LIMITS.pageRowsDefault, LIMITS.recentTradesMax),
    },
    response: listOf(TRADE),
    example: { request: { symbol: 'BTC-USDT' } },
    answer: ({ live }: Services, { symbol: market, limit }) =>
      jsonList(live.recentTrades(market.instrumentId, limit), (trade) =>
        TRADE.write({ market, trade }),
      ),
  }),
  candles: publicEndpoint({
    method: 'GET',
    path: `${BASE}/candles`,
    rate: RATE,
    permission: 'none',
    summary: 'Candles of a market, oldest first; the last one is still going on',
    request: {
      symbol: MARKET,
      period: PERIOD,
      ...SPAN,
      limit: pageLimit('Rows', CANDLES_DEFAULT, LIMITS.candlePageMax),
    },
    response: listOf(CANDLE),
    example: { request: { symbol: 'BTC-USDT', period: '1min' } },
    answer: async (services: Services, asked, { nowMs }): Promise<DataJson | Refused> => {
      const { symbol: market, period, from, to, limit } = asked;
      const span = spanOf(from, to);
      if (isRefused(span)) return span;
      const window = { ...span, limit, nowMs };
      const rows = await candleRows(services, market.instrumentId, period, window);
      return jsonList(rows, (candle) => CANDLE.write({ market, candle }));
    },
  }),
} as const satisfies Record<string, PublicEndpoint<Services>>;

function tickers({ live }: Services, symbol: string, nowMs: number): DataJson | Refused {
  const one = symbol === '' ? undefined : MARKET.find(symbol, live.listings);
  if (isRefused(one)) return one;
  const markets = one === undefined ? marketsOf(live.listings) : [one];
  return jsonList(markets, (market) => tickerText(live, market, nowMs));
}

export function tickerText(live: LiveMarkets, market: Market, nowMs: number): string {
  const { instrumentId } = market;
  const prices = isPair(market) ? undefined : live.contractPrices(instrumentId);
  return TICKER.write({ market, ticker: live.ticker(instrumentId, nowMs), prices });
}

function levels(side: Levels, market: Market): string {
  return jsonList(levelTexts(side, market), ([price, size]) => `["${price}","${size}"]`);
}

/** Price and size of each level. */
export function levelTexts(side: Levels, market: Market): [price: string, size: string][] {
  return side.map(([ticks, size]) => [priceText(ticks, market), sizeText(size, market)]);
}
