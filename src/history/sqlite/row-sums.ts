/** Migration 6: a checksum of each row, also of those that are there. Not to be edited. */
import type { SchemaModule } from 'kysely';
import { CONTRACT_TABLES } from './contract-tables.ts';
import { FIRST_TABLES } from './first-tables.ts';
import type { Table } from './table-statements.ts';

/** Columns that came after their table, in their order. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  plan_orders: ['closed_seq'],
  funding_rates: ['settled_seq'],
  contract_orders: ['filled_per_tick'],
};

/** The columns of a table at this migration, in their order, without the checksum. */
export function summedColumns({ name, columns }: Table): string[] {
  return [...Object.keys(columns), ...(ADDED[name] ?? [])];
}

export function addRowSums(schema: SchemaModule): string[] {
  const tables = [...FIRST_TABLES.tables, ...CONTRACT_TABLES.tables];
  return tables.flatMap((table) => {
    const { name } = table;
    const summed = summedColumns(table);
    const column = schema
      .alterTable(name)
      .addColumn('row_sum', 'integer', (definition) => definition.notNull().defaultTo(0));
    return [column.compile().sql, `update ${name} set row_sum = row_sum(${summed.join(', ')})`];
  });
}
