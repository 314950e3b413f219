/** The tables of what happened in contracts, as those of pairs. */
import {
  accountId,
  type ContractAction,
  type ContractCloseReason,
  type Force,
  type FundPayment,
  type HoldSide,
  instrumentId,
  lots,
  type MarginMode,
  type OrderCause,
  type OrderType,
  orderId,
  type Side,
  type TriggerDirection,
  type TriggerIntent,
  type TriggerOrderClosed,
  type TriggerPurpose,
  ticks,
  tradeId,
  type WorkingPrice,
} from '#domain';
import {
  AMOUNT,
  type Column,
  FLAG,
  NUMBER,
  Table,
  text,
  textOrNone,
  whole,
  wholeOrNone,
} from './table.ts';
import type { Index, TableSet } from './table-set.ts';

export const CONTRACT_ORDERS = new Table('contract_orders', ['order_id'], {
  order_id: whole(orderId),
  account_id: whole(accountId),
  instrument_id: whole(instrumentId),
  client_order_id: textOrNone(),
  action: text<ContractAction>(),
  cause: text<OrderCause>(),
  type: text<OrderType>(),
  force: text<Force>(),
  price_ticks: whole(ticks),
  size_lots: whole(lots),
  filled_lots: whole(lots),
  filled_tick_lots: AMOUNT,
  fee: AMOUNT,
  realized_pnl: AMOUNT,
  take_profit_ticks: wholeOrNone(ticks),
  stop_loss_ticks: wholeOrNone(ticks),
  leverage: NUMBER,
  created_time_ms: NUMBER,
  reason: text<ContractCloseReason>(),
  closed_seq: NUMBER,
  closed_time_ms: NUMBER,
  // What the average price of an inverse order is made of.
  filled_per_tick: AMOUNT,
});

/** One row per trade: its two fills are what the row looks like from either party's side. */
export const CONTRACT_TRADES = new Table('contract_trades', ['trade_id'], {
  trade_id: whole(tradeId),
  instrument_id: whole(instrumentId),
  /** False for deleveraging, which the public does not see. */
  in_book: FLAG,
  price_ticks: whole(ticks),
  size_lots: whole(lots),
  quote_amount: AMOUNT,
  taker_side: text<Side>(),
  taker_account_id: whole(accountId),
  taker_order_id: whole(orderId),
  taker_action: text<ContractAction>(),
  taker_cause: text<OrderCause>(),
  taker_order_lots: whole(lots),
  taker_fee: AMOUNT,
  taker_realized_pnl: AMOUNT,
  maker_account_id: whole(accountId),
  maker_order_id: whole(orderId),
  maker_action: text<ContractAction>(),
  maker_cause: text<OrderCause>(),
  maker_order_lots: whole(lots),
  maker_fee: AMOUNT,
  maker_realized_pnl: AMOUNT,
  time_ms: NUMBER,
});

export const TRIGGER_ORDERS = new Table('trigger_orders', ['order_id'], {
  order_id: whole(orderId),
  account_id: whole(accountId),
  instrument_id: whole(instrumentId),
  client_order_id: textOrNone(),
  action: text<ContractAction>(),
  purpose: text<TriggerPurpose>(),
  type: text<OrderType>(),
  trigger_ticks: whole(ticks),
  direction: text<TriggerDirection>(),
  execute_ticks: whole(ticks),
  size_lots: whole(lots),
  created_price_ticks: whole(ticks),
  created_time_ms: NUMBER,
  status: text<TriggerOrderClosed['status']>(),
  reason: text(),
  placed_order_id: wholeOrNone(orderId),
  executed_lots: whole(lots),
  updated_time_ms: NUMBER,
  // Which command wrote the row: a reset to a checkpoint takes back the later ones.
  closed_seq: NUMBER,
  working_price: text<WorkingPrice>(),
  take_profit_ticks: wholeOrNone(ticks),
  take_profit_working: text<WorkingPrice>(),
  stop_loss_ticks: wholeOrNone(ticks),
  stop_loss_working: text<WorkingPrice>(),
  intent: textOrNone<TriggerIntent>(),
});

export const FUNDING_RATES = new Table('funding_rates', ['instrument_id', 'funding_time_ms'], {
  instrument_id: whole(instrumentId),
  funding_time_ms: NUMBER,
  rate_ppb: NUMBER,
  mark_ticks: whole(ticks),
  collected: AMOUNT,
  distributed: AMOUNT,
  uncollected: AMOUNT,
  settled_seq: NUMBER,
  skipped_count: NUMBER,
});

/** Accounts and amounts in the smallest unit, as "7:12500000 9:3000". */
const PAYMENTS: Column<readonly FundPayment[], string> = {
  type: 'text',
  write: (payments) => payments.map((one) => `${one.accountId}:${one.amount}`).join(' '),
  read: (stored) =>
    stored
      .split(' ')
      .filter((payment) => payment !== '')
      .map((payment) => {
        const [account = '', amount = ''] = payment.split(':');
        return { accountId: accountId(Number(account)), amount: BigInt(amount) };
      }),
};

export const LIQUIDATIONS = new Table('liquidations', ['liquidation_id'], {
  /** In the order of the events, from 1. */
  liquidation_id: NUMBER,
  seq: NUMBER,
  time_ms: NUMBER,
  account_id: whole(accountId),
  instrument_id: whole(instrumentId),
  mode: text<MarginMode>(),
  side: text<HoldSide>(),
  mark_ticks: whole(ticks),
  bankruptcy_ticks: whole(ticks),
  size_lots: whole(lots),
  deleveraged_lots: whole(lots),
  fund_delta: AMOUNT,
  paid_to: PAYMENTS,
});

const OF_ACCOUNT = ['account_id', 'instrument_id'];

function tradesIndex(by: string, filters: readonly string[]): Index {
  return { on: 'contract_trades', by, columns: [...filters, 'trade_id'] };
}

function triggersIndex(by: string, filters: readonly string[]): Index {
  return { on: 'trigger_orders', by, columns: [...filters, 'created_time_ms', 'order_id'] };
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
    by: 'account',
    columns: ['account_id', 'created_time_ms', 'order_id'],
  },
  {
    on: 'contract_orders',
    by: 'client',
    columns: ['account_id', 'client_order_id', 'order_id'],
    notEmpty: 'client_order_id',
  },
  tradesIndex('instrument', ['instrument_id', 'in_book']),
  tradesIndex('taker', ['taker_account_id', 'instrument_id']),
  tradesIndex('taker_order', ['taker_order_id']),
  tradesIndex('maker', ['maker_account_id', 'instrument_id']),
  tradesIndex('maker_order', ['maker_order_id']),
  { on: 'contract_trades', by: 'time', columns: ['time_ms', 'trade_id'] },
  triggersIndex('account', ['account_id']),
  triggersIndex('created', OF_ACCOUNT),
  triggersIndex('action', [...OF_ACCOUNT, 'action']),
  {
    on: 'trigger_orders',
    by: 'client',
    columns: ['account_id', 'client_order_id', 'order_id'],
    notEmpty: 'client_order_id',
  },
  liquidationsIndex('time', []),
  liquidationsIndex('instrument', ['instrument_id']),
];

export const CONTRACT_TABLES = {
  tables: [CONTRACT_ORDERS, CONTRACT_TRADES, TRIGGER_ORDERS, FUNDING_RATES, LIQUIDATIONS],
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
} as const satisfies TableSet;
