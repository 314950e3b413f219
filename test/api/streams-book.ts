/** The copy of a book that a client makes of a stream, held to its checksums and numbers. */
import { strict as assert } from 'node:assert/strict';
import { bookChecksum, type LevelText } from '#api/testing';
import { present } from '#kernel';

export interface BookRow {
  readonly asks: readonly LevelText[];
  readonly bids: readonly LevelText[];
  readonly checksum: number;
}

export class BookCopy {
  #asks = new Map<string, string>();
  #bids = new Map<string, string>();
  #seq: number | undefined;
  snapshots = 0;
  updates = 0;

  get asks(): LevelText[] {
    return sorted(this.#asks, 1);
  }

  get bids(): LevelText[] {
    return sorted(this.#bids, -1);
  }

  /** Takes in a push: numbers without a gap between snapshots, and the checksum, must be right. */
  apply(action: string | undefined, row: BookRow, seq?: number): void {
    if (action === 'snapshot') {
      this.snapshots += 1;
      this.#asks = new Map(row.asks);
      this.#bids = new Map(row.bids);
    } else {
      assert.equal(action, 'update');
      assert.ok(this.snapshots > 0, 'a snapshot comes first');
      if (seq !== undefined) assert.equal(seq, present(this.#seq, 'number before') + 1, 'a gap');
      this.updates += 1;
      change(this.#asks, row.asks);
      change(this.#bids, row.bids);
    }
    this.#seq = seq;
    assert.equal(bookChecksum(this.asks, this.bids), row.checksum, 'checksum');
  }
}

function change(side: Map<string, string>, levels: readonly LevelText[]): void {
  for (const [price, size] of levels) {
    if (Number(size) === 0) assert.ok(side.delete(price), `${price} is gone but was not there`);
    else side.set(price, size);
  }
}

function sorted(side: ReadonlyMap<string, string>, sign: 1 | -1): LevelText[] {
  return [...side].sort(([left], [right]) => (Number(left) - Number(right)) * sign);
}
