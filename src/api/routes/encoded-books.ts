/** Order books as JSON, encoded once per version: many ask for the same book between two changes. */
import type { LiveMarkets } from '#views';
import { type DataJson, type DepthQuery, writeDepth, writeDepthSides } from '#wire';

/** Encoded books kept; one more and all are forgotten, which costs encoding them again. */
const BOOKS_MAX = 512;

interface EncodedBook {
  readonly version: number;
  readonly sides: string;
}

export class EncodedBooks {
  readonly #live: LiveMarkets;
  readonly #books = new Map<string, EncodedBook>();

  constructor(live: LiveMarkets) {
    this.#live = live;
  }

  /** The book as it is now. */
  depth(query: DepthQuery, nowMs: number): DataJson {
    const { pair, step, limit } = query;
    const book = this.#live.depth(pair.instrumentId, step, limit);
    const name = `${pair.instrumentId}/${step}/${limit}`;
    const known = this.#books.get(name);
    if (known?.version === book.version) return writeDepth(known.sides, nowMs);
    const sides = writeDepthSides(pair, book.asks, book.bids);
    if (this.#books.size >= BOOKS_MAX) this.#books.clear();
    this.#books.set(name, { version: book.version, sides });
    return writeDepth(sides, nowMs);
  }
}
