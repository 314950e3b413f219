/**
 * Migration 1: the tables and indexes of the first release. Each page query has an index that
 * begins with its filters and ends with its order. Released, so not to be edited.
 */
import type { Index, Table, TableSet } from './table-statements.ts';

const TABLES: readonly Table[] = [
  {
    name: 'meta',
    key: ['meta_id'],
    columns: { meta_id: 'integer', venue_id: 'text', projected_seq: 'integer' },
  },
  {
    name: 'instruments',
    key: ['instrument_id'],
    columns: {
      instrument_id: 'integer',
      base_asset_id: 'integer',
      quote_asset_id: 'integer',
      base_units_per_lot: 'text',
    },
  },
  {
    name: 'orders',
    key: ['order_id'],
    columns: {
      order_id: 'integer',
      account_id: 'integer',
      instrument_id: 'integer',
      client_order_id: 'text',
      side: 'text',
      type: 'text',
      force: 'text',
      price_ticks: 'integer',
      size_lots: 'integer',
      quote_budget: 'text',
      filled_lots: 'integer',
      filled_quote: 'text',
      created_time_ms: 'integer',
      reason: 'text',
      closed_seq: 'integer',
      closed_time_ms: 'integer',
    },
  },
  {
    name: 'trades',
    key: ['trade_id'],
    columns: {
      trade_id: 'integer',
      instrument_id: 'integer',
      quote_asset_id: 'integer',
      price_ticks: 'integer',
      size_lots: 'integer',
      quote_amount: 'text',
      taker_side: 'text',
      taker_is_market: 'integer',
      buyer_account_id: 'integer',
      buyer_order_id: 'integer',
      buyer_fee: 'text',
      buyer_base_before: 'text',
      buyer_quote_before: 'text',
      seller_account_id: 'integer',
      seller_order_id: 'integer',
      seller_fee: 'text',
      seller_base_before: 'text',
      seller_quote_before: 'text',
      time_ms: 'integer',
    },
  },
  {
    name: 'balance_changes',
    key: ['bill_id'],
    columns: {
      bill_id: 'integer',
      account_id: 'integer',
      wallet: 'text',
      asset_id: 'integer',
      biz: 'text',
      delta: 'text',
      balance_before: 'text',
      time_ms: 'integer',
    },
  },
  {
    name: 'transfers',
    key: ['transfer_id'],
    columns: {
      transfer_id: 'integer',
      account_id: 'integer',
      asset_id: 'integer',
      amount: 'text',
      from_wallet: 'text',
      from_kind: 'text',
      to_wallet: 'text',
      client_oid: 'text',
      time_ms: 'integer',
    },
  },
  {
    name: 'candles',
    key: ['instrument_id', 'period_id', 'open_time_ms'],
    columns: {
      instrument_id: 'integer',
      period_id: 'integer',
      open_time_ms: 'integer',
      open_ticks: 'integer',
      high_ticks: 'integer',
      low_ticks: 'integer',
      close_ticks: 'integer',
      base_lots: 'integer',
      quote_amount: 'text',
    },
  },
];

function ordersIndex(by: string, filters: readonly string[]): Index {
  return { on: 'orders', by, columns: [...filters, 'order_id'] };
}

function tradesIndex(by: string, filters: readonly string[]): Index {
  return { on: 'trades', by, columns: [...filters, 'trade_id'] };
}

function changesIndex(by: string, filters: readonly string[]): Index {
  return { on: 'balance_changes', by, columns: ['account_id', 'wallet', ...filters, 'bill_id'] };
}

function transfersIndex(by: string, filters: readonly string[]): Index {
  return { on: 'transfers', by, columns: ['account_id', ...filters, 'time_ms', 'transfer_id'] };
}

const INDEXES: readonly Index[] = [
  ordersIndex('account', ['account_id']),
  ordersIndex('instrument', ['account_id', 'instrument_id']),
  {
    ...ordersIndex('client_id', ['account_id', 'client_order_id', 'instrument_id']),
    notEmpty: 'client_order_id',
  },
  tradesIndex('instrument', ['instrument_id']),
  tradesIndex('buyer_order', ['buyer_order_id']),
  tradesIndex('buyer_instrument', ['buyer_account_id', 'instrument_id']),
  tradesIndex('buyer_quote', ['buyer_account_id', 'quote_asset_id']),
  tradesIndex('seller_order', ['seller_order_id']),
  tradesIndex('seller_instrument', ['seller_account_id', 'instrument_id']),
  tradesIndex('seller_quote', ['seller_account_id', 'quote_asset_id']),
  changesIndex('wallet', []),
  changesIndex('asset', ['asset_id']),
  changesIndex('biz', ['biz']),
  changesIndex('asset_and_biz', ['asset_id', 'biz']),
  transfersIndex('account', []),
  transfersIndex('asset', ['asset_id']),
  transfersIndex('from_kind', ['from_kind']),
  transfersIndex('asset_and_from_kind', ['asset_id', 'from_kind']),
  { ...transfersIndex('client_oid', ['client_oid']), notEmpty: 'client_oid' },
];

export const FIRST_TABLES: TableSet = {
  tables: TABLES,
  indexes: INDEXES,
  distinctValues: {
    account_id: 10_000,
    buyer_account_id: 10_000,
    seller_account_id: 10_000,
    instrument_id: 100,
    asset_id: 100,
    quote_asset_id: 10,
    wallet: 10,
    biz: 4,
    from_kind: 2,
    client_order_id: 1_000,
    client_oid: 1_000,
  },
};
