/**
 * Client ids of what is over: an id stays taken for a while, so that a request sent again is not
 * carried out again. The table is bounded, per account and place and in total. It is kept in two
 * generations, of which the older one goes as a whole, so nothing is ever searched for its age.
 */
import { type AccountId, LIMITS } from '#domain';
import { Fingerprints, fingerprint } from './fingerprints.ts';

/** Where an id must be new: among orders of pairs, of contracts, or transfers. */
export type IdScope = 'spot' | 'transfer' | 'contract';

interface UsedIdsBounds {
  readonly perScope: number;
  readonly total: number;
}

const BOUNDS = { perScope: LIMITS.usedIdsPerScopeMax, total: LIMITS.usedIdsMax };

export type Generation = 'older' | 'newer';

/** The used ids of one account in one scope. */
export class UsedIds {
  readonly accountId: AccountId;
  readonly scope: IdScope;
  /** Each id with the time from which it is free again. */
  older: Fingerprints | null = null;
  newer: Fingerprints | null = null;

  constructor(accountId: AccountId, scope: IdScope) {
    this.accountId = accountId;
    this.scope = scope;
  }

  isTaken(id: string, timeMs: number): boolean {
    const { older, newer } = this;
    if (newer === null && older === null) return false;
    const mark = fingerprint(id);
    return (newer?.get(mark) ?? 0) > timeMs || (older?.get(mark) ?? 0) > timeMs;
  }
}

/** Every used id of the venue. It changes with the commands alone, and so does what it forgets. */
export class UsedIdsTable {
  /** When the newer generation began, and how many ids were kept since, moved away or not. */
  startMs = 0;
  keptCount = 0;
  readonly #halfPerScope: number;
  readonly #half: number;
  /** Who has ids in which generation, in the order of their first one there. */
  #older = new Set<UsedIds>();
  #newer = new Set<UsedIds>();

  constructor(bounds: UsedIdsBounds = BOUNDS) {
    this.#halfPerScope = bounds.perScope / 2;
    this.#half = bounds.total / 2;
  }

  /** Keeps an id that was in use until now. */
  keep(ids: UsedIds, id: string, timeMs: number): void {
    const isOver = timeMs - this.startMs >= LIMITS.usedIdsHoldMs;
    if (isOver || this.keptCount >= this.#half) this.#turn(timeMs);
    if ((ids.newer?.size ?? 0) >= this.#halfPerScope) this.#turnScope(ids);
    this.keptCount += 1;
    this.add('newer', ids, fingerprint(id), timeMs + LIMITS.usedIdsHoldMs);
  }

  /** Puts an id where a snapshot says it was. */
  add(generation: Generation, ids: UsedIds, mark: number, freeMs: number): void {
    let list = ids[generation];
    if (list === null) {
      list = new Fingerprints();
      ids[generation] = list;
      (generation === 'newer' ? this.#newer : this.#older).add(ids);
    }
    list.set(mark, freeMs);
  }

  /** Everything it knows, in an order that leads to the same table when added again. */
  *entries(): Generator<readonly [Generation, UsedIds, Fingerprints]> {
    for (const ids of this.#older) if (ids.older !== null) yield ['older', ids, ids.older];
    for (const ids of this.#newer) if (ids.newer !== null) yield ['newer', ids, ids.newer];
  }

  /** A new generation begins; the oldest ids are free. Costs a look at each account with any. */
  #turn(timeMs: number): void {
    for (const ids of this.#older) ids.older = null;
    for (const ids of this.#newer) {
      ids.older = ids.newer;
      ids.newer = null;
    }
    this.#older = this.#newer;
    this.#newer = new Set();
    this.keptCount = 0;
    this.startMs = timeMs;
  }

  /** One account fills its share: only its own oldest ids are free. */
  #turnScope(ids: UsedIds): void {
    ids.older = ids.newer;
    ids.newer = null;
    this.#older.add(ids);
  }
}
