/** The history's door for tests: tables of every version, and statements that a test explains. */

export type { IdPage } from './port.ts';
export { migrationSql, SCHEMA_VERSION } from './sqlite/migrations.ts';
export { SqliteHistoryReader } from './sqlite/reader.ts';
export type { Database } from './sqlite/schema.ts';
