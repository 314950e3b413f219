/**
 * Migration 2: what happened in contracts. As in the first tables, each page query has an index
 * that begins with its filters and ends with its order. Released, so not to be edited.
 */
import type { Index, Table, TableSet } from './table-statements.ts';

const TABLES: readonly Table[] = [
  {
    name: 'contract_orders',
    key: ['order_id'],
    columns: {
      order_id: 'integer',
      account_id: 'integer',
      instrument_id: 'integer',
      client_order_id: 'text',
      action: 'text',
      cause: 'text',
      type: 'text',
      force: 'text',
      price_ticks: 'integer',
      size_lots: 'integer',
      filled_lots: 'integer',
      filled_tick_lots: 'text',
      fee: 'text',
      realized_pnl: 'text',
      take_profit_ticks: 'integer',
      stop_loss_ticks: 'integer',
      leverage: 'integer',
      created_time_ms: 'integer',
      reason: 'text',
      closed_seq: 'integer',
      closed_time_ms: 'integer',
    },
  },
  {
    name: 'contract_trades',
    key: ['trade_id'],
    columns: {
      trade_id: 'integer',
      instrument_id: 'integer',
      in_book: 'integer',
      price_ticks: 'integer',
      size_lots: 'integer',
      quote_amount: 'text',
      taker_side: 'text',
      taker_account_id: 'integer',
      taker_order_id: 'integer',
      taker_action: 'text',
      taker_cause: 'text',
      taker_order_lots: 'integer',
      taker_fee: 'text',
      taker_realized_pnl: 'text',
      maker_account_id: 'integer',
      maker_order_id: 'integer',
      maker_action: 'text',
      maker_cause: 'text',
      maker_order_lots: 'integer',
      maker_fee: 'text',
      maker_realized_pnl: 'text',
      time_ms: 'integer',
    },
  },
  {
    name: 'plan_orders',
    key: ['order_id'],
    columns: {
      order_id: 'integer',
      account_id: 'integer',
      instrument_id: 'integer',
      client_order_id: 'text',
      action: 'text',
      purpose: 'text',
      type: 'text',
      trigger_ticks: 'integer',
      direction: 'text',
      execute_ticks: 'integer',
      size_lots: 'integer',
      created_price_ticks: 'integer',
      created_time_ms: 'integer',
      status: 'text',
      reason: 'text',
      placed_order_id: 'integer',
      executed_lots: 'integer',
      updated_time_ms: 'integer',
    },
  },
  {
    name: 'funding_rates',
    key: ['instrument_id', 'funding_time_ms'],
    columns: {
      instrument_id: 'integer',
      funding_time_ms: 'integer',
      rate_ppb: 'integer',
      mark_ticks: 'integer',
      collected: 'text',
      distributed: 'text',
      uncollected: 'text',
    },
  },
  {
    name: 'liquidations',
    key: ['liquidation_id'],
    columns: {
      liquidation_id: 'integer',
      seq: 'integer',
      time_ms: 'integer',
      account_id: 'integer',
      instrument_id: 'integer',
      mode: 'text',
      side: 'text',
      mark_ticks: 'integer',
      bankruptcy_ticks: 'integer',
      size_lots: 'integer',
      deleveraged_lots: 'integer',
      fund_delta: 'text',
    },
  },
];

const OF_ACCOUNT = ['account_id', 'instrument_id'];

function tradesIndex(by: string, filters: readonly string[]): Index {
  return { on: 'contract_trades', by, columns: [...filters, 'trade_id'] };
}

function plansIndex(by: string, filters: readonly string[]): Index {
  return { on: 'plan_orders', by, columns: [...filters, 'created_time_ms', 'order_id'] };
}

function liquidationsIndex(by: string, filters: readonly string[]): Index {
  return { on: 'liquidations', by, columns: [...filters, 'time_ms', 'liquidation_id'] };
}

const INDEXES: readonly Index[] = [
  {
    on: 'contract_orders',
    by: 'created',
    columns: [...OF_ACCOUNT, 'created_time_ms', 'order_id'],
  },
  {
    on: 'contract_orders',
    by: 'client_id',
    columns: [...OF_ACCOUNT, 'client_order_id', 'order_id'],
    notEmpty: 'client_order_id',
  },
  tradesIndex('instrument', ['instrument_id', 'in_book']),
  tradesIndex('taker', ['taker_account_id', 'instrument_id']),
  tradesIndex('taker_order', ['taker_order_id']),
  tradesIndex('maker', ['maker_account_id', 'instrument_id']),
  tradesIndex('maker_order', ['maker_order_id']),
  plansIndex('created', OF_ACCOUNT),
  plansIndex('action', [...OF_ACCOUNT, 'action']),
  liquidationsIndex('time', []),
  liquidationsIndex('instrument', ['instrument_id']),
];

export const CONTRACT_TABLES: TableSet = {
  tables: TABLES,
  indexes: INDEXES,
  distinctValues: {
    account_id: 10_000,
    taker_account_id: 10_000,
    maker_account_id: 10_000,
    instrument_id: 100,
    in_book: 2,
    action: 4,
    client_order_id: 1_000,
  },
};
