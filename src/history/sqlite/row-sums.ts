/** Migration 6: a checksum of each row, also of those that are there. Not to be edited. */
import type { SchemaModule } from 'kysely';
import { CONTRACT_TABLES } from './contract-tables.ts';
import { FIRST_TABLES } from './first-tables.ts';

/** Columns that came after their table, in their order. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  plan_orders: ['closed_seq'],
  funding_rates: ['settled_seq'],
  contract_orders: ['filled_per_tick'],
};

export function addRowSums(schema: SchemaModule): string[] {
  const tables = [...FIRST_TABLES.tables, ...CONTRACT_TABLES.tables];
  return tables.flatMap(({ name, columns }) => {
    const summed = [...Object.keys(columns), ...(ADDED[name] ?? [])];
    const column = schema
      .alterTable(name)
      .addColumn('row_sum', 'integer', (definition) => definition.notNull().defaultTo(0));
    return [column.compile().sql, `update ${name} set row_sum = row_sum(${summed.join(', ')})`];
  });
}
