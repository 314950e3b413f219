/**
 * Migration 7: values that were named after one API get the names of the core. Not to be edited.
 */
import { present } from '#kernel';
import { CONTRACT_TABLES } from './contract-tables.ts';
import { FIRST_TABLES } from './first-tables.ts';
import { summedColumns } from './row-sums.ts';

interface Renaming {
  readonly table: string;
  readonly column: string;
  /** The new value as an expression over the old row. */
  readonly becomes: string;
  readonly where: string;
}

const RENAMINGS: readonly Renaming[] = [
  renaming('plan_orders', 'purpose', 'plan', 'trigger'),
  renaming('plan_orders', 'reason', 'other_preset_fired', 'other_tp_sl_fired'),
  renaming('liquidations', 'mode', 'fixed', 'isolated'),
  renaming('liquidations', 'mode', 'crossed', 'cross'),
];

function renaming(table: string, column: string, from: string, to: string): Renaming {
  return { table, column, becomes: `'${to}'`, where: `${column} = '${from}'` };
}

export function neutralNames(): string[] {
  return RENAMINGS.map(statement);
}

/** A row whose checksum was wrong must not be made sound by a new one. */
function statement({ table, column, becomes, where }: Renaming): string {
  const columns = columnsOf(table);
  const renamed = columns.map((name) => (name === column ? becomes : name));
  return (
    `update ${table} set ${column} = ${becomes}, row_sum = case row_sum ` +
    `when row_sum(${columns.join(', ')}) then row_sum(${renamed.join(', ')}) else -1 end ` +
    `where ${where}`
  );
}

function columnsOf(table: string): string[] {
  const tables = [...FIRST_TABLES.tables, ...CONTRACT_TABLES.tables];
  return summedColumns(
    present(
      tables.find(({ name }) => name === table),
      table,
    ),
  );
}
