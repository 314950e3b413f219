/**
 * What folding events into rows needs of a database. Everything happens inside a transaction that
 * the writer has open.
 */
import type { Kysely } from 'kysely';
import type { InstrumentId, Step } from '#domain';
import type { Database } from '../tables/schema.ts';
import type { CANDLES } from '../tables/spot-tables.ts';
import type { Columns, RecordOf, RowOf, Table } from '../tables/table.ts';

export interface RowInsert<C extends Columns> {
  add(record: RecordOf<{ columns: C }>): void;
}

/** What names a candle. */
export interface CandleKey {
  readonly instrumentId: InstrumentId;
  readonly periodId: number;
  readonly openTimeMs: number;
}

export interface CandleRows {
  /** The row as it is stored, with its checksum. */
  stored(key: CandleKey): RowOf<typeof CANDLES> | undefined;
  /** Adds the row or takes the place of it. One that went on from a damaged row stays damaged. */
  put(record: RecordOf<typeof CANDLES>, isDamaged: boolean): void;
}

/** Which candles some steps will ask for. */
export type CandlesAhead = (steps: readonly Step[]) => Iterable<CandleKey>;

export interface RowStore {
  readonly db: Kysely<Database>;
  readonly candles: CandleRows;
  into<C extends Columns>(table: Table<string, C>): RowInsert<C>;
  /** Comes before these steps are folded, and again after rows were taken back. */
  foresee(steps: readonly Step[], candlesAhead: CandlesAhead): Promise<void>;
  /** Everything that was added is in the tables afterwards. */
  flush(): Promise<void>;
}
