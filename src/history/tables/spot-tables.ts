/**
 * The tables of pairs and wallets, and of the history itself. Each page query has an index that
 * begins with its filters and ends with its order.
 */
import {
  accountId,
  assetId,
  type CandlePrice,
  type CloseReason,
  type Force,
  instrumentId,
  lots,
  type OrderType,
  orderId,
  type PeriodRow,
  type Side,
  ticks,
  tradeId,
  type Wallet,
} from '#domain';
import type { BillBiz, WalletKind } from '../words.ts';
import { AMOUNT, FLAG, NUMBER, Table, text, textOrNone, whole, wholeOrNone } from './table.ts';
import type { Index, TableSet } from './table-set.ts';

/** One row: which venue this is the history of, and how far it has come. */
export const META = new Table('meta', ['meta_id'], {
  meta_id: NUMBER,
  venue_id: text(),
  projected_seq: NUMBER,
  /** What is older may have been removed; 0 as long as nothing was. */
  kept_from_ms: NUMBER,
});

/** What a trade's row needs to know about its pair. */
export const INSTRUMENTS = new Table('instruments', ['instrument_id'], {
  instrument_id: whole(instrumentId),
  base_asset_id: whole(assetId),
  quote_asset_id: whole(assetId),
  base_units_per_lot: AMOUNT,
});

export const ORDERS = new Table('orders', ['order_id'], {
  order_id: whole(orderId),
  account_id: whole(accountId),
  instrument_id: whole(instrumentId),
  client_order_id: textOrNone(),
  side: text<Side>(),
  type: text<OrderType>(),
  force: text<Force>(),
  price_ticks: whole(ticks),
  size_lots: whole(lots),
  quote_budget: AMOUNT,
  filled_lots: whole(lots),
  filled_quote: AMOUNT,
  created_time_ms: NUMBER,
  reason: text<CloseReason>(),
  closed_seq: NUMBER,
  closed_time_ms: NUMBER,
});

/**
 * One row per trade. The two fills and the four bills of a trade are not stored again: they are
 * what the row looks like from the buyer's and from the seller's side.
 */
export const TRADES = new Table('trades', ['trade_id'], {
  trade_id: whole(tradeId),
  instrument_id: whole(instrumentId),
  quote_asset_id: whole(assetId),
  price_ticks: whole(ticks),
  size_lots: whole(lots),
  quote_amount: AMOUNT,
  taker_side: text<Side>(),
  taker_is_market: FLAG,
  buyer_account_id: whole(accountId),
  buyer_order_id: whole(orderId),
  buyer_fee: AMOUNT,
  buyer_base_before: AMOUNT,
  buyer_quote_before: AMOUNT,
  seller_account_id: whole(accountId),
  seller_order_id: whole(orderId),
  seller_fee: AMOUNT,
  seller_base_before: AMOUNT,
  seller_quote_before: AMOUNT,
  time_ms: NUMBER,
});

/** Balance changes that no trade made. */
export const BALANCE_CHANGES = new Table('balance_changes', ['bill_id'], {
  bill_id: NUMBER,
  account_id: whole(accountId),
  wallet: text<Wallet>(),
  asset_id: whole(assetId),
  biz: text<BillBiz>(),
  delta: AMOUNT,
  balance_before: AMOUNT,
  time_ms: NUMBER,
});

export const TRANSFERS = new Table('transfers', ['transfer_id'], {
  transfer_id: NUMBER,
  account_id: whole(accountId),
  asset_id: whole(assetId),
  amount: AMOUNT,
  from_wallet: text<Wallet>(),
  from_kind: text<WalletKind>(),
  to_wallet: text<Wallet>(),
  from_named: text<Wallet>(),
  to_named: text<Wallet>(),
  client_oid: textOrNone(),
  time_ms: NUMBER,
});

export const CANDLES = new Table('candles', ['instrument_id', 'period_id', 'open_time_ms'], {
  instrument_id: whole(instrumentId),
  period_id: NUMBER,
  open_time_ms: NUMBER,
  open_ticks: whole(ticks),
  high_ticks: whole(ticks),
  low_ticks: whole(ticks),
  close_ticks: whole(ticks),
  base_lots: whole(lots),
  quote_amount: AMOUNT,
  trades_count: NUMBER,
  taker_buy_lots: whole(lots),
  taker_buy_quote: AMOUNT,
  /** None of a price that nothing was traded at. */
  first_trade_id: wholeOrNone(tradeId),
  last_trade_id: wholeOrNone(tradeId),
});

/** What is added to the id of a period for candles of other prices than the last. */
const PRICE_IDS: Readonly<Record<CandlePrice, number>> = { last: 0, mark: 100, index: 200 };

/** The period_id of a period's candles of one kind of price. */
export function candlePeriodId({ id }: Pick<PeriodRow, 'id'>, price: CandlePrice): number {
  return id + PRICE_IDS[price];
}

function ordersIndex(by: string, filters: readonly string[]): Index {
  return { on: 'orders', by, columns: [...filters, 'order_id'] };
}

function tradesIndex(by: string, filters: readonly string[]): Index {
  return { on: 'trades', by, columns: [...filters, 'trade_id'] };
}

/** How pages of an account's fills in a pair go: by order. */
function fillsIndex(party: 'buyer' | 'seller'): Index {
  const filters = [`${party}_account_id`, 'instrument_id', `${party}_order_id`];
  return tradesIndex(`${party}_fill`, filters);
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
  // Written in their order: indexes by time find where a span of it begins and ends.
  { on: 'orders', by: 'time', columns: ['created_time_ms', 'order_id'] },
  tradesIndex('instrument', ['instrument_id']),
  tradesIndex('buyer_order', ['buyer_order_id']),
  tradesIndex('buyer_instrument', ['buyer_account_id', 'instrument_id']),
  tradesIndex('buyer_quote', ['buyer_account_id', 'quote_asset_id']),
  tradesIndex('seller_order', ['seller_order_id']),
  tradesIndex('seller_instrument', ['seller_account_id', 'instrument_id']),
  tradesIndex('seller_quote', ['seller_account_id', 'quote_asset_id']),
  fillsIndex('buyer'),
  fillsIndex('seller'),
  { on: 'trades', by: 'time', columns: ['time_ms', 'trade_id'] },
  changesIndex('wallet', []),
  changesIndex('asset', ['asset_id']),
  changesIndex('biz', ['biz']),
  changesIndex('asset_and_biz', ['asset_id', 'biz']),
  { on: 'balance_changes', by: 'time', columns: ['time_ms', 'bill_id'] },
  transfersIndex('account', []),
  transfersIndex('asset', ['asset_id']),
  transfersIndex('from_kind', ['from_kind']),
  transfersIndex('asset_and_from_kind', ['asset_id', 'from_kind']),
  { ...transfersIndex('client_oid', ['client_oid']), notEmpty: 'client_oid' },
];

export const SPOT_TABLES = {
  tables: [META, INSTRUMENTS, ORDERS, TRADES, BALANCE_CHANGES, TRANSFERS, CANDLES],
  indexes: INDEXES,
  distinctValues: {
    account_id: 10_000,
    buyer_account_id: 10_000,
    seller_account_id: 10_000,
    buyer_order_id: 1_000_000,
    seller_order_id: 1_000_000,
    instrument_id: 100,
    asset_id: 100,
    quote_asset_id: 10,
    wallet: 10,
    biz: 4,
    from_kind: 2,
    client_order_id: 1_000,
    client_oid: 1_000,
  },
} as const satisfies TableSet;
