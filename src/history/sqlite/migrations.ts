/** How the tables came to be, in numbered steps. Append only: a released step is never edited. */

import {
  DummyDriver,
  Kysely,
  type SchemaModule,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { assert } from '#kernel';
import { ACCOUNT_TABLES, CONTRACT_LEDGER, INDEX_DROPPED } from '../tables/account-tables.ts';
import { CONTRACT_TABLES, TRIGGER_ORDERS } from '../tables/contract-tables.ts';
import { DAY_TABLES } from '../tables/day-tables.ts';
import { FILL_INDEXES } from '../tables/fill-indexes.ts';
import { TABLES } from '../tables/schema.ts';
import { CANDLES, META, SPOT_TABLES } from '../tables/spot-tables.ts';
import { type Index, nameOfIndex } from '../tables/table-set.ts';
import { TRIGGER_INDEXES } from '../tables/trigger-indexes.ts';
import { neutralNames } from './neutral-names.ts';
import { addColumns, createTables, expectations } from './table-statements.ts';

interface Migration {
  readonly version: number;
  readonly statements: (schema: SchemaModule) => readonly string[];
}

/** What a change of a table's columns needs of it. */
interface Described {
  readonly name: string;
  namesAt(version: number): readonly string[];
}

/** Builds statements without a connection; the writer runs them. */
const builder = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    // ANALYZE makes the table of expectations. Later steps must not: it would measure, and replace
    // what is written here by what it finds.
    statements: (schema) => [
      ...createTables(schema, SPOT_TABLES),
      'analyze',
      ...expectations(SPOT_TABLES),
    ],
  },
  {
    version: 2,
    statements: (schema) => [
      ...createTables(schema, CONTRACT_TABLES),
      ...expectations(CONTRACT_TABLES),
    ],
  },
  { version: 3, statements: (schema) => addColumns(schema, 3, TABLES) },
  {
    version: 4,
    statements: (schema) => [...createTables(schema, FILL_INDEXES), ...expectations(FILL_INDEXES)],
  },
  { version: 5, statements: (schema) => addColumns(schema, 5, TABLES) },
  // A checksum of each row, also of those that are there.
  { version: 6, statements: addRowSums },
  { version: 7, statements: neutralNames },
  { version: 8, statements: accountTables },
  // Trades and taker volumes of candles; those of earlier candles are in no row.
  { version: 9, statements: candleVolumes },
  // What trigger orders looked at, and the TP/SL that they brought.
  { version: 10, statements: triggerPrices },
  // What an account has of a coin in all contract wallets together.
  { version: 11, statements: coinBalances },
  // The table of trigger orders gets their name, and finds one by its client id.
  { version: 12, statements: triggerNames },
  // What was owned when each day began. Days of before have no rows.
  { version: 13, statements: dayTables },
  // From when on nothing was removed.
  { version: 14, statements: keptFrom },
];

function addRowSums(schema: SchemaModule): string[] {
  return [...SPOT_TABLES.tables, ...CONTRACT_TABLES.tables].flatMap((table) => {
    const summed = table.namesAt(6).join(', ');
    return [rowSumColumn(schema, table), `update ${table.name} set row_sum = row_sum(${summed})`];
  });
}

function rowSumColumn(schema: SchemaModule, table: { readonly name: string }): string {
  return schema
    .alterTable(table.name)
    .addColumn('row_sum', 'integer', (definition) => definition.notNull().defaultTo(0))
    .compile().sql;
}

function accountTables(schema: SchemaModule): string[] {
  return [
    ...addColumns(schema, 8, TABLES),
    summedAnew(META, 8),
    schema.dropIndex(INDEX_DROPPED).compile().sql,
    `delete from sqlite_stat1 where idx = '${INDEX_DROPPED}'`,
    ...createTables(schema, ACCOUNT_TABLES),
    ...ACCOUNT_TABLES.tables.map((table) => rowSumColumn(schema, table)),
    ...expectations(ACCOUNT_TABLES),
  ];
}

