/**
 * How long the market thread has been at work since it last looked for input. A caller with more to
 * do than fits goes on in a later turn of the event loop, and others get theirs between.
 */

/** Short enough that with one long command on top of it a turn stays below 20 ms. */
export const TURN_MS = 5;

export class Turn {
  readonly #mostMs: number;
  #startMs = 0;
  #isOpen = false;

  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  /** Whether this turn has been used up. The first to ask begins it. */
  get isSpent(): boolean {
    if (this.#isOpen) return performance.now() - this.#startMs >= this.#mostMs;
    this.#isOpen = true;
    this.#startMs = performance.now();
    setImmediate(() => {
      this.#isOpen = false;
    });
    return false;
  }
}
