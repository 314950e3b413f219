/**
 * Migration 8: the ledger of contract wallets, and the indexes of pages over all markets of an
 * account or over a span of time. Released: columns are only added, at the end.
 */
import {
  accountId,
  assetId,
  type HoldSide,
  type InstrumentId,
  instrumentId,
  orderId,
  tradeId,
  type Wallet,
} from '#domain';
import type { LedgerKind } from '../ledger-port.ts';
import {
  AMOUNT,
  added,
  type Column,
  NUMBER,
  Table,
  text,
  textOrNone,
  whole,
  wholeOrNone,
} from './table.ts';
import type { Index, TableSet } from './table-set.ts';

/** Markets are numbered from zero, so none is below it. */
const NO_INSTRUMENT = -1;
const MARKET_OR_NONE: Column<InstrumentId | undefined, number> = {
  type: 'integer',
  write: (value) => value ?? NO_INSTRUMENT,
  read: (stored) => (stored === NO_INSTRUMENT ? undefined : instrumentId(stored)),
};

/** Rows of earlier releases do not have it. */
const AMOUNT_OR_NONE: Column<bigint | undefined, string> = {
  type: 'text',
  write: (value) => (value === undefined ? '' : String(value)),
  read: (stored) => (stored === '' ? undefined : BigInt(stored)),
};

export const CONTRACT_LEDGER = new Table('contract_ledger', ['entry_id'], {
  /** In the order of the events, from 1. */
  entry_id: NUMBER,
  seq: NUMBER,
  account_id: whole(accountId),
  wallet: text<Wallet>(),
  asset_id: whole(assetId),
  instrument_id: MARKET_OR_NONE,
  kind: text<LedgerKind>(),
  side: textOrNone<HoldSide>(),
  order_id: wholeOrNone(orderId),
  trade_id: wholeOrNone(tradeId),
  fee: AMOUNT,
  delta: AMOUNT,
  balance: AMOUNT,
  time_ms: NUMBER,
  coin_balance: added(AMOUNT_OR_NONE, 11, ''),
});

function ledgerIndex(by: string, filters: readonly string[]): Index {
  return { on: 'contract_ledger', by, columns: [...filters, 'kind', 'time_ms', 'entry_id'] };
}

const INDEXES: readonly Index[] = [
  ledgerIndex('asset', ['account_id', 'asset_id']),
  ledgerIndex('instrument', ['account_id', 'instrument_id']),
  {
    on: 'contract_orders',
    by: 'account',
    columns: ['account_id', 'created_time_ms', 'order_id'],
  },
  {
    on: 'contract_orders',
    by: 'client',
    columns: ['account_id', 'client_order_id', 'order_id'],
    notEmpty: 'client_order_id',
  },
  { on: 'trigger_orders', by: 'account', columns: ['account_id', 'created_time_ms', 'order_id'] },
  // Written in their order: these find where a span of time begins and ends.
  { on: 'orders', by: 'time', columns: ['created_time_ms', 'order_id'] },
  { on: 'trades', by: 'time', columns: ['time_ms', 'trade_id'] },
  { on: 'contract_trades', by: 'time', columns: ['time_ms', 'trade_id'] },
  { on: 'balance_changes', by: 'time', columns: ['time_ms', 'bill_id'] },
];

export const ACCOUNT_TABLES = {
  tables: [CONTRACT_LEDGER],
  indexes: INDEXES,
  distinctValues: {
    account_id: 10_000,
    asset_id: 10,
    instrument_id: 100,
    kind: 10,
    client_order_id: 1_000,
  },
} as const satisfies TableSet;

/** Another index finds what this one did, and more. */
export const INDEX_DROPPED = 'contract_orders_by_client_id';
