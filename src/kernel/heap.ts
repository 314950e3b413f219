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

/** From this part of all on, what is taken at once leaves a heap that is made anew. */
const REBUILT_PART = 8;

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

  /** Puts an entry where it belongs after what it sorts by has changed. */
  moved(entry: T): void {
    const at = entry.heapIndex;
    assert(this.#entries[at] === entry, 'the entry is in this heap');
    this.#rise(entry, at);
    this.#sink(entry, entry.heapIndex);
  }

  /**
   * Takes out every entry of a condition that no entry meets without those that sort before it.
   * Costs what is taken, however many there are otherwise.
   */
  takeWhile(isTaken: (entry: T) => boolean, into: T[]): void {
    const from = into.length;
    this.#collect(0, isTaken, into);
    const count = into.length - from;
    if (count * REBUILT_PART < this.size) {
      for (let at = from; at < into.length; at += 1) this.remove(present(into[at], 'taken'));
    } else this.#rebuildWithout(into, from);
  }

  #collect(at: number, isTaken: (entry: T) => boolean, into: T[]): void {
    const entry = this.#entries[at];
    if (entry === undefined || !isTaken(entry)) return;
    into.push(entry);
    this.#collect(2 * at + 1, isTaken, into);
    this.#collect(2 * at + 2, isTaken, into);
  }

  /** In the time it takes to look at each entry once. */
  #rebuildWithout(taken: readonly T[], from: number): void {
    for (let at = from; at < taken.length; at += 1) present(taken[at], 'taken').heapIndex = -1;
    const kept = this.#entries.filter(({ heapIndex }) => heapIndex >= 0);
    this.#entries.length = kept.length;
    for (const [at, entry] of kept.entries()) this.#put(entry, at);
    for (let at = (kept.length >> 1) - 1; at >= 0; at -= 1) {
      this.#sink(present(kept[at], 'kept entry'), at);
    }
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
