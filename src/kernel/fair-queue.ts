/**
 * A queue in which whoever has much waits for himself alone. Owners with few items are served in
 * the order these came. What one of them adds beyond that waits in a line of its own, and such
 * lines are served round robin, each second item out of them. What an owner added stays in order.
 * Adding and taking cost the same however much waits.
 */

import { present } from './assert.ts';

/** First in, first out. */
class Line<T> {
  readonly items: T[] = [];
  #head = 0;

  get size(): number {
    return this.items.length - this.#head;
  }

  /** What is taken next; undefined when nothing waits. */
  peek(): T | undefined {
    return this.items[this.#head];
  }

  /** Undefined when nothing waits. */
  take(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.items[this.#head];
    this.#head += 1;
    // What was taken is dropped once it is half of the list: each item is moved once at most.
    if (2 * this.#head >= this.items.length) {
      this.items.splice(0, this.#head);
      this.#head = 0;
    }
    return item;
  }
}

interface Owner<T> {
  /** How many of its items wait among those of all. */
  commonCount: number;
  /** What came beyond that. */
  readonly own: Line<T>;
  last: T;
}

interface Item<K, T> {
  readonly key: K;
  readonly item: T;
}

export class FairQueue<K, T> {
  readonly #shareMax: number;
  /** Only those of whom something waits. */
  readonly #owners = new Map<K, Owner<T>>();
  readonly #common = new Line<Item<K, T>>();
  /** Whose own lines have their turn: nothing earlier of them is in the common one. */
  readonly #turns = new Line<{ readonly key: K; readonly owner: Owner<T> }>();
  #isOwnNext = false;
  #size = 0;

  /** So many items of an owner wait among those of all. */
  constructor(shareMax: number) {
    this.#shareMax = shareMax;
  }

  get size(): number {
    return this.#size;
  }

  countOf(key: K): number {
    const owner = this.#owners.get(key);
    return owner === undefined ? 0 : owner.commonCount + owner.own.size;
  }

  /** What was added last of an owner, and waits. */
  lastOf(key: K): T | undefined {
    return this.#owners.get(key)?.last;
  }

  /** What was added last of each owner of whom something waits. */
  last(): T[] {
    return Array.from(this.#owners.values(), ({ last }) => last);
  }

  add(key: K, item: T): void {
    this.#size += 1;
    const owner = this.#owners.get(key) ?? { commonCount: 0, own: new Line<T>(), last: item };
    this.#owners.set(key, owner);
    owner.last = item;
    if (owner.own.size > 0 || owner.commonCount >= this.#shareMax) {
      owner.own.items.push(item);
      if (owner.commonCount === 0 && owner.own.size === 1) this.#turns.items.push({ key, owner });
    } else {
      owner.commonCount += 1;
      this.#common.items.push({ key, item });
    }
  }

  /** What is taken next; undefined when nothing waits. */
  peek(): T | undefined {
    if (this.#takesOwn()) return this.#turns.peek()?.owner.own.peek();
    return this.#common.peek()?.item;
  }

  #takesOwn(): boolean {
    return this.#common.size === 0 || (this.#isOwnNext && this.#turns.size > 0);
  }

  /** The next one; undefined when nothing waits. */
  take(): T | undefined {
    if (this.#size === 0) return undefined;
    this.#size -= 1;
    const isOwn = this.#takesOwn();
    this.#isOwnNext = !isOwn;
    return isOwn ? this.#takeOwn() : this.#takeCommon();
  }

  #takeCommon(): T {
    const { key, item } = present(this.#common.take(), 'item of the common line');
    const owner = present(this.#owners.get(key), 'owner of an item');
    owner.commonCount -= 1;
    if (owner.commonCount === 0) this.#goOn(key, owner);
    return item;
  }

  #takeOwn(): T {
    const { key, owner } = present(this.#turns.take(), 'owner in turn');
    const item = present(owner.own.take(), 'item of an owner in turn');
    this.#goOn(key, owner);
    return item;
  }

  /** Nothing of the owner is in the common line: its own has its turn. */
  #goOn(key: K, owner: Owner<T>): void {
    if (owner.own.size > 0) this.#turns.items.push({ key, owner });
    else this.#owners.delete(key);
  }
}
