/**
 * A binary heap whose entries know their own place, so that any of them can leave or move in
 * logarithmic time. The order must be total: then the result does not depend on the order of
 * insertion. An entry is in at most one heap at a time.
 */
import { assert, present } from './assert.ts';

export interface HeapEntry {
  /** Place in the heap; -1 outside. Only the heap writes it. */
  heapIndex: number;
}

export class Heap<T extends HeapEntry> {
  readonly #entries: T[] = [];
  readonly #isBefore: (one: T, other: T) => boolean;

  constructor(isBefore: (one: T, other: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** The entry that sorts first. */
  get first(): T | undefined {
    return this.#entries[0];
  }

  /** Every entry, in no particular order. */
  entries(): Iterable<T> {
    return this.#entries;
  }

  add(entry: T): void {
    assert(entry.heapIndex === -1, 'an entry is in one heap at a time');
    this.#entries.push(entry);
    this.#rise(entry, this.#entries.length - 1);
  }

  remove(entry: T): void {
    const at = entry.heapIndex;
    assert(this.#entries[at] === entry, 'the entry is in this heap');
    entry.heapIndex = -1;
    const last = this.#entries.pop();
    if (last === undefined || last === entry) return;
    this.#rise(last, at);
    this.#sink(last, last.heapIndex);
  }

  #rise(entry: T, from: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = present(this.#entries[above], 'parent');
      if (!this.#isBefore(entry, parent)) break;
      this.#put(parent, at);
      at = above;
    }
    this.#put(entry, at);
  }

  #sink(entry: T, from: number): void {
    let at = from;
    for (;;) {
      const left = this.#entries[2 * at + 1];
      const right = this.#entries[2 * at + 2];
      if (left === undefined) break;
      const child = right !== undefined && this.#isBefore(right, left) ? right : left;
      if (!this.#isBefore(child, entry)) break;
      const childAt = child.heapIndex;
      this.#put(child, at);
      at = childAt;
    }
    this.#put(entry, at);
  }

  #put(entry: T, at: number): void {
    this.#entries[at] = entry;
    entry.heapIndex = at;
  }
}
