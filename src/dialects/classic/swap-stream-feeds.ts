/** The public feeds of one contract: what is shown at once, and what each update adds to it. */
import { type BookChoices, BookFeed, type PublicFeed } from '#api';
import {
  type Candle,
  type Contract,
  type ContractPrices,
  type InstrumentId,
  LIMITS,
  type Period,
  type PublicTrade,
} from '#domain';
import { type Clock, present } from '#kernel';
import type { LiveMarkets } from '#market-data';

import type { LevelValues } from '../encoded-market.ts';
import { writeDepth } from './depth.ts';
import { formatPrice, formatSize } from './swap-format.ts';
import { writeCandle, writeTicker, writeTickerFields, writeTrade } from './swap-market.ts';
import { FUNDING_RATE, MARK_PRICE, PRICE_LIMIT } from './swap-prices.ts';
import { readPublicFeed } from './swap-stream-channels.ts';
import { writeStreamRow } from './swap-stream-messages.ts';

const TOP_LEVELS = 5;
/** Trades in a snapshot. */
const TRADES_SHOWN = 50;

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
      return new CandleFeed(source, instrumentId, name.period);
    case 'trade':
      return new TradeFeed(source, instrumentId);
    case 'depth':
      return new BookFeed(source, instrumentId, bookOf(source, instrumentId));
    case 'depth5':
      return new StateFeed(source, instrumentId, TOP_OF_BOOK);
    case 'ticker':
      return new StateFeed(source, instrumentId, TICKER);
    case 'funding_rate':
      return new StateFeed(source, instrumentId, NEXT_FUNDING);
    case 'price_range':
      return new StateFeed(source, instrumentId, PRICE_RANGE);
    case 'mark_price':
      return new StateFeed(source, instrumentId, MARK_PRICE_NOW);
  }
}

/** As deep as REST shows it; the time is when what is shown last changed. */
function bookOf(source: FeedSource, instrumentId: InstrumentId): BookChoices {
  return {
    levelsMax: LIMITS.contractDepthLevelsMax,
    sendsChanges: true,
    texts: (levels) => contractLevelTexts(contractOf(source, instrumentId), levels),
    write: ({ asks, bids, checksum, changedMs }) => {
      const row = JSON.stringify({ asks, bids, checksum, timestamp: String(changedMs) });
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

class StateFeed implements PublicFeed {
  readonly instrumentId: InstrumentId;
  readonly isPrompt = false;
  readonly #source: FeedSource;
  readonly #shown: Shown;
  #content: string | undefined;
  #data: string | undefined;

  constructor(source: FeedSource, instrumentId: InstrumentId, shown: Shown) {
    this.instrumentId = instrumentId;
    this.#source = source;
    this.#shown = shown;
    this.update();
  }

  snapshot(): string | undefined {
    return this.#data;
  }

  update() {
    const contract = contractOf(this.#source, this.instrumentId);
    const content = this.#shown.content(this.#source, contract);
    if (content === undefined || content === this.#content) return undefined;
    this.#content = content;
    const row = this.#shown.row(content, this.#source.clock.nowMs());
    const data = `[${writeStreamRow(contract, row)}]`;
    this.#data = data;
    return { action: 'snapshot', data } as const;
  }
}

/** Trades, oldest first, each once. */
class TradeFeed implements PublicFeed {
  readonly instrumentId: InstrumentId;
  readonly isPrompt = true;
  readonly #source: FeedSource;
  /** The trades last shown, newest first. */
  #shown: readonly PublicTrade[];

  constructor(source: FeedSource, instrumentId: InstrumentId) {
    this.instrumentId = instrumentId;
    this.#source = source;
    this.#shown = source.live.recentTrades(instrumentId, TRADES_SHOWN);
  }

  snapshot(): string {
    return this.#rows(this.#shown);
  }

  update() {
    const fresh = this.#fresh();
    if (fresh.length === 0) return undefined;
    this.#shown = [...fresh, ...this.#shown].slice(0, TRADES_SHOWN);
    return { action: 'update', data: this.#rows(fresh) } as const;
  }

  /** Trades after the last one shown, newest first; no more than the market remembers. */
  #fresh(): PublicTrade[] {
    const lastId = this.#shown[0]?.tradeId ?? 0;
    for (let limit = TRADES_SHOWN; ; limit *= 4) {
      const found = this.#source.live.recentTrades(this.instrumentId, limit);
      const fresh = found.filter(({ tradeId }) => tradeId > lastId);
      if (fresh.length < limit || limit > LIMITS.recentTradesMax) return fresh;
    }
  }

  #rows(newestFirst: readonly PublicTrade[]): string {
    const contract = contractOf(this.#source, this.instrumentId);
    const rows = newestFirst
      .toReversed()
      .map((trade) => writeStreamRow(contract, writeTrade(contract, trade)));
    return `[${rows.join(',')}]`;
  }
}

/** The current candle, and the last state of one that is over. */
class CandleFeed implements PublicFeed {
  readonly instrumentId: InstrumentId;
  readonly isPrompt = false;
  readonly #source: FeedSource;
  readonly #period: Period;
  #openTimeMs: number | undefined;
  #row: string | undefined;

  constructor(source: FeedSource, instrumentId: InstrumentId, period: Period) {
    this.instrumentId = instrumentId;
    this.#source = source;
    this.#period = period;
    this.update();
  }

  snapshot(): string | undefined {
    return this.#row === undefined ? undefined : `[${this.#row}]`;
  }

  update() {
    const contract = contractOf(this.#source, this.instrumentId);
    const candles = this.#candles();
    const rows = candles.map((candle) => candleRow(contract, candle));
    if (rows[0] === this.#row) rows.shift();
    if (rows.length === 0) return undefined;
    // Earlier subscribers have received no candle yet, so this one is a snapshot.
    const action = this.#row === undefined ? 'snapshot' : 'update';
    this.#openTimeMs = candles.at(-1)?.openTimeMs;
    this.#row = rows.at(-1);
    return { action, data: `[${rows.join(',')}]` } as const;
  }

  /** From the one last shown to the current one; the current one alone to begin with. */
  #candles(): readonly Candle[] {
    const { live, clock } = this.#source;
    const fromMs = this.#openTimeMs;
    const limit = fromMs === undefined ? 1 : LIMITS.candlePageMax;
    const nowMs = clock.nowMs();
    const answer = live.candles(this.instrumentId, this.#period, { fromMs, limit, nowMs });
    return answer.kind === 'rows' ? answer.rows : answer.recent;
  }
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
