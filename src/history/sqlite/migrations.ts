/** The tables of a new history file, and the steps by which an older one comes to the same. */
import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { TABLE_SETS } from '../tables/schema.ts';
import { createTables, expectations } from './table-statements.ts';

export interface Schema {
  /** Makes the tables of the newest version in an empty file. */
  readonly created: readonly string[];
  /**
   * What leads from version 1 to 2, then from 2 to 3, and so on. A released step is never edited.
   * It may use row_sum(), and has to where it changes the columns of rows: as in
   * `case row_sum when row_sum(before) then row_sum(after) else -1 end`, or a row whose checksum
   * was wrong would become sound. It must not ANALYZE, which would measure, and replace what is
   * expected of indexes by what it finds.
   */
  readonly upgrades: readonly (readonly string[])[];
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

/** What this program reads and writes. */
export const HISTORY_SCHEMA: Schema = {
  created: [
    ...TABLE_SETS.flatMap((set) => createTables(builder.schema, set)),
    // Makes the table of expectations.
    'analyze',
    ...TABLE_SETS.flatMap(expectations),
  ],
  upgrades: [],
};

export function versionOf({ upgrades }: Schema): number {
  return 1 + upgrades.length;
}

/** The statements that lead from a version to the newest; from 0, of an empty file. */
export function migrationSql({ created, upgrades }: Schema, fromVersion: number): string[] {
  return fromVersion === 0 ? [...created] : upgrades.slice(fromVersion - 1).flat();
}
