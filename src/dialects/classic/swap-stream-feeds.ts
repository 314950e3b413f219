/** The public feeds of one contract: what is shown at once, and what each update adds to it. */
import {
  type BookChoices,
  BookFeed,
  CandleFeed,
  type PublicFeed,
  StateFeed,
  TradeFeed,
} from '#api';
import {
  type Candle,
  type Contract,
  type ContractPrices,
  type InstrumentId,
  LIMITS,
  type Period,
} from '#domain';
import { type Clock, present } from '#kernel';
import type { LiveMarkets } from '#market-data';
import { formatPrice, formatSize } from '../kit/contract-figures.ts';
import type { LevelValues } from '../kit/encoded-market.ts';
import { jsonList } from '../kit/row.ts';
import { writeDepth } from './depth.ts';
import { writeCandle, writeTicker, writeTickerFields, writeTrade } from './swap-market.ts';
import { FUNDING_RATE, MARK_PRICE, PRICE_LIMIT } from './swap-prices.ts';
import { readPublicFeed } from './swap-stream-channels.ts';
import { writeStreamRow } from './swap-stream-messages.ts';

const TOP_LEVELS = 5;

export interface FeedSource {
  readonly live: LiveMarkets;
  readonly clock: Clock;
}

/** Opens a feed by its name. */
export function openFeed(source: FeedSource, feed: string): PublicFeed {
  const name = readPublicFeed(feed);
  const { instrumentId } = name;
  switch (name.channel) {
    case 'candle':
      return candleFeed(source, instrumentId, name.period);
    case 'trade':
      return tradeFeed(source, instrumentId);
    case 'depth':
      return new BookFeed(source, instrumentId, bookOf(source, instrumentId));
    case 'depth5':
      return stateFeed(source, instrumentId, TOP_OF_BOOK);
    case 'ticker':
      return stateFeed(source, instrumentId, TICKER);
    case 'funding_rate':
      return stateFeed(source, instrumentId, NEXT_FUNDING);
    case 'price_range':
      return stateFeed(source, instrumentId, PRICE_RANGE);
    case 'mark_price':
      return stateFeed(source, instrumentId, MARK_PRICE_NOW);
  }
}

/** As deep as REST shows it; the time is when what is shown last changed. */
function bookOf(source: FeedSource, instrumentId: InstrumentId): BookChoices {
  return {
    levelsMax: LIMITS.contractDepthLevelsMax,
    sendsChanges: true,
    texts: (levels) => contractLevelTexts(contractOf(source, instrumentId), levels),
    write: ({ asks, bids, checksum, changedMs }) => {
      const timestamp = String(changedMs);
      const row = JSON.stringify({ asks, bids, checksum: checksum(), timestamp });
      return `[${writeStreamRow(contractOf(source, instrumentId), row)}]`;
    },
  };
}

/** Something that is shown whole whenever it has changed. */
interface Shown {
  /** What to compare; undefined while there is nothing to show. */
  content(source: FeedSource, contract: Contract): string | undefined;
  /** The row of a content. */
  row(content: string, nowMs: number): string;
}

const TICKER: Shown = {
  content: ({ live, clock }, contract) =>
    writeTickerFields(contract, live.ticker(contract.instrumentId, clock.nowMs())),
  row: writeTicker,
};

const TOP_OF_BOOK: Shown = {
  content: ({ live }, contract) => {
    const { asks, bids } = live.depth(contract.instrumentId, 0, TOP_LEVELS);
    return writeStreamSides(contract, asks, bids);
  },
  row: writeDepth,
};

/** A row of the prices of the last tick, which bears the time of that tick if it has one. */
function ofPrices(write: (contract: Contract, prices: ContractPrices) => string): Shown {
  return {
    content: ({ live }, contract) => {
      const prices = live.contractPrices(contract.instrumentId);
      return prices === undefined ? undefined : write(contract, prices);
    },
    row: (content) => content,
  };
}

const MARK_PRICE_NOW = ofPrices((contract, prices) =>
  MARK_PRICE.write({ contract, prices, nowMs: prices.timeMs }),
);
const PRICE_RANGE = ofPrices((contract, prices) =>
  PRICE_LIMIT.write({ contract, prices, nowMs: prices.timeMs }),
);
const NEXT_FUNDING = ofPrices((contract, { fundingRatePpb, nextFundingMs }) =>
  FUNDING_RATE.write({
    contract,
    rate: { ratePpb: fundingRatePpb, fundingTimeMs: nextFundingMs },
  }),
);

function stateFeed(source: FeedSource, instrumentId: InstrumentId, shown: Shown): StateFeed {
  return new StateFeed(source.clock, instrumentId, {
    content: () => shown.content(source, contractOf(source, instrumentId)),
    write: (content, nowMs) =>
      `[${writeStreamRow(contractOf(source, instrumentId), shown.row(content, nowMs))}]`,
  });
}

/** Oldest first. */
function tradeFeed(source: FeedSource, instrumentId: InstrumentId): TradeFeed {
  return new TradeFeed(source.live, instrumentId, (newestFirst) => {
    const contract = contractOf(source, instrumentId);
    return jsonList(newestFirst.toReversed(), (trade) =>
      writeStreamRow(contract, writeTrade(contract, trade)),
    );
  });
}

/** The current candle, and the last state of one that is over. */
function candleFeed(source: FeedSource, instrumentId: InstrumentId, period: Period): CandleFeed {
  const { live, clock } = source;
  return new CandleFeed(instrumentId, {
    shownMax: 1,
    read: (limit, fromMs) => {
      const window = { limit, fromMs, nowMs: clock.nowMs() };
      const answer = live.candles(instrumentId, period, window);
      return answer.kind === 'rows' ? answer.rows : answer.recent;
    },
    row: (candle) => candleRow(contractOf(source, instrumentId), candle),
    write: (rows) => `[${rows.join(',')}]`,
  });
}

function candleRow(contract: Contract, candle: Candle): string {
  return writeStreamRow(contract, `{"candle":${writeCandle(contract, candle)}}`);
}

function contractOf({ live }: FeedSource, instrumentId: InstrumentId): Contract {
  return present(live.listings.contractById(instrumentId), 'listed contract');
}

/** Both sides of a book in two columns each: the third one of REST is obsolete. */
function writeStreamSides(
  contract: Contract,
  asks: readonly LevelValues[],
  bids: readonly LevelValues[],
): string {
  const side = (levels: readonly LevelValues[]) =>
    JSON.stringify(contractLevelTexts(contract, levels));
  return `"asks":${side(asks)},"bids":${side(bids)}`;
}

/** The levels of one side of a book as clients see them, which its checksum is over. */
function contractLevelTexts(
  contract: Contract,
  levels: readonly LevelValues[],
): (readonly [price: string, size: string])[] {
  return levels.map(([priceTicks, size]) => [
    formatPrice(contract, priceTicks),
    formatSize(contract, size),
  ]);
}
