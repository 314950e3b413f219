/**
 * Counted windows: a caller may use so much in a window that begins with its first use. What is
 * refused costs nothing and does not prolong the window.
 */

/** What a call uses up of one window. */
export interface WindowUse {
  /** Of the window: uses of one name are counted together. */
  readonly name: string;
  readonly windowMs: number;
  /** The most that may be used up; without it, it only counts. */
  readonly limit: number | undefined;
  readonly price: number;
}

/** What became of the uses of a call. */
export interface Taken {
  /** Zero when it may go on, else the milliseconds until it may fit. */
  readonly waitMs: number;
  /** What is used up of each window now; null of those that the call does not use. */
  readonly used: readonly (number | null)[];
}

/** Where calls are counted. */
export interface CallCounts {
  /** Counts a call in all windows that it uses, or in none. */
  take(caller: string, uses: readonly WindowUse[]): Taken | Promise<Taken>;
}

interface Count {
  used: number;
  readonly endMs: number;
}

/** Counts the calls that this process lets in. */
export class CallWindows implements CallCounts {
  readonly #windows = new Map<string, Window>();

  take(caller: string, uses: readonly WindowUse[], nowMs = performance.now()): Taken {
    let waitMs = 0;
    for (const use of uses) waitMs = Math.max(waitMs, this.#of(use).waitMs(caller, use, nowMs));
    const used = uses.map((use) => {
      if (use.price === 0) return null;
      return this.#of(use).count(caller, waitMs > 0 ? 0 : use.price, nowMs);
    });
    return { waitMs, used };
  }

  #of({ name, windowMs }: WindowUse): Window {
    const known = this.#windows.get(name);
    if (known !== undefined) return known;
    const window = new Window(windowMs);
    this.#windows.set(name, window);
    return window;
  }
}

class Window {
  readonly #lengthMs: number;
  /** In the order of their ends, because all are equally long. */
  readonly #counts = new Map<string, Count>();

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  waitMs(caller: string, { limit, price }: WindowUse, nowMs: number): number {
    const known = this.#counts.get(caller);
    if (limit === undefined || price === 0 || known === undefined) return 0;
    if (nowMs >= known.endMs || known.used + price <= limit) return 0;
    return known.endMs - nowMs;
  }

  /** Gives what the caller has used up by then. */
  count(caller: string, price: number, nowMs: number): number {
    const count = this.#current(caller, nowMs);
    count.used += price;
    return count.used;
  }

  #current(caller: string, nowMs: number): Count {
    const known = this.#counts.get(caller);
    if (known !== undefined && nowMs < known.endMs) return known;
    this.#forgetEnded(nowMs);
    const begun = { used: 0, endMs: nowMs + this.#lengthMs };
    this.#counts.delete(caller);
    this.#counts.set(caller, begun);
    return begun;
  }

  /** So that callers are remembered for one window and no longer. */
  #forgetEnded(nowMs: number): void {
    for (const [caller, { endMs }] of this.#counts) {
      if (endMs > nowMs) return;
      this.#counts.delete(caller);
    }
  }
}
