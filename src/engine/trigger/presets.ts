/**
 * Take-profit and stop-loss that come with an opening order: checked when it is placed, armed as
 * two waiting closes by its first fill, when they are held against the average entry, and grown by
 * every further one.
 */
import {
  averageEntry,
  type Contract,
  closeOf,
  copyPlanOrder,
  holdSideOf,
  isOpen,
  type Lots,
  lots,
  type PlanPurpose,
  type RejectKind,
  type Ticks,
  type TriggerDirection,
  ticks,
  ZERO_LOTS,
} from '#domain';
import { formatTrimmed } from '#kernel';
import type { MarginAccount } from '../margin/margin-account.ts';
import { type Refusal, refuse, type State } from '../state.ts';
import { type ContractOrder, type OrderTerms, presetsOf } from '../swap/order.ts';
import { PlanOrder, type PlanTerms, type PresetOrder } from './plan.ts';

type Preset = Exclude<PlanPurpose, 'plan'>;

/** A preset's refusals: its trigger against the order's price, and against the last price. */
const SIDES: Record<
  'long' | 'short',
  Record<Preset, readonly [order: RejectKind, price: RejectKind]>
> = {
  long: {
    take_profit: ['take_profit_below_order', 'take_profit_below_price'],
    stop_loss: ['stop_loss_above_order', 'stop_loss_above_price'],
  },
  short: {
    take_profit: ['take_profit_above_order', 'take_profit_above_price'],
    stop_loss: ['stop_loss_below_order', 'stop_loss_below_price'],
  },
};

/** Holds an order's presets against its price and the current price. */
export function checkPresets(margin: MarginAccount, terms: OrderTerms): Refusal {
  const { takeProfitTicks, stopLossTicks } = terms;
  if (takeProfitTicks === 0 && stopLossTicks === 0) return undefined;
  const { contract, markTicks, lastTicks } = margin.market;
  if (terms.action === 'close_long' || terms.action === 'close_short') {
    return refuse('parameter_invalid', 'presets belong to orders that open');
  }
  // Those of resting orders count: they are armed later, when nothing can be refused any more.
  const taken = margin.presetsCount + margin.promisedPresetsCount;
  if (taken + presetsOf(terms) > contract.presetsMax) {
    return refuse('presets_exceeded', `at most ${contract.presetsMax}`);
  }
  const current = lastTicks === 0 ? markTicks : lastTicks;
  const price = terms.type === 'market' ? current : terms.priceTicks;
  return (
    checkPreset(contract, terms, 'take_profit', takeProfitTicks, price, current) ??
    checkPreset(contract, terms, 'stop_loss', stopLossTicks, price, current)
  );
}

function checkPreset(
  { priceScale, priceStepTicks }: Contract,
  terms: OrderTerms,
  preset: Preset,
  triggerTicks: Ticks,
  orderTicks: number,
  currentTicks: number,
): Refusal {
  if (triggerTicks === 0) return undefined;
  if (triggerTicks % priceStepTicks !== 0)
    return refuse('price_invalid', 'preset between two steps');
  const side = holdSideOf(terms.action);
  const rises = directionOf(side, preset) === 'rise';
  const [againstOrder, againstPrice] = SIDES[side][preset];
  const misses = (heldTicks: number) =>
    rises ? triggerTicks <= heldTicks : triggerTicks >= heldTicks;
  if (misses(orderTicks)) return refuse(againstOrder, formatTrimmed(orderTicks, priceScale));
  if (misses(currentTicks)) return refuse(againstPrice, formatTrimmed(currentTicks, priceScale));
  return undefined;
}

function directionOf(side: 'long' | 'short', preset: Preset): TriggerDirection {
  return (side === 'long') === (preset === 'take_profit') ? 'rise' : 'fall';
}

/**
 * Protects what an order has filled since it was last asked: its presets are armed with its first
 * fill and grow with every other one. One cancels the other.
 */
export function protect(state: State, order: ContractOrder): void {
  const size = lots(order.filledLots - order.protectedLots);
  if (size === 0 || !isOpen(order.action) || presetsOf(order) === 0) return;
  order.protectedLots = order.filledLots;
  protectBy(state, order, 'take_profit', size);
  protectBy(state, order, 'stop_loss', size);
  const { takeProfit, stopLoss } = order;
  if (takeProfit === null || stopLoss === null) return;
  takeProfit.partner = stopLoss;
  stopLoss.partner = takeProfit;
}

