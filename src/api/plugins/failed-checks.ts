/**
 * How often credentials were wrong lately, by whom: beyond a bound a caller hears to wait instead
 * of what was wrong. The counts are bounded themselves; the oldest make room.
 */
import type { RateLimit } from '../endpoint.ts';

interface Count {
  failures: number;
  readonly endMs: number;
}

/** Callers counted at a time. */
const CALLERS_MAX = 20_000;

export class FailedChecks {
  readonly #bound: RateLimit;
  readonly #counts = new Map<string, Count>();

  constructor(bound: RateLimit) {
    this.#bound = bound;
  }

  /** How long a caller has to wait before the next check; zero when it may go on. */
  waitMs(caller: string): number {
    // The usual case: no failure lately.
    if (this.#counts.size === 0) return 0;
    const count = this.#counts.get(caller);
    if (count === undefined || count.failures < this.#bound.limit) return 0;
    return Math.max(count.endMs - performance.now(), 0);
  }

  /** Counts a failure in a window that begins with the first one. */
  note(caller: string): void {
    const nowMs = performance.now();
    const known = this.#counts.get(caller);
    if (known !== undefined && nowMs < known.endMs) {
      known.failures += 1;
      return;
    }
    this.#counts.delete(caller);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size >= CALLERS_MAX && oldest !== undefined) this.#counts.delete(oldest);
    this.#counts.set(caller, { failures: 1, endMs: nowMs + this.#bound.windowMs });
  }
}
