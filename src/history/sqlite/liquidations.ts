/** What was liquidated, of which account and at which prices: the operator's log. */
import type { Kysely } from 'kysely';
import { accountId, instrumentId, lots, ticks } from '#domain';
import type { LiquidationRecord, LiquidationsQuery } from '../contract-port.ts';
import type { HistoryReader } from '../port.ts';
import { assertLimit } from '../range.ts';
import type { LiquidationsTable } from './contract-schema.ts';
import type { Database } from './schema.ts';

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
  last: LiquidationsTable,
): Promise<LiquidationsTable[]> {
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

function liquidationRecord(row: LiquidationsTable): LiquidationRecord {
  return {
    seq: row.seq,
    timeMs: row.time_ms,
    accountId: accountId(row.account_id),
    instrumentId: instrumentId(row.instrument_id),
    mode: row.mode,
    side: row.side,
    markTicks: ticks(row.mark_ticks),
    bankruptcyTicks: ticks(row.bankruptcy_ticks),
    sizeLots: lots(row.size_lots),
    deleveragedLots: lots(row.deleveraged_lots),
    fundDelta: BigInt(row.fund_delta),
  };
}
