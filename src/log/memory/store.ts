/**
 * A client's view of keys in memory, with the faults of a network on the way, as its owner orders
 * them: late, lost on the way there, or lost on the way back.
 */
import {
  type Change,
  type Outcome,
  type Store,
  StoreFault,
  type Timing,
  type Transaction,
  type WatchFrom,
} from '../shared/store.ts';
import type { LogRoom } from '../shared-log.ts';
import type { MemoryKeys } from './keys.ts';

/** What happens to one call. */
export interface Fate {
  /** How long it takes until it acts, and until its answer is there after that. */
  readonly thereMs: number;
  readonly backMs: number;
  /** It never acts; its caller does not know. */
  readonly isLost?: boolean | undefined;
  /** It acts; its caller does not know. */
  readonly isUnanswered?: boolean | undefined;
}

const AT_ONCE: Fate = { thereMs: 0, backMs: 0 };
/** Until a watch is tried again. */
const LOST_RETRY_MS = 20;

export class MemoryStore implements Store {
  readonly place = 'memory';
  readonly timing: Timing;
  readonly #keys: MemoryKeys;
  readonly #fateOf: () => Fate;
  #contactMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(keys: MemoryKeys, timing: Timing, fateOf: () => Fate = () => AT_ONCE) {
    this.#keys = keys;
    this.timing = timing;
    this.#fateOf = fateOf;
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

  async *watch({ range, revision, signal }: WatchFrom): AsyncGenerator<readonly Change[], void> {
    let next = revision;
    while (!signal.aborted && !this.#isClosed) {
      const written = this.#keys.changesFrom(next, range);
      const at = written[0]?.revision;
      if (at === undefined) {
        next = this.#keys.revision + 1;
        await this.#newsAfter(signal);
        continue;
      }
      await this.#brought(signal);
      if (signal.aborted || this.#isClosed) return;
      next = at + 1;
      yield written.filter((one) => one.revision === at).map(({ change }) => change);
    }
  }

  /** What a watch brings is late and never lost: while all is lost, it waits. */
  async #brought(signal: AbortSignal): Promise<void> {
    for (;;) {
      const { backMs, isLost = false } = this.#fateOf();
      await this.timing.sleep(isLost ? Math.max(LOST_RETRY_MS, backMs) : backMs, signal);
      if (!isLost || signal.aborted || this.#isClosed) return;
    }
  }

  compact(revision: number, timeoutMs: number): Promise<void> {
    return this.#call(() => this.#keys.compact(revision), timeoutMs);
  }

  room(timeoutMs: number): Promise<LogRoom> {
    return this.#call(() => this.#keys.room, timeoutMs);
  }

  grant(seconds: number, timeoutMs: number): Promise<number> {
    return this.#call(() => {
      const lease = this.#keys.grant(seconds, this.timing.monotonicMs());
      void this.#watchOver(lease);
      return lease;
    }, timeoutMs);
  }

  keep(lease: number, timeoutMs: number): Promise<boolean> {
    return this.#call(() => this.#keys.keep(lease, this.timing.monotonicMs()), timeoutMs);
  }

  revoke(lease: number, timeoutMs: number): Promise<void> {
    return this.#call(() => this.#keys.revoke(lease), timeoutMs);
  }

  close(): void {
    this.#isClosed = true;
  }

  /** A call that takes longer than its timeout may still act after it. */
  #call<T>(act: () => T, timeoutMs: number): Promise<T> {
    const answer = this.#answered(act, this.#fateOf());
    const late = this.timing.sleep(timeoutMs).then(() => {
      throw new StoreFault('unknown', 'no answer in time');
    });
    return Promise.race([answer, late]).finally(() => {
      answer.catch(() => undefined);
      late.catch(() => undefined);
    });
  }

  async #answered<T>(act: () => T, fate: Fate): Promise<T> {
    this.#requireOpen();
    await this.timing.sleep(fate.thereMs);
    if (fate.isLost) throw new StoreFault('unknown', 'lost on the way');
    const result = act();
    await this.timing.sleep(fate.backMs);
    if (fate.isUnanswered) throw new StoreFault('unknown', 'the answer was lost');
    this.#requireOpen();
    return result;
  }

  /** The store ends a lease in its time, whatever becomes of this client. */
  async #watchOver(lease: number): Promise<void> {
    for (;;) {
      const leftMs = this.#keys.leftMs(lease, this.timing.monotonicMs());
      if (leftMs === undefined) return;
      if (leftMs <= 0) this.#keys.revoke(lease);
      else await this.timing.sleep(leftMs);
    }
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new StoreFault('closed', 'the log was closed');
  }

  #newsAfter(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        forget();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const forget = this.#keys.onWrite(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
