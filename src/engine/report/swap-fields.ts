/** Which fields of contract state a snapshot row carries: those that cannot be derived. */

import type { Position } from '../margin/position.ts';
import type { SwapMarket } from '../swap/market.ts';
import type { ContractOrder } from '../swap/order.ts';
import type { TriggerOrder } from '../trigger/trigger-order.ts';

export const MARKET_FIELDS = [
  'longLots',
  'shortLots',
  'clearing',
  'dust',
  'lastTicks',
  'lastTimeMs',
  'indexTicks',
  'indexFreshMs',
  'markTicks',
  'basis',
  'premiumSumPpb',
  'premiumCount',
  'premiumMinute',
  'lastPremiumPpb',
  'nextFundingMs',
  'prices',
] as const satisfies readonly (keyof SwapMarket)[];

export const POSITION_FIELDS = [
  'lots',
  'open',
  'margin',
  'marginOwed',
  'leverage',
  'autoAppend',
  'realizedPnl',
  'positionId',
  'openedOrderId',
  'totals',
  'openedTimeMs',
  'openedSeq',
  'updatedTimeMs',
  'updatedSeq',
] as const satisfies readonly (keyof Position)[];

export const CONTRACT_ORDER_FIELDS = [
  'orderId',
  'action',
  'force',
  'priceTicks',
  'sizeLots',
  'filledLots',
  'filledTickLots',
  'filledPerTick',
  'takeProfitDropped',
  'stopLossDropped',
  'protectedLots',
  'clientOrderId',
  'takeProfitTicks',
  'stopLossTicks',
  'takeProfitWorking',
  'stopLossWorking',
  'frozenFeePpm',
  'feeAhead',
  'marginOwed',
  'fee',
  'realizedPnl',
  'placeId',
  'createdTimeMs',
] as const satisfies readonly (keyof ContractOrder)[];

export const TRIGGER_FIELDS = [
  'orderId',
  'action',
  'purpose',
  'type',
  'triggerTicks',
  'workingPrice',
  'attached',
  'placeId',
  'direction',
  'intent',
  'executeTicks',
  'sizeLots',
  'clientOrderId',
  'createdPriceTicks',
  'createdTimeMs',
] as const satisfies readonly (keyof TriggerOrder)[];

export type MarketFields = Pick<SwapMarket, (typeof MARKET_FIELDS)[number]>;
export type PositionFields = Pick<Position, (typeof POSITION_FIELDS)[number]>;
export type ContractOrderFields = Pick<ContractOrder, (typeof CONTRACT_ORDER_FIELDS)[number]>;
export type TriggerFields = Pick<TriggerOrder, (typeof TRIGGER_FIELDS)[number]>;

/** The named fields of an object, in this order. */
export function pick<T, K extends keyof T>(from: T, names: readonly K[]): { [name in K]?: T[K] } {
  const picked: { [name in K]?: T[K] } = {};
  for (const name of names) picked[name] = from[name];
  return picked;
}
