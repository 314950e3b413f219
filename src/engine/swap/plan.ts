/** A plan order or armed preset while it waits for its trigger. */
import {
  type AccountId,
  type ContractAction,
  type InstrumentId,
  type Lots,
  type OrderId,
  type OrderType,
  orderId,
  type PlanOrderView,
  type PlanPurpose,
  type Ticks,
  type TriggerDirection,
} from '#domain';
import type { MarginAccount } from './margin-account.ts';
import type { ContractOrder } from './order.ts';
import type { PlanLevel } from './plan-levels.ts';

export interface PlanTerms {
  readonly action: ContractAction;
  readonly purpose: PlanPurpose;
  readonly type: OrderType;
  readonly triggerTicks: Ticks;
  readonly direction: TriggerDirection;
  readonly executeTicks: Ticks;
  readonly sizeLots: Lots;
  readonly clientOrderId: string;
  readonly createdPriceTicks: Ticks;
}

export class PlanOrder implements PlanOrderView {
  readonly orderId: OrderId;
  readonly margin: MarginAccount;
  readonly action: ContractAction;
  readonly purpose: PlanPurpose;
  readonly type: OrderType;
  readonly triggerTicks: Ticks;
  readonly direction: TriggerDirection;
  readonly executeTicks: Ticks;
  /** That of a preset grows with the fills of its order. */
  sizeLots: Lots;
  readonly clientOrderId: string;
  readonly createdPriceTicks: Ticks;
  readonly createdTimeMs: number;
  /** The other preset of the same order: one cancels the other. */
  partner: PlanOrder | null = null;
  /** The order it is a preset of, while that may still fill. */
  parent: ContractOrder | null = null;
  /** Where it waits for its trigger or, once met, to fire; null when it is over. */
  level: PlanLevel | null = null;
  /** Neighbours in the level: who was accepted before and after it. */
  before: PlanOrder | null = null;
  after: PlanOrder | null = null;
  older: PlanOrder | null = null;
  newer: PlanOrder | null = null;

  constructor(id: number, margin: MarginAccount, terms: PlanTerms, createdTimeMs: number) {
    this.orderId = orderId(id);
    this.margin = margin;
    this.action = terms.action;
    this.purpose = terms.purpose;
    this.type = terms.type;
    this.triggerTicks = terms.triggerTicks;
    this.direction = terms.direction;
    this.executeTicks = terms.executeTicks;
    this.sizeLots = terms.sizeLots;
    this.clientOrderId = terms.clientOrderId;
    this.createdPriceTicks = terms.createdPriceTicks;
    this.createdTimeMs = createdTimeMs;
  }

  /** Nobody names a preset, and the venue names plan orders by their number. */
  get isNamedByOwner(): boolean {
    return this.purpose === 'plan' && !this.clientOrderId.startsWith(`plan#${this.orderId}`);
  }

  get accountId(): AccountId {
    return this.margin.accountId;
  }

  get instrumentId(): InstrumentId {
    return this.margin.market.contract.instrumentId;
  }
}

/** The plan order as it is, safe to keep. */
export function freezePlan(plan: PlanOrderView): PlanOrderView {
  return {
    orderId: plan.orderId,
    accountId: plan.accountId,
    instrumentId: plan.instrumentId,
    clientOrderId: plan.clientOrderId,
    action: plan.action,
    purpose: plan.purpose,
    type: plan.type,
    triggerTicks: plan.triggerTicks,
    direction: plan.direction,
    executeTicks: plan.executeTicks,
    sizeLots: plan.sizeLots,
    createdPriceTicks: plan.createdPriceTicks,
    createdTimeMs: plan.createdTimeMs,
  };
}
