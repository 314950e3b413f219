/** The history's door for tests: how schemas are made and upgraded, and explained statements. */
export { LEDGER_KINDS } from './ledger-port.ts';
export type { IdPage } from './port.ts';
export { Connection } from './postgres/connection.ts';
export { POSTGRES_SCHEMA, prepare } from './postgres/migrations.ts';
export { rowSum } from './rows/row-sum.ts';
export { openForReading, openForWriting } from './sqlite/file.ts';
export { HISTORY_SCHEMA, type Schema } from './sqlite/migrations.ts';
export { openSqliteReader } from './sqlite/reader.ts';
