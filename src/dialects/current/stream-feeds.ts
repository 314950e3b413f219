/** The public feeds of one market, a pair or a contract: the `data` of their messages. */
import {
  type BookChoices,
  BookFeed,
  CandleFeed,
  type PublicFeed,
  StateFeed,
  type StreamServices,
  TradeFeed,
} from '#api';
import {
  type Candle,
  type Contract,
  type InstrumentId,
  nextOpenTimeMs,
  type PublicTrade,
  type SpotInstrument,
  type Ticker,
} from '#domain';
import { present } from '#kernel';
import { formatId } from '../kit/ids.ts';
import { changeRatio } from '../kit/ratios.ts';
import { jsonList } from '../kit/row.ts';
import { MarketFigures } from './market-figures.ts';
import { type BookLevels, type Channel, type Product, readFeed } from './stream-channels.ts';
import { marketName } from './symbols.ts';

type FeedSource = Pick<StreamServices, 'live' | 'clock'>;
type Kline = Extract<Channel, { kind: 'kline' }>;

const DAY_MS = 86_400_000;
const RATIO_DECIMALS = 6;
/** Rows of a snapshot. */
const CANDLES_SHOWN = 300;

/** Opens a feed by its name. */
export function openFeed(source: FeedSource, product: Product, feed: string): PublicFeed {
  const [channel, id] = readFeed(feed, product);
  switch (channel.kind) {
    case 'ticker':
      return tickerFeed(source, id);
    case 'trade':
      return tradeFeed(source, id);
    case 'bookTicker':
      return bestFeed(source, id);
    case 'depth':
      return new BookFeed(source, id, bookOf(source, id, channel.levels));
    case 'kline':
      return klineFeed(source, id, channel);
  }
}

/** Terms of a market change while it is followed: it is looked up for every message. */
function marketOf({ live }: FeedSource, id: InstrumentId): SpotInstrument | Contract {
  return present(live.listings.instruments[id], 'listed market');
}

function figuresOf(source: FeedSource, id: InstrumentId): MarketFigures {
  return new MarketFigures(marketOf(source, id));
}

function tickerFeed(source: FeedSource, id: InstrumentId): StateFeed {
  const { live, clock } = source;
  return new StateFeed(clock, id, {
    content: () => {
      const ticker = live.ticker(id, clock.nowMs());
      const figures = figuresOf(source, id);
      const isPair = live.listings.spotById(id) !== undefined;
      const more = isPair ? bestOf(figures, ticker) : runningPrices(source, figures, id);
      return `${dayOf(figures, ticker)},${more}`;
    },
    write: (content, nowMs) => `"d":[{${content},"O":${nowMs - DAY_MS},"C":${nowMs}}]`,
  });
}

/** The last 24 hours. */
function dayOf(figures: MarketFigures, ticker: Ticker): string {
  const { open, last, high, low, baseLots, quoteAmount } = ticker;
  const change = figures.change(open === 0 ? 0 : last - open);
  const ratio = changeRatio(open, last, RATIO_DECIMALS);
  const average = figures.average(quoteAmount, baseLots);
  return (
    `"p":"${change}","P":"${ratio}","w":"${average}","c":"${figures.price(last)}",` +
    `"o":"${figures.price(open)}","h":"${figures.price(high)}","l":"${figures.price(low)}",` +
    `"v":"${figures.size(baseLots)}","q":"${figures.amount(quoteAmount)}",` +
    `"n":${ticker.tradesCount}`
  );
}

function bestOf(figures: MarketFigures, { bid, bidLots, ask, askLots }: Ticker): string {
  return (
    `"b":"${figures.price(bid)}","B":"${figures.size(bidLots)}",` +
    `"a":"${figures.price(ask)}","A":"${figures.size(askLots)}"`
  );
}

