/** All tables, and their rows as queries see them. */
import { CONTRACT_TABLES } from './contract-tables.ts';
import { DAY_TABLES } from './day-tables.ts';
import { LEDGER_TABLES } from './ledger-tables.ts';
import { SPOT_TABLES } from './spot-tables.ts';
import type { RowOf } from './table.ts';
import type { TableSet } from './table-set.ts';

export const TABLE_SETS: readonly TableSet[] = [
  SPOT_TABLES,
  CONTRACT_TABLES,
  LEDGER_TABLES,
  DAY_TABLES,
];

export const TABLES = [
  ...SPOT_TABLES.tables,
  ...CONTRACT_TABLES.tables,
  ...LEDGER_TABLES.tables,
  ...DAY_TABLES.tables,
] as const;

export type Database = {
  readonly [T in (typeof TABLES)[number] as T['name']]: RowOf<T>;
};
