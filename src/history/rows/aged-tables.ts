/**
 * Which rows leave a history when they are older than it is kept, and which of these stay all the
 * same: what later steps go on from, what live views begin with, and each account's last balance.
 * Candles of a day and longer stay, as do the days of before, which have a bound of their own.
 */
import { type RawBuilder, sql } from 'kysely';
import { CANDLE_PRICES, LIMITS, PERIODS } from '#domain';
import { LEDGER_KINDS } from '../ledger-port.ts';
import { candlePeriodId } from '../tables/spot-tables.ts';

const DAY_MS = 86_400_000;

/** Rows by a number that rises with time. */
export interface AgedTable {
  readonly name: string;
  readonly key: string;
  /** When the row was written. */
  readonly time: string;
  /** Never decreases along the key, and is never after `time`. */
  readonly began: string;
  /** A row that this holds of may go; any may without it. */
  readonly mayGo?: RawBuilder<boolean>;
  /** The newest rows of each market that stay, and which of its rows count as such. */
  readonly newestOfMarket?: { readonly count: number; readonly of: RawBuilder<boolean> };
}

/** Rows of series, each in the order of its time. */
export interface AgedSeries {
  readonly name: string;
  /** The columns of the key before the time. */
  readonly series: readonly string[];
  readonly time: string;
  /** The newest rows of each series that stay. */
  readonly newest: number;
  /** Whether rows of this series leave at all. */
  isAged(series: readonly number[]): boolean;
}

/** Both parties have a newer trade in this market, so that their last balance is in another row. */
const BOTH_TRADED_SINCE = sql<boolean>`${tradedSince('buyer')} and ${tradedSince('seller')}`;

function tradedSince(party: 'buyer' | 'seller'): RawBuilder<boolean> {
  const account = sql.ref(`trades.${party}_account_id`);
  const newer = (as: string) => sql`exists (select 1 from trades as newer
    where ${sql.ref(`newer.${as}_account_id`)} = ${account}
    and newer.instrument_id = trades.instrument_id and newer.trade_id > trades.trade_id)`;
  return sql`(${newer('buyer')} or ${newer('seller')})`;
}

const BALANCE_CHANGED_SINCE = sql<boolean>`exists (select 1 from balance_changes as newer
  where newer.account_id = balance_changes.account_id and newer.wallet = balance_changes.wallet
  and newer.asset_id = balance_changes.asset_id and newer.bill_id > balance_changes.bill_id)`;

/** The ledger goes on from the newest row of an account's coin: a step along an index each. */
const COIN_MOVED_SINCE = sql<boolean>`${sql.join(
  LEDGER_KINDS.map(
    (kind) => sql`exists (select 1 from contract_ledger as newer
      where newer.account_id = contract_ledger.account_id
      and newer.asset_id = contract_ledger.asset_id and newer.kind = ${sql.lit(kind)}
      and (newer.time_ms, newer.entry_id) > (contract_ledger.time_ms, contract_ledger.entry_id))`,
  ),
  sql` or `,
)}`;

/** By id: closed orders are written when they end, and begin in the order of their ids. */
const ORDERS_LIKE = { key: 'order_id', began: 'created_time_ms' } as const;
const AT_ONCE = { time: 'time_ms', began: 'time_ms' } as const;
const NEWEST_TRADES = { count: LIMITS.recentTradesMax } as const;

export const AGED_TABLES: readonly AgedTable[] = [
  { name: 'orders', ...ORDERS_LIKE, time: 'closed_time_ms' },
  { name: 'contract_orders', ...ORDERS_LIKE, time: 'closed_time_ms' },
  { name: 'trigger_orders', ...ORDERS_LIKE, time: 'updated_time_ms' },
  {
    name: 'trades',
    key: 'trade_id',
    ...AT_ONCE,
    mayGo: BOTH_TRADED_SINCE,
    newestOfMarket: { ...NEWEST_TRADES, of: sql`1 = 1` },
  },
  {
    name: 'contract_trades',
    key: 'trade_id',
    ...AT_ONCE,
    newestOfMarket: { ...NEWEST_TRADES, of: sql`in_book = 1` },
  },
  { name: 'balance_changes', key: 'bill_id', ...AT_ONCE, mayGo: BALANCE_CHANGED_SINCE },
  { name: 'transfers', key: 'transfer_id', ...AT_ONCE },
  {
    name: 'contract_ledger',
    key: 'entry_id',
    ...AT_ONCE,
    mayGo: COIN_MOVED_SINCE,
  },
  {
    name: 'liquidations',
    key: 'liquidation_id',
    ...AT_ONCE,
    // The next one is numbered after it.
    mayGo: sql`liquidation_id < (select max(liquidation_id) from liquidations)`,
  },
];

/** Shorter than a day. */
const AGED_PERIOD_IDS: ReadonlySet<number> = new Set(
  PERIODS.filter(({ lengthMs = DAY_MS }) => lengthMs < DAY_MS).flatMap((period) =>
    CANDLE_PRICES.map((price) => candlePeriodId(period, price)),
  ),
);

export const AGED_SERIES: readonly AgedSeries[] = [
  {
    name: 'candles',
    series: ['instrument_id', 'period_id'],
    time: 'open_time_ms',
    newest: LIMITS.historyCandlesMin,
    isAged: ([, periodId = 0]) => AGED_PERIOD_IDS.has(periodId),
  },
  {
    name: 'funding_rates',
    series: ['instrument_id'],
    time: 'funding_time_ms',
    newest: 1,
    isAged: () => true,
  },
];

/** Whether a row that is missing may have been removed for its age. */
export function mayBeRemoved(
  table: string,
  numberOf: (column: string) => number,
  keptFromMs: number,
): boolean {
  const aged = AGED_TABLES.find(({ name }) => name === table);
  if (aged !== undefined) return numberOf(aged.time) < keptFromMs;
  const kept = AGED_SERIES.find(({ name }) => name === table);
  if (kept === undefined || !kept.isAged(kept.series.map(numberOf))) return false;
  return numberOf(kept.time) < keptFromMs;
}
