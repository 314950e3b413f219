/**
 * What calls cost: 500 weight in 10 seconds, per address when public and per account when signed,
 * both products together; and 300 new orders of an account in a minute.
 */
import type { Endpoint, Quota } from '#api';

export const WEIGHT_LIMIT = { counts: 'weight', limit: 500, windowMs: 10_000 } as const;
export const ORDER_LIMIT = { counts: 'orders', limit: 300, windowMs: 60_000 } as const;

export const QUOTAS: readonly Quota[] = [
  { ...WEIGHT_LIMIT, usedHeader: 'x-used-weight-10s', leftHeader: 'x-remaining-weight-10s' },
  { counts: 'orders', windowMs: 10_000, usedHeader: 'x-order-count-10s' },
  { ...ORDER_LIMIT, usedHeader: 'x-order-count-1m' },
];

/** The limits as lists of markets show them. */
export const RATE_LIMITS = [
  { rateLimitType: 'REQUEST_WEIGHT', interval: 'SECOND', intervalNum: 10, limit: 500 },
  { rateLimitType: 'ORDERS', interval: 'MINUTE', intervalNum: 1, limit: 300 },
] as const;

/** A call of this weight, and of so many new orders. */
export function costs(weight: number, orders = 0): Pick<Endpoint, 'rate' | 'cost'> {
  return { rate: null, cost: orders === 0 ? { weight } : { weight, orders } };
}
