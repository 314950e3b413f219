/** A plan order or armed preset while it waits for its trigger, and the queue it waits in. */
import {
  type AccountId,
  type ContractAction,
  type InstrumentId,
  type Lots,
  type OrderId,
  type OrderType,
  orderId,
  type PlanPurpose,
  type Ticks,
  type TriggerDirection,
} from '#domain';
import { assert, type HeapEntry } from '#kernel';
import type { ListedPlan, MarginAccount } from '../margin/margin-account.ts';

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

/** Where levels of plan orders are kept. */
export interface PlanHome {
  remove(plan: PlanOrder): void;
}

/** An order whose fills its presets protect. */
export interface PresetOrder {
  readonly orderId: OrderId;
  readonly margin: MarginAccount;
  readonly promisedPresets: number;
  /** Presets of it that wait for their triggers, and grow with it while it may fill. */
  takeProfit: PlanOrder | null;
  stopLoss: PlanOrder | null;
  /** Presets that are not armed again: they failed to be, or were cancelled by hand. */
  takeProfitDropped: boolean;
  stopLossDropped: boolean;
}

/** All plan orders of one direction and trigger price that wait, or that one trade met. */
export class PlanLevel implements HeapEntry {
  readonly triggerTicks: number;
  home: PlanHome;
  heapIndex = -1;
  oldest: PlanOrder | null = null;
  newest: PlanOrder | null = null;

  constructor(triggerTicks: number, home: PlanHome) {
    this.triggerTicks = triggerTicks;
    this.home = home;
  }

  append(plan: PlanOrder): void {
    assert(plan.level === null, 'a plan order waits in one place');
    plan.level = this;
    plan.before = this.newest;
    if (this.newest === null) this.oldest = plan;
    else this.newest.after = plan;
    this.newest = plan;
  }

  unlink(plan: PlanOrder): void {
    const { before, after } = plan;
    if (before === null) this.oldest = after;
    else before.after = after;
    if (after === null) this.newest = before;
    else after.before = before;
    plan.level = null;
    plan.before = null;
    plan.after = null;
  }
}

export class PlanOrder implements ListedPlan {
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
  parent: PresetOrder | null = null;
  /** Where it waits for its trigger or, once met, to fire; null when it is over. */
  level: PlanLevel | null = null;
  /** Neighbours in the level: who was accepted before and after it. */
  before: PlanOrder | null = null;
  after: PlanOrder | null = null;
  older: ListedPlan | null = null;
  newer: ListedPlan | null = null;

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

  /** Whether the owner chose its client id: the venue makes those of presets and of the others. */
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
