/** The history's door for tests: tables of every version, and statements that a test explains. */
export { LEDGER_KINDS } from './ledger-port.ts';
export type { IdPage } from './port.ts';
export { rowSum } from './rows/row-sum.ts';
export { migrationSql, SCHEMA_VERSION } from './sqlite/migrations.ts';
export { openSqliteReader } from './sqlite/reader.ts';
