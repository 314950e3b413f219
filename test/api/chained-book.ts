/** The copy of a book that a client of the current dialect makes, held to the chain of its ids. */
import { strict as assert } from 'node:assert/strict';
import type { LevelText } from '#api/testing';
import type { Message } from '../support/current-stream.ts';

export class ChainedBook {
  readonly #levels: number;
  #asks = new Map<string, string>();
  #bids = new Map<string, string>();
  /** Of the last message. */
  updateId = 0;
  snapshots = 0;
  updates = 0;

  /** Of so many levels on each side. */
  constructor(levels: number) {
    this.#levels = levels;
  }

  get asks(): LevelText[] {
    return sorted(this.#asks, 1);
  }

  get bids(): LevelText[] {
    return sorted(this.#bids, -1);
  }

  /** Takes in a message: it follows the one before, and never leaves more levels than there are. */
  apply({ e, U, u, l, d, a, b }: Message): void {
    assert.equal(l, this.#levels);
    const [asks, bids] = [a as readonly LevelText[], b as readonly LevelText[]];
    if (e === 'depthSnapshot') {
      assert.equal(d, 'SNAPSHOT');
      this.snapshots += 1;
      this.#asks = new Map(asks);
      this.#bids = new Map(bids);
    } else {
      assert.deepEqual([e, d, U], ['depth', 'CHANGED', this.updateId], 'a message is missing');
      assert.ok(Number(u) > this.updateId, 'update ids grow');
      assert.ok(asks.length + bids.length > 0, 'nothing is sent when nothing changed');
      this.updates += 1;
      change(this.#asks, asks);
      change(this.#bids, bids);
    }
    this.updateId = Number(u);
    for (const side of [this.#asks, this.#bids]) assert.ok(side.size <= this.#levels);
  }
}

function change(side: Map<string, string>, levels: readonly LevelText[]): void {
  for (const [price, size] of levels) {
    if (size === '0') assert.ok(side.delete(price), `${price} is gone but was not there`);
    else side.set(price, size);
  }
}

function sorted(side: ReadonlyMap<string, string>, sign: 1 | -1): LevelText[] {
  return [...side].sort(([left], [right]) => (Number(left) - Number(right)) * sign);
}
