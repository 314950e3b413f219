/**
 * Quotas that all endpoints of a dialect share: a call costs what its endpoint says, counted by
 * account when it is signed and by address when it is not. Every answer may say what is used up and
 * what is left.
 */
import type { Taken, WindowUse } from '../bounds/windows.ts';
import type { Cost } from '../endpoint.ts';

/** What may be used up in a window of time. */
export interface Quota {
  /** The part of a cost that it counts. */
  readonly counts: string;
  /**
   * For whom: all that comes from a network, before it is known who calls; or, without it, the
   * caller.
   */
  readonly per?: 'network';
  readonly windowMs: number;
  /** The most that may be used up in a window; without it, it only counts. */
  readonly limit?: number;
  /** Headers of an answer whose call cost something: what is used up, and what is left. */
  readonly usedHeader: string;
  readonly leftHeader?: string;
}

interface Headers {
  header(name: string, value: string): unknown;
}

/** A cost so many times. */
export function timesCost(cost: Cost, times: number): Cost {
  return Object.fromEntries(Object.entries(cost).map(([counts, price]) => [counts, price * times]));
}

/** All of them together. */
export function sumOfCosts(...costs: readonly Cost[]): Cost {
  const sum: Record<string, number> = {};
  for (const cost of costs) {
    for (const [counts, price] of Object.entries(cost)) sum[counts] = (sum[counts] ?? 0) + price;
  }
  return sum;
}

/** What a call of this cost uses up of each quota of a dialect, in their order. */
export function usesOf(dialect: string, quotas: readonly Quota[], cost: Cost): WindowUse[] {
  return quotas.map(({ counts, windowMs, limit, usedHeader }) => ({
    name: `${dialect} ${usedHeader}`,
    windowMs,
    limit,
    price: cost[counts] ?? 0,
  }));
}

/** Writes into an answer what its call has left of the quotas that it uses. */
export function showQuotas(quotas: readonly Quota[], { used }: Taken, reply: Headers): void {
  for (const [at, { limit, usedHeader, leftHeader }] of quotas.entries()) {
    const count = used[at] ?? null;
    if (count === null) continue;
    reply.header(usedHeader, String(count));
    if (limit !== undefined && leftHeader !== undefined) {
      reply.header(leftHeader, String(limit - count));
    }
  }
}
