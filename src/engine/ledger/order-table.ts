/**
 * Open orders by their ids: a small hash table for each range of ids. Ids only grow, so new orders
 * go to one table that stays in the processor's cache, side by side, however many rest. One table
 * of millions misses the cache with nearly every order and keeps everybody waiting when it grows:
 * a book in which half of nine million orders stay takes less than half of the time with these.
 */
import type { OrderId } from '#domain';
import { assert } from '#kernel';

/** How many ids a range has. */
const RANGE_IDS = 4_096;
const SLOTS_MIN = 16;
/** A table grows when more than half of its slots are taken, and shrinks when less than this. */
const TAKEN_MIN = 1 / 8;

interface Identified {
  readonly orderId: OrderId;
}

export class OrderTable<O extends Identified> {
  size = 0;
  /** Those in which orders are open, by their number; in the order in which they were begun. */
  readonly #ranges = new Map<number, Range<O>>();
  /** Where an order was added last. */
  #newest = new Range<O>();
  #newestNumber = 0;

  /** How many ranges have a table: at most as many as orders are open. */
  get rangesCount(): number {
    return this.#ranges.size;
  }

  get(id: OrderId): O | undefined {
    return this.#range(numberOf(id))?.get(id);
  }

  /** An order that is not there yet. */
  add(order: O): void {
    const number = numberOf(order.orderId);
    if (number !== this.#newestNumber || this.#newest.size === 0) this.#begin(number);
    this.#newest.add(order);
    this.size += 1;
  }

  /** An order that is there. */
  delete(order: O): void {
    const number = numberOf(order.orderId);
    const range = this.#range(number);
    assert(range !== undefined, 'the order is there');
    range.delete(order);
    this.size -= 1;
    if (range.size === 0) this.#ranges.delete(number);
  }

  /** All of them, in no order. */
  *values(): Generator<O> {
    for (const range of this.#ranges.values()) yield* range.values();
  }

  /** All of them by their ids. */
  *byId(): Generator<O> {
    const numbers = [...this.#ranges.keys()].sort((one, other) => one - other);
    for (const number of numbers) {
      const orders = [...(this.#ranges.get(number)?.values() ?? [])];
      yield* orders.sort((one, other) => one.orderId - other.orderId);
    }
  }

  #range(number: number): Range<O> | undefined {
    return number === this.#newestNumber ? this.#newest : this.#ranges.get(number);
  }

  #begin(number: number): void {
    this.#newest = this.#ranges.get(number) ?? new Range<O>();
    this.#newestNumber = number;
    this.#ranges.set(number, this.#newest);
  }
}

/**
 * The orders of one range. An id's last bits say its slot: with as many slots as there are ids each
 * has its own.
 */
class Range<O extends Identified> {
  size = 0;
  #slots = emptySlots<O>(SLOTS_MIN);

  get(id: OrderId): O | undefined {
    const slots = this.#slots;
    const last = slots.length - 1;
    for (let at = id & last; ; at = (at + 1) & last) {
      const order = slots[at];
      if (order === undefined || order.orderId === id) return order;
    }
  }

  add(order: O): void {
    const { length } = this.#slots;
    if (this.size * 2 >= length && length < RANGE_IDS) this.#resize(length * 2);
    put(this.#slots, order);
    this.size += 1;
  }

  delete(order: O): void {
    const slots = this.#slots;
    const last = slots.length - 1;
    let free = order.orderId & last;
    while (slots[free] !== order) {
      assert(slots[free] !== undefined, 'the order is there');
      free = (free + 1) & last;
    }
    this.size -= 1;
    // What follows and was meant to stand further in front moves up: no search may end too early.
    for (let at = (free + 1) & last; last < RANGE_IDS - 1; at = (at + 1) & last) {
      const next = slots[at];
      if (next === undefined) break;
      const wayThere = (at - next.orderId) & last;
      if (wayThere < ((at - free) & last)) continue;
      slots[free] = next;
      free = at;
    }
    slots[free] = undefined;
    if (this.size < slots.length * TAKEN_MIN && slots.length > SLOTS_MIN) {
      this.#resize(slots.length / 4);
    }
  }

  *values(): Generator<O> {
    for (const order of this.#slots) if (order !== undefined) yield order;
  }

  #resize(slotsCount: number): void {
    const slots = emptySlots<O>(slotsCount);
    for (const order of this.#slots) if (order !== undefined) put(slots, order);
    this.#slots = slots;
  }
}

function numberOf(id: number): number {
  return Math.floor(id / RANGE_IDS);
}

function put<O extends Identified>(slots: (O | undefined)[], order: O): void {
  const last = slots.length - 1;
  let at = order.orderId & last;
  while (slots[at] !== undefined) at = (at + 1) & last;
  slots[at] = order;
}

/** Filled at once: a hole would have to be looked for elsewhere. */
function emptySlots<O>(count: number): (O | undefined)[] {
  return new Array<O | undefined>(count).fill(undefined);
}
