/**
 * A reader's copy of an order book, kept by its stream. What a screen shows of it (grouped
 * prices, cumulated sizes, a depth curve) is in book-view.ts.
 */
import type { BookData, StreamMessage } from '#client';
import { bookChecksum } from './checksum.ts';
import { scaledNumber } from './numbers.ts';

export interface Level {
  readonly priceTicks: number;
  readonly lots: number;
  /** As sent. */
  readonly priceText: string;
  readonly sizeText: string;
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
  /** False until a whole book has come, and again from a fault to the next whole one. */
  #isReady = false;
  #timeMs = 0;
  #version = 0;

  constructor(scales: BookScales) {
    this.#scales = scales;
  }

  /** Best first. The array is the book's own: it changes with the next message. */
  get asks(): readonly Level[] {
    return this.#asks;
  }

  /** Best first. The array is the book's own: it changes with the next message. */
  get bids(): readonly Level[] {
    return this.#bids;
  }

  /** Whether there is a book that can be shown. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** When the venue published it. */
  get timeMs(): number {
    return this.#timeMs;
  }

  /** Grows with every message that was taken, for those who cache what they made of it. */
  get version(): number {
    return this.#version;
  }

  /**
   * Takes a message. One after which the checksum is another one means that the copy is wrong:
   * updates are passed over until a whole one comes.
   */
  apply({ type, data, time }: StreamMessage<BookData>): BookVerdict {
    if (type === 'update' && !this.#isReady) return 'waiting';
    if (type === 'snapshot') {
      this.#asks = [];
      this.#bids = [];
    }
    for (const level of data.asks) put(this.#asks, this.#level(level), 1);
    for (const level of data.bids) put(this.#bids, this.#level(level), -1);
    if (bookChecksum(this.#asks, this.#bids) !== data.checksum) return this.#fault();
    this.#timeMs = time;
    this.#isReady = true;
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
    this.#isReady = false;
    this.#version += 1;
    return 'resync';
  }

  #level([priceText, sizeText]: BookData['asks'][number]): Level {
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
