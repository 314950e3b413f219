/**
 * The public endpoints of the market in contracts. Prices have the decimals of tick_size, volumes
 * are trimmed. Levels, trades and candles are put together by hand, as there are many of them.
 */
import Type from 'typebox';
import type { DataJson, Services } from '#api';
import {
  type Candle,
  type Contract,
  LIMITS,
  type Period,
  type PublicTrade,
  type Ticker,
  type Ticks,
} from '#domain';
import { formatTrimmed } from '#kernel';
import type { LiveMarkets } from '#market-data';
import { candleRows } from '../kit/candle-rows.ts';
import { baseVolume, formatPrice, formatSize } from '../kit/contract-figures.ts';
import { EncodedMarket, type LevelValues } from '../kit/encoded-market.ts';
import { type PublicEndpoint, publicEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { shown } from '../kit/fields.ts';
import { formatId } from '../kit/ids.ts';
import { type Field, pageLimit, readByAnother } from '../kit/request.ts';
import { decimal, encoded, jsonList, listOf, objectOf, row, type Shape, text } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { timeOfDay } from '../kit/time-of-day.ts';
import { depthEnd } from './depth.ts';
import {
  BASE,
  CONTRACT,
  FORWARD,
  MARKET,
  NAME,
  type OfContract,
  ONLY_SYMBOL,
  price,
  size,
} from './swap-terms.ts';
import { contractName } from './symbols.ts';
import { readTimeMs, readUtcText } from './time.ts';

export interface SwapMarketContext extends Services {
  readonly encoded: EncodedMarket<Contract>;
}

/** The time in the three forms that clients read. */
const SERVER_TIME = row<number>()({
  epoch: decimal('Unix time in seconds, with three decimals', '1795235652.453', (nowMs) =>
    (nowMs / 1_000).toFixed(3),
  ),
  iso: encoded(
    {
      schema: Type.String({ description: 'UTC time', pattern: 'Z$' }),
      example: '2026-11-21T04:34:12.453Z',
    },
    (nowMs) => JSON.stringify(new Date(nowMs)),
  ),
  timestamp: encoded(
    { schema: Type.Integer({ description: 'Unix time in milliseconds' }), example: TIME_MS },
    String,
  ),
});

const CONTRACT_ROW = row<OfContract>()({
  symbol: NAME,
  underlying_index: text(
    'Coin whose price the contract follows',
    'BTC',
    ({ contract }) => contract.baseCode,
  ),
  quote_currency: text('What prices are in', 'USDT', ({ contract }) => contract.quoteCode),
  coin: text(
    'Coin of margin, fees, profit and funding',
    'USDT',
    ({ contract }) => contract.margin.code,
  ),
  contract_val: decimal(
    'One contract in underlying coin (forward) or in quote currency',
    '0.001',
    ({ contract }) => contract.contractValue,
  ),
  listing: encoded(
    { schema: Type.Null({ description: 'Always null' }), example: null },
    () => 'null',
  ),
  delivery: encoded(
    {
      schema: Type.Array(Type.String({ pattern: '^[0-9]{2}:[0-9]{2}:00$' }), {
        description: 'UTC times at which funding is settled',
      }),
      example: ['07:00:00', '15:00:00', '23:00:00'],
    },
    ({ contract }) =>
      JSON.stringify(contract.fundingMinutes.map((minute) => `${timeOfDay(minute)}:00`)),
  ),
  size_increment: decimal(
    'Decimal places of a size',
    '0',
    ({ contract }) => contract.quantityScale,
  ),
  tick_size: decimal('Decimal places of a price', '1', ({ contract }) => contract.priceScale),
  priceEndStep: decimal(
    'Step of the last decimal place of an order price',
    '5',
    ({ contract }) => contract.priceStepTicks,
  ),
  minLeverage: decimal('Lowest leverage', '1', ({ contract }) => contract.leverageMin),
  maxLeverage: decimal('Highest leverage', '100', ({ contract }) => contract.leverageMax),
  forwardContractFlag: FORWARD,
});

interface ContractTicker extends OfContract {
  readonly ticker: Ticker;
}

/** A ticker without its time, which is added later: the rest stays the same for longer. */
const TIMELESS_TICKER = row<ContractTicker>()({
  symbol: NAME,
  last: price('Last traded price; 0 for none', '30000.0', ({ ticker }) => ticker.last),
  best_ask: price('Best ask; 0 for none', '30010.0', ({ ticker }) => ticker.ask),
  best_bid: price('Best bid; 0 for none', '29990.0', ({ ticker }) => ticker.bid),
  high_24h: price('Highest price of 24 hours', '31000.0', ({ ticker }) => ticker.high),
  low_24h: price('Lowest price of 24 hours', '29000.0', ({ ticker }) => ticker.low),
  volume_24h: size('Contracts traded in 24 hours', '120', ({ ticker }) => ticker.baseLots),
  base_volume: decimal('The same in underlying coin', '0.12', ({ contract, ticker }) =>
    baseVolume(contract, ticker.baseLots, ticker.quoteAmount),
  ),
  priceChangePercent: decimal('Change over 24 hours in percent', '0.49', ({ ticker }) =>
    changePercent(ticker),
  ),
});

const SERVER_TIME_MS: Shape<string> = {
  schema: schema.timeMs('Server time'),
  example: String(TIME_MS),
};

const TICKER = objectOf({ ...TIMELESS_TICKER.columns, timestamp: SERVER_TIME_MS });

export function writeTickerFields(contract: Contract, ticker: Ticker): string {
  return TIMELESS_TICKER.write({ contract, ticker }).slice(1, -1);
}

/** A ticker from its encoded fields. */
export function writeTicker(fields: string, nowMs: number): DataJson {
  return `{${fields},"timestamp":"${nowMs}"}`;
}

/** Decimal places of a change in percent, cut off and not rounded. */
const PERCENT_SCALE = 4;
const PERCENT_HUNDRED = 1_000_000n;

/** (last - open) / open in percent, rounded toward zero; zero before the first trade. */
function changePercent({ open, last }: Ticker): string {
  if (open === 0) return '0';
  return formatTrimmed((BigInt(last - open) * PERCENT_HUNDRED) / BigInt(open), PERCENT_SCALE);
}

/** The third column, once a count of orders, is obsolete: clients expect a number there. */
const LEVELS = Type.Array(
  Type.Tuple([
    schema.decimal('Price'),
    schema.decimal('Contracts'),
    Type.Literal(1, { description: 'Obsolete' }),
  ]),
);

const DEPTH = objectOf({
  asks: { schema: LEVELS, example: [['30010.0', '250', 1]] },
  bids: { schema: LEVELS, example: [['29990.0', '500', 1]] },
  timestamp: SERVER_TIME_MS,
});

function writeLevels(contract: Contract, levels: readonly LevelValues[]): string {
  return jsonList(levels, ([priceTicks, size]) => {
    return `["${formatPrice(contract, priceTicks)}","${formatSize(contract, size)}",1]`;
  });
}

const TRADE = objectOf({
  symbol: NAME,
  trade_id: { schema: schema.id('Trade id'), example: formatId(131) },
  side: { schema: schema.oneOf(['buy', 'sell'], 'What the taker did'), example: 'buy' },
  price: { schema: schema.decimal('Price'), example: '30010.0' },
  size: { schema: schema.decimal('Contracts'), example: '12' },
  timestamp: { schema: schema.timeMs('When it traded'), example: String(TIME_MS) },
});

export function writeTrade(contract: Contract, trade: PublicTrade): string {
  return (
    `{"symbol":"${contractName(contract.symbol)}","trade_id":"${formatId(trade.tradeId)}",` +
    `"side":"${trade.takerSide}","price":"${formatPrice(contract, trade.priceTicks)}",` +
    `"size":"${formatSize(contract, trade.sizeLots)}","timestamp":"${trade.timeMs}"}`
  );
}

const CANDLE: Shape = {
  schema: Type.Tuple([
    schema.timeMs('timestamp: when the candle opened'),
    schema.decimal('open'),
    schema.decimal('high'),
    schema.decimal('low'),
    schema.decimal('close'),
    schema.decimal('volume: contracts'),
    schema.decimal('currency_volume: the same in underlying coin'),
  ]),
  example: ['1795235640000', '30000.0', '30010.0', '29990.0', '30010.0', '12', '0.012'],
};

export function writeCandle(contract: Contract, candle: Candle): string {
  const { openTimeMs, open, high, low, close, baseLots, quoteAmount } = candle;
  const text = (value: Ticks) => formatPrice(contract, value);
  return (
    `["${openTimeMs}","${text(open)}","${text(high)}","${text(low)}","${text(close)}",` +
    `"${formatSize(contract, baseLots)}","${baseVolume(contract, baseLots, quoteAmount)}"]`
  );
}

/** The granularities of candles, by their seconds. */
export const GRANULARITIES: ReadonlyMap<string, Period> = new Map<string, Period>([
  ['60', '1min'],
  ['180', '3min'],
  ['300', '5min'],
  ['900', '15min'],
  ['1800', '30min'],
  ['3600', '1h'],
  ['7200', '2h'],
  ['14400', '4h'],
  ['21600', '6h'],
  ['43200', '12h'],
  ['86400', '1d'],
  ['604800', '1w'],
]);

const GRANULARITY: Field<{ readonly period: Period; readonly periodMs: number }> = {
  schema: schema.optional(
    'Seconds: 60 (default) 180 300 900 1800 3600 7200 14400 21600 43200 86400 604800',
    schema.choices(...GRANULARITIES.keys()),
  ),
  read: (fields, name) => {
    const seconds = fields.text(name) || '60';
    const period = GRANULARITIES.get(seconds);
    if (period === undefined) {
      const known = [...GRANULARITIES.keys()].join(', ');
      fields.refuse('parameter_invalid', `${name} ${shown(seconds)}, takes ${known}`);
    }
    return { period: period ?? '1min', periodMs: Number(seconds) * 1_000 };
  },
};

const START_TIME: Field<number | undefined> = {
  schema: schema.optional(
    'Candles that open at this time or later; milliseconds or seconds',
    schema.whole(),
  ),
  read: (fields, name) => readTimeMs(fields, name) ?? readUtcText(fields, 'start'),
};

const END_TIME: Field<number | undefined> = {
  schema: schema.optional(
    'Candles that open at this time or earlier; milliseconds or seconds',
    schema.whole(),
  ),
  read: (fields, name) => {
    const toMs = readTimeMs(fields, name) ?? readUtcText(fields, 'end');
    const fromMs = START_TIME.read(fields, 'startTime');
    if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) {
      fields.refuse('time_range_reversed', '');
    }
    return toMs;
  },
};

