/** What was liquidated, of which account and at which prices: the operator's log. */
import type { Kysely } from 'kysely';
import type { LiquidationRecord, LiquidationsQuery } from '../contract-port.ts';
import type { HistoryReader } from '../port.ts';
import { assertLimit } from '../range.ts';
import { LIQUIDATIONS } from '../tables/contract-tables.ts';
import type { Database } from '../tables/schema.ts';
import type { RowOf } from '../tables/table.ts';

/** One fall of a price ends many positions in one millisecond; more than this are cut off. */
const SAME_TIME_ROWS_MAX = 10_000;

export function liquidationPages(db: Kysely<Database>): Pick<HistoryReader, 'liquidations'> {
  return {
    liquidations: async (query) => {
      assertLimit(query.limit);
      const rows = await newestFirst(db, query)
        .where('time_ms', '<', query.beforeTimeMs ?? Number.MAX_SAFE_INTEGER)
        .limit(query.limit)
        .execute();
      const last = rows[query.limit - 1];
      if (last === undefined) return rows.map(liquidationRecord);
      return [...rows, ...(await rest(db, query, last))].map(liquidationRecord);
    },
  };
}

/** What happened in the millisecond of the last row, beyond that row. */
function rest(
  db: Kysely<Database>,
  query: LiquidationsQuery,
  last: RowOf<typeof LIQUIDATIONS>,
): Promise<RowOf<typeof LIQUIDATIONS>[]> {
  return newestFirst(db, query)
    .where('time_ms', '=', last.time_ms)
    .where('liquidation_id', '<', last.liquidation_id)
    .limit(SAME_TIME_ROWS_MAX)
    .execute();
}

function newestFirst(db: Kysely<Database>, { instrumentId: instrument }: LiquidationsQuery) {
  return db
    .selectFrom('liquidations')
    .selectAll()
    .where((row) => row.and(instrument === undefined ? {} : { instrument_id: instrument }))
    .orderBy('time_ms', 'desc')
    .orderBy('liquidation_id', 'desc');
}

function liquidationRecord(row: RowOf<typeof LIQUIDATIONS>): LiquidationRecord {
  const { liquidationId, ...record } = LIQUIDATIONS.read(row);
  return record;
}
