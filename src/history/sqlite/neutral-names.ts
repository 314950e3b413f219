/**
 * Migration 7: values that were named after one API get the names of the core. Not to be edited.
 */
import {
  CONTRACT_ORDERS,
  CONTRACT_TRADES,
  LIQUIDATIONS,
  TRIGGER_ORDERS,
} from '../tables/contract-tables.ts';
import { BALANCE_CHANGES, TRANSFERS } from '../tables/spot-tables.ts';

interface Named {
  readonly name: string;
  namesAt(version: number): readonly string[];
}

interface Renaming {
  readonly table: Named;
  readonly column: string;
  /** The new value as an expression over the old row. */
  readonly becomes: string;
  readonly where: string;
}

/** An account that was closed against itself; it had the cause of deleveraging. */
const OF_ONE_ACCOUNT = 'in_book = 0 and taker_account_id = maker_account_id';
const ORDERS_NETTED =
  `select taker_order_id from contract_trades where ${OF_ONE_ACCOUNT} union all ` +
  `select maker_order_id from contract_trades where ${OF_ONE_ACCOUNT}`;

const RENAMINGS: readonly Renaming[] = [
  renaming(TRIGGER_ORDERS, 'purpose', 'plan', 'trigger'),
  renaming(TRIGGER_ORDERS, 'reason', 'other_preset_fired', 'other_tp_sl_fired'),
  renaming(LIQUIDATIONS, 'mode', 'fixed', 'isolated'),
  renaming(LIQUIDATIONS, 'mode', 'crossed', 'cross'),
  wallets(BALANCE_CHANGES, 'wallet'),
  wallets(TRANSFERS, 'from_wallet'),
  wallets(TRANSFERS, 'to_wallet'),
  renaming(TRANSFERS, 'from_kind', 'EXCHANGE', 'spot'),
  renaming(TRANSFERS, 'from_kind', 'CONTRACT', 'contract'),
  netting(CONTRACT_ORDERS, 'cause', `order_id in (${ORDERS_NETTED})`),
  netting(CONTRACT_TRADES, 'taker_cause', OF_ONE_ACCOUNT),
  netting(CONTRACT_TRADES, 'maker_cause', OF_ONE_ACCOUNT),
];

function renaming(table: Named, column: string, from: string, to: string): Renaming {
  return { table, column, becomes: `'${to}'`, where: `${column} = '${from}'` };
}

/** Wallets of contracts: cmt_btcusdt becomes BTCUSDT-PERP. */
function wallets(table: Named, column: string): Renaming {
  const becomes = `upper(substr(${column}, 5)) || '-PERP'`;
  return { table, column, becomes, where: `substr(${column}, 1, 4) = 'cmt_'` };
}

function netting(table: Named, column: string, where: string): Renaming {
  const wasForced = `${column} = 'deleveraging'`;
  return { table, column, becomes: "'netting'", where: `${wasForced} and ${where}` };
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
