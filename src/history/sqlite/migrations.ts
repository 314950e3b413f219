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
import { neutralNames } from './neutral-names.ts';
import { TABLES } from './schema.ts';
import { SPOT_TABLES } from './spot-tables.ts';
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
];

function addRowSums(schema: SchemaModule): string[] {
  return TABLES.flatMap((table) => {
    const summed = table.namesAt(6).join(', ');
    const column = schema
      .alterTable(table.name)
      .addColumn('row_sum', 'integer', (definition) => definition.notNull().defaultTo(0));
    return [column.compile().sql, `update ${table.name} set row_sum = row_sum(${summed})`];
  });
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
