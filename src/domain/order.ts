/** A spot order as the rest of the venue sees it. */
import {
  type AccountId,
  type Amount,
  type InstrumentId,
  type Lots,
  type OrderId,
  type Ticks,
  ZERO_LOTS,
} from './units.ts';

export type Side = 'buy' | 'sell';
export type OrderType = 'limit' | 'market';
/** Time in force. Market orders are always immediate-or-cancel. */
export type Force = 'gtc' | 'post_only' | 'fok' | 'ioc';
export type OrderStatus = 'new' | 'partial_fill' | 'full_fill' | 'cancelled';

/** Why an order left the book, or never reached it, without having filled. */
export const CANCEL_REASONS = [
  'cancelled_by_owner',
  'cancelled_by_operator',
  'self_trade',
  'post_only_would_take',
  'fok_not_fillable',
  'remainder_not_filled',
  /** It traded with as many resting orders as one order may, and more were there to take. */
  'match_limit',
  /** Its market was halted while it was still being matched. */
  'market_halted',
  /** What a market order would have to take next lies beyond the price band. */
  'beyond_price_band',
] as const;

/** Why an order is no longer open. */
export type CloseReason = 'filled' | (typeof CANCEL_REASONS)[number];

/** What happens when an order would trade with its own account's resting order. */
export type SelfTradePrevention = 'cancel_maker' | 'cancel_taker' | 'cancel_both' | 'none';
export const SELF_TRADE_PREVENTIONS: readonly SelfTradePrevention[] = [
  'cancel_maker',
  'cancel_taker',
  'cancel_both',
  'none',
];

/** A price and a base size: what is not matched at once may rest. */
export interface LimitTerms {
  readonly type: 'limit';
  readonly side: Side;
  readonly force: Force;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
}

/** Trades this much of the base coin at whatever rests: a buy as far as the owner's money goes. */
export interface MarketSizeTerms {
  readonly type: 'market';
  readonly side: Side;
  readonly force: Force;
  readonly sizeLots: Lots;
}

/** Buys for so much of the quote coin at whatever is asked. */
export interface MarketBudgetTerms {
  readonly type: 'market';
  readonly side: 'buy';
  readonly force: Force;
  readonly quoteBudget: Amount;
}

/** What a spot order asks for. */
export type SpotOrderTerms = LimitTerms | MarketSizeTerms | MarketBudgetTerms;

/** What an order has been filled so far. */
export interface OrderFilled {
  readonly filledLots: Lots;
  readonly filledQuote: Amount;
}

export const NOTHING_FILLED: OrderFilled = { filledLots: ZERO_LOTS, filledQuote: 0n };

interface OrderFacts extends OrderFilled {
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  /** Undefined when the client gave none. */
  readonly clientOrderId: string | undefined;
  readonly createdTimeMs: number;
}

/** A spot order at one moment, safe to keep: the engine's own goes on changing. */
export type OrderView = SpotOrderTerms & OrderFacts;

/** One that is open now, with the time of its last fill or move; without any, of its creation. */
export type OpenOrderView = OrderView & { readonly updatedTimeMs: number };

export type LimitOrderView = Extract<OrderView, { readonly type: 'limit' }>;

/** Whether an order says what to spend and not how much to trade. */
export function spendsBudget<T extends SpotOrderTerms>(order: T): order is T & MarketBudgetTerms {
  return order.type === 'market' && 'quoteBudget' in order;
}

/** Status of an order, spot or contract, that is still open. */
export function openStatus(order: Pick<OrderView, 'filledLots'>): OrderStatus {
  return order.filledLots > 0 ? 'partial_fill' : 'new';
}

/** Status of an order, spot or contract, that closed for the given reason. */
export function closedStatus(reason: string): OrderStatus {
  return reason === 'filled' ? 'full_fill' : 'cancelled';
}
