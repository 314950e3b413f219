/** The settlements of funding, as their contract's public history. */
import type { Kysely } from 'kysely';
import type { HistoryReader } from '../port.ts';
import { assertOffsetPage } from '../range.ts';
import { FUNDING_RATES } from '../tables/contract-tables.ts';
import type { Database } from '../tables/schema.ts';

export function fundingRatePages(db: Kysely<Database>): Pick<HistoryReader, 'fundingRates'> {
  return {
    fundingRates: async (query) => {
      assertOffsetPage(query);
      const rows = await db
        .selectFrom('funding_rates')
        .selectAll()
        .where('instrument_id', '=', query.instrumentId)
        .where('funding_time_ms', '>=', query.fromMs ?? 0)
        .where('funding_time_ms', '<=', query.toMs ?? Number.MAX_SAFE_INTEGER)
        .orderBy('funding_time_ms', 'desc')
        .limit(query.limit)
        .offset(query.offset)
        .execute();
      return rows.map((row) => {
        const { settledSeq, ...rate } = FUNDING_RATES.read(row);
        return rate;
      });
    },
  };
}
