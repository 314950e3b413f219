/**
 * The price levels of one side, sorted. Levels stand in short sorted blocks, and the blocks in one
 * sorted array, worst price first: trading happens at the end, where inserting and removing are
 * cheap, and a far price costs two binary searches and the shift of one block.
 */

import type { Side, Ticks } from '#domain';
import { assert, present } from '#kernel';
import { type BookLevel, isBetter } from './book.ts';
import { checkLevel, Level } from './level.ts';

const BLOCK_LEVELS_MAX = 128;

export class PriceLadder {
  readonly #side: Side;
  /** No block is ever empty. */
  readonly #blocks: BookLevel[][] = [];
  /** The last level of the last block: read on every step of matching. */
  #best: BookLevel | null = null;

  constructor(side: Side) {
    this.#side = side;
  }

  get best(): BookLevel | null {
    return this.#best;
  }

  /** The level at a price, if any order rests there. */
  find(priceTicks: Ticks): BookLevel | undefined {
    if (this.#best === null) return undefined;
    const block = this.#block(this.#blockAt(priceTicks));
    const level = block[this.#placeIn(block, priceTicks)];
    return level?.priceTicks === priceTicks ? level : undefined;
  }

  /** The level at a price, opened when there is none. */
  open(priceTicks: Ticks): BookLevel {
    if (this.#best === null) return this.#openFirst(priceTicks);
    if (priceTicks === this.#best.priceTicks) return this.#best;
    if (isBetter(this.#side, priceTicks, this.#best.priceTicks)) return this.#openBest(priceTicks);
    const at = this.#blockAt(priceTicks);
    const block = this.#block(at);
    const place = this.#placeIn(block, priceTicks);
    const found = block[place];
    if (found !== undefined && found.priceTicks === priceTicks) return found;
    const level = new Level(priceTicks);
    block.splice(place, 0, level);
    if (block.length > BLOCK_LEVELS_MAX) this.#split(at);
    return level;
  }

  /** Removes a level, which has lost its last order. */
  close(level: BookLevel): void {
    if (level === this.#best) {
      this.#closeBest();
      return;
    }
    const at = this.#blockAt(level.priceTicks);
    const block = this.#block(at);
    const place = this.#placeIn(block, level.priceTicks);
    assert(block[place] === level, 'the level stands in its ladder');
    block.splice(place, 1);
    if (block.length === 0) this.#blocks.splice(at, 1);
  }

  /** Best first. Valid until the ladder changes. */
  *levels(): Generator<BookLevel> {
    for (let at = this.#blocks.length - 1; at >= 0; at -= 1) {
      const block = this.#block(at);
      for (let place = block.length - 1; place >= 0; place -= 1) {
        yield present(block[place], 'level');
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
    for (const block of this.#blocks) {
      assert(block.length > 0 && block.length <= BLOCK_LEVELS_MAX, 'blocks are short, not empty');
    }
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

  #closeBest(): void {
    const block = this.#block(this.#blocks.length - 1);
    assert(block.pop() === this.#best, 'the best level ends its ladder');
    if (block.length === 0) this.#blocks.pop();
    this.#best = this.#blocks.at(-1)?.at(-1) ?? null;
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
