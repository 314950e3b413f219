/**
 * What accounts have in one contract, by account id, in pages that come with the first account of
 * each. Every command looks one up: in a Map that is three loads behind each other that miss the
 * cache, here the last of three.
 */
import type { AccountId } from '#domain';

const PAGE_BITS = 6;
const PAGE_ACCOUNTS = 1 << PAGE_BITS;
/** The bits of an id that say where in its page it is. */
const PLACES = PAGE_ACCOUNTS - 1;

export class AccountTable<T> {
  readonly #pages: ((T | undefined)[] | undefined)[] = [];

  get(id: AccountId): T | undefined {
    return this.#pages[id >>> PAGE_BITS]?.[id & PLACES];
  }

  set(id: AccountId, value: T | undefined): void {
    const at = id >>> PAGE_BITS;
    // Dense from the start: a hole would turn the array into a slow dictionary.
    while (this.#pages.length <= at) this.#pages.push(undefined);
    this.#pages[at] ??= new Array<T | undefined>(PAGE_ACCOUNTS).fill(undefined);
    this.#pages[at][id & PLACES] = value;
  }

  /** In the order of their ids. */
  *values(): Generator<T> {
    for (const page of this.#pages) {
      for (const value of page ?? []) if (value !== undefined) yield value;
    }
  }
}
