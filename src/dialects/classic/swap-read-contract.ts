/** Finds the contract a request is about, in any case, and the page of a list it wants. */
import type { JsonObject } from '#api';
import { type Contract, isRefused, LIMITS, type Listings, type Refused, refuse } from '#domain';
import { Fields, shown } from '../fields.ts';

/**
 * The contract with this symbol. A fault among the fields read before it comes first: the shape of
 * a request is checked before what it names.
 */
export function resolveContract(
  fields: Fields,
  symbol: string,
  listings: Listings,
): Contract | Refused {
  if (fields.fault !== undefined) return fields.fault;
  const lower = symbol.toLowerCase();
  // Older clients leave the prefix out, as in BTCUSD.
  const found = listings.contract(lower) ?? listings.contract(`cmt_${lower}`);
  return found ?? refuse('contract_unknown', shown(symbol));
}

/** The contract that a request with nothing but a symbol is about. */
export function readContractQuery(
  query: JsonObject,
  listings: Listings,
): { readonly contract: Contract } | Refused {
  const fields = new Fields(query);
  const contract = resolveContract(fields, fields.requiredText('symbol'), listings);
  return isRefused(contract) ? contract : { contract };
}

/** Rows of a list, counted from its first. */
export interface PageOfRows {
  readonly offset: number;
  readonly limit: number;
}

const PAGE_SIZE_DEFAULT = 20;

/** As many rows as the last of the largest pages of plan orders ends with. */
const ROWS_MAX = LIMITS.contractPageIndexMax * LIMITS.contractPageRowsMax;

/**
 * The page that pageIndex (1 to 200) and pageSize name. A larger page counts as the largest one; an
 * index beyond the last page served is refused.
 */
export function readPage(fields: Fields): PageOfRows {
  const index = fields.positive('pageIndex') ?? 1;
  const limit = pageSize(fields);
  const most = LIMITS.contractPageIndexMax;
  if (index > most) {
    fields.refuse('page_window_exceeded', `pageIndex ${index}, at most ${most} of ${limit} rows`);
  }
  return { offset: (index - 1) * limit, limit };
}

/** A page of a list whose pages are not counted. */
export interface LongPage extends PageOfRows {
  /** Begins further back than rows are served: offset and limit name the row after those. */
  readonly isBeyond: boolean;
}

/**
 * As readPage, of a list whose pages are not counted: small pages go as far back as large ones,
 * and one beyond that is refused only when there is anything.
 */
export function readLongPage(fields: Fields): LongPage {
  const index = fields.positive('pageIndex') ?? 1;
  const limit = pageSize(fields);
  const isBeyond = index > Math.floor(ROWS_MAX / limit);
  return isBeyond
    ? { offset: ROWS_MAX, limit: 1, isBeyond }
    : { offset: (index - 1) * limit, limit, isBeyond };
}

function pageSize(fields: Fields): number {
  return Math.min(fields.positive('pageSize') ?? PAGE_SIZE_DEFAULT, LIMITS.contractPageRowsMax);
}
