/**
 * How often credentials were wrong lately, by whom: beyond a bound a caller hears to wait instead
 * of what was wrong.
 */
import { CallerCounts } from '../bounds/caller-counts.ts';
import type { RateLimit } from '../bounds/windows.ts';

export class FailedChecks {
  readonly #limit: number;
  readonly #counts: CallerCounts;

  constructor({ limit, windowMs }: RateLimit) {
    this.#limit = limit;
    this.#counts = new CallerCounts(windowMs);
  }

  /** The usual case: nobody has failed lately. */
  get isQuiet(): boolean {
    return this.#counts.size === 0;
  }

  /** How long a caller has to wait before the next check; zero when it may go on. */
  waitMs(caller: string): number {
    if (this.isQuiet) return 0;
    const nowMs = performance.now();
    const count = this.#counts.of(caller, nowMs);
    return count === undefined || count.used < this.#limit ? 0 : count.endMs - nowMs;
  }

  /** Counts a failure in a window that begins with the first one. */
  note(caller: string): void {
    this.#counts.add(caller, 1, performance.now());
  }
}
