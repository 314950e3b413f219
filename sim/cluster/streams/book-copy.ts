/** A client's copy of a book: a snapshot, then changed levels; size 0 takes a level away. */
import { crc32 } from 'node:zlib';
import { lotsOf, ticksOf, type Units } from './markets.ts';
import type { Book, Levels } from './published.ts';

type Texts = readonly (readonly [price: string, size: string])[];

const CHECKED_LEVELS = 25;

export class BookCopy {
  readonly #market: Units;
  readonly #asks = new Map<number, readonly [string, string]>();
  readonly #bids = new Map<number, readonly [string, string]>();

  constructor(market: Units) {
    this.#market = market;
  }

  begin(asks: Texts, bids: Texts): void {
    this.#asks.clear();
    this.#bids.clear();
    this.change(asks, bids);
  }

  change(asks: Texts, bids: Texts): void {
    this.#changeSide(this.#asks, asks);
    this.#changeSide(this.#bids, bids);
  }

  get book(): Book {
    return { asks: this.#numbers(this.#sorted('asks')), bids: this.#numbers(this.#sorted('bids')) };
  }

  /** Worked out as docs/STREAMS.md has it. */
  get checksum(): number {
    const [asks, bids] = [this.#sorted('asks'), this.#sorted('bids')];
    const words: string[] = [];
    for (let at = 0; at < CHECKED_LEVELS; at += 1) {
      for (const side of [bids, asks]) words.push(...(side[at] ?? []));
    }
    return crc32(words.join(':')) | 0;
  }

  #changeSide(side: Map<number, readonly [string, string]>, levels: Texts): void {
    for (const [price, size] of levels) {
      const ticks = ticksOf(this.#market, price);
      if (Number(size) === 0) side.delete(ticks);
      else side.set(ticks, [price, size]);
    }
  }

  #sorted(side: 'asks' | 'bids'): Texts {
    const levels = side === 'asks' ? this.#asks : this.#bids;
    const way = side === 'asks' ? 1 : -1;
    return [...levels].toSorted(([one], [other]) => (one - other) * way).map(([, level]) => level);
  }

  #numbers(levels: Texts): Levels {
    return levels.map(([price, size]) => [
      ticksOf(this.#market, price),
      lotsOf(this.#market, size),
    ]);
  }
}
