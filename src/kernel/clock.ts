/** Sources of time. The engine has none: every command carries its time. */

export interface Clock {
  /** Unix time in whole milliseconds. */
  nowMs(): number;
}

/** A clock that also measures elapsed time, independent of changes to the time of day. */
export interface SteadyClock extends Clock {
  /** Milliseconds since an arbitrary moment; never decreases. */
  monotonicMs(): number;
}

/** A clock that moves only when it is set or advanced: the simulated system clock. */
export class ManualClock implements SteadyClock {
  #nowMs: number;
  #passedMs = 0;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#passedMs;
  }

  /** Advances to this time. An earlier time is set without any time elapsing. */
  set(timeMs: number): void {
    this.advance(timeMs - this.#nowMs);
  }

  /** Advances by this much. */
  advance(deltaMs: number): void {
    this.#nowMs += deltaMs;
    this.#passedMs += Math.max(0, deltaMs);
  }

  /** Sets the time of day; no time has elapsed. */
  step(deltaMs: number): void {
    this.#nowMs += deltaMs;
  }
}
