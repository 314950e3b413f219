/** The statements that create tables and indexes which are described as data. */
import { type Compilable, type CreateTableBuilder, type SchemaModule, sql } from 'kysely';
import { SUM } from '../rows/row-sum.ts';
import type { Columns } from '../tables/table.ts';
import { type Described, type Index, nameOfIndex, type TableSet } from '../tables/table-set.ts';

const ROWS_EXPECTED = 10_000_000;

export function createTables(schema: SchemaModule, { tables, indexes }: TableSet): string[] {
  const created = [
    ...tables.map((table) => createTable(schema, table)),
    ...indexes.map((index) => createIndex(schema, index)),
  ];
  return created.map((statement) => statement.compile().sql);
}

/**
 * What the planner is to expect of each index, in place of what ANALYZE would find in an empty
 * file. Without it SQLite takes the shortest index that fits, and would walk a whole market to
 * find the trades of one account.
 */
export function expectations({ indexes, distinctValues }: TableSet): string[] {
  return indexes.map((index) => {
    const values = [index.on, nameOfIndex(index), expectedRows(index, distinctValues)];
    return `insert into sqlite_stat1 (tbl, idx, stat) values ('${values.join("', '")}')`;
  });
}

/** Rows in all, rows that share the first column, the first two, and so on. */
function expectedRows(index: Index, distinctValues: TableSet['distinctValues']): string {
  let rows = ROWS_EXPECTED;
  const counts = index.columns.map((column) => {
    rows = Math.max(1, Math.floor(rows / (distinctValues[column] ?? ROWS_EXPECTED)));
    return rows;
  });
  return [ROWS_EXPECTED, ...counts].join(' ');
}

/** Every column is required, and SQLite enforces the types. */
function createTable(schema: SchemaModule, { name, key, columns }: Described): Compilable {
  let created: CreateTableBuilder<string, string> = schema.createTable(name);
  for (const [column, { type }] of Object.entries(columns)) {
    created = created.addColumn(column, storedAs(type), (definition) => definition.notNull());
  }
  return created
    .addColumn(SUM, 'integer', (definition) => definition.notNull())
    .addPrimaryKeyConstraint(`${name}_key`, [...key])
    .modifyEnd(key.length === 1 ? sql`strict` : sql`strict, without rowid`);
}

function createIndex(schema: SchemaModule, index: Index): Compilable {
  const created = schema
    .createIndex(nameOfIndex(index))
    .on(index.on)
    .columns([...index.columns]);
  if (index.notEmpty === undefined) return created;
  return created.where(sql.ref(index.notEmpty), '<>', sql.lit(''));
}

/** SQLite has no whole numbers beyond 64 bits. */
function storedAs(type: Columns[string]['type']): 'integer' | 'text' {
  return type === 'amount' ? 'text' : type;
}
