/** Orders, trigger orders and fills of contracts as the rest of the venue sees them. */
import type { HoldSide } from './contract.ts';
import { CANCEL_REASONS, type CloseReason, type Force, type Side } from './order.ts';
import {
  type AccountId,
  type Amount,
  type InstrumentId,
  type Lots,
  type OrderId,
  type Ticks,
  ZERO_LOTS,
} from './units.ts';

/** What an order does to a position. */
export type ContractAction = 'open_long' | 'open_short' | 'close_long' | 'close_short';
export const CONTRACT_ACTIONS: readonly ContractAction[] = [
  'open_long',
  'open_short',
  'close_long',
  'close_short',
];

/**
 * Who wanted it: the owner, or one of the steps of a liquidation. Netting closes what an account
 * holds on both sides of a contract against itself; deleveraging closes it against another account.
 */
export type OrderCause = 'owner' | 'netting' | 'reduction' | 'deleveraging' | 'liquidation';
export const ORDER_CAUSES: readonly OrderCause[] = [
  'owner',
  'netting',
  'reduction',
  'deleveraging',
  'liquidation',
];

export interface LimitPrice {
  readonly type: 'limit';
  readonly priceTicks: Ticks;
}

/** As far as the price band goes. */
export interface MarketPrice {
  readonly type: 'market';
}

/** The price that a trigger looks at: that of the last trade, the mark price, or the index. */
export type WorkingPrice = 'last' | 'mark' | 'index';
export const WORKING_PRICES: readonly WorkingPrice[] = ['last', 'mark', 'index'];

/** Triggers of a take-profit and of a stop-loss that come with an opening order. */
export interface TpSlTerms {
  readonly takeProfitTicks?: Ticks | undefined;
  readonly stopLossTicks?: Ticks | undefined;
  /** The last price unless they say otherwise. */
  readonly takeProfitWorking?: WorkingPrice | undefined;
  readonly stopLossWorking?: WorkingPrice | undefined;
}

/** What an owner asks for. */
export type ContractOrderWish = (LimitPrice | MarketPrice) &
  TpSlTerms & {
    readonly action: ContractAction;
    readonly force: Force;
    readonly sizeLots: Lots;
    readonly clientOrderId?: string | undefined;
  };

/** What is asked for, and by whom. */
export type ContractOrderAsked = ContractOrderWish & { readonly cause: OrderCause };

/** What an order has been filled so far, and what that cost and brought. */
export interface ContractOrderFilled {
  readonly filledLots: Lots;
  /** Exact sum over the fills of price ticks times lots. */
  readonly filledTickLots: bigint;
  /** Sum over the fills of lots over price ticks, of an inverse contract only: see lotsPerTick. */
  readonly filledPerTick: bigint;
  /** Sum of the fees charged, in the margin coin; never negative. */
  readonly fee: Amount;
  /** Sum of the profit and loss realised by the fills, fees not included. */
  readonly realizedPnl: Amount;
}

export const NO_CONTRACTS_FILLED: ContractOrderFilled = {
  filledLots: ZERO_LOTS,
  filledTickLots: 0n,
  filledPerTick: 0n,
  fee: 0n,
  realizedPnl: 0n,
};

/** A contract order at one moment, safe to keep: the engine's own goes on changing. */
export type ContractOrderView = ContractOrderAsked &
  ContractOrderFilled & {
    readonly orderId: OrderId;
    /** Undefined when the client gave none. */
    readonly clientOrderId: string | undefined;
    readonly accountId: AccountId;
    readonly instrumentId: InstrumentId;
    readonly leverage: number;
    readonly createdTimeMs: number;
  };

export type ContractLimitView = Extract<ContractOrderView, { readonly type: 'limit' }>;

/** A contract order also ends when its account cannot carry the fill, and by a liquidation. */
export const CONTRACT_CANCEL_REASONS = [
  ...CANCEL_REASONS,
  'margin_insufficient',
  'liquidation',
  /** A close that was in the way of one whose trigger was met. */
  'closing_trigger_fired',
] as const;

export type ContractCloseReason = CloseReason | (typeof CONTRACT_CANCEL_REASONS)[number];

/** What the owner of a closed order is to know: why it was cancelled; empty when it was filled. */
export function cancelReason(reason: ContractCloseReason | undefined): string {
  return reason === undefined || reason === 'filled' ? '' : reason;
}

/**
 * Why a trigger order waits for its trigger: wanted as such, or a TP/SL of an order that filled.
 */
export type TriggerPurpose = 'trigger' | 'take_profit' | 'stop_loss';

export type TpSlPurpose = Exclude<TriggerPurpose, 'trigger'>;

/** A trigger order fires when its working price is at or beyond its trigger, in this direction. */
export type TriggerDirection = 'rise' | 'fall';

/** What its owner calls a trigger order that opens: it is shown again, and changes nothing. */
export type TriggerIntent = 'take_profit';

/** The order that a trigger places: at a limit price of its own, or at the market. */
export type TriggeredPrice =
  | { readonly type: 'limit'; readonly executeTicks: Ticks }
  | { readonly type: 'market' };

/** What a waiting trigger order is made of. A trigger order that opens may bring TP/SL with it. */
export type TriggerTerms = TriggeredPrice &
  TpSlTerms & {
    readonly action: ContractAction;
    readonly purpose: TriggerPurpose;
    readonly triggerTicks: Ticks;
    /** Absent: the last price. */
    readonly workingPrice?: WorkingPrice | undefined;
    readonly direction: TriggerDirection;
    readonly intent?: TriggerIntent | undefined;
    /** Zero of a TP/SL that closes whatever is held when it fires. */
    readonly sizeLots: Lots;
    /** Undefined when the client gave none. */
    readonly clientOrderId: string | undefined;
    /** Last price when it was accepted. */
    readonly createdPriceTicks: Ticks;
  };

/** A trigger order at one moment, safe to keep. */
export type TriggerOrderView = TriggerTerms & {
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly createdTimeMs: number;
};

export type TriggerStatus = 'waiting' | 'triggered' | 'failed' | 'cancelled';

/** Which side of the book an action takes. */
export function sideOf(action: ContractAction): Side {
  return action === 'open_long' || action === 'close_short' ? 'buy' : 'sell';
}

/** Which position an action changes. */
export function holdSideOf(action: ContractAction): HoldSide {
  return action === 'open_long' || action === 'close_long' ? 'long' : 'short';
}

export function isOpen(action: ContractAction): boolean {
  return action === 'open_long' || action === 'open_short';
}

/** The action that closes a position of this side. */
export function closeOf(side: HoldSide): ContractAction {
  return side === 'long' ? 'close_long' : 'close_short';
}

/** The action that opens a position of this side. */
export function openOf(side: HoldSide): ContractAction {
  return side === 'long' ? 'open_long' : 'open_short';
}
