/**
 * Tickers and order books as JSON, encoded once per change: many ask for the same between two
 * changes of the market. Only the time of the answer is put in fresh.
 */
import type { DataJson, KeptJson } from '#api';
import type { InstrumentId, Ticker } from '#domain';
import type { DepthStep, DepthView, LiveMarkets } from '#market-data';

/** Encoded books kept; one more and all are forgotten, which costs encoding them again. */
const BOOKS_MAX = 512;
/** From here on a book is sent sooner as bytes, which cost a write of their own; below as text. */
const BYTES_MIN = 2_048;
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
  readonly kept: string | Uint8Array;
}

/** How a kind of market, pairs or contracts, is encoded. */
export interface MarketWriters<Market> {
  /** A ticker without its time, and one from that. */
  tickerFields(market: Market, ticker: Ticker): string;
  ticker(fields: string, nowMs: number): DataJson;
  /** A book up to its time, and the rest of it. */
  book(market: Market, book: DepthView): DataJson;
  bookEnd(nowMs: number): DataJson;
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
  depth(market: Market, step: DepthStep, limit: number, nowMs: number): DataJson | KeptJson {
    const kept = this.#book(market, step, limit);
    const rest = this.#writers.bookEnd(nowMs);
    return typeof kept === 'string' ? kept + rest : { kept, rest };
  }

  #book(market: Market, step: DepthStep, limit: number): string | Uint8Array {
    const { seq } = this.#live;
    const name = `${market.instrumentId}/${step}/${limit}`;
    const known = this.#books.get(name);
    if (known?.seq === seq) return known.kept;
    const book = this.#live.depth(market.instrumentId, step, limit);
    if (known?.version === book.version) {
      known.seq = seq;
      return known.kept;
    }
    const text = this.#writers.book(market, book);
    const kept = text.length < BYTES_MIN ? inOnePiece(text) : Buffer.from(text);
    if (this.#books.size >= BOOKS_MAX) this.#books.clear();
    this.#books.set(name, { seq, version: book.version, kept });
    return kept;
  }
}

/**
 * Text that was put together of many pieces stays a tree of them, which would be walked with every
 * answer that it is put into: a fifth of what a book of 100 levels cost.
 */
export function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}
