/**
 * The pairs as the history file knows them. They are few and only ever added, so they are kept in
 * memory and read again when the newest has changed. Contracts take numbers of the same sequence
 * and are not among them: their rows need nothing from here.
 */

import type { Kysely } from 'kysely';
import type { AssetId, InstrumentId } from '#domain';
import { present } from '#kernel';
import type { Database } from '../tables/schema.ts';
import { INSTRUMENTS } from '../tables/spot-tables.ts';
import type { RecordOf } from '../tables/table.ts';

export type HistoryInstrument = RecordOf<typeof INSTRUMENTS>;

/** By instrument id, ascending. */
export type PairsById = ReadonlyMap<number, HistoryInstrument>;

export class HistoryInstruments {
  readonly #db: Kysely<Database>;
  #pairs: PairsById = new Map();
  #newestId = -1;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** Every pair, by its id. */
  async all(): Promise<PairsById> {
    const newest = await this.#db
      .selectFrom('instruments')
      .select('instrument_id')
      .orderBy('instrument_id', 'desc')
      .limit(1)
      .executeTakeFirst();
    const newestId = newest?.instrument_id ?? -1;
    if (newestId === this.#newestId) return this.#pairs;
    this.#pairs = await this.#read();
    this.#newestId = newestId;
    return this.#pairs;
  }

  /** The newest may be another one with the same number. */
  forget(): void {
    this.#newestId = -1;
    this.#pairs = new Map();
  }

  async #read(): Promise<PairsById> {
    const rows = await this.#db
      .selectFrom('instruments')
      .selectAll()
      .orderBy('instrument_id')
      .execute();
    return new Map(rows.map((row) => [row.instrument_id, INSTRUMENTS.read(row)]));
  }
}

/** Every coin that a pair is quoted in. */
export function quoteCoins(pairs: PairsById): readonly AssetId[] {
  return [...new Set([...pairs.values()].map(({ quoteAssetId }) => quoteAssetId))];
}

export function instrumentOf(
  pairs: PairsById,
  instrumentId: InstrumentId | number,
): HistoryInstrument {
  return present(pairs.get(instrumentId), `pair ${instrumentId} in the history`);
}
