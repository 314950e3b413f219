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
  timeMs: number;
  monotonicMs: number;
}

export class WatchedClock implements SteadyClock {
  readonly #system: SteadyClock;
  /** When the system clock was last believed: one object, because every call asks for the time. */
  readonly #believed: Moment;
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
    const monotonicMs = this.#system.monotonicMs();
    const ranMs = ranTo(this.#believed, monotonicMs);
    const formerMs = this.#former === undefined ? ranMs : ranTo(this.#former, monotonicMs);
    if (systemMs > Math.max(ranMs, formerMs) + FORWARD_STEP_MAX_MS) return ranMs;
    this.#believe({ timeMs: systemMs, monotonicMs }, ranMs);
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
    this.#believed.timeMs = this.#system.nowMs();
    this.#believed.monotonicMs = this.#system.monotonicMs();
  }

  #believe({ timeMs, monotonicMs }: Moment, ranMs: number): void {
    if (this.#former !== undefined && timeMs >= this.#former.timeMs) this.#former = undefined;
    else if (this.#former === undefined && timeMs < ranMs - FORWARD_STEP_MAX_MS) {
      this.#former = { timeMs: ranMs, monotonicMs };
    }
    this.#believed.timeMs = timeMs;
    this.#believed.monotonicMs = monotonicMs;
  }
}

function ranTo({ timeMs, monotonicMs }: Moment, nowMs: number): number {
  return timeMs + Math.floor(nowMs - monotonicMs);
}