function protectBy(state: State, order: ContractOrder, purpose: Preset, size: Lots): void {
  const isProfit = purpose === 'take_profit';
  const armed = isProfit ? order.takeProfit : order.stopLoss;
  if (armed !== null) {
    armed.sizeLots = lots(armed.sizeLots + size);
    armed.margin.touch(state.timeMs);
    state.emit({ kind: 'plan_order_grown', plan: copyPlanOrder(armed) });
    return;
  }
  const triggerTicks = isProfit ? order.takeProfitTicks : order.stopLossTicks;
  const isDropped = isProfit ? order.takeProfitDropped : order.stopLossDropped;
  if (triggerTicks > 0 && !isDropped) arm(state, order, purpose, triggerTicks, size);
}

function arm(
  state: State,
  order: ContractOrder,
  purpose: Preset,
  triggerTicks: Ticks,
  size: Lots,
): void {
  const side = holdSideOf(order.action);
  const { margin } = order;
  const id = state.takeIds(1);
  const terms: PlanTerms = {
    action: closeOf(side),
    purpose,
    type: 'market',
    triggerTicks,
    direction: directionOf(side, purpose),
    executeTicks: ticks(0),
    sizeLots: size,
    clientOrderId: margin.freeClientId(`${purpose}#${id}`, state.timeMs),
    createdPriceTicks: ticks(margin.market.lastTicks),
  };
  const plan = new PlanOrder(id, margin, terms, state.timeMs);
  state.emit({ kind: 'plan_order_accepted', plan: copyPlanOrder(plan) });
  const reason = armingRefusal(margin, plan);
  if (reason === undefined) {
    registerPlan(state, plan);
    adopt(state, order, plan);
    return;
  }
  if (reason !== 'position_closed') setPreset(state, order, purpose, 'dropped');
  const closed = {
    kind: 'plan_order_closed',
    plan: copyPlanOrder(plan),
    status: 'failed',
  } as const;
  state.emit({ ...closed, reason, placedOrderId: 0, executedLots: ZERO_LOTS });
}

/** Makes a waiting preset grow with its order. */
export function adopt(state: State, order: PresetOrder, plan: PlanOrder): void {
  plan.parent = order;
  setPreset(state, order, plan.purpose, plan);
}

/** Takes a preset from its order: one that is not `dropped` is armed anew by the next fill. */
export function disown(state: State, plan: PlanOrder, isDropped: boolean): void {
  const { parent } = plan;
  if (parent === null) return;
  plan.parent = null;
  setPreset(state, parent, plan.purpose, isDropped ? 'dropped' : null);
}

/** Lets the presets of an order that is final be what they are. */
export function releasePresets(order: ContractOrder): void {
  for (const plan of [order.takeProfit, order.stopLoss]) if (plan !== null) plan.parent = null;
  order.takeProfit = null;
  order.stopLoss = null;
}

/** Whatever changes what an order may yet arm comes through here, so that it stays counted. */
function setPreset(
  state: State,
  order: PresetOrder,
  purpose: PlanPurpose,
  preset: PlanOrder | null | 'dropped',
): void {
  const before = order.promisedPresets;
  const plan = preset === 'dropped' ? null : preset;
  if (purpose === 'take_profit') {
    order.takeProfit = plan;
    order.takeProfitDropped ||= preset === 'dropped';
  } else {
    order.stopLoss = plan;
    order.stopLossDropped ||= preset === 'dropped';
  }
  if (!state.contractOrders.has(order.orderId)) return;
  order.margin.promisedPresetsCount += order.promisedPresets - before;
}

/** A preset must lie beyond the average entry; a position that is gone needs none. */
function armingRefusal(margin: MarginAccount, plan: PlanOrder): string | undefined {
  const position = margin.position(holdSideOf(plan.action));
  if (position.lots === 0) return 'position_closed';
  const trigger = BigInt(plan.triggerTicks);
  const average = averageEntry(margin.market.contract, position.open, position.lots, 0);
  const isBeyond = plan.direction === 'rise' ? trigger > average : trigger < average;
  if (isBeyond) return undefined;
  return SIDES[position.side][plan.purpose === 'stop_loss' ? 'stop_loss' : 'take_profit'][0];
}

/** Registers a plan order that waits for its trigger. */
export function registerPlan(state: State, plan: PlanOrder): PlanOrder {
  indexPlan(state, plan);
  plan.margin.touch(state.timeMs);
  return plan;
}

/** Puts a plan order into the lists that triggers and its owner look it up in. */
export function indexPlan(state: State, plan: PlanOrder): void {
  const { margin } = plan;
  state.plans.set(plan.orderId, plan);
  margin.addPlan(plan);
  const { planRises, planFalls } = state.swapOf(plan);
  (plan.direction === 'rise' ? planRises : planFalls).add(plan);
}
