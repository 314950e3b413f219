/**
 * Tickers and order books as JSON, encoded once per change: many ask for the same between two
 * changes of the market. Only the time of the answer is put in fresh.
 */
import type { InstrumentId, SpotInstrument } from '#domain';
import type { LiveMarkets } from '#views';
import {
  type DataJson,
  type DepthQuery,
  writeDepth,
  writeDepthSides,
  writeTicker,
  writeTickerFields,
} from '#wire';

/** Encoded books kept; one more and all are forgotten, which costs encoding them again. */
const BOOKS_MAX = 512;
/** The 24 hours of a ticker move on by whole minutes. */
const MINUTE_MS = 60_000;

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

export class EncodedMarket {
  readonly #live: LiveMarkets;
  readonly #tickers = new Map<InstrumentId, EncodedTicker>();
  readonly #books = new Map<string, EncodedBook>();

  constructor(live: LiveMarkets) {
    this.#live = live;
  }

  /** The ticker as it is now. */
  ticker(pair: SpotInstrument, nowMs: number): DataJson {
    const { seq } = this.#live;
    const minute = Math.floor(nowMs / MINUTE_MS);
    const known = this.#tickers.get(pair.instrumentId);
    if (known?.seq === seq && known.minute === minute) return writeTicker(known.fields, nowMs);
    const fields = writeTickerFields(pair, this.#live.ticker(pair.instrumentId, nowMs));
    this.#tickers.set(pair.instrumentId, { seq, minute, fields });
    return writeTicker(fields, nowMs);
  }

  /** The book as it is now. */
  depth(query: DepthQuery, nowMs: number): DataJson {
    const { seq } = this.#live;
    const name = `${query.pair.instrumentId}/${query.step}/${query.limit}`;
    const known = this.#books.get(name);
    if (known?.seq === seq) return writeDepth(known.sides, nowMs);
    const { pair, step, limit } = query;
    const book = this.#live.depth(pair.instrumentId, step, limit);
    if (known?.version === book.version) {
      known.seq = seq;
      return writeDepth(known.sides, nowMs);
    }
    const sides = writeDepthSides(pair, book.asks, book.bids);
    if (this.#books.size >= BOOKS_MAX) this.#books.clear();
    this.#books.set(name, { seq, version: book.version, sides });
    return writeDepth(sides, nowMs);
  }
}
