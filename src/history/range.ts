/** Which part of a list a page shows, and the order of its rows. */
import { LIMITS } from '#domain';
import { assert } from '#kernel';
import type { OffsetPage } from './contract-port.ts';

const OFFSET_MAX = LIMITS.contractPageIndexMax * LIMITS.contractPageRowsMax;

/** Strictly between two bounds. */
export interface Range {
  readonly above: number;
  readonly below: number;
  readonly direction: 'asc' | 'desc';
}

/**
 * after: what lies below it, descending. before: what lies above it, ascending. Both: what lies
 * strictly between, descending. Neither: everything, descending.
 */
export function rangeOf(after: number | undefined, before: number | undefined): Range {
  const ascending = after === undefined && before !== undefined;
  return {
    above: before ?? -1,
    below: after ?? Number.MAX_SAFE_INTEGER,
    direction: ascending ? 'asc' : 'desc',
  };
}

/** As assertLimit, for a page by its place. */
export function assertOffsetPage({ offset, limit }: OffsetPage): void {
  assertLimit(limit);
  assert(Number.isSafeInteger(offset) && offset >= 0, 'the offset of a page');
  assert(offset <= OFFSET_MAX, 'pages are served up to a bounded offset');
}

/** The caller clamps what clients ask for; a page without a bound is a bug. */
export function assertLimit(limit: number, max: number = LIMITS.historyRowsMax): void {
  assert(Number.isSafeInteger(limit) && limit > 0 && limit <= max, 'the limit of a page');
}
