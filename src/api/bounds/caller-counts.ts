/**
 * What callers have used up of a window of time that begins with their first use. So many callers
 * are remembered and no more: those whose windows end first make room. Whoever wanted to be
 * forgotten early would have to speak as so many others first, each of whom may do as much as he.
 */

export interface Count {
  used: number;
  readonly endMs: number;
}

const CALLERS_MAX = 20_000;

export class CallerCounts {
  readonly #windowMs: number;
  readonly #callersMax: number;
  /** In the order of their ends, because all windows are equally long. */
  readonly #counts = new Map<string, Count>();

  constructor(windowMs: number, callersMax = CALLERS_MAX) {
    this.#windowMs = windowMs;
    this.#callersMax = callersMax;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** Undefined when the caller's window is over, or has not begun. */
  of(caller: string, nowMs: number): Count | undefined {
    const known = this.#counts.get(caller);
    return known !== undefined && nowMs < known.endMs ? known : undefined;
  }

  /** Gives what the caller has used up with this. */
  add(caller: string, price: number, nowMs: number): number {
    const count = this.of(caller, nowMs) ?? this.#begin(caller, nowMs);
    count.used += price;
    return count.used;
  }

  /** Takes back what the caller used up at this time, if the window of then still runs. */
  giveBack(caller: string, price: number, takenMs: number, nowMs: number): void {
    const count = this.of(caller, nowMs);
    if (count === undefined || count.endMs - this.#windowMs > takenMs) return;
    count.used = Math.max(count.used - price, 0);
  }

  #begin(caller: string, nowMs: number): Count {
    this.#counts.delete(caller);
    for (const [oldest, { endMs }] of this.#counts) {
      if (endMs > nowMs && this.#counts.size < this.#callersMax) break;
      this.#counts.delete(oldest);
    }
    const begun = { used: 0, endMs: nowMs + this.#windowMs };
    this.#counts.set(caller, begun);
    return begun;
  }
}
