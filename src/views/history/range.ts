/** The part of an increasing sequence that a page shows, and the order of its rows. */
import { LIMITS } from '#domain';
import { assert } from '#kernel';

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

/** The caller clamps what clients ask for; a page without a bound is a bug. */
export function assertLimit(limit: number, max: number = LIMITS.pageRowsMax): void {
  assert(Number.isSafeInteger(limit) && limit > 0 && limit <= max, 'the limit of a page');
}
