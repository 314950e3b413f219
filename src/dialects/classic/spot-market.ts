/**
 * Public market data of a pair: ticker, order book, trades and candles. Order book, trades and
 * candles are put together by hand, because they have many rows: digits need no escaping.
 */
import Type from 'typebox';
import type { DataJson, Services } from '#api';
import {
  type Candle,
  compactSymbol,
  type InstrumentId,
  LIMITS,
  type Period,
  type PublicTrade,
  type SpotInstrument,
  type Ticker,
  type Ticks,
  type UsdtValue,
} from '#domain';
import { formatTrimmed } from '#kernel';
import type { CandleWindow, DepthStep, DepthView } from '#market-data';
import { candleRows } from '../kit/candle-rows.ts';
import { EncodedMarket } from '../kit/encoded-market.ts';
import { type PublicEndpoint, publicEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { shown } from '../kit/fields.ts';
import { formatId } from '../kit/ids.ts';
import { changeRatio } from '../kit/ratios.ts';
import { type Field, optionalChoice } from '../kit/request.ts';
import {
  decimal,
  id,
  jsonList,
  listedName,
  listOf,
  oneOf,
  row,
  type Shape,
  timeMs,
} from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { depthEnd } from './depth.ts';
import { PAIR, perSecond, rowsWanted, SPOT_BASE } from './spot-terms.ts';
import { pairName } from './symbols.ts';
import { readTimeMs } from './time.ts';

/** What market data is read from: the live views and what of them is encoded already. */
export interface SpotMarketContext extends Services {
  readonly encoded: EncodedMarket<SpotInstrument>;
}

export function spotMarketContext(services: Services): SpotMarketContext {
  const encoded = new EncodedMarket<SpotInstrument>(services.live, {
    tickerFields: (pair, ticker) => TICKER_FIELDS.write({ pair, ticker }).slice(1, -1),
    ticker: (fields, nowMs) => `{${fields},"ts":"${nowMs}"}`,
    book: (pair, book) => `{${writeDepthSides(pair, book)}`,
    bookEnd: depthEnd,
  });
  return { ...services, encoded };
}

/** Decimal places of a ratio. */
const RATIO_SCALE = 5;

export interface PairTicker {
  readonly pair: SpotInstrument;
  readonly ticker: Ticker;
}

/** Without its time, which is put in fresh: the rest stays the same for longer. */
export const TICKER_FIELDS = row<PairTicker>()({
  symbol: listedName('Pair name', 'BTCUSDT', ({ pair }) => compactSymbol(pair.symbol)),
  high24h: decimal('Highest price of 24 hours', '31000', ({ pair, ticker }) =>
    formatTrimmed(ticker.high, pair.priceScale),
  ),
  low24h: decimal('Lowest price of 24 hours', '29000', ({ pair, ticker }) =>
    formatTrimmed(ticker.low, pair.priceScale),
  ),
  close: decimal('Latest price', '30000', ({ pair, ticker }) =>
    formatTrimmed(ticker.last, pair.priceScale),
  ),
  quoteVol: decimal('Volume of 24 hours in quote coin', '900.5', ({ pair, ticker }) =>
    formatTrimmed(ticker.quoteAmount, pair.quote.scale),
  ),
  baseVol: decimal('Volume of 24 hours in base coin', '0.03', ({ pair, ticker }) =>
    formatTrimmed(ticker.baseLots, pair.quantityScale),
  ),
  usdtVol: decimal(
    'Volume of 24 hours in USDT; 0 when there is no price to convert with',
    '900.5',
    ({ ticker }) => formatTrimmed(ticker.usdtValue.amount, ticker.usdtValue.scale),
  ),
  buyOne: decimal('Best bid; 0 for none', '29990', ({ pair, ticker }) =>
    formatTrimmed(ticker.bid, pair.priceScale),
  ),
  sellOne: decimal('Best ask; 0 for none', '30010', ({ pair, ticker }) =>
    formatTrimmed(ticker.ask, pair.priceScale),
  ),
  bidSz: decimal('Quantity at the best bid', '0.5', ({ pair, ticker }) =>
    formatTrimmed(ticker.bidLots, pair.quantityScale),
  ),
  askSz: decimal('Quantity at the best ask', '0.25', ({ pair, ticker }) =>
    formatTrimmed(ticker.askLots, pair.quantityScale),
  ),
  openUtc0: decimal('Price at 00:00 UTC', '29700', ({ pair, ticker }) =>
    formatTrimmed(ticker.openUtc0, pair.priceScale),
  ),
  changeUtc: decimal('Change since 00:00 UTC, 0.01 is 1 %', '0.0101', ({ ticker }) =>
    changeRatio(ticker.openUtc0, ticker.last, RATIO_SCALE),
  ),
  change: decimal('Change over 24 hours, 0.01 is 1 %', '0', ({ ticker }) =>
    changeRatio(ticker.open, ticker.last, RATIO_SCALE),
  ),
});

const TICKER = row<PairTicker & { readonly nowMs: number }>()({
  ...TICKER_FIELDS.columns,
  ts: timeMs('Server time', TIME_MS, ({ nowMs }) => nowMs),
});

const LEVELS = Type.Array(Type.Tuple([schema.decimal('Price'), schema.decimal('Quantity')]));

const DEPTH: Shape = {
  schema: Type.Object(
    { asks: LEVELS, bids: LEVELS, timestamp: schema.timeMs('Server time') },
    { additionalProperties: false },
  ),
  example: { asks: [['30010', '0.25']], bids: [['29990', '0.5']], timestamp: String(TIME_MS) },
};

/** Both sides of a book without the time: they stay the same for longer. */
function writeDepthSides(pair: SpotInstrument, { asks, bids }: DepthView): string {
  return `"asks":${writeLevels(pair, asks)},"bids":${writeLevels(pair, bids)}`;
}

function writeLevels(pair: SpotInstrument, levels: DepthView['asks']): string {
  return jsonList(levels, ([priceTicks, lots]) => {
    const price = formatTrimmed(priceTicks, pair.priceScale);
    return `["${price}","${formatTrimmed(lots, pair.quantityScale)}"]`;
  });
}

interface PairTrade {
  readonly pair: SpotInstrument;
  readonly trade: PublicTrade;
}

const PUBLIC_TRADE = row<PairTrade>()({
  symbol: listedName('Pair identifier', 'BTCUSDT_SPBL', ({ pair }) => pairName(pair.symbol)),
  tradeId: id('Trade id', formatId(31), ({ trade }) => formatId(trade.tradeId)),
  side: oneOf(['buy', 'sell'], 'What the taker did', 'buy', ({ trade }) => trade.takerSide),
  fillPrice: decimal('Price', '30010', ({ pair, trade }) =>
    formatTrimmed(trade.priceTicks, pair.priceScale),
  ),
  fillQuantity: decimal('Quantity in base coin', '0.0005', ({ pair, trade }) =>
    formatTrimmed(trade.sizeLots, pair.quantityScale),
  ),
  fillTime: timeMs('When it traded', TIME_MS, ({ trade }) => trade.timeMs),
});

interface PairCandle {
  readonly pair: SpotInstrument;
  readonly candle: Candle;
  readonly usdt: UsdtValue;
}

const CANDLE = row<PairCandle>()({
  ts: timeMs('When the candle opened', 1_795_235_640_000, ({ candle }) => candle.openTimeMs),
  open: decimal('First price', '30000', ({ pair, candle }) =>
    formatTrimmed(candle.open, pair.priceScale),
  ),
  high: decimal('Highest price', '30010', ({ pair, candle }) =>
    formatTrimmed(candle.high, pair.priceScale),
  ),
  low: decimal('Lowest price', '29990', ({ pair, candle }) =>
    formatTrimmed(candle.low, pair.priceScale),
  ),
  close: decimal('Last price', '30010', ({ pair, candle }) =>
    formatTrimmed(candle.close, pair.priceScale),
  ),
  baseVol: decimal('Volume in base coin', '0.0005', ({ pair, candle }) =>
    formatTrimmed(candle.baseLots, pair.quantityScale),
  ),
  quoteVol: decimal('Volume in quote coin', '15.005', ({ pair, candle }) =>
    formatTrimmed(candle.quoteAmount, pair.quote.scale),
  ),
  usdtVol: decimal(
    'Volume in USDT; of another quote coin at its price at the end of the candle',
    '15.005',
    ({ usdt }) => formatTrimmed(usdt.amount, usdt.scale),
  ),
});

/** Every spelling of a period: the label, what clients send for it, and its seconds. */
const PERIODS: ReadonlyMap<string, Period> = new Map<string, Period>([
  ...spelled('1min', '60'),
  ...spelled('3min', '180'),
  ...spelled('5min', '300'),
  ...spelled('15min', '900'),
  ...spelled('30min', '1800'),
  ...spelled('1h', '3600'),
  ...spelled('2h', '7200'),
  ...spelled('4h', '14400'),
  ...spelled('6h', '21600', '6Hutc'),
  ...spelled('12h', '43200', '12Hutc'),
  ...spelled('1d', '86400', '1day', '1Dutc'),
  ...spelled('3d', '259200', '3day', '3Dutc'),
  ...spelled('1w', '604800', '7d', '7day', '1week', '1Wutc'),
  ...spelled('1M', '1Mutc'),
]);

function spelled(period: Period, ...others: readonly string[]): [string, Period][] {
  return [period, ...others].map((word) => [word, period]);
}

const PERIOD: Field<Period> = {
  schema: schema.required(
    '1min 3min 5min 15min 30min 1h 2h 4h 6h 12h 1d 3d 7d 1M, or its seconds',
    schema.choices(...PERIODS.keys()),
  ),
  read: (fields, name) => {
    const given = fields.requiredText(name);
    // Case counts: 1M is a month.
    const period = PERIODS.get(given);
    if (period === undefined && given !== '') {
      // Lengths in seconds are taken, too; the names are enough to go on.
      const known = [...PERIODS.keys()].filter((word) => !/^[0-9]+$/.test(word)).join(', ');
      fields.refuse('parameter_invalid', `${name} ${shown(given)}, takes ${known}`);
    }
    return period ?? '1min';
  },
};

/** Milliseconds, or seconds. */
function timeBound(description: string): Field<number | undefined> {
  return { schema: schema.optional(description, schema.whole()), read: readTimeMs };
}

const STEPS: ReadonlyMap<string, DepthStep> = new Map<string, DepthStep>([
  ['step0', 0],
  ['step1', 1],
  ['step2', 2],
  ['step3', 3],
  ['step4', 4],
  ['step5', 5],
]);

const trades = publicEndpoint({
  method: 'GET',
  path: `${SPOT_BASE}/market/fills`,
  rate: perSecond(20),
  permission: 'none',
  summary: 'Recent public trades, newest first (100 by default, up to 2000)',
  request: { symbol: PAIR, limit: rowsWanted(LIMITS.pageRowsDefault, LIMITS.recentTradesMax) },
  response: listOf(PUBLIC_TRADE),
  example: { request: { symbol: 'BTCUSDT_SPBL', limit: '1' } },
  answer: ({ live }: SpotMarketContext, { symbol: pair, limit }) =>
    jsonList(live.recentTrades(pair.instrumentId, limit), (trade) =>
      PUBLIC_TRADE.write({ pair, trade }),
    ),
});

export const SPOT_MARKET = {
  ticker: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/market/ticker`,
    rate: perSecond(20),
    permission: 'none',
    summary: 'Last price and 24 hours of one pair',
    request: { symbol: PAIR },
    response: TICKER,
    example: { request: { symbol: 'BTCUSDT_SPBL' } },
    answer: ({ encoded }: SpotMarketContext, { symbol: pair }, { nowMs }) =>
      encoded.ticker(pair, nowMs),
  }),
  tickers: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/market/tickers`,
    rate: perSecond(20),
    permission: 'none',
    summary: 'Last price and 24 hours of every pair',
    request: {},
    response: listOf(TICKER),
    answer: ({ live, encoded }: SpotMarketContext, _values, { nowMs }) =>
      jsonList(live.listings.spot, (pair) => encoded.ticker(pair, nowMs)),
  }),
  trades,
  candles: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/market/candles`,
    rate: perSecond(20),
    permission: 'none',
    summary: 'Candles, oldest first (100 by default, up to 1000)',
    request: {
      symbol: PAIR,
      period: PERIOD,
      after: timeBound('Candles that open at this time or later; milliseconds or seconds'),
      before: timeBound('Candles that open at this time or earlier; milliseconds or seconds'),
      limit: rowsWanted(LIMITS.pageRowsDefault, LIMITS.candlePageMax),
    },
    response: listOf(CANDLE),
    example: { request: { symbol: 'BTCUSDT_SPBL', period: '1min', limit: '1' } },
    answer: (context: SpotMarketContext, asked, { nowMs }) => {
      const { symbol: pair, period, after: fromMs, before: toMs, limit } = asked;
      return candles(context, pair, period, { fromMs, toMs, limit, nowMs });
    },
  }),
  depth: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/market/depth`,
    rate: perSecond(20),
    permission: 'none',
    summary: 'Order book by price, best first (150 levels by default, up to 500)',
    request: {
      symbol: PAIR,
      type: optionalChoice(
        'step0 as it is; step1 to step5 merge prices to 10 to 100000 ticks',
        STEPS,
        0,
      ),
      limit: rowsWanted(LIMITS.depthLevelsDefault, LIMITS.depthLevelsMax),
    },
    response: DEPTH,
    example: { request: { symbol: 'BTCUSDT_SPBL', limit: '1' } },
    answer: ({ encoded }: SpotMarketContext, { symbol: pair, type: step, limit }, { nowMs }) =>
      encoded.depth(pair, step, limit, nowMs),
  }),
} as const satisfies Record<string, PublicEndpoint<SpotMarketContext>>;