/** Mark and index price; 0 before the venue has priced the contract. */
function runningPrices({ live }: FeedSource, figures: MarketFigures, id: InstrumentId): string {
  const prices = live.contractPrices(id);
  const text = (ticks: number | undefined) => figures.change(ticks ?? 0);
  return `"m":"${text(prices?.markTicks)}","i":"${text(prices?.indexTicks)}"`;
}

/** The best prices and their sizes, with the number of the book that they are of. */
function bestFeed(source: FeedSource, id: InstrumentId): StateFeed {
  const { live, clock } = source;
  return new StateFeed(clock, id, {
    content: () => bestOf(figuresOf(source, id), live.ticker(id, clock.nowMs())),
    write: (content) => `"u":${live.depth(id, 0, 1).updateId},${content}`,
  });
}

/** Of several trades in one message the newest is first in a snapshot, and last in an update. */
function tradeFeed(source: FeedSource, id: InstrumentId): TradeFeed {
  return new TradeFeed(source.live, id, (newestFirst, action) => {
    const figures = figuresOf(source, id);
    const trades = action === 'snapshot' ? newestFirst : newestFirst.toReversed();
    return `"d":${jsonList(trades, (trade) => tradeRow(figures, trade))}`;
  });
}

function tradeRow(figures: MarketFigures, trade: PublicTrade): string {
  const { timeMs, tradeId, priceTicks, sizeLots, takerSide } = trade;
  return (
    `{"T":${timeMs},"t":"${formatId(tradeId)}","p":"${figures.price(priceTicks)}",` +
    `"q":"${figures.size(sizeLots)}","v":"${figures.value(priceTicks, sizeLots)}",` +
    `"m":${takerSide === 'sell'}}`
  );
}

function bookOf(source: FeedSource, id: InstrumentId, levelsMax: BookLevels): BookChoices {
  return {
    levelsMax,
    sendsChanges: true,
    texts: (levels) => {
      const figures = figuresOf(source, id);
      return levels.map(([price, size]) => [figures.price(price), figures.size(size)]);
    },
    write: ({ asks, bids, updateId, previousId }, action) => {
      const kind = action === 'snapshot' ? 'SNAPSHOT' : 'CHANGED';
      const ids = `"U":${previousId},"u":${updateId},"l":${levelsMax},"d":"${kind}"`;
      return `${ids},"b":${JSON.stringify(bids)},"a":${JSON.stringify(asks)}`;
    },
  };
}

function klineFeed(source: FeedSource, id: InstrumentId, kline: Kline): CandleFeed {
  const { live, clock } = source;
  return new CandleFeed(id, {
    shownMax: CANDLES_SHOWN,
    read: (limit, fromMs) => {
      const window = { limit, fromMs, nowMs: clock.nowMs() };
      const answer = live.candles(id, kline.period, window, kline.price);
      return answer.kind === 'rows' ? answer.rows : answer.recent;
    },
    row: (candle) => candleRow(marketOf(source, id), kline, candle),
    write: (rows) => `"p":"${kline.of}","d":[${rows.join(',')}]`,
  });
}

function candleRow(
  market: SpotInstrument | Contract,
  { interval, period }: Kline,
  candle: Candle,
): string {
  const figures = new MarketFigures(market);
  const { openTimeMs, open, high, low, close, baseLots, quoteAmount } = candle;
  return (
    `{"t":${openTimeMs},"T":${nextOpenTimeMs(period, openTimeMs)},` +
    `"s":"${marketName(market.symbol)}","i":"${interval}",` +
    `"o":"${figures.price(open)}","c":"${figures.price(close)}",` +
    `"h":"${figures.price(high)}","l":"${figures.price(low)}",` +
    `"v":"${figures.size(baseLots)}","n":${candle.tradesCount},` +
    `"q":"${figures.amount(quoteAmount)}","V":"${figures.size(candle.takerBuyLots)}",` +
    `"Q":"${figures.amount(candle.takerBuyQuote)}"}`
  );
}
