/** The history's door for tests: tables of every version, and statements that a test explains. */
export { migrationSql, SCHEMA_VERSION } from './migrations.ts';
export type { IdPage } from './port.ts';
export { SqliteHistoryReader } from './reader.ts';
export type { Database } from './schema.ts';
