/** Where a page begins that lies before a row, in lists that go along an index of times. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../tables/schema.ts';

const TIMES = {
  contract_orders: ['created_time_ms', 'order_id'],
  trigger_orders: ['created_time_ms', 'order_id'],
  liquidations: ['time_ms', 'liquidation_id'],
  transfers: ['time_ms', 'transfer_id'],
} as const;

/** Ids rise with time: what lies before one is not later than the last of them. */
export async function placeBefore(
  db: Kysely<Database>,
  table: keyof typeof TIMES,
  before: number | undefined,
): Promise<RawBuilder<boolean>> {
  if (before === undefined) return sql<boolean>`1 = 1`;
  const [time, id] = [
    sql.ref(`${table}.${TIMES[table][0]}`),
    sql.ref(`${table}.${TIMES[table][1]}`),
  ];
  const { rows } = await sql<{ last: number }>`select ${time} as last from ${sql.table(table)}
    where ${id} < ${before} order by ${id} desc limit 1`.execute(db);
  return sql<boolean>`(${time}, ${id}) < (${rows[0]?.last ?? -1}, ${before})`;
}
