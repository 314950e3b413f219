/** The settlements of funding, as their contract's public history. */
import type { Kysely } from 'kysely';
import { instrumentId, ticks } from '#domain';
import type { FundingRate, FundingRatesQuery } from '../contract-port.ts';
import { assertOffsetPage } from '../range.ts';
import type { Database } from './schema.ts';

export async function fundingRatesPage(
  db: Kysely<Database>,
  query: FundingRatesQuery,
): Promise<FundingRate[]> {
  assertOffsetPage(query);
  const rows = await db
    .selectFrom('funding_rates')
    .selectAll()
    .where('instrument_id', '=', query.instrumentId)
    .orderBy('funding_time_ms', 'desc')
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return rows.map((row) => ({
    instrumentId: instrumentId(row.instrument_id),
    fundingTimeMs: row.funding_time_ms,
    ratePpb: row.rate_ppb,
    markTicks: ticks(row.mark_ticks),
    collected: BigInt(row.collected),
    distributed: BigInt(row.distributed),
    uncollected: BigInt(row.uncollected),
  }));
}
