/** The rows of a history file: one prepared statement per table. */
import type { Database as SqliteFile, Statement } from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { CANDLE_GROWS } from '../rows/candle-writer.ts';
import type { CandleKey, CandleRows, RowStore } from '../rows/row-store.ts';
import type { Database } from '../tables/schema.ts';
import { CANDLES } from '../tables/spot-tables.ts';
import type { Columns, RecordOf, RowOf, Table } from '../tables/table.ts';
import { SummedInsert } from './summed-rows.ts';

const SELECT =
  'select * from candles where instrument_id = ? and period_id = ? and open_time_ms = ?';

export class SqliteRowStore implements RowStore {
  /** The connection of the open transaction. */
  readonly db: Kysely<Database>;
  readonly candles: CandleRows;
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
    this.db = new Kysely<Database>({ dialect: new SqliteDialect({ database: file }) });
    this.candles = new SqliteCandles(file);
  }

  into<C extends Columns>(table: Table<string, C>): SummedInsert<C> {
    return new SummedInsert(this.#file, table);
  }

  /** A row is read where it is needed: it costs a few microseconds. */
  async foresee(): Promise<void> {}

  /** Rows are written as they are added. */
  async flush(): Promise<void> {}
}

class SqliteCandles implements CandleRows {
  readonly #select: Statement<unknown[], RowOf<typeof CANDLES>>;
  readonly #upsert: SummedInsert<(typeof CANDLES)['columns']>;

  constructor(file: SqliteFile) {
    this.#select = file.prepare(SELECT);
    this.#upsert = new SummedInsert(file, CANDLES, CANDLE_GROWS);
  }

  stored({ instrumentId, periodId, openTimeMs }: CandleKey): RowOf<typeof CANDLES> | undefined {
    return this.#select.get(instrumentId, periodId, openTimeMs);
  }

  put(record: RecordOf<typeof CANDLES>, isDamaged: boolean): void {
    if (isDamaged) this.#upsert.addDamaged(record);
    else this.#upsert.add(record);
  }
}
