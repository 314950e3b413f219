/**
 * The store that all processes share, and what each of them sees of it over the network: slow
 * answers, lost ones, calls that act after they were given up, watches that break off and go on.
 */
import {
  type Change,
  type MemoryKeys,
  type Outcome,
  type Store,
  StoreFault,
  type Transaction,
  type WatchFrom,
} from '#log/testing';
import type { Network } from './network.ts';
import type { Life } from './world.ts';

export const ETCD = 'etcd';
const RECONNECT_MS = 100;

/** The store of one process. */
export class SimulatedStore implements Store {
  readonly place = 'etcd';
  readonly timing;
  readonly #keys: MemoryKeys;
  readonly #network: Network;
  readonly #life: Life;
  #contactMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(keys: MemoryKeys, network: Network, life: Life) {
    this.#keys = keys;
    this.#network = network;
    this.#life = life;
    this.timing = {
      monotonicMs: () => life.monotonicMs(),
      sleep: (ms: number, signal?: AbortSignal) => sleep(life, ms, signal),
    };
  }

  get contactMs(): number {
    return this.#contactMs;
  }

  async transact(transaction: Transaction, timeoutMs: number): Promise<Outcome> {
    const sentMs = this.timing.monotonicMs();
    const outcome = await this.#call(() => this.#keys.transact(transaction), timeoutMs);
    this.#contactMs = Math.max(this.#contactMs, sentMs);
    return outcome;
  }

  compact(revision: number, timeoutMs: number): Promise<void> {
    return this.#call(() => this.#keys.compact(revision), timeoutMs);
  }

  grant(seconds: number, timeoutMs: number): Promise<number> {
    const { world } = this.#life;
    return this.#call(() => {
      const lease = this.#keys.grant(seconds, world.nowMs);
      this.#watchOver(lease);
      return lease;
    }, timeoutMs);
  }

  keep(lease: number, timeoutMs: number): Promise<boolean> {
    const { world } = this.#life;
    return this.#call(() => this.#keys.keep(lease, world.nowMs), timeoutMs);
  }

  revoke(lease: number, timeoutMs: number): Promise<void> {
    return this.#call(() => this.#keys.revoke(lease), timeoutMs);
  }

  close(): void {
    this.#isClosed = true;
  }

  async *watch(from: WatchFrom): AsyncGenerator<readonly Change[], void> {
    const watching = new Watching(this.#keys, this.#network, this.#life, from);
    try {
      for (;;) {
        const changes = await watching.next();
        if (changes === undefined || this.#isClosed) return;
        yield changes;
      }
    } finally {
      watching.end();
    }
  }

  /** A lease ends in its time, whatever becomes of whoever was given it. */
  #watchOver(lease: number): void {
    const { world } = this.#life;
    const leftMs = this.#keys.leftMs(lease, world.nowMs);
    if (leftMs === undefined) return;
    if (leftMs <= 0) this.#keys.revoke(lease);
    else world.at(leftMs, () => this.#watchOver(lease));
  }

  /** A call that takes longer than its timeout may still act after it. */
  #call<T>(act: () => T, timeoutMs: number): Promise<T> {
    const [life, network] = [this.#life, this.#network];
    const { world, host } = life;
    return new Promise((resolve, reject) => {
      if (this.#isClosed) reject(new StoreFault('closed', 'the log was closed'));
      const late = life.setTimer(
        timeoutMs,
        () => {
          world.coverage.count('call of the log without an answer');
          reject(new StoreFault('unknown', 'no answer in time'));
        },
        false,
      );
      const settle = (answer: () => void): void =>
        network.post(
          ETCD,
          host,
          () => {
            life.clearTimer(late);
            answer();
          },
          life,
        );
      const arrive = (): void => {
        try {
          const result = act();
          settle(() => resolve(result));
        } catch (error) {
          if (!(error instanceof StoreFault)) world.fail(error);
          settle(() => reject(error));
        }
      };
      network.post(host, ETCD, arrive);
      if (!network.comesTwice()) return;
      world.coverage.count('call of the log that arrives twice');
      network.post(host, ETCD, arrive);
    });
  }
}

/** One watch: the store pushes what changes, and a connection that breaks is made again. */
class Watching {
  readonly #keys: MemoryKeys;
  readonly #network: Network;
  readonly #life: Life;
  readonly #from: WatchFrom;
  readonly #given: (readonly Change[])[] = [];
  /** The first revision that is not here yet. */
  #next: number;
  #fault: unknown;
  #isOver = false;
  #connection = 0;
  #leave: () => void = () => undefined;
  #wake: () => void = () => undefined;

  constructor(keys: MemoryKeys, network: Network, life: Life, from: WatchFrom) {
    this.#keys = keys;
    this.#network = network;
    this.#life = life;
    this.#from = from;
    this.#next = from.revision;
    from.signal.addEventListener('abort', () => this.end(), { once: true });
    life.onEnd(() => this.end());
    this.#subscribe();
  }

  async next(): Promise<readonly Change[] | undefined> {
    for (;;) {
      const first = this.#given.shift();
      if (first !== undefined && !this.#isOver) return first;
      if (this.#isOver || this.#from.signal.aborted) return undefined;
      if (this.#fault !== undefined) throw this.#fault;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  end(): void {
    this.#isOver = true;
    this.#leave();
    this.#wake();
  }

  /** Goes on from what has come last. */
  #subscribe(): void {
    if (this.#isOver) return;
    this.#leave();
    this.#connection += 1;
    const connection = this.#connection;
    const [network, { host }] = [this.#network, this.#life];
    const { world } = network;
    const delayMs = network.delayMs();
    world.at(delayMs, () => {
      if (this.#isOver || connection !== this.#connection) return;
      if (network.isCut(host, ETCD)) this.#again();
      else this.#serve(connection);
    });
  }

  /** At the store: what is there, and then what comes. */
  #serve(connection: number): void {
    const { world } = this.#network;
    let sentUpTo = this.#next;
    let arriveMs = 0;
    const push = (): void => {
      const written = this.#written(sentUpTo);
      if (written === undefined) return;
      sentUpTo = this.#keys.revision + 1;
      const revisions = new Set(written.map(({ revision }) => revision));
      arriveMs = Math.max(arriveMs, world.nowMs + this.#network.delayMs());
      const isLost = this.#network.isLost();
      for (const revision of revisions) {
        const changes = written.filter((one) => one.revision === revision);
        const arrive = (): void =>
          this.#arrive(
            connection,
            revision,
            isLost,
            changes.map(({ change }) => change),
          );
        world.at(arriveMs - world.nowMs, arrive);
      }
    };
    this.#leave = this.#keys.onWrite(push);
    push();
  }

  #written(fromRevision: number): ReturnType<MemoryKeys['changesFrom']> | undefined {
    try {
      return this.#keys.changesFrom(fromRevision, this.#from.range);
    } catch (fault) {
      this.#network.world.coverage.count('watch behind a compaction');
      this.#leave();
      this.#inLife(() => {
        this.#fault = fault;
      });
      return undefined;
    }
  }

  #arrive(connection: number, revision: number, isLost: boolean, changes: readonly Change[]): void {
    if (connection !== this.#connection || this.#isOver) return;
    const { host } = this.#life;
    if (isLost || this.#network.isStalled(host) || this.#network.isCut(ETCD, host)) {
      this.#network.world.coverage.count('watch broken off');
      this.#again();
      return;
    }
    this.#next = revision + 1;
    this.#inLife(() => this.#given.push(changes));
  }

  #again(): void {
    this.#leave();
    this.#connection += 1;
    this.#network.world.at(RECONNECT_MS, () => this.#subscribe());
  }

  #inLife(act: () => void): void {
    this.#network.world.at(
      0,
      () => {
        act();
        this.#wake();
      },
      this.#life,
    );
  }
}

function sleep(life: Life, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const id = life.setTimer(ms, resolve, false);
    signal?.addEventListener(
      'abort',
      () => {
        life.clearTimer(id);
        resolve();
      },
      { once: true },
    );
  });
}
