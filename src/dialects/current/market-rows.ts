/**
 * Books, trades and candles as both products answer them. They are put together by hand where there
 * are many of them: digits need no escaping.
 */
import Type from 'typebox';
import type { Candle, Lots, PublicTrade, Ticker, Ticks } from '#domain';
import type { DepthView } from '#market-data';
import { formatId } from '../kit/ids.ts';
import { changeRatio } from '../kit/ratios.ts';
import { decimal, id, jsonList, row, type Shape, truth, whole } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import type { MarketFigures } from './market-figures.ts';
import { TIME_MS } from './spot-terms.ts';

const RATIO_DECIMALS = 6;
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

const LEVELS = Type.Array(Type.Tuple([schema.decimal('Price'), schema.decimal('Quantity')]));

export const DEPTH: Shape = {
  schema: Type.Object(
    {
      lastUpdateId: schema.wholeNumber('Grows with every change of the book; u of the stream'),
      bids: LEVELS,
      asks: LEVELS,
    },
    { additionalProperties: false },
  ),
  example: { lastUpdateId: 4512, bids: [['29990.00', '0.5']], asks: [['30010.00', '0.25']] },
};

export function writeDepth(figures: MarketFigures, { asks, bids, updateId }: DepthView): string {
  const [bidsJson, asksJson] = [writeLevels(figures, bids), writeLevels(figures, asks)];
  return `{"lastUpdateId":${updateId},"bids":${bidsJson},"asks":${asksJson}}`;
}

function writeLevels(figures: MarketFigures, levels: DepthView['asks']): string {
  return jsonList(
    levels,
    ([priceTicks, lots]) => `["${figures.price(priceTicks)}","${figures.size(lots)}"]`,
  );
}

interface ShownTrade {
  readonly figures: MarketFigures;
  readonly trade: PublicTrade;
}

export const PUBLIC_TRADE = row<ShownTrade>()({
  id: id('Trade id', formatId(31), ({ trade }) => formatId(trade.tradeId)),
  price: decimal('Price', '30010.00', ({ figures, trade }) => figures.price(trade.priceTicks)),
  qty: decimal('Quantity in base coin', '0.0005', ({ figures, trade }) =>
    figures.size(trade.sizeLots),
  ),
  quoteQty: decimal('Value in quote coin', '15.005', ({ figures, trade }) =>
    figures.value(trade.priceTicks, trade.sizeLots),
  ),
  time: whole('When it traded', TIME_MS, ({ trade }) => trade.timeMs),
  isBuyerMaker: truth(
    'Whether the buyer had rested',
    false,
    ({ trade }) => trade.takerSide === 'sell',
  ),
  isBestMatch: truth('Always true', true, () => true),
});

interface At {
  readonly nowMs: number;
}

/** Up to when a ticker of 24 hours is. */
export const CLOSE_TIME = row<At>()({
  closeTime: whole('Server time', TIME_MS, ({ nowMs }) => nowMs),
});

/** The same behind the other fields of a ticker, which are kept encoded. */
export function withCloseTime(fields: string, nowMs: number): string {
  return `{${fields},"closeTime":${nowMs}}`;
}

export const CANDLE: Shape = {
  schema: Type.Tuple([
    schema.wholeNumber('When it opened'),
    ...['First price', 'Highest price', 'Lowest price', 'Last price', 'Volume in base coin'].map(
      schema.decimal,
    ),
    schema.wholeNumber('When it closes: of a pair the last millisecond of it'),
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

/** `closeMs` is when it closes, as the product counts it. */
export function writeCandle(figures: MarketFigures, candle: Candle, closeMs: number): string {
  const { openTimeMs, open, high, low, close, baseLots, quoteAmount } = candle;
  const prices = [open, high, low, close].map((ticks) => figures.price(ticks));
  const volume = `"${figures.size(baseLots)}",${closeMs},"${figures.amount(quoteAmount)}"`;
  return `[${openTimeMs},"${prices.join('","')}",${volume},${tradesOf(figures, candle)}]`;
}

/** How many trades a candle is of, and what takers bought. */
function tradesOf(figures: MarketFigures, candle: Candle): string {
  const { tradesCount, takerBuyLots, takerBuyQuote } = candle;
  return `${tradesCount},"${figures.size(takerBuyLots)}","${figures.amount(takerBuyQuote)}"`;
}

/** A market of the last 24 hours. */
export interface ShownTicker {
  readonly figures: MarketFigures;
  readonly ticker: Ticker;
}

function price(description: string, example: string, of: (ticker: Ticker) => Ticks) {
  return decimal<ShownTicker>(description, example, ({ figures, ticker }) =>
    figures.price(of(ticker)),
  );
}

function size(description: string, example: string, of: (ticker: Ticker) => Lots) {
  return decimal<ShownTicker>(description, example, ({ figures, ticker }) =>
    figures.size(of(ticker)),
  );
}

export const LAST_PRICE = price(
  'Latest price; 0 before the first trade',
  '30000.00',
  ({ last }) => last,
);

export const BEST_PRICES = row<ShownTicker>()({
  bidPrice: price('Best bid; 0 for none', '29990.00', ({ bid }) => bid),
  bidQty: size('Quantity there', '0.5', ({ bidLots }) => bidLots),
  askPrice: price('Best ask; 0 for none', '30010.00', ({ ask }) => ask),
  askQty: size('Quantity there', '0.25', ({ askLots }) => askLots),
});

/** From when on. */
export const OPEN_TIME = row<ShownTicker>()({
  openTime: whole(
    'Where they begin: the whole minute 24 hours before',
    TIME_MS - (TIME_MS % MINUTE_MS) - DAY_MS,
    ({ ticker }) => ticker.openTimeMs,
  ),
});

export const DAY = row<ShownTicker>()({
  priceChange: decimal('Change of 24 hours', '300.00', ({ figures, ticker }) =>
    figures.change(ticker.last - ticker.open),
  ),
  priceChangePercent: decimal('The same as a fraction: 0.01 is 1 %', '0.010101', ({ ticker }) =>
    changeRatio(ticker.open, ticker.last, RATIO_DECIMALS),
  ),
  lastPrice: LAST_PRICE,
  openPrice: price('First price of 24 hours', '29700.00', ({ open }) => open),
  highPrice: price('Highest price', '31000.00', ({ high }) => high),
  lowPrice: price('Lowest price', '29000.00', ({ low }) => low),
  volume: size('Volume in base coin', '0.03', ({ baseLots }) => baseLots),
  quoteVolume: decimal('Volume in quote coin', '900.5', ({ figures, ticker }) =>
    figures.amount(ticker.quoteAmount),
  ),
});
