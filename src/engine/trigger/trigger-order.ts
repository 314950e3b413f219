/** A trigger order or armed TP/SL while it waits for its trigger, and the queue it waits in. */
import {
  type AccountId,
  type ContractAction,
  type InstrumentId,
  type Lots,
  type OrderId,
  type OrderType,
  orderId,
  type Ticks,
  type TpSlTerms,
  type TriggerDirection,
  type TriggerIntent,
  type TriggerOrderView,
  type TriggerPurpose,
  type TriggerTerms,
  type WorkingPrice,
  ZERO_TICKS,
} from '#domain';
import { assert, type HeapEntry } from '#kernel';
import type { ListedTrigger, MarginAccount } from '../margin/margin-account.ts';

/** Where levels of trigger orders are kept. */
export interface TriggerHome {
  /** Whether a price has met them. */
  readonly isDue: boolean;
  remove(trigger: TriggerOrder): void;
}

/** An order whose fills its TP/SL protect. */
export interface ProtectedOrder {
  readonly orderId: OrderId;
  readonly margin: MarginAccount;
  readonly promisedTpSl: number;
  /** TP/SL of it that wait for their triggers, and grow with it while it may fill. */
  takeProfit: TriggerOrder | null;
  stopLoss: TriggerOrder | null;
  /** TP/SL that are not armed again: they failed to be, or were cancelled by hand. */
  takeProfitDropped: boolean;
  stopLossDropped: boolean;
}

/** All trigger orders of one direction and trigger price that wait, or that one trade met. */
export class TriggerLevel implements HeapEntry {
  readonly triggerTicks: number;
  home: TriggerHome;
  heapIndex = -1;
  oldest: TriggerOrder | null = null;
  newest: TriggerOrder | null = null;

  constructor(triggerTicks: number, home: TriggerHome) {
    this.triggerTicks = triggerTicks;
    this.home = home;
  }

  append(trigger: TriggerOrder): void {
    assert(trigger.level === null, 'a trigger order waits in one place');
    trigger.level = this;
    trigger.before = this.newest;
    if (this.newest === null) this.oldest = trigger;
    else this.newest.after = trigger;
    this.newest = trigger;
  }

  unlink(trigger: TriggerOrder): void {
    const { before, after } = trigger;
    if (before === null) this.oldest = after;
    else before.after = after;
    if (after === null) this.newest = before;
    else after.before = before;
    trigger.level = null;
    trigger.before = null;
    trigger.after = null;
  }
}

const NO_TP_SL: TpSlTerms = {};

/** The TP/SL among the terms, as far as there are any. */
export function tpSlOf(terms: TpSlTerms): TpSlTerms {
  const { takeProfitTicks, stopLossTicks } = terms;
  const { takeProfitWorking = 'last', stopLossWorking = 'last' } = terms;
  const hasProfit = takeProfitTicks !== undefined;
  const hasLoss = stopLossTicks !== undefined;
  if (!hasProfit && !hasLoss) return NO_TP_SL;
  return {
    ...(hasProfit && { takeProfitTicks }),
    ...(hasLoss && { stopLossTicks }),
    ...(hasProfit && takeProfitWorking !== 'last' && { takeProfitWorking }),
    ...(hasLoss && stopLossWorking !== 'last' && { stopLossWorking }),
  };
}

export class TriggerOrder implements ListedTrigger {
  readonly orderId: OrderId;
  readonly margin: MarginAccount;
  readonly action: ContractAction;
  readonly purpose: TriggerPurpose;
  type: OrderType;
  triggerTicks: Ticks;
  workingPrice: WorkingPrice;
  readonly direction: TriggerDirection;
  readonly intent: TriggerIntent | undefined;
  // Zero at the market: see the fields of orders.
  executeTicks: Ticks;
  /** TP/SL of the order that it places. */
  readonly attached: TpSlTerms;
  /** Its number among those of one price: its own, or that of its last modification. */
  placeId: number;
  /** That of a TP/SL grows with the fills of its order; zero for whatever is held. */
  sizeLots: Lots;
  readonly clientOrderId: string | undefined;
  readonly createdPriceTicks: Ticks;
  readonly createdTimeMs: number;
  /** The other TP/SL of the same order: one cancels the other. */
  partner: TriggerOrder | null = null;
  /** The order it is a TP/SL of, while that may still fill. */
  parent: ProtectedOrder | null = null;
  /** Where it waits for its trigger or, once met, to fire; null when it is over. */
  level: TriggerLevel | null = null;
  /** Neighbours in the level: who was accepted before and after it. */
  before: TriggerOrder | null = null;
  after: TriggerOrder | null = null;
  older: ListedTrigger | null = null;
  newer: ListedTrigger | null = null;

  constructor(id: number, margin: MarginAccount, terms: TriggerTerms, createdTimeMs: number) {
    this.orderId = orderId(id);
    this.margin = margin;
    this.action = terms.action;
    this.purpose = terms.purpose;
    this.type = terms.type;
    this.triggerTicks = terms.triggerTicks;
    this.workingPrice = terms.workingPrice ?? 'last';
    this.direction = terms.direction;
    this.intent = terms.intent;
    this.executeTicks = terms.type === 'limit' ? terms.executeTicks : ZERO_TICKS;
    this.attached = terms.purpose === 'trigger' ? tpSlOf(terms) : NO_TP_SL;
    this.placeId = id;
    this.sizeLots = terms.sizeLots;
    this.clientOrderId = terms.clientOrderId;
    this.createdPriceTicks = terms.createdPriceTicks;
    this.createdTimeMs = createdTimeMs;
  }

  /** Whether it closes whatever is held when it fires. */
  get isWhole(): boolean {
    return this.purpose !== 'trigger' && this.sizeLots === 0;
  }

  view(): TriggerOrderView {
    const limit = {
      orderId: this.orderId,
      accountId: this.accountId,
      instrumentId: this.instrumentId,
      clientOrderId: this.clientOrderId,
      action: this.action,
      purpose: this.purpose,
      type: 'limit',
      triggerTicks: this.triggerTicks,
      ...(this.workingPrice !== 'last' && { workingPrice: this.workingPrice }),
      direction: this.direction,
      ...(this.intent !== undefined && { intent: this.intent }),
      executeTicks: this.executeTicks,
      sizeLots: this.sizeLots,
      createdPriceTicks: this.createdPriceTicks,
      createdTimeMs: this.createdTimeMs,
      ...this.attached,
    } as const;
    if (this.type === 'limit') return limit;
    const { executeTicks: _price, ...market } = limit;
    return { ...market, type: 'market' };
  }

  get accountId(): AccountId {
    return this.margin.accountId;
  }

  get instrumentId(): InstrumentId {
    return this.margin.market.contract.instrumentId;
  }
}
