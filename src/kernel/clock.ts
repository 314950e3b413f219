/** Where the time comes from. The engine has none: it is told the time with every command. */

export interface Clock {
  /** Unix time in whole milliseconds. */
  nowMs(): number;
}

/** A clock that also tells how much time passes, whatever is done to the time of day. */
export interface SteadyClock extends Clock {
  /** Milliseconds since some moment; never goes back. */
  monotonicMs(): number;
}

/** A clock that only moves when told to: the simulated twin of the system clock. */
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

  /** Time passes until then; it is earlier without any time passing. */
  set(timeMs: number): void {
    this.advance(timeMs - this.#nowMs);
  }

  /** So much time passes. */
  advance(deltaMs: number): void {
    this.#nowMs += deltaMs;
    this.#passedMs += Math.max(0, deltaMs);
  }

  /** Somebody sets it: the time of day is another one, and no time has passed. */
  step(deltaMs: number): void {
    this.#nowMs += deltaMs;
  }
}
