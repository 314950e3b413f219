/**
 * The pairs as the history file knows them. They are few, only ever added and numbered without a
 * gap, so they are kept in memory and read again when their number has changed.
 */

import type { Kysely } from 'kysely';
import { type AssetId, assetId, type InstrumentId } from '#domain';
import { assert, present } from '#kernel';
import type { Database } from './schema.ts';

export interface HistoryInstrument {
  readonly instrumentId: number;
  readonly baseAssetId: AssetId;
  readonly quoteAssetId: AssetId;
  readonly baseUnitsPerLot: bigint;
}

export class HistoryInstruments {
  readonly #db: Kysely<Database>;
  #rows: readonly HistoryInstrument[] = [];

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** Every pair, by its id. */
  async all(): Promise<readonly HistoryInstrument[]> {
    const newest = await this.#db
      .selectFrom('instruments')
      .select('instrument_id')
      .orderBy('instrument_id', 'desc')
      .limit(1)
      .executeTakeFirst();
    const count = newest === undefined ? 0 : newest.instrument_id + 1;
    if (count !== this.#rows.length) this.#rows = await this.#read();
    return this.#rows;
  }

  async #read(): Promise<HistoryInstrument[]> {
    const rows = await this.#db
      .selectFrom('instruments')
      .selectAll()
      .orderBy('instrument_id')
      .execute();
    return rows.map((row, index) => {
      assert(row.instrument_id === index, 'pairs are numbered without a gap');
      return {
        instrumentId: row.instrument_id,
        baseAssetId: assetId(row.base_asset_id),
        quoteAssetId: assetId(row.quote_asset_id),
        baseUnitsPerLot: BigInt(row.base_units_per_lot),
      };
    });
  }
}

export function instrumentOf(
  instruments: readonly HistoryInstrument[],
  instrumentId: InstrumentId | number,
): HistoryInstrument {
  return present(instruments[instrumentId], `pair ${instrumentId} in the history`);
}
