/** The statements that create a table and its indexes, with their names. */
import { SUM } from '../rows/row-sum.ts';
import type { Columns } from '../tables/table.ts';
import { type Described, type Index, nameOfIndex } from '../tables/table-set.ts';

/** Amounts are numbers of any size, so that reports can add them. */
const TYPES: Readonly<Record<Columns[string]['type'], 'bigint' | 'numeric' | 'text'>> = {
  integer: 'bigint',
  amount: 'numeric',
  text: 'text',
};

/** The type of a column of whole numbers, amounts or texts. */
export function typeOf({ type }: Columns[string]): string {
  return TYPES[type];
}

/** Every column is required. */
export function createTable({ name, key, columns }: Described): string {
  const typed = Object.entries(columns).map(
    ([column, kept]) => `${column} ${typeOf(kept)} not null`,
  );
  return `create table ${name} (${typed.join(', ')}, ${SUM} bigint not null, primary key (${key}))`;
}

export function createIndex(index: Index): string {
  const where = index.notEmpty === undefined ? '' : ` where ${index.notEmpty} <> ''`;
  return `create index ${nameOfIndex(index)} on ${index.on} (${index.columns})${where}`;
}
