/**
 * What calls cost: 500 weight in 10 seconds, per address when public and per account when signed,
 * both products together; and 300 new orders of an account in a minute.
 */
import type { Endpoint, Quota } from '#api';
import { oneOf, row, whole } from '../kit/row.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const WEIGHT_LIMIT = { counts: 'weight', limit: 500, windowMs: 10 * SECOND_MS } as const;
const ORDER_LIMIT = { counts: 'orders', limit: 300, windowMs: MINUTE_MS } as const;

export const QUOTAS: readonly Quota[] = [
  { ...WEIGHT_LIMIT, usedHeader: 'x-used-weight-10s', leftHeader: 'x-remaining-weight-10s' },
  { counts: 'orders', windowMs: 10 * SECOND_MS, usedHeader: 'x-order-count-10s' },
  { ...ORDER_LIMIT, usedHeader: 'x-order-count-1m' },
];

interface ShownLimit {
  readonly rateLimitType: 'REQUEST_WEIGHT' | 'ORDERS';
  readonly interval: 'SECOND' | 'MINUTE';
  readonly intervalNum: number;
  readonly limit: number;
}

/** The limits as lists of markets show them. */
export const RATE_LIMITS: readonly ShownLimit[] = [
  {
    rateLimitType: 'REQUEST_WEIGHT',
    interval: 'SECOND',
    intervalNum: WEIGHT_LIMIT.windowMs / SECOND_MS,
    limit: WEIGHT_LIMIT.limit,
  },
  {
    rateLimitType: 'ORDERS',
    interval: 'MINUTE',
    intervalNum: ORDER_LIMIT.windowMs / MINUTE_MS,
    limit: ORDER_LIMIT.limit,
  },
];

export const RATE_LIMIT = row<ShownLimit>()({
  rateLimitType: oneOf(
    ['REQUEST_WEIGHT', 'ORDERS'],
    'What is counted',
    'REQUEST_WEIGHT',
    (limit) => limit.rateLimitType,
  ),
  interval: oneOf(['SECOND', 'MINUTE'], 'Unit of the window', 'SECOND', ({ interval }) => interval),
  intervalNum: whole('Units in the window', 10, ({ intervalNum }) => intervalNum),
  limit: whole('The most in a window', WEIGHT_LIMIT.limit, ({ limit }) => limit),
});

/** A call of this weight, and of so many new orders. */
export function costs(weight: number, orders = 0): Pick<Endpoint, 'rate' | 'cost'> {
  return { rate: null, cost: orders === 0 ? { weight } : { weight, orders } };
}

/** A call of this weight with a list of new orders in its body. */
export function batchCosts(
  weight: number,
  list: string,
): Pick<Endpoint, 'rate' | 'cost' | 'entryCost'> {
  return { ...costs(weight), entryCost: { list, cost: { orders: 1 } } };
}
