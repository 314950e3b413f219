/** What was liquidated, of which account and at which prices: the operator's log. */
import type { Kysely } from 'kysely';
import type { HistoryReader } from '../port.ts';
import { assertLimit } from '../range.ts';
import { LIQUIDATIONS } from '../tables/contract-tables.ts';
import type { Database } from '../tables/schema.ts';
import { placeBefore } from './places.ts';

export function liquidationPages(db: Kysely<Database>): Pick<HistoryReader, 'liquidations'> {
  return {
    liquidations: async ({ instrumentId, before, limit }) => {
      assertLimit(limit);
      const below = await placeBefore(db, 'liquidations', before);
      const rows = await db
        .selectFrom('liquidations')
        .selectAll()
        .where((row) => row.and(instrumentId === undefined ? {} : { instrument_id: instrumentId }))
        .where(below)
        .orderBy('time_ms', 'desc')
        .orderBy('liquidation_id', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => LIQUIDATIONS.read(row));
    },
  };
}
