/**
 * How often something may be called by itself: so many calls in a window that begins with the first
 * one, by account (all its keys together) when the call is signed and by address when it is not.
 */
import { CallWindows, type RateLimit, type WindowUse } from '../bounds/windows.ts';

/** What one call uses up of a rate. */
export function rateUse(name: string, { limit, windowMs }: RateLimit): WindowUse {
  return { name, limit, windowMs, price: 1 };
}

/** Counts by address, in this process alone. */
export class RateLimiter {
  readonly #windows = new CallWindows();
  readonly #uses: readonly WindowUse[];

  constructor(rate: RateLimit) {
    this.#uses = [rateUse('', rate)];
  }

  /** Counts a call: zero when it may go on, else the milliseconds until the next one may. */
  take(caller: string): number {
    return this.#windows.take(caller, this.#uses).waitMs;
  }
}
