/**
 * The public order book of one market: total size per price, raw and merged into wider steps.
 * Step n merges prices to 10^n ticks, asks rounded up and bids down. It holds no orders.
 */

import { type Side, type Ticks, ticks } from '#domain';
import { assert, present } from '#kernel';
import { type Level, PriceLevels } from './levels.ts';

export type DepthStep = 0 | 1 | 2 | 3 | 4 | 5;
export const DEPTH_STEPS: readonly DepthStep[] = [0, 1, 2, 3, 4, 5];

export interface DepthView {
  /** Best first: prices ascend. */
  readonly asks: readonly Level[];
  /** Best first: prices descend. */
  readonly bids: readonly Level[];
  /** That of the book when this was read. */
  readonly version: number;
  /** Number of the step that changed the book last: never falls, also over a start and a reset. */
  readonly updateId: number;
}

export class Depth {
  readonly #asks = new DepthSide('sell');
  readonly #bids = new DepthSide('buy');
  #version: number;
  #updateId = 0;

  /** The version says that books came before this one, which it must not be taken for. */
  constructor(version = 0) {
    this.#version = version;
  }

  /** Changes whenever the book does: the same version has the same answers. */
  get version(): number {
    return this.#version;
  }

  /** Of the view as it is now. */
  get updateId(): number {
    return this.#updateId;
  }

  /**
   * Adds to the size at a price, or takes from it when delta is negative. The step that does so
   * has the number `seq`: several changes of one step share it.
   */
  add(side: Side, price: Ticks, delta: number, seq = this.#updateId): void {
    this.#version += 1;
    this.#updateId = seq;
    if (side === 'sell') this.#asks.add(price, delta);
    else this.#bids.add(price, delta);
  }

  /** Up to `limit` levels of each side, best first. */
  view(step: DepthStep, limit: number): DepthView {
    const asks = this.#asks.levels(step).top(limit);
    const bids = this.#bids.levels(step).top(limit);
    return { asks, bids, version: this.#version, updateId: this.#updateId };
  }

  /** The best level of a side, or undefined when it is empty. */
  best(side: Side): Level | undefined {
    const levels = side === 'sell' ? this.#asks.levels(0) : this.#bids.levels(0);
    return levels.top(1)[0];
  }

  /** Asserts that the best bid is below the best ask. */
  assertNotCrossed(): void {
    const ask = this.#asks.levels(0).bestTicks();
    const bid = this.#bids.levels(0).bestTicks();
    assert(ask === undefined || bid === undefined || bid < ask, 'a book is never crossed');
  }
}

class DepthSide {
  readonly #side: Side;
  /** By step. A merged step exists once it has been read, and is kept up from then on. */
  readonly #steps: (PriceLevels | undefined)[];

  constructor(side: Side) {
    this.#side = side;
    this.#steps = [new PriceLevels(side)];
  }

  add(price: Ticks, delta: number): void {
    for (let step = 0; step < this.#steps.length; step += 1) {
      this.#steps[step]?.add(mergedPrice(this.#side, price, step), delta);
    }
  }

  levels(step: DepthStep): PriceLevels {
    const known = this.#steps[step];
    if (known !== undefined) return known;
    const merged = new PriceLevels(this.#side);
    const raw = present(this.#steps[0], 'raw levels').top(Number.POSITIVE_INFINITY);
    for (const [price, size] of raw.reverse()) {
      merged.add(mergedPrice(this.#side, price, step), size);
    }
    this.#steps[step] = merged;
    return merged;
  }
}

/**
 * The price a level shows under in a step: a buyer's rounds down, a seller's up, except that no
 * price goes beyond the safe integers.
 */
function mergedPrice(side: Side, price: Ticks, step: number): Ticks {
  if (step === 0) return price;
  const width = 10 ** step;
  const over = price % width;
  if (over === 0) return price;
  if (side === 'buy') return ticks(price - over);
  return ticks(Math.min(price - over + width, Number.MAX_SAFE_INTEGER));
}
