/**
 * Which store, as plain data, and the store that it names: this file knows the adapters. A store is
 * opened when it is first asked, and again when that failed: a venue trades without it.
 */
import { unreachable } from '#kernel';
import type { PeopleStore } from './port.ts';
import type { StorePart } from './store/part.ts';

export type PeoplePlace =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** With what another room keeps beside it: always the same part, or its tables are not there. */
export async function openPeople<Added extends object>(
  place: PeoplePlace,
  part: StorePart<Added>,
): Promise<PeopleStore & Added> {
  switch (place.kind) {
    case 'sqlite':
      return (await import('./sqlite/driver.ts')).openSqlitePeople(place.file, part);
    case 'postgres':
      return (await import('./postgres/driver.ts')).openPostgresPeople(place.url, part);
    default:
      return unreachable(place);
  }
}

/** A store that is opened by the first question. */
export class LazyPeople<Store extends PeopleStore = PeopleStore> {
  readonly #open: () => Promise<Store>;
  readonly #isThere: () => boolean;
  #opened: Promise<Store> | undefined;

  /** `isThere` says whether there is anything to open that somebody has made before. */
  constructor(open: () => Promise<Store>, isThere = () => true) {
    this.#open = open;
    this.#isThere = isThere;
  }

  /** False where nothing was ever kept: whoever only looks need not have a store made. */
  get mayHold(): boolean {
    return this.isAsked || this.#isThere();
  }

  /** Whether anybody has asked yet. */
  get isAsked(): boolean {
    return this.#opened !== undefined;
  }

  get(): Promise<Store> {
    if (this.#opened === undefined) {
      this.#opened = this.#open();
      this.#opened.catch(() => {
        this.#opened = undefined;
      });
    }
    return this.#opened;
  }

  async close(): Promise<void> {
    const store = await this.#opened?.catch(() => undefined);
    await store?.close();
  }
}
