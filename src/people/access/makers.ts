/**
 * Who has made keys, as every call with such a key needs them: what the maker may do in the account
 * now. It is remembered for a moment, forgotten when it changes here, and asked for again in the
 * store, where other processes may have changed it.
 */
import type { AccountId } from '#domain';
import type { LazyPeople } from '../open.ts';
import type { AccessRight, ActiveMaker } from './port.ts';

const MAKERS_MAX = 50_000;
const ASKED_AT_ONCE = 500;

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

  /** Asks the store for all of them, a few hundred at a time. */
  async refresh(personIds: readonly string[]): Promise<void> {
    for (let at = 0; at < personIds.length; at += ASKED_AT_ONCE) {
      await this.#loadAll(personIds.slice(at, at + ASKED_AT_ONCE));
    }
  }

  async #load(personId: string): Promise<Maker> {
    const [maker] = await this.#loadAll([personId]);
    return maker ?? NOBODY;
  }

  async #loadAll(personIds: readonly string[]): Promise<readonly Maker[]> {
    const store = await this.#people.get();
    for (;;) {
      const changes = this.#changes;
      const checkedMs = performance.now();
      const active = await store.activeMakers(personIds);
      if (changes !== this.#changes) continue;
      const byId = new Map(active.map((one) => [one.personId, makerOf(one)]));
      return personIds.map((personId) => {
        const maker = byId.get(personId) ?? NOBODY;
        this.#remember(personId, { maker, checkedMs });
        return maker;
      });
    }
  }

  #remember(personId: string, remembered: Remembered): void {
    this.#known.delete(personId);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAKERS_MAX && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(personId, remembered);
  }
}

function makerOf({ access, keysSinceMs }: ActiveMaker): Maker {
  return { rights: new Map(access.map((one) => [one.accountId, one.rights])), keysSinceMs };
}
