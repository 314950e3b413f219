/**
 * How often an endpoint may be called: so many calls in a window that begins with the first one.
 * Refused calls do not prolong the window. Each endpoint counts for itself, by account (all its
 * keys together) when the call is signed and by address when it is not.
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimit } from '../endpoint.ts';

export class RateLimiter {
  readonly #limiter: RateLimiterMemory;

  constructor(rate: RateLimit) {
    this.#limiter = new RateLimiterMemory({ points: rate.limit, duration: rate.windowMs / 1_000 });
  }

  /** Counts a call: zero when it may go on, else the milliseconds until the next one may. */
  async take(caller: string): Promise<number> {
    try {
      await this.#limiter.consume(caller);
      return 0;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(refusal.msBeforeNext, 1);
      throw refusal;
    }
  }
}
