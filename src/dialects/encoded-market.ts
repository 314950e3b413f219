/**
 * Tickers and order books as JSON, encoded once per change: many ask for the same between two
 * changes of the market. Only the time of the answer is put in fresh.
 */
import type { DataJson, JsonBytes } from '#api';
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

/** A book without the time, or where it has none the whole answer. */
type Encoded = string | JsonBytes;

interface EncodedBook<Book extends Encoded> {
  /** Last step known to have left the book as it is. */
  seq: number;
  readonly version: number;
  readonly encoded: Book;
}

/** How a kind of market, pairs or contracts, is encoded. */
export interface MarketWriters<Market, Book extends Encoded> {
  /** A ticker without its time, and one from that. */
  tickerFields(market: Market, ticker: Ticker): string;
  ticker(fields: string, nowMs: number): DataJson;
  /** A book without the time, and one from that. */
  encodeBook(market: Market, book: DepthView): Book;
  depth(encoded: Book, nowMs: number): Book;
}

export class EncodedMarket<
  Market extends { readonly instrumentId: InstrumentId },
  Book extends Encoded = string,
> {
  readonly #live: LiveMarkets;
  readonly #writers: MarketWriters<Market, Book>;
  readonly #tickers = new Map<InstrumentId, EncodedTicker>();
  readonly #books = new Map<string, EncodedBook<Book>>();

  constructor(live: LiveMarkets, writers: MarketWriters<Market, Book>) {
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
  depth(market: Market, step: DepthStep, limit: number, nowMs: number): Book {
    const { seq } = this.#live;
    const name = `${market.instrumentId}/${step}/${limit}`;
    const known = this.#books.get(name);
    if (known?.seq === seq) return this.#writers.depth(known.encoded, nowMs);
    const book = this.#live.depth(market.instrumentId, step, limit);
    if (known?.version === book.version) {
      known.seq = seq;
      return this.#writers.depth(known.encoded, nowMs);
    }
    const encoded = this.#writers.encodeBook(market, book);
    if (this.#books.size >= BOOKS_MAX) this.#books.clear();
    this.#books.set(name, { seq, version: book.version, encoded });
    return this.#writers.depth(encoded, nowMs);
  }
}

/**
 * Text that was put together of many pieces stays a tree of them, which would be walked with every
 * answer that it is put into: a fifth of what a book of 100 levels cost.
 */
export function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}
