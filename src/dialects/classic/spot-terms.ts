/** What the files of the spot endpoints share: limits of calls, names of ids, example values. */
import type { RateLimit } from '#api';

export const TIME_MS = 1_795_235_652_453;
export const ORDER_ID = '700000000000000028';
export const TRANSFER_ID = '700000000000000041';

/** Names under which clients send the id they chose. */
export const CLIENT_ORDER_ID_NAMES = ['clientOrderId', 'clientOid', 'client_oid'] as const;

export function perSecond(calls: number): RateLimit {
  return { limit: calls, windowMs: 1_000 };
}

export function perTwoSeconds(calls: number): RateLimit {
  return { limit: calls, windowMs: 2_000 };
}
