/**
 * Pages that do not end inside what belongs together, such as the fills of one order or the rows of
 * one millisecond: a next page that begins beyond it would leave the rest out.
 */
import { LIMITS } from '#domain';
import type { PageLimit } from '../page-limit.ts';

/** Where a row stands in its list; a trade with oneself is two rows of one id, side by side. */
export interface RowPlace {
  readonly id: number;
  readonly timeMs: number;
}

/**
 * The first rows of a list, and those that belong to the last of them, pageOverrunMax at most.
 * `read` gives so many rows from its beginning.
 */
export async function wholePage<Row>(
  { limit, whole }: PageLimit,
  read: (limit: number) => Promise<readonly Row[]>,
  placeOf: (row: Row) => RowPlace,
): Promise<readonly Row[]> {
  const rows = await read(limit + 1);
  const [last, next] = [rows[limit - 1], rows[limit]];
  const isOne = (one: Row | undefined, other: Row): boolean =>
    one !== undefined && placeOf(one).id === placeOf(other).id;
  const belongs = (row: Row): boolean =>
    whole === 'order' ||
    (last !== undefined && whole === 'millisecond' && placeOf(last).timeMs === placeOf(row).timeMs);
  if (next === undefined || !(belongs(next) || isOne(last, next))) return rows.slice(0, limit);
  const most = limit + LIMITS.pageOverrunMax;
  const all = await read(most + 1);
  const end = all.findIndex(
    (row, at) => at > limit && (at >= most || !belongs(row)) && !isOne(all[at - 1], row),
  );
  return end < 0 ? all : all.slice(0, end);
}
