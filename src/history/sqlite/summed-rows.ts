/** Rows that go into the history with their checksum. */
import type { Database as SqliteFile, Statement } from 'better-sqlite3';
import type { RowInsert } from '../rows/row-store.ts';
import { rowSum, SUM } from '../rows/row-sum.ts';
import type { Columns, RecordOf, Table } from '../tables/table.ts';

/** What this connection needs to make checksums in SQL. */
export function defineRowSum(db: SqliteFile): void {
  const options = { varargs: true, deterministic: true };
  db.function(SUM, options, (...values: unknown[]) => rowSum(values));
}

/** Adds records to one table. */
export class SummedInsert<C extends Columns> implements RowInsert<C> {
  readonly #table: Table<string, C>;
  readonly #insert: Statement;

  constructor(db: SqliteFile, table: Table<string, C>, onConflict = '') {
    const names = [...table.names, SUM];
    const marks = names.map(() => '?');
    this.#table = table;
    // Bound by place: binding by name costs about two microseconds more a row.
    this.#insert = db.prepare(
      `insert into ${table.name} (${names}) values (${marks}) ${onConflict}`,
    );
  }

  add(record: RecordOf<{ columns: C }>): void {
    const values = this.#table.valuesOf(record);
    values.push(rowSum(values));
    // Spread: the driver asks an array for each value, which costs half a microsecond a row.
    this.#insert.run(...values);
  }

  /** A row that went on from a damaged one keeps a sum that is not its own. */
  addDamaged(record: RecordOf<{ columns: C }>): void {
    this.#insert.run(...this.#table.valuesOf(record), -1);
  }
}
