/** Orders, trigger orders and fills of contracts as the rest of the venue sees them. */
import type { HoldSide } from './contract.ts';
import {
  CANCEL_REASONS,
  type CloseReason,
  type Force,
  type OrderType,
  type Side,
} from './order.ts';
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

/** What an order is made of, whatever its cause: the part of it that never changes. */
export interface ContractOrderTerms {
  readonly action: ContractAction;
  readonly cause: OrderCause;
  readonly type: OrderType;
  readonly force: Force;
  /** Zero for a market order. */
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  /** Never empty for an owner's order: the engine makes one up when the client gives none. */
  readonly clientOrderId: string;
  /** TpSl triggers; zero for none. */
  readonly takeProfitTicks: Ticks;
  readonly stopLossTicks: Ticks;
}

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

export interface ContractOrderView extends ContractOrderTerms, ContractOrderFilled {
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly leverage: number;
  readonly createdTimeMs: number;
}

/** The order as it is now, safe to keep: the engine's own goes on changing. */
export function copyContractOrder(order: ContractOrderView): ContractOrderView {
  return {
    orderId: order.orderId,
    accountId: order.accountId,
    instrumentId: order.instrumentId,
    clientOrderId: order.clientOrderId,
    action: order.action,
    cause: order.cause,
    type: order.type,
    force: order.force,
    priceTicks: order.priceTicks,
    sizeLots: order.sizeLots,
    filledLots: order.filledLots,
    filledTickLots: order.filledTickLots,
    filledPerTick: order.filledPerTick,
    fee: order.fee,
    realizedPnl: order.realizedPnl,
    takeProfitTicks: order.takeProfitTicks,
    stopLossTicks: order.stopLossTicks,
    leverage: order.leverage,
    createdTimeMs: order.createdTimeMs,
  };
}

/** A contract order also ends when its account cannot carry the fill, and by a liquidation. */
export const CONTRACT_CANCEL_REASONS = [
  ...CANCEL_REASONS,
  'margin_insufficient',
  'liquidation',
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

/** A trigger order fires when the last price is at or beyond its trigger, in this direction. */
export type TriggerDirection = 'rise' | 'fall';

export interface TriggerOrderView {
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly clientOrderId: string;
  readonly action: ContractAction;
  readonly purpose: TriggerPurpose;
  readonly type: OrderType;
  readonly triggerTicks: Ticks;
  readonly direction: TriggerDirection;
  /** Limit price of the order it places; zero for a market order. */
  readonly executeTicks: Ticks;
  readonly sizeLots: Lots;
  /** Last price when it was accepted. */
  readonly createdPriceTicks: Ticks;
  readonly createdTimeMs: number;
}

/** The trigger order as it is, safe to keep. */
export function copyTriggerOrder(trigger: TriggerOrderView): TriggerOrderView {
  return {
    orderId: trigger.orderId,
    accountId: trigger.accountId,
    instrumentId: trigger.instrumentId,
    clientOrderId: trigger.clientOrderId,
    action: trigger.action,
    purpose: trigger.purpose,
    type: trigger.type,
    triggerTicks: trigger.triggerTicks,
    direction: trigger.direction,
    executeTicks: trigger.executeTicks,
    sizeLots: trigger.sizeLots,
    createdPriceTicks: trigger.createdPriceTicks,
    createdTimeMs: trigger.createdTimeMs,
  };
}

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
