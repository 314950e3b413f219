/**
 * The places of a cluster: whoever sends requests has one, so that the requests of each can be
 * remembered. A place says who had it last and which life of it that was; beside it stands, under a
 * lease, that its holder is there. A place whose holder is gone goes to the next one as a new life,
 * and whoever had it before hears that when it comes back. So a place may be given away too early:
 * what is sent under an earlier life is worth nothing then.
 */
import { randomUUID } from 'node:crypto';
import type { Place, PlaceWanted } from '../shared-log.ts';
import { Announcer, LEASE_S } from './announcing.ts';
import { settled } from './attempts.ts';
import { type KeySpace, only } from './keys.ts';
import { overwrite } from './overwriting.ts';
import { decode, PLACE } from './records.ts';
import type { Store, Stored } from './store.ts';
import { readValues } from './watching.ts';

/** Longer than the place of a process stays held that has ended without a word. */
const WAIT_MAX_MS = (LEASE_S + 1) * 1_000;
const LOOK_EVERY_MS = 500;

interface Taken {
  readonly place: number;
  readonly life: number;
  /** Of the write that took it: nobody has taken it since as long as that is the last one. */
  readonly revision: number;
}

/** A place that nobody has now, and what was last written there. */
interface Free {
  readonly place: number;
  readonly before: Stored | undefined;
}

export class Places {
  readonly #store: Store;
  readonly #keys: KeySpace;
  readonly #closed: AbortSignal;

  constructor(store: Store, keys: KeySpace, closed: AbortSignal) {
    this.#store = store;
    this.#keys = keys;
    this.#closed = closed;
  }

  /** Undefined when all are held for longer than a process that is gone holds one. */
  async take({ name, placesMax, onLost }: PlaceWanted): Promise<Place | undefined> {
    let taken: Taken | undefined;
    const write = async (value: string, lease: number): Promise<boolean> => {
      if (taken !== undefined) return this.#keep(taken, value, lease);
      taken = await this.#takeOne(name, placesMax, value, lease);
      return taken !== undefined;
    };
    const { timing } = this.#store;
    const endMs = timing.monotonicMs() + WAIT_MAX_MS;
    const announcer = new Announcer(this.#store, write, { name }, this.#closed, onLost);
    while (!(await announcer.start())) {
      if (timing.monotonicMs() >= endMs || this.#closed.aborted) {
        await announcer.withdraw();
        return undefined;
      }
      await timing.sleep(LOOK_EVERY_MS, this.#closed);
    }
    if (taken === undefined) return undefined;
    const { place, life } = taken;
    return { place, life, withdraw: () => announcer.withdraw() };
  }

  /** False when somebody else has taken it meanwhile. */
  #keep({ place, revision }: Taken, value: string, lease: number): Promise<boolean> {
    const when = [{ key: this.#keys.place(place), of: 'mod', revision }] as const;
    return overwrite(this.#store, { key: this.#keys.holder(place), value, lease, when });
  }

  async #takeOne(name: string, placesMax: number, value: string, lease: number) {
    for (const free of await this.#free(name, placesMax)) {
      const taken = await this.#tryOne(free, name, value, lease);
      if (taken !== undefined) return taken;
    }
    return undefined;
  }

  /** Its own of before first, then those that nobody had; the places of others last. */
  async #free(name: string, placesMax: number): Promise<Free[]> {
    const [places, holders] = await Promise.all([
      readValues(this.#store, this.#keys.places),
      readValues(this.#store, this.#keys.holders),
    ]);
    const all = Array.from({ length: placesMax }, (_, place) => {
      const before = places.get(this.#keys.place(place));
      return { place, before };
    });
    const rank = ({ before }: Free): number => {
      if (before === undefined) return 1;
      return decode(PLACE, before.value, before.key).holder === name ? 0 : 2;
    };
    return all
      .filter(({ place }) => !holders.has(this.#keys.holder(place)))
      .toSorted((one, other) => rank(one) - rank(other));
  }

  /** Undefined when another one was faster. */
  async #tryOne({ place, before }: Free, holder: string, value: string, lease: number) {
    const key = this.#keys.place(place);
    const holderKey = this.#keys.holder(place);
    const life = 1 + (before === undefined ? 0 : decode(PLACE, before.value, key).life);
    // The nonce tells one's own write from another's after an unknown outcome.
    const record = JSON.stringify({ holder, life, nonce: randomUUID() });
    const { held, revision, found } = await settled(this.#store, {
      when: [
        { key, of: 'mod', revision: before?.modRevision ?? 0 },
        { key: holderKey, of: 'mod', revision: 0 },
      ],
      write: [
        { kind: 'put', key, value: record },
        { kind: 'put', key: holderKey, value, lease },
      ],
      otherwise: [{ kind: 'get', query: only(key) }],
    });
    if (held) return { place, life, revision };
    const now = found[0]?.[0];
    return now?.value === record ? { place, life, revision: now.modRevision } : undefined;
  }
}
