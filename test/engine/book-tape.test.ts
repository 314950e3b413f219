/**
 * A seeded look-alike of an exchange's order-by-order messages through every book: made by a market
 * of plain lists that shares no code with ours, and played as a recording is, see tape-market.ts.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Side } from '#domain';
import { Prng, present } from '#kernel';
import { BOOKS } from './book-desk.ts';
import type { TapeRow } from './book-tape.ts';
import { playTape } from './tape-market.ts';

const STEPS = 20_000;
const MIDDLE_TICKS = 1_000;
const DEPTH_TICKS = 8;
const RESTING_MIN = 20;
const SIZE_MAX = 9;

type Resting = { -readonly [Name in keyof TapeRow]: TapeRow[Name] };

/** Orders as they came, sorted whenever the best ones are asked for. */
class ListMarket {
  readonly rows: TapeRow[] = [];
  readonly counts = { opening: 0, added: 0, matched: 0, sweeps: 0, jumped: 0, unknown: 0 };
  readonly #random = new Prng(11, 'tape');
  readonly #resting: Resting[] = [];

  constructor() {
    for (let step = 1; step <= STEPS; step += 1) {
      const side = this.#random.below(2) === 0 ? 'buy' : 'sell';
      const dice = this.#random.below(10);
      if (dice < 5 || this.#resting.length < RESTING_MIN) this.#add(step, side);
      else if (dice < 8) this.#shrink(step);
      else this.#sweep(step, side);
    }
  }

  get ordersCount(): number {
    return this.#resting.length;
  }

  /** Behind the best price of the other side, as an order that takes nothing must be. */
  #add(step: number, side: Side): void {
    const best = this.#queue(side === 'buy' ? 'sell' : 'buy')[0]?.priceTicks ?? MIDDLE_TICKS;
    const depth = 1 + this.#random.below(DEPTH_TICKS);
    const priceTicks = side === 'buy' ? best - depth : best + depth;
    const size = 1 + this.#random.below(SIZE_MAX);
    const row = { kind: 'add', timeNs: BigInt(step), id: step, size, priceTicks, side } as const;
    this.rows.push(row);
    this.#resting.push({ ...row });
    this.counts.added += 1;
  }

  /** Some order becomes smaller, or is deleted with all it has left. */
  #shrink(step: number): void {
    const order = present(this.#resting[this.#random.below(this.#resting.length)], 'an order');
    const size = 1 + this.#random.below(order.size);
    const kind = size === order.size ? 'delete' : 'reduce';
    this.#take(order, { kind, timeNs: BigInt(step), size });
  }

  /** An incoming order takes the best and oldest orders of a side. */
  #sweep(step: number, side: Side): void {
    let wanted = 1 + this.#random.below(3 * SIZE_MAX);
    let taken = 0;
    for (const order of this.#queue(side)) {
      if (wanted === 0) break;
      const size = Math.min(wanted, order.size);
      wanted -= size;
      taken += 1;
      this.#take(order, { kind: 'execute', timeNs: BigInt(step), size });
    }
    this.counts.matched += taken;
    if (taken > 1) this.counts.sweeps += 1;
  }

  #take(order: Resting, row: Pick<TapeRow, 'kind' | 'timeNs' | 'size'>): void {
    this.rows.push({ ...order, ...row });
    order.size -= row.size;
    if (order.size === 0) this.#resting.splice(this.#resting.indexOf(order), 1);
  }

  #queue(side: Side): Resting[] {
    const sign = side === 'sell' ? 1 : -1;
    return this.#resting
      .filter((order) => order.side === side)
      .sort((one, other) => sign * (one.priceTicks - other.priceTicks) || one.id - other.id);
  }
}

const made = new ListMarket();

for (const { name, create } of BOOKS) {
  it(`${name} trades a made-up tape as the market that made it`, () => {
    const { counts, book } = playTape(create(), made.rows);
    assert.deepEqual(counts, made.counts);
    assert.ok(counts.added > STEPS / 3 && counts.matched > counts.sweeps && counts.sweeps > 500);
    assert.equal(book.ordersCount, made.ordersCount);
  });
}
