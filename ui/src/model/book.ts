/**
 * A reader's copy of an order book, kept by either stream. What a screen shows of it (grouped
 * prices, cumulated sizes, a depth curve) is in book-view.ts.
 */
import { bookChecksum } from './checksum.ts';
import type { Push } from './frames.ts';
import { scaledNumber } from './numbers.ts';

export interface Level {
  readonly priceTicks: number;
  readonly lots: number;
  /** As sent. */
  readonly priceText: string;
  readonly sizeText: string;
}

/** Price and size as sent; contracts have a third column, which is obsolete. */
export type LevelRow = readonly [price: string, size: string, ...obsolete: number[]];

/** The row of a push: `books` of the spot stream, `depth` of the contract stream. */
export interface BookRow {
  readonly asks: readonly LevelRow[];
  readonly bids: readonly LevelRow[];
  readonly checksum: number;
  /** Spot. */
  readonly ts?: string;
  /** Contracts. */
  readonly timestamp?: string;
}

export interface BookScales {
  readonly priceScale: number;
  readonly quantityScale: number;
}

/**
 * ok: the book is the venue's. resync: it is not, subscribe again. waiting: as before, an update
 * was passed over because no whole book has come yet.
 */
export type BookVerdict = 'ok' | 'resync' | 'waiting';

export class Book {
  readonly #scales: BookScales;
  #asks: Level[] = [];
  #bids: Level[] = [];
  /** Undefined until a whole book has come, and again from a fault to the next whole one. */
  #seq: number | undefined;
  #timeMs = 0;
  #version = 0;

  constructor(scales: BookScales) {
    this.#scales = scales;
  }

  /** Best first. The array is the book's own: it changes with the next push. */
  get asks(): readonly Level[] {
    return this.#asks;
  }

  /** Best first. The array is the book's own: it changes with the next push. */
  get bids(): readonly Level[] {
    return this.#bids;
  }

  /** Whether there is a book that can be shown. */
  get isReady(): boolean {
    return this.#seq !== undefined;
  }

  /** When the venue published it. */
  get timeMs(): number {
    return this.#timeMs;
  }

  /** Grows with every push that was taken, for those who cache what they made of it. */
  get version(): number {
    return this.#version;
  }

  /**
   * Takes a push. An update that does not follow the message before, or after which the checksum is
   * another one, means that the copy is wrong: updates are passed over until a whole one comes.
   */
  apply({ isWhole, rows, seq }: Push<BookRow>): BookVerdict {
    if (!isWhole && this.#seq === undefined) return 'waiting';
    if (!isWhole && this.#seq !== seq - 1) return this.#fault();
    if (isWhole) {
      this.#asks = [];
      this.#bids = [];
    }
    for (const row of rows) {
      for (const level of row.asks) put(this.#asks, this.#level(level), 1);
      for (const level of row.bids) put(this.#bids, this.#level(level), -1);
      if (bookChecksum(this.#asks, this.#bids) !== row.checksum) return this.#fault();
      this.#timeMs = Number(row.ts ?? row.timestamp ?? 0);
    }
    this.#seq = seq;
    this.#version += 1;
    return 'ok';
  }

  /** Forgets the book, as after a broken connection. */
  clear(): void {
    this.#asks = [];
    this.#bids = [];
    this.#fault();
  }

  #fault(): BookVerdict {
    this.#seq = undefined;
    this.#version += 1;
    return 'resync';
  }

  #level([priceText, sizeText]: LevelRow): Level {
    const priceTicks = scaledNumber(priceText, this.#scales.priceScale);
    const lots = scaledNumber(sizeText, this.#scales.quantityScale);
    return { priceTicks, lots, priceText, sizeText };
  }
}

/** Sets or removes a level of a side; the sign is 1 when prices ascend, -1 when they descend. */
function put(side: Level[], level: Level, sign: 1 | -1): void {
  let from = 0;
  let to = side.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const price = side[middle]?.priceTicks ?? 0;
    if ((price - level.priceTicks) * sign < 0) from = middle + 1;
    else to = middle;
  }
  const isKnown = side[from]?.priceTicks === level.priceTicks;
  if (level.lots > 0) side.splice(from, isKnown ? 1 : 0, level);
  else if (isKnown) side.splice(from, 1);
}
