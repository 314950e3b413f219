/**
 * The tables of the history as queries see them; migrations.ts creates them. Amounts are decimal
 * text: exact, without a largest value, and no query compares or adds them.
 */
import type { CloseReason, Force, OrderType, Side, Wallet } from '#domain';
import type { BillBiz, WalletKind } from '../port.ts';
import type { AmountText } from './amount-text.ts';
import type { ContractDatabase } from './contract-schema.ts';

/** One row: which venue this is the history of, and how far it has come. */
export interface MetaTable {
  readonly meta_id: number;
  readonly venue_id: string;
  readonly projected_seq: number;
}

/** What a trade's row needs to know about its pair. */
export interface InstrumentsTable {
  readonly instrument_id: number;
  readonly base_asset_id: number;
  readonly quote_asset_id: number;
  readonly base_units_per_lot: AmountText;
}

export interface OrdersTable {
  readonly order_id: number;
  readonly account_id: number;
  readonly instrument_id: number;
  readonly client_order_id: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly force: Force;
  readonly price_ticks: number;
  readonly size_lots: number;
  readonly quote_budget: AmountText;
  readonly filled_lots: number;
  readonly filled_quote: AmountText;
  readonly created_time_ms: number;
  readonly reason: CloseReason;
  readonly closed_seq: number;
  readonly closed_time_ms: number;
}

/**
 * One row per trade. The two fills and the four bills of a trade are not stored again: they are
 * what the row looks like from the buyer's and from the seller's side.
 */
export interface TradesTable {
  readonly trade_id: number;
  readonly instrument_id: number;
  readonly quote_asset_id: number;
  readonly price_ticks: number;
  readonly size_lots: number;
  readonly quote_amount: AmountText;
  readonly taker_side: Side;
  readonly taker_is_market: number;
  readonly buyer_account_id: number;
  readonly buyer_order_id: number;
  readonly buyer_fee: AmountText;
  readonly buyer_base_before: AmountText;
  readonly buyer_quote_before: AmountText;
  readonly seller_account_id: number;
  readonly seller_order_id: number;
  readonly seller_fee: AmountText;
  readonly seller_base_before: AmountText;
  readonly seller_quote_before: AmountText;
  readonly time_ms: number;
}

/** Balance changes that no trade made. */
export interface BalanceChangesTable {
  readonly bill_id: number;
  readonly account_id: number;
  readonly wallet: Wallet;
  readonly asset_id: number;
  readonly biz: BillBiz;
  readonly delta: AmountText;
  readonly balance_before: AmountText;
  readonly time_ms: number;
}

export interface TransfersTable {
  readonly transfer_id: number;
  readonly account_id: number;
  readonly asset_id: number;
  readonly amount: AmountText;
  readonly from_wallet: Wallet;
  readonly from_kind: WalletKind;
  readonly to_wallet: Wallet;
  readonly client_oid: string;
  readonly time_ms: number;
}

export interface CandlesTable {
  readonly instrument_id: number;
  readonly period_id: number;
  readonly open_time_ms: number;
  readonly open_ticks: number;
  readonly high_ticks: number;
  readonly low_ticks: number;
  readonly close_ticks: number;
  readonly base_lots: number;
  readonly quote_amount: AmountText;
}

export interface Database extends ContractDatabase {
  readonly meta: MetaTable;
  readonly instruments: InstrumentsTable;
  readonly orders: OrdersTable;
  readonly trades: TradesTable;
  readonly balance_changes: BalanceChangesTable;
  readonly transfers: TransfersTable;
  readonly candles: CandlesTable;
}
