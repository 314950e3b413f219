/** What the rows that are there say about the next ones. */
import type { Kysely } from 'kysely';
import { type AssetId, assetId, type InstrumentId, instrumentId } from '#domain';
import type { Database } from '../tables/schema.ts';

export interface RowNumbers {
  /** By the id of the pair. */
  readonly quoteAssetIds: Map<InstrumentId, AssetId>;
  nextLiquidationId: number;
  nextEntryId: number;
}

export async function readRowNumbers(db: Kysely<Database>): Promise<RowNumbers> {
  const pairs = await db
    .selectFrom('instruments')
    .select(['instrument_id', 'quote_asset_id'])
    .execute();
  const liquidation = await db
    .selectFrom('liquidations')
    .select((row) => row.fn.max('liquidation_id').as('last'))
    .executeTakeFirst();
  const entry = await db
    .selectFrom('contract_ledger')
    .select((row) => row.fn.max('entry_id').as('last'))
    .executeTakeFirst();
  return {
    quoteAssetIds: new Map(
      pairs.map((pair) => [instrumentId(pair.instrument_id), assetId(pair.quote_asset_id)]),
    ),
    // Of no rows at all, the highest is null.
    nextLiquidationId: (liquidation?.last ?? 0) + 1,
    nextEntryId: (entry?.last ?? 0) + 1,
  };
}
