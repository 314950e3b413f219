/** Tables read as a whole, a page of rows along the key at a time. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type {
  ExportMark,
  ExportQuery,
  ExportReader,
  ExportRecords,
  ExportRows,
  ExportTable,
} from '../export-port.ts';
import { assertLimit } from '../range.ts';
import { CONTRACT_ORDERS, CONTRACT_TRADES, LIQUIDATIONS } from '../tables/contract-tables.ts';
import { CONTRACT_LEDGER } from '../tables/ledger-tables.ts';
import type { Database } from '../tables/schema.ts';
import { BALANCE_CHANGES, ORDERS, TRADES, TRANSFERS } from '../tables/spot-tables.ts';

interface Exported<T extends ExportTable> {
  readonly key: string;
  readonly time: string;
  readonly accounts: readonly string[];
  readonly market?: string;
  /** Rows may come before the last key later on: the command that wrote them says which. */
  readonly seq?: string;
  read(row: never): ExportRecords[T];
}

const ACCOUNT = ['account_id'];

const EXPORTED: { readonly [T in ExportTable]: Exported<T> } = {
  orders: {
    key: 'order_id',
    time: 'closed_time_ms',
    accounts: ACCOUNT,
    market: 'instrument_id',
    seq: 'closed_seq',
    read: (row) => ORDERS.read(row),
  },
  trades: {
    key: 'trade_id',
    time: 'time_ms',
    accounts: ['buyer_account_id', 'seller_account_id'],
    market: 'instrument_id',
    read: (row) => TRADES.read(row),
  },
  balance_changes: {
    key: 'bill_id',
    time: 'time_ms',
    accounts: ACCOUNT,
    read: (row) => BALANCE_CHANGES.read(row),
  },
  transfers: {
    key: 'transfer_id',
    time: 'time_ms',
    accounts: ACCOUNT,
    read: (row) => TRANSFERS.read(row),
  },
  contract_orders: {
    key: 'order_id',
    time: 'closed_time_ms',
    accounts: ACCOUNT,
    market: 'instrument_id',
    seq: 'closed_seq',
    read: (row) => CONTRACT_ORDERS.read(row),
  },
  contract_trades: {
    key: 'trade_id',
    time: 'time_ms',
    accounts: ['taker_account_id', 'maker_account_id'],
    market: 'instrument_id',
    read: (row) => CONTRACT_TRADES.read(row),
  },
  contract_ledger: {
    key: 'entry_id',
    time: 'time_ms',
    accounts: ACCOUNT,
    market: 'instrument_id',
    seq: 'seq',
    read: (row) => CONTRACT_LEDGER.read(row),
  },
  liquidations: {
    key: 'liquidation_id',
    time: 'time_ms',
    accounts: ACCOUNT,
    market: 'instrument_id',
    seq: 'seq',
    read: (row) => LIQUIDATIONS.read(row),
  },
};

export function wholeTables(db: Kysely<Database>): Omit<ExportReader, 'exportSeries'> {
  return {
    exportMark: () => markOf(db),
    exportRows: (query) => rowsOf(db, query),
  };
}

/** In one statement, so that all of it is of one moment. */
async function markOf(db: Kysely<Database>): Promise<ExportMark> {
  const ends = Object.entries(EXPORTED).map(
    ([name, { key }]) =>
      sql`select ${sql.lit(name)} as part, coalesce(max(${sql.ref(key)}), 0) as last
        from ${sql.table(name)}`,
  );
  const all = sql.join(
    [...ends, sql`select 'meta' as part, projected_seq as last from meta`],
    sql` union all `,
  );
  const { rows } = await sql<{ part: string; last: number }>`${all}`.execute(db);
  const found = new Map(rows.map(({ part, last }) => [part, Number(last)]));
  const last = (table: ExportTable) => found.get(table) ?? 0;
  return {
    seq: found.get('meta') ?? 0,
    lastKeys: {
      orders: last('orders'),
      trades: last('trades'),
      balance_changes: last('balance_changes'),
      transfers: last('transfers'),
      contract_orders: last('contract_orders'),
      contract_trades: last('contract_trades'),
      contract_ledger: last('contract_ledger'),
      liquidations: last('liquidations'),
    },
  };
}

async function rowsOf<T extends ExportTable>(
  db: Kysely<Database>,
  query: ExportQuery<T>,
): Promise<ExportRows<T>> {
  assertLimit(query.limit);
  const { table, afterKey, limit } = query;
  const { key, read } = EXPORTED[table];
  const where = sql.join(conditionsOf(query), sql` and `);
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}
    where ${where} order by ${sql.ref(key)} limit ${limit}`.execute(db);
  const records = rows.map((row) => read(row as never));
  return { rows: records, lastKey: Number(rows.at(-1)?.[key] ?? afterKey) };
}

function conditionsOf<T extends ExportTable>(query: ExportQuery<T>): RawBuilder<unknown>[] {
  const { table, mark, afterKey, accountIds, instrumentIds, fromMs, beforeMs } = query;
  const { key, time, accounts, market, seq }: Exported<T> = EXPORTED[table];
  const found = [
    sql`${sql.ref(key)} > ${afterKey}`,
    sql`${sql.ref(key)} <= ${mark.lastKeys[table]}`,
  ];
  if (seq !== undefined) found.push(sql`${sql.ref(seq)} <= ${mark.seq}`);
  if (fromMs !== undefined) found.push(sql`${sql.ref(time)} >= ${fromMs}`);
  if (beforeMs !== undefined) found.push(sql`${sql.ref(time)} < ${beforeMs}`);
  if (accountIds !== undefined) {
    const parties = accounts.map((column) => isOneOf(column, accountIds));
    found.push(sql`(${sql.join(parties, sql` or `)})`);
  }
  if (instrumentIds !== undefined) {
    found.push(market === undefined ? sql`1 = 0` : isOneOf(market, instrumentIds));
  }
  return found;
}

export function isOneOf(column: string, values: readonly number[]): RawBuilder<unknown> {
  if (values.length === 0) return sql`1 = 0`;
  return sql`${sql.ref(column)} in (${sql.join(values)})`;
}
