/**
 * Time that passes only when nothing else can happen: the next timer is due as soon as everything
 * that runs has come to wait. Runs are repeatable, and an hour takes no longer than its events.
 */
import { setImmediate } from 'node:timers/promises';
import { assert, Heap, present } from '#kernel';
import type { Timing } from '../shared/store.ts';

interface Timer {
  heapIndex: number;
  readonly dueMs: number;
  /** Timers that are due together ring in the order in which they were set. */
  readonly number: number;
  readonly ring: () => void;
}

export class VirtualTime implements Timing {
  readonly #timers = new Heap<Timer>((one, other) =>
    one.dueMs === other.dueMs ? one.number < other.number : one.dueMs < other.dueMs,
  );
  #nowMs = 0;
  #timersSet = 0;

  monotonicMs(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#timersSet += 1;
    const timer: Timer = {
      heapIndex: -1,
      dueMs: this.#nowMs + Math.max(0, ms),
      number: this.#timersSet,
      ring: () => {
        if (timer.heapIndex !== -1) this.#timers.remove(timer);
        signal?.removeEventListener('abort', timer.ring);
        resolve();
      },
    };
    this.#timers.add(timer);
    signal?.addEventListener('abort', timer.ring, { once: true });
    return promise;
  }

  /** Lets time pass until this is settled. Asserts that something goes on until then. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    work.then(done, done);
    for (;;) {
      await setImmediate();
      if (isDone) return work;
      assert(this.#timers.size > 0, 'something is waited for that never happens');
      const next = present(this.#timers.first, 'next timer');
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.ring();
    }
  }
}
