/**
 * The keys of a store in memory, as etcd keeps them: one revision per write, every change of the
 * past until it is compacted, leases that end. All clients of a store share one of these.
 */
import {
  type Change,
  type Comparison,
  type KeyRange,
  type Operation,
  type Outcome,
  type Query,
  type Stored,
  StoreFault,
  type Transaction,
} from '../shared/store.ts';
import type { LogRoom } from '../shared-log.ts';

interface Written {
  readonly revision: number;
  readonly change: Change;
}

interface Lease {
  readonly seconds: number;
  endMs: number;
  readonly keys: Set<string>;
}

export class MemoryKeys {
  readonly #keys = new Map<string, Stored>();
  readonly #leases = new Map<number, Lease>();
  readonly #listeners = new Set<() => void>();
  /** As its owner has it: this store counts no bytes. While it is full, nothing is put. */
  room: LogRoom = {
    usedBytes: 0,
    fileBytes: 0,
    quotaBytes: Number.MAX_SAFE_INTEGER,
    isFull: false,
  };
  #past: Written[] = [];
  #revision = 1;
  #compacted = 0;
  #leasesMade = 0;
  /** Whether the newest write of each revision deleted something, for the rule of compaction. */
  readonly #deleting = new Set<number>();

  get revision(): number {
    return this.#revision;
  }

  transact({ when, write, otherwise = [] }: Transaction): Outcome {
    const held = when.every((comparison) => this.#holds(comparison));
    const operations = held ? write : otherwise;
    const isWrite = operations.some(({ kind }) => kind !== 'get');
    if (this.room.isFull && operations.some(({ kind }) => kind === 'put')) {
      throw new StoreFault('full', 'no room');
    }
    if (isWrite) this.#revision += 1;
    const found: (readonly Stored[])[] = [];
    for (const operation of operations) {
      if (operation.kind === 'get') found.push(this.#query(operation.query));
      else this.#write(operation);
    }
    if (isWrite) this.#tell();
    return { held, revision: this.#revision, found };
  }

  /** What changed from this revision on, by revision. Throws a StoreFault when it is compacted. */
  changesFrom(revision: number, range: KeyRange): Written[] {
    if (revision <= this.#compacted) {
      throw new StoreFault('compacted', `compacted up to ${this.#compacted}`);
    }
    return this.#past.filter(
      ({ revision: at, change }) => at >= revision && isIn(range, keyOf(change)),
    );
  }

  /** Throws an error at the revision of a delete: the log must never ask for that. */
  compact(revision: number): void {
    if (revision <= this.#compacted) return;
    if (this.#deleting.has(revision)) throw new Error('compacted at a delete');
    if (revision >= this.#revision) throw new Error('compacted at the newest revision');
    this.#compacted = revision;
    this.#past = this.#past.filter((written) => written.revision > revision);
  }

  grant(seconds: number, nowMs: number): number {
    this.#leasesMade += 1;
    const endMs = nowMs + seconds * 1_000;
    this.#leases.set(this.#leasesMade, { seconds, endMs, keys: new Set() });
    return this.#leasesMade;
  }

  keep(id: number, nowMs: number): boolean {
    const lease = this.#leases.get(id);
    if (lease !== undefined) lease.endMs = nowMs + lease.seconds * 1_000;
    return lease !== undefined;
  }

  revoke(id: number): void {
    const lease = this.#leases.get(id);
    this.#leases.delete(id);
    if (lease === undefined || lease.keys.size === 0) return;
    this.#revision += 1;
    for (const key of lease.keys) this.#delete({ from: key, end: `${key}\0` });
    this.#tell();
  }

  /** How long a lease lasts if nobody keeps it; undefined when there is none. */
  leftMs(id: number, nowMs: number): number | undefined {
    const lease = this.#leases.get(id);
    return lease && lease.endMs - nowMs;
  }

  /** Calls back after each write, until the function it gives is called. */
  onWrite(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #holds({ key, of, revision }: Comparison): boolean {
    const stored = this.#keys.get(key);
    const found = of === 'mod' ? stored?.modRevision : stored?.createRevision;
    return (found ?? 0) === revision;
  }

  #query({ limit, isReversed, isKeysOnly, minRevision = 0, ...range }: Query): Stored[] {
    const all = [...this.#keys.values()]
      .filter(({ key, modRevision }) => isIn(range, key) && modRevision >= minRevision)
      .toSorted((one, other) => (one.key < other.key ? -1 : 1));
    if (isReversed) all.reverse();
    const wanted = all.slice(0, limit ?? all.length);
    return isKeysOnly ? wanted.map((stored) => ({ ...stored, value: '' })) : wanted;
  }

  #write(operation: Exclude<Operation, { readonly kind: 'get' }>): void {
    if (operation.kind === 'delete') this.#delete(operation.range);
    else this.#put(operation.key, operation.value, operation.lease);
  }

  #put(key: string, value: string, leaseId: number | undefined): void {
    const lease = leaseId === undefined ? undefined : this.#leases.get(leaseId);
    if (leaseId !== undefined && lease === undefined) {
      throw new StoreFault('unknown', 'the lease has ended');
    }
    for (const other of this.#leases.values()) other.keys.delete(key);
    lease?.keys.add(key);
    const createRevision = this.#keys.get(key)?.createRevision ?? this.#revision;
    const stored = { key, value, createRevision, modRevision: this.#revision };
    this.#keys.set(key, stored);
    this.#note({ kind: 'put', stored });
  }

  #delete(range: KeyRange): void {
    for (const key of [...this.#keys.keys()].filter((one) => isIn(range, one))) {
      this.#keys.delete(key);
      this.#note({ kind: 'delete', key });
      this.#deleting.add(this.#revision);
    }
  }

  #note(change: Change): void {
    this.#past.push({ revision: this.#revision, change });
  }
}

function keyOf(change: Change): string {
  return change.kind === 'put' ? change.stored.key : change.key;
}

function isIn({ from, end }: KeyRange, key: string): boolean {
  return key >= from && key < end;
}