/** What older clients call under another name. */
export const OLDER_SPOT_MARKET = {
  fillsHistory: { ...trades, path: `${SPOT_BASE}/market/fills-history` },
} as const satisfies Record<string, PublicEndpoint<SpotMarketContext>>;

async function candles(
  context: SpotMarketContext,
  pair: SpotInstrument,
  period: Period,
  window: CandleWindow,
): Promise<DataJson> {
  const { live } = context;
  const { instrumentId } = pair;
  const rows = await candleRows(context, instrumentId, period, window);
  const rates = await usdtRates(context, instrumentId, period, rows, window.nowMs);
  return jsonList(rows, (candle) => {
    const rate = rates.get(candle.openTimeMs);
    const usdt = live.usdtValueAt(instrumentId, candle.quoteAmount, rate);
    return CANDLE.write({ pair, candle, usdt });
  });
}

/**
 * What the quote coin was worth at the end of each candle, so that what a closed one says stays as
 * it is whatever the coin is worth later.
 */
async function usdtRates(
  context: SpotMarketContext,
  instrumentId: InstrumentId,
  period: Period,
  candles: readonly Candle[],
  nowMs: number,
): Promise<ReadonlyMap<number, Ticks>> {
  const rate = context.live.usdtRate(instrumentId);
  const [first, last] = [candles[0], candles.at(-1)];
  if (rate === undefined || first === undefined || last === undefined) return new Map();
  const window = { fromMs: first.openTimeMs, toMs: last.openTimeMs, limit: candles.length, nowMs };
  const rows = await candleRows(context, rate.instrumentId, period, window);
  return new Map(rows.map(({ openTimeMs, close }) => [openTimeMs, close]));
}
