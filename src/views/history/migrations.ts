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
import { createFirstTables, firstExpectations } from './first-tables.ts';

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
    statements: (schema) => [
      ...createFirstTables(schema).map((statement) => statement.compile().sql),
      ...firstExpectations(),
    ],
  },
];

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
