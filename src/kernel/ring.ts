/** A bounded list that drops its oldest entry when full. */
import { assert } from './assert.ts';

export class Ring<T> {
  readonly #slots: T[] = [];
  readonly #capacity: number;
  /** Where the next entry goes once every slot is taken; also the index of the oldest entry. */
  #next = 0;

  constructor(capacity: number) {
    assert(Number.isSafeInteger(capacity) && capacity > 0, 'a ring needs a capacity above zero');
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#slots.length;
  }

  push(value: T): void {
    if (this.#slots.length < this.#capacity) {
      this.#slots.push(value);
      return;
    }
    this.#slots[this.#next] = value;
    this.#next = (this.#next + 1) % this.#capacity;
  }

  /** Up to `limit` entries, newest first. */
  newest(limit: number): T[] {
    const size = this.#slots.length;
    const found: T[] = [];
    for (let back = 1; back <= size && found.length < limit; back += 1) {
      const slot = this.#slots[(this.#next - back + 2 * size) % size];
      if (slot !== undefined) found.push(slot);
    }
    return found;
  }
}
