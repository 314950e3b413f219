/**
 * Tickers and order books as JSON, encoded once per change: many ask for the same between two
 * changes of the market. Only the time of the answer is put in fresh.
 */
import type { DataJson } from '#api';
import type { InstrumentId, Ticker } from '#domain';
import type { DepthStep, DepthView, LiveMarkets } from '#market-data';

/** Encoded books kept; one more and all are forgotten, which costs encoding them again. */
const BOOKS_MAX = 512;
/** The 24 hours of a ticker move on by whole minutes. */
const MINUTE_MS = 60_000;

/** One price of a book and what waits there. */
export type LevelValues = DepthView['asks'][number];

interface EncodedTicker {
  readonly seq: number;
  readonly minute: number;
  readonly fields: string;
}

interface EncodedBook {
  /** Last step known to have left the book as it is. */
  seq: number;
  readonly version: number;
  readonly sides: string;
}

/** How a kind of market, pairs or contracts, is encoded. */
export interface MarketWriters<Market> {
  /** A ticker without its time, and one from that. */
  tickerFields(market: Market, ticker: Ticker): string;
  ticker(fields: string, nowMs: number): DataJson;
  /** A book without the time, and one from that. */
  depthSides(market: Market, book: DepthView): string;
  depth(sides: string, nowMs: number): DataJson;
}

export class EncodedMarket<Market extends { readonly instrumentId: InstrumentId }> {
  readonly #live: LiveMarkets;
  readonly #writers: MarketWriters<Market>;
  readonly #tickers = new Map<InstrumentId, EncodedTicker>();
  readonly #books = new Map<string, EncodedBook>();

  constructor(live: LiveMarkets, writers: MarketWriters<Market>) {
    this.#live = live;
    this.#writers = writers;
  }

  /** The ticker as it is now. */
  ticker(market: Market, nowMs: number): DataJson {
    const { seq } = this.#live;
    const minute = Math.floor(nowMs / MINUTE_MS);
    const { instrumentId } = market;
    const known = this.#tickers.get(instrumentId);
    if (known?.seq === seq && known.minute === minute) {
      return this.#writers.ticker(known.fields, nowMs);
    }
    const fields = this.#writers.tickerFields(market, this.#live.ticker(instrumentId, nowMs));
    this.#tickers.set(instrumentId, { seq, minute, fields });
    return this.#writers.ticker(fields, nowMs);
  }

  /** The book as it is now: up to `limit` levels of each side. */
  depth(market: Market, step: DepthStep, limit: number, nowMs: number): DataJson {
    const { seq } = this.#live;
    const name = `${market.instrumentId}/${step}/${limit}`;
    const known = this.#books.get(name);
    if (known?.seq === seq) return this.#writers.depth(known.sides, nowMs);
    const book = this.#live.depth(market.instrumentId, step, limit);
    if (known?.version === book.version) {
      known.seq = seq;
      return this.#writers.depth(known.sides, nowMs);
    }
    const sides = inOnePiece(this.#writers.depthSides(market, book));
    if (this.#books.size >= BOOKS_MAX) this.#books.clear();
    this.#books.set(name, { seq, version: book.version, sides });
    return this.#writers.depth(sides, nowMs);
  }
}

/**
 * Text that was put together of many pieces stays a tree of them, which would be walked with every
 * answer that it is put into: a fifth of what a book of 100 levels cost.
 */
export function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}
