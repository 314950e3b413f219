/** All tables, and their rows as queries see them. */
import { ACCOUNT_TABLES } from './account-tables.ts';
import { CONTRACT_TABLES } from './contract-tables.ts';
import { DAY_TABLES } from './day-tables.ts';
import { SPOT_TABLES } from './spot-tables.ts';
import type { RowOf } from './table.ts';

export const TABLES = [
  ...SPOT_TABLES.tables,
  ...CONTRACT_TABLES.tables,
  ...ACCOUNT_TABLES.tables,
  ...DAY_TABLES.tables,
] as const;

export type Database = {
  readonly [T in (typeof TABLES)[number] as T['name']]: RowOf<T>;
};