interface CandlesWanted {
  readonly periodMs: number;
  /** Opening times, both included. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/** Without a start the last rows; with one, the newest that a page holds from there on. */
function candleWindow({ fromMs, toMs, periodMs }: CandlesWanted, nowMs: number) {
  if (fromMs === undefined) return { toMs, limit: LIMITS.pageRowsDefault, nowMs };
  const lastMs = Math.min(toMs ?? nowMs, nowMs);
  const earliestMs = lastMs - LIMITS.candlePageMax * periodMs + 1;
  return { fromMs: Math.max(fromMs, earliestMs), toMs, limit: LIMITS.candlePageMax, nowMs };
}

function contractsOf({ listings }: LiveMarkets): Contract[] {
  return [...listings.contracts.values()];
}

export const SWAP_MARKET = {
  time: publicEndpoint({
    ...MARKET,
    path: `${BASE}/market/time`,
    summary: 'Server time',
    request: {},
    response: SERVER_TIME,
    answer: (_market: SwapMarketContext, _values, { nowMs }) => SERVER_TIME.write(nowMs),
  }),
  contracts: publicEndpoint({
    ...MARKET,
    path: `${BASE}/market/contracts`,
    summary: 'Every contract',
    request: {},
    response: listOf(CONTRACT_ROW),
    answer: ({ live }: SwapMarketContext) =>
      jsonList(contractsOf(live), (contract) => CONTRACT_ROW.write({ contract })),
  }),
  depth: publicEndpoint({
    ...MARKET,
    path: `${BASE}/market/depth`,
    summary: 'Order book by price, best first (100 levels by default, up to 200)',
    request: {
      symbol: CONTRACT,
      limit: pageLimit(
        'Levels wanted; above the maximum counts as the maximum',
        LIMITS.pageRowsDefault,
        LIMITS.contractDepthLevelsMax,
      ),
    },
    response: DEPTH,
    example: { request: { ...ONLY_SYMBOL, limit: '1' } },
    answer: ({ encoded: books }: SwapMarketContext, { symbol, limit }, { nowMs }) =>
      books.depth(symbol, 0, limit, nowMs),
  }),
  tickers: publicEndpoint({
    ...MARKET,
    path: `${BASE}/market/tickers`,
    summary: 'Last price and 24 hours of every contract',
    request: {},
    response: listOf(TICKER),
    answer: ({ live, encoded: tickers }: SwapMarketContext, _values, { nowMs }) =>
      jsonList(contractsOf(live), (contract) => tickers.ticker(contract, nowMs)),
  }),
  ticker: publicEndpoint({
    ...MARKET,
    path: `${BASE}/market/ticker`,
    summary: 'Last price and 24 hours of one contract',
    request: { symbol: CONTRACT },
    response: TICKER,
    example: { request: ONLY_SYMBOL },
    answer: ({ encoded: tickers }: SwapMarketContext, { symbol }, { nowMs }) =>
      tickers.ticker(symbol, nowMs),
  }),
  trades: publicEndpoint({
    ...MARKET,
    path: `${BASE}/market/trades`,
    summary: 'Recent public trades, newest first (100 by default and at most)',
    request: {
      symbol: CONTRACT,
      limit: pageLimit(
        'Rows wanted; above the maximum counts as the maximum',
        LIMITS.pageRowsDefault,
        LIMITS.contractTradesMax,
      ),
    },
    response: listOf(TRADE),
    example: { request: { ...ONLY_SYMBOL, limit: '1' } },
    answer: ({ live }: SwapMarketContext, { symbol: contract, limit }) =>
      jsonList(live.recentTrades(contract.instrumentId, limit), (trade) =>
        writeTrade(contract, trade),
      ),
  }),
  candles: publicEndpoint({
    ...MARKET,
    path: `${BASE}/market/candles`,
    summary: 'Candles, oldest first: the last 100, or the newest 1000 from a start time on',
    request: {
      symbol: CONTRACT,
      granularity: GRANULARITY,
      startTime: START_TIME,
      endTime: END_TIME,
      start: readByAnother(
        schema.optional('As startTime, as UTC text; read when there is no startTime'),
      ),
      end: readByAnother(schema.optional('As endTime, as UTC text; read when there is no endTime')),
    },
    response: listOf(CANDLE),
    example: { request: { ...ONLY_SYMBOL, granularity: '60', startTime: '1795235640000' } },
    answer: async (market: SwapMarketContext, asked, { nowMs }) => {
      const { symbol: contract, granularity, startTime: fromMs, endTime: toMs } = asked;
      const { period, periodMs } = granularity;
      const window = candleWindow({ fromMs, toMs, periodMs }, nowMs);
      const rows = await candleRows(market, contract.instrumentId, period, window);
      return jsonList(rows, (candle) => writeCandle(contract, candle));
    },
  }),
} as const satisfies Record<string, PublicEndpoint<SwapMarketContext>>;

/** What these endpoints work with: books and tickers are encoded once per change. */
export function swapMarketContext(services: Services): SwapMarketContext {
  const encodedMarket = new EncodedMarket<Contract>(services.live, {
    tickerFields: writeTickerFields,
    ticker: writeTicker,
    book: (contract, { asks, bids }) =>
      `{"asks":${writeLevels(contract, asks)},"bids":${writeLevels(contract, bids)}`,
    bookEnd: depthEnd,
  });
  return { ...services, encoded: encodedMarket };
}
