/**
 * The price levels of one side, sorted. Levels stand in short sorted blocks, and the blocks in one
 * sorted array, worst price first: trading happens at the end, where inserting and removing are
 * cheap, and a far price costs two binary searches and the shift of one block. A level that has
 * lost its last order stands idle for a while: most prices come back. With it, orders that are
 * moved around the best prices take 0.88 of the processor time. Where there are many levels, those
 * asked for last are found by a hash of their price instead of a search.
 */

import type { Side, Ticks } from '#domain';
import { assert, present } from '#kernel';
import { type BookLevel, isBetter } from './book.ts';
import { checkLevel, Level } from './level.ts';

const BLOCK_LEVELS_MAX = 128;
/** With more of them, whoever makes a level idle looks through one block for those that are. */
const IDLE_LEVELS_MAX = 1_024;
/** Places for levels that were asked for last, by the upper bits of a hash: 2^10. */
const RECENT_PLACES = 1_024;
const RECENT_SHIFT = 22;
/** 2^32 divided by the golden ratio: its multiples spread evenly, whatever step prices have. */
const SPREAD = 0x9e3779b1;

export class PriceLadder {
  readonly #side: Side;
  /** No block is ever empty. */
  readonly #blocks: BookLevel[][] = [];
  /** The last level of the last block, and never idle: read on every step of matching. */
  #best: BookLevel | null = null;
  #idleCount = 0;
  /** The block that is looked through next. */
  #sweptAt = 0;
  /** None while a single block is searched. */
  #recent: (BookLevel | undefined)[] | null = null;

  constructor(side: Side) {
    this.#side = side;
  }

  get best(): BookLevel | null {
    return this.#best;
  }

