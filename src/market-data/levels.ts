/**
 * Total size per price on one side of a book, sorted. Levels stand in blocks of bounded length, so
 * that inserting far from the best price stays cheap with any number of levels; near the best
 * price, where almost everything happens, no search is needed at all. Knows totals, not orders.
 */

import { type Lots, lots, type Side, type Ticks, ticks } from '#domain';
import { assert, present } from '#kernel';

/** A price and the total size there. */
export type Level = readonly [priceTicks: Ticks, lots: Lots];

/** Above this a block splits. Small enough to shift in a blink, large enough to keep blocks few. */
const BLOCK_LEVELS_MAX = 128;

/** A total of lots: a number while that is exact, a bigint from then on. */
type Total = number | bigint;

/** Keys ascend; the size of the level at `keys[i]` is `sizes[i]`. Never empty. */
interface Block {
  readonly keys: number[];
  readonly sizes: Total[];
}

export class PriceLevels {
  /** A key is price times sign, so that on both sides the best level has the highest key. */
  readonly #sign: 1 | -1;
  /** Ascending, so that the best level is the last of the last block. */
  readonly #blocks: Block[] = [];

  constructor(side: Side) {
    this.#sign = side === 'buy' ? 1 : -1;
  }

  /** Adds to the size at a price, or takes from it when delta is negative. Zero ends the level. */
  add(price: Ticks, delta: number): void {
    const key = price * this.#sign;
    const blockAt = this.#blockAt(key);
    const block = this.#blocks[blockAt];
    if (block === undefined) {
      assert(delta > 0, 'a level starts with a size above zero');
      this.#blocks.push({ keys: [key], sizes: [delta] });
      return;
    }
    const at = placeOf(block.keys, key);
    if (block.keys[at] === key) this.#change(blockAt, block, at, delta);
    else this.#insert(blockAt, block, at, key, delta);
  }

  /** Best price, or undefined when the side is empty. */
  bestTicks(): Ticks | undefined {
    const keys = this.#blocks.at(-1)?.keys;
    const key = keys?.[keys.length - 1];
    return key === undefined ? undefined : ticks(key * this.#sign);
  }

  /** Up to `limit` levels, best first. A total above the safe integers shows as the largest one. */
  top(limit: number): Level[] {
    const found: Level[] = [];
    for (let blockAt = this.#blocks.length - 1; blockAt >= 0; blockAt -= 1) {
      const { keys, sizes } = present(this.#blocks[blockAt], 'block');
      for (let at = keys.length - 1; at >= 0; at -= 1) {
        if (found.length >= limit) return found;
        found.push([ticks((keys[at] ?? 0) * this.#sign), shown(sizes[at] ?? 0)]);
      }
    }
    return found;
  }

  #change(blockAt: number, block: Block, at: number, delta: number): void {
    const size = sum(block.sizes[at] ?? 0, delta);
    assert(size >= 0, 'no more leaves a level than was there');
    if (size > 0) {
      block.sizes[at] = size;
      return;
    }
    block.keys.splice(at, 1);
    block.sizes.splice(at, 1);
    if (block.keys.length === 0) this.#blocks.splice(blockAt, 1);
  }

  #insert(blockAt: number, block: Block, at: number, key: number, delta: number): void {
    assert(delta > 0, 'a level starts with a size above zero');
    block.keys.splice(at, 0, key);
    block.sizes.splice(at, 0, delta);
    if (block.keys.length <= BLOCK_LEVELS_MAX) return;
    const half = BLOCK_LEVELS_MAX / 2;
    const upper = { keys: block.keys.splice(half), sizes: block.sizes.splice(half) };
    this.#blocks.splice(blockAt + 1, 0, upper);
  }

  /** The block a key belongs to: the last one that starts at or below it, else the first. */
  #blockAt(key: number): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    if (key >= this.#firstKey(high)) return Math.max(high, 0);
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (key >= this.#firstKey(middle)) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #firstKey(blockAt: number): number {
    return this.#blocks[blockAt]?.keys[0] ?? Number.NEGATIVE_INFINITY;
  }
}

/** The book refuses orders that would make its own totals inexact; merged ones may still grow. */
function sum(size: Total, delta: number): Total {
  if (typeof size === 'number' && Number.isSafeInteger(size + delta)) return size + delta;
  return BigInt(size) + BigInt(delta);
}

function shown(size: Total): Lots {
  return lots(Number(size > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : size));
}

/** Where a key stands in ascending keys, or would stand. */
function placeOf(keys: readonly number[], key: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? 0) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
