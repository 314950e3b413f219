/**
 * The system clock, watched against the monotonic one. A step forward beyond a bound is not taken
 * for the time: this clock runs on as the monotonic one does, until the operator confirms the step
 * or the system clock comes back. It never hides a step back; the venue's time stands still then.
 */
import type { SteadyClock } from '#kernel';

/** What the system clock may gain between two looks: more than any slewing, less than a window. */
const FORWARD_STEP_MAX_MS = 5_000;

/** A moment on both clocks. */
interface Moment {
  readonly timeMs: number;
  readonly monotonicMs: number;
}

export class WatchedClock implements SteadyClock {
  readonly #system: SteadyClock;
  /** When the system clock was last believed. */
  #believed: Moment;
  /** Before the system clock went back: when it returns to that time, nothing is new about it. */
  #former: Moment | undefined;

  /** `reachedMs` is where time stood already: a clock that is behind may return to it. */
  constructor(system: SteadyClock, reachedMs = 0) {
    this.#system = system;
    const now = { timeMs: system.nowMs(), monotonicMs: system.monotonicMs() };
    this.#believed = now;
    if (reachedMs > now.timeMs) this.#former = { ...now, timeMs: reachedMs };
  }

  nowMs(): number {
    const systemMs = this.#system.nowMs();
    if (systemMs > this.#latestMs() + FORWARD_STEP_MAX_MS) return this.#ranTo(this.#believed);
    this.#believe(systemMs);
    return systemMs;
  }

  monotonicMs(): number {
    return this.#system.monotonicMs();
  }

  /** How far the system clock is ahead of this one; zero while it is believed. */
  get heldMs(): number {
    return this.#system.nowMs() - this.nowMs();
  }

  /** The time of the system clock, whatever it says. */
  get systemMs(): number {
    return this.#system.nowMs();
  }

  /** The operator says that the system clock is right. */
  confirm(): void {
    this.#former = undefined;
    this.#believed = { timeMs: this.#system.nowMs(), monotonicMs: this.#system.monotonicMs() };
  }

  #believe(systemMs: number): void {
    const ranMs = this.#ranTo(this.#believed);
    const monotonicMs = this.#system.monotonicMs();
    if (this.#former !== undefined && systemMs >= this.#former.timeMs) this.#former = undefined;
    else if (this.#former === undefined && systemMs < ranMs - FORWARD_STEP_MAX_MS) {
      this.#former = { timeMs: ranMs, monotonicMs };
    }
    this.#believed = { timeMs: systemMs, monotonicMs };
  }

  /** The latest that it can be without a step. */
  #latestMs(): number {
    const ranMs = this.#ranTo(this.#believed);
    return this.#former === undefined ? ranMs : Math.max(ranMs, this.#ranTo(this.#former));
  }

  #ranTo({ timeMs, monotonicMs }: Moment): number {
    return timeMs + Math.floor(this.#system.monotonicMs() - monotonicMs);
  }
}