  /** The level at a price, if any order rests there. */
  find(priceTicks: Ticks): BookLevel | undefined {
    if (this.#best === null) return undefined;
    const recent = this.#recent?.[placeOf(priceTicks)];
    if (recent?.priceTicks === priceTicks) return recent;
    const block = this.#block(this.#blockAt(priceTicks));
    const level = block[this.#placeIn(block, priceTicks)];
    return level?.priceTicks === priceTicks ? level : undefined;
  }

  /** The level at a price, opened when there is none. */
  open(priceTicks: Ticks): BookLevel {
    if (this.#best === null) return this.#openFirst(priceTicks);
    if (priceTicks === this.#best.priceTicks) return this.#best;
    if (isBetter(this.#side, priceTicks, this.#best.priceTicks)) return this.#openBest(priceTicks);
    const recent = this.#recent?.[placeOf(priceTicks)];
    const level = recent?.priceTicks === priceTicks ? recent : this.#openFar(priceTicks);
    if (level.ordersCount === 0) this.#idleCount -= 1;
    return level;
  }

  /** A level has lost its last order. */
  close(level: BookLevel): void {
    if (level === this.#best) {
      this.#closeBest();
      return;
    }
    this.#idleCount += 1;
    if (this.#idleCount > IDLE_LEVELS_MAX) this.#sweep();
  }

  /** Best first. Valid until the ladder changes. */
  *levels(): Generator<BookLevel> {
    for (let at = this.#blocks.length - 1; at >= 0; at -= 1) {
      const block = this.#block(at);
      for (let place = block.length - 1; place >= 0; place -= 1) {
        const level = present(block[place], 'level');
        if (level.ordersCount > 0) yield level;
      }
    }
  }

  check(): void {
    let better: BookLevel | undefined;
    for (const level of this.levels()) {
      checkLevel(level, this.#side);
      if (better === undefined) assert(level === this.#best, 'the best level is known');
      else assert(isBetter(this.#side, better.priceTicks, level.priceTicks), 'levels are sorted');
      better = level;
    }
    assert(better !== undefined || this.#best === null, 'an empty ladder has no best level');
    let idleCount = 0;
    for (const block of this.#blocks) {
      assert(block.length > 0 && block.length <= BLOCK_LEVELS_MAX, 'blocks are short, not empty');
      for (const { ordersCount } of block) if (ordersCount === 0) idleCount += 1;
    }
    assert(idleCount === this.#idleCount, 'every idle level is counted');
    for (const level of this.#recent ?? []) {
      const isHere = level === undefined || this.#blocks.some((block) => block.includes(level));
      assert(isHere, 'what is remembered is in the ladder');
    }
  }

  /** Searches the level, or puts in an idle one. */
  #openFar(priceTicks: Ticks): BookLevel {
    const at = this.#blockAt(priceTicks);
    const block = this.#block(at);
    const place = this.#placeIn(block, priceTicks);
    const found = block[place];
    if (found !== undefined && found.priceTicks === priceTicks) return this.#remember(found);
    const level = new Level(priceTicks);
    block.splice(place, 0, level);
    this.#idleCount += 1;
    if (block.length > BLOCK_LEVELS_MAX) this.#split(at);
    return this.#remember(level);
  }

  #remember(level: BookLevel): BookLevel {
    if (this.#blocks.length === 1) return level;
    this.#recent ??= new Array<BookLevel | undefined>(RECENT_PLACES).fill(undefined);
    this.#recent[placeOf(level.priceTicks)] = level;
    return level;
  }

  /** Of a level that leaves the ladder. */
  #forget(level: BookLevel): void {
    if (this.#recent === null) return;
    const place = placeOf(level.priceTicks);
    if (this.#recent[place] === level) this.#recent[place] = undefined;
  }

  #openFirst(priceTicks: Ticks): BookLevel {
    const level = new Level(priceTicks);
    this.#blocks.push([level]);
    this.#best = level;
    return level;
  }

  /** Most levels open and close at the end, where nothing has to be searched or shifted. */
  #openBest(priceTicks: Ticks): BookLevel {
    const level = new Level(priceTicks);
    const last = this.#blocks.length - 1;
    const block = this.#block(last);
    block.push(level);
    if (block.length > BLOCK_LEVELS_MAX) this.#split(last);
    this.#best = level;
    return level;
  }

  /** With it go the idle levels that would now be the best. */
  #closeBest(): void {
    this.#idleCount += 1;
    for (let block = this.#blocks.at(-1); block !== undefined; block = this.#blocks.at(-1)) {
      for (let last = block.at(-1); last !== undefined; last = block.at(-1)) {
        if (last.ordersCount > 0) {
          this.#best = last;
          return;
        }
        block.pop();
        this.#forget(last);
        this.#idleCount -= 1;
      }
      this.#blocks.pop();
    }
    this.#best = null;
  }

  /** Removes the idle levels of one block, of each in turn. */
  #sweep(): void {
    const at = this.#sweptAt % this.#blocks.length;
    const block = this.#block(at);
    const left = block.filter(({ ordersCount }) => ordersCount > 0);
    for (const level of block) if (level.ordersCount === 0) this.#forget(level);
    this.#idleCount -= block.length - left.length;
    if (left.length === 0) this.#blocks.splice(at, 1);
    else this.#blocks[at] = left;
    this.#sweptAt = at + 1;
  }

  #split(at: number): void {
    const better = this.#block(at).splice(BLOCK_LEVELS_MAX / 2);
    this.#blocks.splice(at + 1, 0, better);
  }

  /** The block a price belongs to: the first that ends at it or better, or else the last. */
  #blockAt(priceTicks: Ticks): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const block = this.#block(middle);
      const ends = present(block[block.length - 1], 'level').priceTicks;
      if (isBetter(this.#side, priceTicks, ends)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Where in a block a price stands or would stand. */
  #placeIn(block: readonly BookLevel[], priceTicks: Ticks): number {
    let low = 0;
    let high = block.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { priceTicks: there } = present(block[middle], 'level');
      if (isBetter(this.#side, priceTicks, there)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #block(at: number): BookLevel[] {
    return present(this.#blocks[at], 'block of levels');
  }
}

function placeOf(priceTicks: Ticks): number {
  return Math.imul(priceTicks, SPREAD) >>> RECENT_SHIFT;
}
