/** Where tests keep a shared log: in memory, or in real etcd servers; with faults on the way. */
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { SharedLog } from '#log';
import {
  type Change,
  EtcdStore,
  type Fate,
  KeySpace,
  MemoryKeys,
  MemoryStore,
  type Outcome,
  type Store,
  StoredSharedLog,
  StoreFault,
  type Transaction,
  VirtualTime,
  type WatchFrom,
} from '#log/testing';
import type { EtcdCluster } from '../../tools/etcd-servers.ts';

/** What happens to the calls of one process; all of it may change while it runs. */
export interface Way {
  /** In memory: what the store does with each call. */
  fateOf?: (() => Fate) | undefined;
  /** Waited for before a transaction is sent, and before its answer is given. */
  there?: ((transaction: Transaction) => Promise<void>) | undefined;
  back?: ((transaction: Transaction) => Promise<void>) | undefined;
  /** When a transaction that was answered arrives once more; undefined if it does not. */
  again?: ((transaction: Transaction) => Promise<void> | undefined) | undefined;
  /** Waited for before a watch begins. */
  watching?: (() => Promise<void>) | undefined;
}

/** One log that nothing was written to, and the processes that use it. */
export interface Place {
  /** The log as one more process has it. */
  open(way?: Way): SharedLog;
  /** Takes the entry at `seq` out of the store, as a disk may. */
  lose(seq: number): Promise<void>;
  /** Runs a test, in the time that passes here. */
  run<T>(work: () => Promise<T>): Promise<T>;
  sleep(ms: number): Promise<void>;
}

export type NewPlace = () => Place;

/** Declares tests, each at a place of its own. */
export function testAt(newPlace: NewPlace) {
  return (name: string, work: (place: Place) => Promise<void>): void => {
    test(name, () => {
      const place = newPlace();
      return place.run(() => work(place));
    });
  };
}

/** A call that is lost: neither its caller nor anybody else will know. */
export function lost(): never {
  throw new StoreFault('unknown', 'lost by the test');
}

/** The first position that a transaction writes to, if it appends. */
export function appendedSeq({ write }: Transaction): number | undefined {
  for (const operation of write) {
    if (operation.kind === 'put' && operation.key.includes('/log/')) {
      return Number(operation.key.split('/').at(-1));
    }
  }
  return undefined;
}

/** Waits without end for a number, and not at all without one. */
export function never(seq: number | undefined): Promise<void> {
  return seq === undefined ? Promise.resolve() : new Promise(() => undefined);
}

const LOSE_MS = 5_000;
const open: SharedLog[] = [];
after(() => Promise.all(open.map((log) => log.close())));

function opened(store: Store, keys: KeySpace, way: Way): SharedLog {
  const log = new StoredSharedLog(new FaultyStore(store, way), keys);
  open.push(log);
  return log;
}

async function loseEntry(store: Store, keys: KeySpace, seq: number): Promise<void> {
  const key = keys.entry(seq);
  const range = { from: key, end: `${key}\0` };
  await store.transact({ when: [], write: [{ kind: 'delete', range }] }, LOSE_MS);
}

export function memoryPlace(): Place {
  const time = new VirtualTime();
  const memory = new MemoryKeys();
  const keys = new KeySpace('test', 'main');
  return {
    open: (way = {}) => opened(new MemoryStore(memory, time, way.fateOf), keys, way),
    lose: (seq) => loseEntry(new MemoryStore(memory, time), keys, seq),
    run: (work) => time.run(work()),
    sleep: (ms) => time.sleep(ms),
  };
}

let venues = 0;

/** Another venue of the same servers each time. */
export function etcdPlace({ endpoints }: EtcdCluster): Place {
  venues += 1;
  const venue = `test-${process.pid}-${venues}`;
  const keys = new KeySpace(venue, 'main');
  const place = { kind: 'etcd', venue, shard: 'main', endpoints } as const;
  return {
    open: (way = {}) => opened(new EtcdStore(place), keys, way),
    lose: async (seq) => {
      const store = new EtcdStore(place);
      await loseEntry(store, keys, seq);
      store.close();
    },
    run: (work) => work(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}

/** A store whose transactions and watches go the way that the test says. */
class FaultyStore implements Store {
  readonly #store: Store;
  readonly #way: Way;

  constructor(store: Store, way: Way) {
    this.#store = store;
    this.#way = way;
  }

  get place(): string {
    return this.#store.place;
  }

  get contactMs(): number {
    return this.#store.contactMs;
  }

  get timing(): Store['timing'] {
    return this.#store.timing;
  }

  async transact(transaction: Transaction, timeoutMs: number): Promise<Outcome> {
    await this.#way.there?.(transaction);
    const outcome = await this.#store.transact(transaction, timeoutMs);
    void this.#way.again?.(transaction)?.then(() => this.#store.transact(transaction, timeoutMs));
    await this.#way.back?.(transaction);
    return outcome;
  }

  async *watch(from: WatchFrom): AsyncGenerator<readonly Change[], void> {
    await (this.#way.watching?.() ?? setImmediate());
    yield* this.#store.watch(from);
  }

  compact(revision: number, timeoutMs: number): Promise<void> {
    return this.#store.compact(revision, timeoutMs);
  }

  room(timeoutMs: number): ReturnType<Store['room']> {
    return this.#store.room(timeoutMs);
  }

  grant(seconds: number, timeoutMs: number): Promise<number> {
    return this.#store.grant(seconds, timeoutMs);
  }

  keep(lease: number, timeoutMs: number): Promise<boolean> {
    return this.#store.keep(lease, timeoutMs);
  }

  revoke(lease: number, timeoutMs: number): Promise<void> {
    return this.#store.revoke(lease, timeoutMs);
  }

  close(): void {
    this.#store.close();
  }
}
