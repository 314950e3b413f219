/** The settlements of funding, as their contract's public history. */
import type { Kysely } from 'kysely';
import { instrumentId, ticks } from '#domain';
import type { FundingRate } from '../contract-port.ts';
import type { HistoryReader } from '../port.ts';
import { assertOffsetPage } from '../range.ts';
import type { FundingRatesTable } from './contract-schema.ts';
import type { Database } from './schema.ts';

export function fundingRatePages(db: Kysely<Database>): Pick<HistoryReader, 'fundingRates'> {
  return {
    fundingRates: async (query) => {
      assertOffsetPage(query);
      const rows = await db
        .selectFrom('funding_rates')
        .selectAll()
        .where('instrument_id', '=', query.instrumentId)
        .orderBy('funding_time_ms', 'desc')
        .limit(query.limit)
        .offset(query.offset)
        .execute();
      return rows.map(fundingRate);
    },
  };
}

function fundingRate(row: FundingRatesTable): FundingRate {
  return {
    instrumentId: instrumentId(row.instrument_id),
    fundingTimeMs: row.funding_time_ms,
    ratePpb: row.rate_ppb,
    markTicks: ticks(row.mark_ticks),
    collected: BigInt(row.collected),
    distributed: BigInt(row.distributed),
    uncollected: BigInt(row.uncollected),
  };
}