function candleVolumes(schema: SchemaModule): string[] {
  return [...addColumns(schema, 9, TABLES), summedAnew(CANDLES, 9), lackingPast(9)];
}

function triggerPrices(schema: SchemaModule): string[] {
  return [...addColumns(schema, 10, TABLES), summedAnew(TRIGGER_ORDERS, 10)];
}

function coinBalances(schema: SchemaModule): string[] {
  return [...addColumns(schema, 11, TABLES), summedAnew(CONTRACT_LEDGER, 11), lackingPast(11)];
}

/** Some of what the columns of this version hold can only be told by the journal. */
function lackingPast(version: number): string {
  const names = META.namesAt(version);
  const lacking = names.map((name) => (name === 'lacks_past' ? '1' : name));
  return `update meta set lacks_past = 1, row_sum = ${sumIfSound(names, lacking)}`;
}

function triggerNames(schema: SchemaModule): string[] {
  const { name } = TRIGGER_ORDERS;
  const indexes = [...CONTRACT_TABLES.indexes, ...ACCOUNT_TABLES.indexes].filter(
    ({ on }) => on === name,
  );
  return [
    schema.alterTable(EARLIER_NAME).renameTo(name).compile().sql,
    ...indexes.flatMap((index) => renamedIndex(schema, index)),
    ...addColumns(schema, 12, TABLES),
    summedAnew(TRIGGER_ORDERS, 12),
    ...createTables(schema, TRIGGER_INDEXES),
    ...expectations(TRIGGER_INDEXES),
  ];
}

function dayTables(schema: SchemaModule): string[] {
  return [
    ...createTables(schema, DAY_TABLES),
    ...DAY_TABLES.tables.map((table) => rowSumColumn(schema, table)),
    ...expectations(DAY_TABLES),
  ];
}

function keptFrom(schema: SchemaModule): string[] {
  return [...addColumns(schema, 14, TABLES), summedAnew(META, 14)];
}

/** SQLite renames no index: it is made anew, and what is expected of it stays. */
function renamedIndex(schema: SchemaModule, index: Index): string[] {
  const [earlier] = underEarlierName([nameOfIndex(index)]);
  const names = `tbl = '${index.on}', idx = '${nameOfIndex(index)}'`;
  return [
    schema.dropIndex(earlier ?? '').compile().sql,
    ...createTables(schema, { tables: [], indexes: [index], distinctValues: {} }),
    `update sqlite_stat1 set ${names} where idx = '${earlier}'`,
  ];
}

/** Before version 12 the table of trigger orders and its indexes had another name. */
const EARLIER_NAME = 'plan_orders';

function underEarlierName(statements: readonly string[]): string[] {
  return statements.map((statement) => statement.replaceAll(TRIGGER_ORDERS.name, EARLIER_NAME));
}

/** The checksums of a table that a version has added columns to. */
function summedAnew(table: Described, version: number): string {
  const sum = sumIfSound(table.namesAt(version - 1), table.namesAt(version));
  return `update ${table.name} set row_sum = ${sum}`;
}

/** A row whose checksum was wrong must not be made sound by a new one. */
function sumIfSound(before: readonly string[], after: readonly string[]): string {
  return `case row_sum when row_sum(${before}) then row_sum(${after}) else -1 end`;
}

for (const [index, migration] of MIGRATIONS.entries()) {
  assert(migration.version === index + 1, 'migrations are numbered without a gap');
}

/** The schema this program reads and writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** The statements that lead from a schema version to the newest. */
export function migrationSql(fromVersion: number): string[] {
  const due = MIGRATIONS.slice(fromVersion);
  return due.flatMap(({ version, statements }) => {
    const made = statements(builder.schema);
    return version < 12 ? underEarlierName(made) : made;
  });
}
