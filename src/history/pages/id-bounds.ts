/**
 * A span of time as a range of ids, which rise with time: two steps along an index, and the page
 * goes by the index of its filters.
 */
import { type Kysely, sql } from 'kysely';
import type { Range } from '../range.ts';
import type { Database } from '../tables/schema.ts';
import type { TimeRange } from '../time-range.ts';

const TIMES = {
  orders: ['created_time_ms', 'order_id'],
  trades: ['time_ms', 'trade_id'],
  contract_trades: ['time_ms', 'trade_id'],
  balance_changes: ['time_ms', 'bill_id'],
} as const;

/** The part of an id range that lies in a span of time. */
export async function withinTime(
  db: Kysely<Database>,
  table: keyof typeof TIMES,
  range: Range,
  { fromMs, toMs }: TimeRange,
): Promise<Range> {
  if (fromMs === undefined && toMs === undefined) return range;
  const first = fromMs === undefined ? range.above : await lastIdBefore(db, table, fromMs);
  const last = toMs === undefined ? range.below : 1 + (await lastIdBefore(db, table, toMs + 1));
  const [above, below] = [Math.max(range.above, first), Math.min(range.below, last)];
  return { ...range, above, below };
}

/** Below zero when nothing is that old. */
async function lastIdBefore(
  db: Kysely<Database>,
  table: keyof typeof TIMES,
  timeMs: number,
): Promise<number> {
  const [time, id] = TIMES[table];
  const { rows } = await sql<{ id: number }>`select ${sql.ref(id)} as id from ${sql.table(table)}
    where ${sql.ref(time)} < ${timeMs}
    order by ${sql.ref(time)} desc, ${sql.ref(id)} desc limit 1`.execute(db);
  return rows[0]?.id ?? -1;
}
