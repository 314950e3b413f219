/** What the files of the spot endpoints share: limits of calls, common fields. */

import { type RateLimit, refuseSaying } from '#api';
import { LIMITS, type Listings, type Refused, type SpotInstrument } from '#domain';
import { shown } from '../kit/fields.ts';
import {
  clientId,
  type Field,
  type Named,
  pageId,
  pageLimit,
  requiredText,
} from '../kit/request.ts';
import { pairOfName } from './symbols.ts';

export const SPOT_BASE = '/api/spot/v1';

export function perSecond(calls: number): RateLimit {
  return { limit: calls, windowMs: 1_000 };
}

export function perTwoSeconds(calls: number): RateLimit {
  return { limit: calls, windowMs: 2_000 };
}

/** The pair of this name, in any case, with or without its suffix. */
export function pairOf(name: string, listings: Listings): SpotInstrument | Refused {
  return pairOfName(listings, name) ?? refuseSaying('symbol_unknown', shown(name));
}

/** The pair that a request is about. */
export const PAIR: Named<string, SpotInstrument> = {
  ...requiredText('Pair, with or without _SPBL, in any case'),
  find: pairOf,
};

/** Names under which clients send the id they chose; the first one given counts. */
export const CLIENT_ID_NAMES = ['clientOrderId', 'clientOid', 'client_oid'] as const;

/** An id the client chose, under any of its names. */
export function clientIdField(description: string): Field<string | undefined> {
  return { ...clientId(description), read: (fields) => fields.clientId(...CLIENT_ID_NAMES) };
}

export function rowsWanted(fallback: number, max: number): Field<number> {
  return pageLimit('Rows wanted; above the maximum counts as the maximum', fallback, max);
}

/** A page of the account's own rows, cut at an id. */
export const ID_PAGE = {
  after: pageId('An id: rows before it, newest first'),
  before: pageId('An id: rows after it, oldest first'),
  limit: rowsWanted(LIMITS.pageRowsDefault, LIMITS.pageRowsMax),
};
