/**
 * Migration 7: values that were named after one API get the names of the core. Not to be edited.
 */
import { LIQUIDATIONS, PLAN_ORDERS } from './contract-tables.ts';

interface Renaming {
  readonly table: typeof PLAN_ORDERS | typeof LIQUIDATIONS;
  readonly column: string;
  /** The new value as an expression over the old row. */
  readonly becomes: string;
  readonly where: string;
}

const RENAMINGS: readonly Renaming[] = [
  renaming(PLAN_ORDERS, 'purpose', 'plan', 'trigger'),
  renaming(PLAN_ORDERS, 'reason', 'other_preset_fired', 'other_tp_sl_fired'),
  renaming(LIQUIDATIONS, 'mode', 'fixed', 'isolated'),
  renaming(LIQUIDATIONS, 'mode', 'crossed', 'cross'),
];

function renaming(table: Renaming['table'], column: string, from: string, to: string): Renaming {
  return { table, column, becomes: `'${to}'`, where: `${column} = '${from}'` };
}

export function neutralNames(): string[] {
  return RENAMINGS.map(statement);
}

/** A row whose checksum was wrong must not be made sound by a new one. */
function statement({ table, column, becomes, where }: Renaming): string {
  const columns = table.namesAt(7);
  const renamed = columns.map((name) => (name === column ? becomes : name));
  return (
    `update ${table.name} set ${column} = ${becomes}, row_sum = case row_sum ` +
    `when row_sum(${columns.join(', ')}) then row_sum(${renamed.join(', ')}) else -1 end ` +
    `where ${where}`
  );
}
