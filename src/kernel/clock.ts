/** Where the time comes from. The engine has none: it is told the time with every command. */

export interface Clock {
  /** Unix time in whole milliseconds. */
  nowMs(): number;
}

/** A clock that only moves when told to: the simulated twin of the system clock. */
export class ManualClock implements Clock {
  #nowMs: number;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  set(timeMs: number): void {
    this.#nowMs = timeMs;
  }

  advance(deltaMs: number): void {
    this.#nowMs += deltaMs;
  }
}
