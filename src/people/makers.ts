/**
 * Who has made keys, as every call with such a key needs them: what the maker may do in the account
 * now. It is remembered for a moment, forgotten when it changes here, and asked for again in the
 * store, where other processes may have changed it.
 */
import type { AccountId } from '#domain';
import type { LazyPeople } from './open.ts';
import type { AccessRight, PeopleStore } from './port.ts';

const MAKERS_MAX = 50_000;

/** What a person may do where; nothing while it may not sign in. */
export interface Maker {
  readonly rights: ReadonlyMap<AccountId, readonly AccessRight[]>;
  /** Keys made before are worth nothing: a link has proved since who the person is. */
  readonly keysSinceMs: number;
}

interface Remembered {
  readonly maker: Maker;
  /** On a clock that never goes back. */
  readonly checkedMs: number;
}

const NOBODY: Maker = { rights: new Map(), keysSinceMs: Number.POSITIVE_INFINITY };

export class Makers {
  readonly #people: LazyPeople;
  readonly #freshMs: number;
  readonly #known = new Map<string, Remembered>();
  readonly #asking = new Map<string, Promise<Maker>>();
  /** An answer from before a change may show what is no more. */
  #changes = 0;

  constructor(people: LazyPeople, freshMs: number) {
    this.#people = people;
    this.#freshMs = freshMs;
  }

  /** At once where it is known. */
  find(personId: string): Maker | Promise<Maker> {
    const known = this.#known.get(personId);
    if (known !== undefined && performance.now() - known.checkedMs < this.#freshMs) {
      return known.maker;
    }
    return this.#asking.get(personId) ?? this.#ask(personId);
  }

  forget(personId: string): void {
    this.#changes += 1;
    this.#known.delete(personId);
  }

  #ask(personId: string): Promise<Maker> {
    const asked = this.#load(personId).finally(() => this.#asking.delete(personId));
    this.#asking.set(personId, asked);
    return asked;
  }

  async #load(personId: string): Promise<Maker> {
    const store = await this.#people.get();
    for (;;) {
      const changes = this.#changes;
      const checkedMs = performance.now();
      const maker = await makerIn(store, personId);
      if (changes !== this.#changes) continue;
      this.#known.delete(personId);
      const [oldest] = this.#known.keys();
      if (this.#known.size >= MAKERS_MAX && oldest !== undefined) this.#known.delete(oldest);
      this.#known.set(personId, { maker, checkedMs });
      return maker;
    }
  }
}

async function makerIn(store: PeopleStore, personId: string): Promise<Maker> {
  const person = await store.person(personId);
  if (person?.state !== 'active') return NOBODY;
  const access = await store.accessOf(personId);
  const rights = new Map(access.map((one) => [one.accountId, one.rights]));
  return { rights, keysSinceMs: person.keysSinceMs };
}
