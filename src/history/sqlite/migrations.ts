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
import { ACCOUNT_TABLES, INDEX_DROPPED } from './account-tables.ts';
import { CONTRACT_TABLES } from './contract-tables.ts';
import { FILL_INDEXES } from './fill-indexes.ts';
import { neutralNames } from './neutral-names.ts';
import { TABLES } from './schema.ts';
import { META, SPOT_TABLES } from './spot-tables.ts';
import { addColumns, createTables, expectations } from './table-statements.ts';

interface Migration {
  readonly version: number;
  readonly statements: (schema: SchemaModule) => readonly string[];
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
    metaAt8(),
    schema.dropIndex(INDEX_DROPPED).compile().sql,
    `delete from sqlite_stat1 where idx = '${INDEX_DROPPED}'`,
    ...createTables(schema, ACCOUNT_TABLES),
    ...ACCOUNT_TABLES.tables.map((table) => rowSumColumn(schema, table)),
    ...expectations(ACCOUNT_TABLES),
  ];
}

/** A row whose checksum was wrong must not be made sound by a new one. */
function metaAt8(): string {
  const [before, now] = [META.namesAt(7), META.namesAt(8)];
  return (
    `update meta set row_sum = case row_sum when row_sum(${before}) ` +
    `then row_sum(${now}) else -1 end`
  );
}

for (const [index, migration] of MIGRATIONS.entries()) {
  assert(migration.version === index + 1, 'migrations are numbered without a gap');
}

/** The schema this program reads and writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** The statements that lead from a schema version to the newest. */
export function migrationSql(fromVersion: number): string[] {
  const due = MIGRATIONS.slice(fromVersion);
  return due.flatMap((migration) => migration.statements(builder.schema));
}
