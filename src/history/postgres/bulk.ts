/**
 * Rows on their way to a table, sent many in one statement: one array for each column. COPY would
 * be faster still, and could not replace a row that is there.
 */
import type { RowInsert } from '../rows/row-store.ts';
import { rowSum, SUM } from '../rows/row-sum.ts';
import type { Columns, RecordOf, Table } from '../tables/table.ts';
import type { Connection } from './connection.ts';
import { typeOf } from './table-statements.ts';

type Values = (number | string)[];

/** Rows of one statement, so that neither side has to hold more of them at once. */
const ROWS_PER_STATEMENT = 10_000;

/** What a statement needs of a table, whatever its records are. */
type Named = Pick<Table, 'name' | 'columns' | 'names'>;

/** One statement for a table, whatever the number of rows. */
class BulkStatement {
  readonly #name: string;
  readonly #sql: string;
  readonly #isText: readonly boolean[];

  constructor(table: Named, onConflict = '') {
    const names = table.names;
    const types = [...names.map((name) => typeOfColumn(table, name)), 'bigint'];
    const arrays = types.map((type, index) => `$${index + 1}::${type}[]`);
    this.#name = `add_${table.name}`;
    this.#sql =
      `insert into ${table.name} (${[...names, SUM]}) ` +
      `select * from unnest(${arrays}) ${onConflict}`;
    this.#isText = types.map((type) => type === 'text');
  }

  /** Sends all rows before the first answer comes. */
  async send(connection: Connection, rows: readonly Values[]): Promise<void> {
    const sent: Promise<unknown>[] = [];
    for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
      const some = rows.slice(from, from + ROWS_PER_STATEMENT);
      const arrays = this.#isText.map((isText, column) => arrayOf(some, column, isText));
      sent.push(connection.query(this.#sql, arrays, this.#name));
    }
    await Promise.all(sent);
  }
}

function typeOfColumn({ columns }: Named, name: string): string {
  const column = columns[name];
  if (column === undefined) throw new RangeError(`no column ${name}`);
  return typeOf(column);
}

/** As PostgreSQL writes an array. Ours are long, and made of values that need little care. */
function arrayOf(rows: readonly Values[], column: number, isText: boolean): string {
  const values = rows.map((row) => row[column]);
  return isText ? `{${values.map(quoted).join(',')}}` : `{${values.join(',')}}`;
}

function quoted(value: unknown): string {
  return `"${String(value).replace(/["\\]/g, '\\$&')}"`;
}

/** Adds rows that are not there. */
export class BulkInsert<C extends Columns> implements RowInsert<C> {
  readonly #table: Table<string, C>;
  readonly #statement: BulkStatement;
  #rows: Values[] = [];

  constructor(table: Table<string, C>) {
    this.#table = table;
    this.#statement = new BulkStatement(table);
  }

  add(record: RecordOf<{ columns: C }>): void {
    this.#rows.push(summed(this.#table.valuesOf(record)));
  }

  async send(connection: Connection): Promise<void> {
    const rows = this.#rows;
    if (rows.length === 0) return;
    this.#rows = [];
    await this.#statement.send(connection, rows);
  }
}

/** Adds rows or takes the place of those that are there; of one key the last one counts. */
export class BulkUpsert<C extends Columns> {
  readonly #table: Table<string, C>;
  readonly #statement: BulkStatement;
  #rows = new Map<number | string, Values>();

  constructor(table: Table<string, C>, onConflict: string) {
    this.#table = table;
    this.#statement = new BulkStatement(table, onConflict);
  }

  put(key: number | string, record: RecordOf<{ columns: C }>, isDamaged = false): void {
    const values = this.#table.valuesOf(record);
    this.#rows.set(key, isDamaged ? [...values, -1] : summed(values));
  }

  async send(connection: Connection): Promise<void> {
    const rows = this.#rows;
    if (rows.size === 0) return;
    this.#rows = new Map();
    await this.#statement.send(connection, [...rows.values()]);
  }
}

/** What replaces all columns but the key. */
export function replacing(table: Pick<Table, 'key' | 'names'>): string {
  const others = [...table.names, SUM].filter((name) => !table.key.includes(name));
  const columns = others.map((name) => `${name} = excluded.${name}`);
  return `on conflict (${table.key}) do update set ${columns}`;
}

function summed(values: Values): Values {
  return [...values, rowSum(values)];
}
