/** The tables of contracts as queries see them; contract-tables.ts creates them. */
import type {
  ContractAction,
  ContractCloseReason,
  Force,
  HoldSide,
  MarginMode,
  OrderCause,
  OrderType,
  Side,
  TriggerDirection,
  TriggerOrderClosed,
  TriggerPurpose,
} from '#domain';
import type { AmountText } from './amount-text.ts';

export interface ContractOrdersTable {
  readonly order_id: number;
  readonly account_id: number;
  readonly instrument_id: number;
  readonly client_order_id: string;
  readonly action: ContractAction;
  readonly cause: OrderCause;
  readonly type: OrderType;
  readonly force: Force;
  readonly price_ticks: number;
  readonly size_lots: number;
  readonly filled_lots: number;
  readonly filled_tick_lots: AmountText;
  /** Zero in rows from before it was kept. */
  readonly filled_per_tick: AmountText;
  readonly fee: AmountText;
  readonly realized_pnl: AmountText;
  readonly take_profit_ticks: number;
  readonly stop_loss_ticks: number;
  readonly leverage: number;
  readonly created_time_ms: number;
  readonly reason: ContractCloseReason;
  readonly closed_seq: number;
  readonly closed_time_ms: number;
}

/** One row per trade: its two fills are what the row looks like from either party's side. */
export interface ContractTradesTable {
  readonly trade_id: number;
  readonly instrument_id: number;
  /** 0 for deleveraging, which the public does not see. */
  readonly in_book: number;
  readonly price_ticks: number;
  readonly size_lots: number;
  readonly quote_amount: AmountText;
  readonly taker_side: Side;
  readonly taker_account_id: number;
  readonly taker_order_id: number;
  readonly taker_action: ContractAction;
  readonly taker_cause: OrderCause;
  readonly taker_order_lots: number;
  readonly taker_fee: AmountText;
  readonly taker_realized_pnl: AmountText;
  readonly maker_account_id: number;
  readonly maker_order_id: number;
  readonly maker_action: ContractAction;
  readonly maker_cause: OrderCause;
  readonly maker_order_lots: number;
  readonly maker_fee: AmountText;
  readonly maker_realized_pnl: AmountText;
  readonly time_ms: number;
}

export interface PlanOrdersTable {
  readonly order_id: number;
  readonly account_id: number;
  readonly instrument_id: number;
  readonly client_order_id: string;
  readonly action: ContractAction;
  readonly purpose: TriggerPurpose;
  readonly type: OrderType;
  readonly trigger_ticks: number;
  readonly direction: TriggerDirection;
  readonly execute_ticks: number;
  readonly size_lots: number;
  readonly created_price_ticks: number;
  readonly created_time_ms: number;
  readonly status: TriggerOrderClosed['status'];
  readonly reason: string;
  /** Zero when it became no order. */
  readonly placed_order_id: number;
  readonly executed_lots: number;
  readonly updated_time_ms: number;
  readonly closed_seq: number;
}

export interface FundingRatesTable {
  readonly instrument_id: number;
  readonly funding_time_ms: number;
  readonly rate_ppb: number;
  readonly mark_ticks: number;
  readonly collected: AmountText;
  readonly distributed: AmountText;
  readonly uncollected: AmountText;
  readonly settled_seq: number;
}

export interface LiquidationsTable {
  /** In the order of the events, from 1. */
  readonly liquidation_id: number;
  readonly seq: number;
  readonly time_ms: number;
  readonly account_id: number;
  readonly instrument_id: number;
  readonly mode: MarginMode;
  readonly side: HoldSide;
  readonly mark_ticks: number;
  readonly bankruptcy_ticks: number;
  readonly size_lots: number;
  readonly deleveraged_lots: number;
  readonly fund_delta: AmountText;
}

export interface ContractDatabase {
  readonly contract_orders: ContractOrdersTable;
  readonly contract_trades: ContractTradesTable;
  readonly plan_orders: PlanOrdersTable;
  readonly funding_rates: FundingRatesTable;
  readonly liquidations: LiquidationsTable;
}
