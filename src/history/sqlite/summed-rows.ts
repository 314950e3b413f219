/** Rows that go into the history with their checksum, and the columns it is made of. */
import type { Database as SqliteFile, Statement } from 'better-sqlite3';
import { assert } from '#kernel';
import { rowSum } from './row-sum.ts';

/** The column of the checksum, and the SQL function that makes it of the other columns. */
export const SUM = 'row_sum';

export interface SummedTable {
  readonly table: string;
  /** In the order of the table, without the checksum. */
  readonly columns: readonly string[];
  readonly keys: readonly string[];
}

/** What this connection needs to make checksums in SQL. */
export function defineRowSum(db: SqliteFile): void {
  const options = { varargs: true, deterministic: true };
  db.function(SUM, options, (...values: unknown[]) => rowSum(values));
}

export function summedTable(db: SqliteFile, table: string): SummedTable {
  const found = db
    .prepare<[], { name: string; pk: number }>(`select name, pk from pragma_table_info('${table}')`)
    .all();
  const keys = found.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  return {
    table,
    columns: found.map(({ name }) => name).filter((name) => name !== SUM),
    keys: keys.map(({ name }) => name),
  };
}

/** Adds rows to a table; the values are given in the order of its columns. */
export class SummedInsert {
  readonly #insert: Statement;

  constructor(db: SqliteFile, table: string, columns: readonly string[], onConflict = '') {
    const expected = summedTable(db, table).columns.join();
    assert(columns.join() === expected, `values of ${table} in the order of its columns`);
    const marks = [...columns, SUM].map(() => '?');
    this.#insert = db.prepare(
      `insert into ${table} (${columns}, ${SUM}) values (${marks}) ${onConflict}`,
    );
  }

  run(...values: unknown[]): void {
    values.push(rowSum(values));
    this.#insert.run(values);
  }

  /** A row that went on from a damaged one keeps a sum that is not its own. */
  runDamaged(...values: readonly unknown[]): void {
    this.#insert.run(...values, -1);
  }
}

/** Whether a row that was read with all its columns is what was written. */
export function isSound(row: object): boolean {
  const entries = Object.entries(row);
  const values = entries.filter(([name]) => name !== SUM).map(([, value]) => value);
  return entries.some(([name, sum]) => name === SUM && sum === rowSum(values));
}
