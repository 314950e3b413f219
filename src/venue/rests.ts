/**
 * Rests of a thread that works beside more urgent ones. A scheduler lets a thread that has waited
 * for a processor keep it for some milliseconds, whatever the priority of threads that wake up
 * meanwhile, and even if another processor is idle. A thread that sleeps for a moment after each
 * piece of work keeps the others waiting no longer than one piece takes.
 */
import type { SteadyClock } from '#kernel';

/** After so much work there is a rest. */
const WORK_MS = 0.5;
const REST_MS = 0.05;
/** A thread that has worked for so long is behind, and does not rest until it has caught up. */
const RESTED_MS = 1_000;

export class Rests {
  readonly #clock: Pick<SteadyClock, 'monotonicMs'>;
  readonly #sleep = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #beganMs = Number.NEGATIVE_INFINITY;
  #restedMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<SteadyClock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Work begins that others are not to wait for. */
  begin(): void {
    this.#beganMs = this.#clock.monotonicMs();
    this.#restedMs = this.#beganMs;
  }

  /** To be called between two pieces of it; returns whether there was a rest. */
  take(): boolean {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#restedMs < WORK_MS || nowMs - this.#beganMs >= RESTED_MS) return false;
    Atomics.wait(this.#sleep, 0, 0, REST_MS);
    this.#restedMs = this.#clock.monotonicMs();
    return true;
  }
}
