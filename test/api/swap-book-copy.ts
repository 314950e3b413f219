/** A contract's book as a client keeps it, checked against each message that changes it. */
import { strict as assert } from 'node:assert/strict';
import { crc32 } from 'node:zlib';
import { present } from '#kernel';
import type { Message } from '../support/swap-stream.ts';

const CHECKSUM_LEVELS = 25;

/** REST has a third column that means nothing. */
type Level = readonly [price: string, size: string];

export interface Sides {
  readonly asks: readonly Level[];
  readonly bids: readonly Level[];
}

/** The levels in a row of a stream or an answer of REST. */
export function sidesOf(row: object): Sides {
  return { asks: levelsIn(row, 'asks'), bids: levelsIn(row, 'bids') };
}

function levelsIn(row: object, name: string): Level[] {
  const levels: unknown = Reflect.get(row, name);
  assert.ok(Array.isArray(levels), `${name} is a list`);
  return levels.map(([price, size]) => [String(price), String(size)]);
}

export class SwapBookCopy {
  readonly #asks = new Map<string, Level>();
  readonly #bids = new Map<string, Level>();
  #seq: number | undefined;
  partials = 0;
  updates = 0;

  /** Takes in a push, whose number must follow the one before and whose checksum must be right. */
  take(message: Message): void {
    const row = present(message.data?.[0], 'row of a book');
    const { asks, bids } = sidesOf(row);
    if (message.action === 'partial') {
      this.partials += 1;
      this.#asks.clear();
      this.#bids.clear();
    } else {
      this.updates += 1;
      assert.equal(message.seq, present(this.#seq, 'partial first') + 1, 'no message is missing');
    }
    this.#seq = message.seq;
    replace(this.#asks, asks);
    replace(this.#bids, bids);
    assert.equal(this.#checksum(), row.checksum, `checksum of message ${message.seq}`);
  }

  sides(): Sides {
    const byPrice = (one: Level, other: Level) => Number(one[0]) - Number(other[0]);
    return {
      asks: [...this.#asks.values()].sort(byPrice),
      bids: [...this.#bids.values()].sort(byPrice).reverse(),
    };
  }

  #checksum(): number {
    const { asks, bids } = this.sides();
    const texts: string[] = [];
    for (let at = 0; at < CHECKSUM_LEVELS; at += 1) {
      for (const level of [bids[at], asks[at]]) {
        if (level !== undefined) texts.push(`${level[0]}:${level[1]}`);
      }
    }
    return crc32(texts.join(':')) | 0;
  }
}

function replace(side: Map<string, Level>, levels: readonly Level[]): void {
  for (const level of levels) {
    if (level[1] === '0') assert.ok(side.delete(level[0]), 'only what is there goes');
    else side.set(level[0], level);
  }
}
