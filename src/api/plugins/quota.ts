/**
 * Quotas that all endpoints of a dialect share: a call costs what its endpoint says, counted by
 * account when it is signed and by address when it is not, in windows that begin with a caller's
 * first call. A refused call costs nothing. Every answer may say what is used up and what is left.
 */
import type { Cost } from '../endpoint.ts';

/** What may be used up in a window of time. */
export interface Quota {
  /** The part of a cost that it counts. */
  readonly counts: string;
  readonly windowMs: number;
  /** The most that may be used up in a window; without it, it only counts. */
  readonly limit?: number;
  /** Headers of an answer whose call cost something: what is used up, and what is left. */
  readonly usedHeader: string;
  readonly leftHeader?: string;
}

interface Count {
  used: number;
  readonly endMs: number;
}

interface Headers {
  header(name: string, value: string): unknown;
}

/** A cost so many times. */
export function timesCost(cost: Cost, times: number): Cost {
  return Object.fromEntries(Object.entries(cost).map(([counts, price]) => [counts, price * times]));
}

/** Counts the calls of one dialect. */
export class QuotaCounter {
  readonly #windows: readonly Window[];

  constructor(quotas: readonly Quota[]) {
    this.#windows = quotas.map((quota) => new Window(quota));
  }

  /** Counts a call: zero when it may go on, else the milliseconds until its cost may fit. */
  take(caller: string, cost: Cost, nowMs: number, reply: Headers): number {
    let waitMs = 0;
    for (const window of this.#windows) {
      waitMs = Math.max(waitMs, window.waitMs(caller, window.costOf(cost), nowMs));
    }
    for (const window of this.#windows) {
      const price = window.costOf(cost);
      if (price > 0) window.count(caller, waitMs > 0 ? 0 : price, nowMs, reply);
    }
    return waitMs;
  }
}

class Window {
  readonly #quota: Quota;
  /** In the order of their ends, because all are equally long. */
  readonly #counts = new Map<string, Count>();

  constructor(quota: Quota) {
    this.#quota = quota;
  }

  costOf(cost: Cost): number {
    return cost[this.#quota.counts] ?? 0;
  }

  waitMs(caller: string, price: number, nowMs: number): number {
    const { limit } = this.#quota;
    const known = this.#counts.get(caller);
    if (limit === undefined || price === 0 || known === undefined) return 0;
    if (nowMs >= known.endMs || known.used + price <= limit) return 0;
    return known.endMs - nowMs;
  }

  count(caller: string, price: number, nowMs: number, reply: Headers): void {
    const { limit, usedHeader, leftHeader } = this.#quota;
    const count = this.#current(caller, nowMs);
    count.used += price;
    reply.header(usedHeader, String(count.used));
    if (limit !== undefined && leftHeader !== undefined) {
      reply.header(leftHeader, String(limit - count.used));
    }
  }

  #current(caller: string, nowMs: number): Count {
    const known = this.#counts.get(caller);
    if (known !== undefined && nowMs < known.endMs) return known;
    this.#forgetEnded(nowMs);
    const begun = { used: 0, endMs: nowMs + this.#quota.windowMs };
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
