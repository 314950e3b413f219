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
import { CONTRACT_TABLES } from './contract-tables.ts';
import { FILL_INDEXES } from './fill-indexes.ts';
import { FIRST_TABLES } from './first-tables.ts';
import { neutralNames } from './neutral-names.ts';
import { addRowSums } from './row-sums.ts';
import { createTables, expectations } from './table-statements.ts';

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
      ...createTables(schema, FIRST_TABLES),
      'analyze',
      ...expectations(FIRST_TABLES),
    ],
  },
  {
    version: 2,
    statements: (schema) => [
      ...createTables(schema, CONTRACT_TABLES),
      ...expectations(CONTRACT_TABLES),
    ],
  },
  {
    version: 3,
    // Which command wrote a row: a reset to a checkpoint takes back the later ones.
    statements: (schema) => [
      addCommandNumber(schema, 'plan_orders', 'closed_seq'),
      addCommandNumber(schema, 'funding_rates', 'settled_seq'),
    ],
  },
  {
    version: 4,
    statements: (schema) => [...createTables(schema, FILL_INDEXES), ...expectations(FILL_INDEXES)],
  },
  {
    version: 5,
    // What the average price of an inverse order is made of.
    statements: (schema) => [
      schema
        .alterTable('contract_orders')
        .addColumn('filled_per_tick', 'text', (definition) => definition.notNull().defaultTo('0'))
        .compile().sql,
    ],
  },
  { version: 6, statements: addRowSums },
  { version: 7, statements: neutralNames },
];

/** Rows that are there already were written before there were checkpoints to go back to. */
function addCommandNumber(schema: SchemaModule, table: string, column: string): string {
  return schema
    .alterTable(table)
    .addColumn(column, 'integer', (definition) => definition.notNull().defaultTo(0))
    .compile().sql;
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
