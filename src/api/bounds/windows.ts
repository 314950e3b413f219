/**
 * Counted windows: a caller may use so much in a window that begins with its first use. What is
 * refused costs nothing and does not prolong the window.
 */
import { CallerCounts } from './caller-counts.ts';

export interface RateLimit {
  /** Calls taken in one window; the next one is refused. */
  readonly limit: number;
  readonly windowMs: number;
}

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
  /** Takes back what a call, counted so long ago, has used up whose outcome costs less. */
  giveBack(caller: string, uses: readonly WindowUse[], agoMs: number): void;
}

/** Counts the calls that this process lets in. */
export class CallWindows implements CallCounts {
  readonly #windows = new Map<string, CallerCounts>();

  take(caller: string, uses: readonly WindowUse[], nowMs = performance.now()): Taken {
    let waitMs = 0;
    for (const use of uses) waitMs = Math.max(waitMs, this.#waitMs(caller, use, nowMs));
    const used = uses.map((use) => {
      if (use.price === 0) return null;
      return this.#of(use).add(caller, waitMs > 0 ? 0 : use.price, nowMs);
    });
    return { waitMs, used };
  }

  giveBack(
    caller: string,
    uses: readonly WindowUse[],
    agoMs: number,
    nowMs = performance.now(),
  ): void {
    for (const use of uses) this.#of(use).giveBack(caller, use.price, nowMs - agoMs, nowMs);
  }

  #of({ name, windowMs }: WindowUse): CallerCounts {
    const known = this.#windows.get(name);
    if (known !== undefined) return known;
    const window = new CallerCounts(windowMs);
    this.#windows.set(name, window);
    return window;
  }

  #waitMs(caller: string, use: WindowUse, nowMs: number): number {
    const { limit, price } = use;
    const count = this.#of(use).of(caller, nowMs);
    if (limit === undefined || price === 0 || count === undefined) return 0;
    return count.used + price <= limit ? 0 : count.endMs - nowMs;
  }
}
