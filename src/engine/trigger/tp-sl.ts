/**
 * Take-profit and stop-loss that come with an opening order: checked when it is placed, armed as
 * two waiting closes by its first fill, when they are held against the average entry, and grown by
 * every further one.
 */
import {
  averageEntry,
  byFigure,
  type Contract,
  closeOf,
  countFigure,
  dueTo,
  holdSideOf,
  isOpen,
  type Lots,
  lots,
  priceFigure,
  type RejectKind,
  refuse,
  type Ticks,
  type TriggerDirection,
  type TriggerPurpose,
  type TriggerTerms,
  ticks,
  ZERO_LOTS,
} from '#domain';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Refusal, State } from '../state.ts';
import type { ContractOrder, OrderTerms } from '../swap/order.ts';
import { type ProtectedOrder, TriggerOrder } from './trigger-order.ts';

type TpSl = Exclude<TriggerPurpose, 'trigger'>;

/** A TP/SL's refusals: its trigger against the order's price, and against the last price. */
const SIDES: Record<
  'long' | 'short',
  Record<TpSl, readonly [order: RejectKind, price: RejectKind]>
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

/** Holds an order's TP/SL against its price and the current price. */
export function checkTpSl(margin: MarginAccount, terms: OrderTerms): Refusal {
  const { takeProfitTicks, stopLossTicks } = terms;
  const wantedCount = [takeProfitTicks, stopLossTicks].filter((at) => at !== undefined).length;
  if (wantedCount === 0) return undefined;
  const { contract, markTicks, lastTicks } = margin.market;
  if (terms.action === 'close_long' || terms.action === 'close_short') {
    return refuse('parameter_invalid', dueTo('tp_sl_on_closing'));
  }
  // Those of resting orders count: they are armed later, when nothing can be refused any more.
  const taken = margin.tpSlCount + margin.promisedTpSlCount;
  if (taken + wantedCount > contract.tpSlMax) {
    return refuse('tp_sl_exceeded', byFigure('at_most', countFigure(contract.tpSlMax)));
  }
  const current = lastTicks === 0 ? markTicks : lastTicks;
  const price = terms.type === 'market' ? current : terms.priceTicks;
  return (
    checkOneTpSl(contract, terms, 'take_profit', takeProfitTicks, price, current) ??
    checkOneTpSl(contract, terms, 'stop_loss', stopLossTicks, price, current)
  );
}

function checkOneTpSl(
  contract: Contract,
  terms: OrderTerms,
  tpSl: TpSl,
  triggerTicks: Ticks | undefined,
  orderTicks: number,
  currentTicks: number,
): Refusal {
  if (triggerTicks === undefined) return undefined;
  if (triggerTicks <= 0 || triggerTicks % contract.priceStepTicks !== 0)
    return refuse('price_invalid', dueTo('tp_sl_between_steps'));
  const side = holdSideOf(terms.action);
  const rises = directionOf(side, tpSl) === 'rise';
  const [againstOrder, againstPrice] = SIDES[side][tpSl];
  const misses = (heldTicks: number) =>
    rises ? triggerTicks <= heldTicks : triggerTicks >= heldTicks;
  const against = (heldTicks: number) => byFigure('against', priceFigure(contract, heldTicks));
  if (misses(orderTicks)) return refuse(againstOrder, against(orderTicks));
  if (misses(currentTicks)) return refuse(againstPrice, against(currentTicks));
  return undefined;
}

function directionOf(side: 'long' | 'short', tpSl: TpSl): TriggerDirection {
  return (side === 'long') === (tpSl === 'take_profit') ? 'rise' : 'fall';
}

/**
 * Protects what an order has filled since it was last asked: its TP/SL are armed with its first
 * fill and grow with every other one. One cancels the other.
 */
export function protect(state: State, order: ContractOrder): void {
  const size = lots(order.filledLots - order.protectedLots);
  if (size === 0 || !isOpen(order.action) || !order.hasTpSl) return;
  order.protectedLots = order.filledLots;
  protectBy(state, order, 'take_profit', size);
  protectBy(state, order, 'stop_loss', size);
  const { takeProfit, stopLoss } = order;
  if (takeProfit === null || stopLoss === null) return;
  takeProfit.partner = stopLoss;
  stopLoss.partner = takeProfit;
}

function protectBy(state: State, order: ContractOrder, purpose: TpSl, size: Lots): void {
  const isProfit = purpose === 'take_profit';
  const armed = isProfit ? order.takeProfit : order.stopLoss;
  if (armed !== null) {
    armed.sizeLots = lots(armed.sizeLots + size);
    armed.margin.touch(state.timeMs);
    state.emit({ kind: 'trigger_order_grown', trigger: armed.view() });
    return;
  }
  const triggerTicks = isProfit ? order.takeProfitTicks : order.stopLossTicks;
  const isDropped = isProfit ? order.takeProfitDropped : order.stopLossDropped;
  if (triggerTicks > 0 && !isDropped) arm(state, order, purpose, triggerTicks, size);
}

function arm(
  state: State,
  order: ContractOrder,
  purpose: TpSl,
  triggerTicks: Ticks,
  size: Lots,
): void {
  const side = holdSideOf(order.action);
  const { margin } = order;
  const id = state.takeIds(1);
  const terms: TriggerTerms = {
    action: closeOf(side),
    purpose,
    type: 'market',
    triggerTicks,
    direction: directionOf(side, purpose),
    sizeLots: size,
    clientOrderId: margin.freeClientId(`${purpose}#${id}`, state.timeMs),
    createdPriceTicks: ticks(margin.market.lastTicks),
  };
  const trigger = new TriggerOrder(id, margin, terms, state.timeMs);
  state.emit({ kind: 'trigger_order_accepted', trigger: trigger.view() });
  const reason = armingRefusal(margin, trigger);
  if (reason === undefined) {
    registerTrigger(state, trigger);
    adopt(state, order, trigger);
    return;
  }
  if (reason !== 'position_closed') setTpSl(state, order, purpose, 'dropped');
  const closed = {
    kind: 'trigger_order_closed',
    trigger: trigger.view(),
    status: 'failed',
  } as const;
  state.emit({ ...closed, reason, placedOrderId: undefined, executedLots: ZERO_LOTS });
}

/** Makes a waiting TP/SL grow with its order. */
export function adopt(state: State, order: ProtectedOrder, trigger: TriggerOrder): void {
  trigger.parent = order;
  setTpSl(state, order, trigger.purpose, trigger);
}

/** Takes a TP/SL from its order: one that is not `dropped` is armed anew by the next fill. */
export function disown(state: State, trigger: TriggerOrder, isDropped: boolean): void {
  const { parent } = trigger;
  if (parent === null) return;
  trigger.parent = null;
  setTpSl(state, parent, trigger.purpose, isDropped ? 'dropped' : null);
}

/** Lets the TP/SL of an order that is final be what they are. */
export function releaseTpSl(order: ContractOrder): void {
  for (const trigger of [order.takeProfit, order.stopLoss])
    if (trigger !== null) trigger.parent = null;
  order.takeProfit = null;
  order.stopLoss = null;
}

/** Whatever changes what an order may yet arm comes through here, so that it stays counted. */
function setTpSl(
  state: State,
  order: ProtectedOrder,
  purpose: TriggerPurpose,
  tpSl: TriggerOrder | null | 'dropped',
): void {
  const before = order.promisedTpSl;
  const trigger = tpSl === 'dropped' ? null : tpSl;
  if (purpose === 'take_profit') {
    order.takeProfit = trigger;
    order.takeProfitDropped ||= tpSl === 'dropped';
  } else {
    order.stopLoss = trigger;
    order.stopLossDropped ||= tpSl === 'dropped';
  }
  if (!state.contractOrders.has(order.orderId)) return;
  order.margin.promisedTpSlCount += order.promisedTpSl - before;
}

/** A TP/SL must lie beyond the average entry; a position that is gone needs none. */
function armingRefusal(margin: MarginAccount, trigger: TriggerOrder): string | undefined {
  const position = margin.position(holdSideOf(trigger.action));
  if (position.lots === 0) return 'position_closed';
  const triggerTicks = BigInt(trigger.triggerTicks);
  const average = averageEntry(margin.market.contract, position.open, position.lots, 0);
  const isBeyond = trigger.direction === 'rise' ? triggerTicks > average : triggerTicks < average;
  if (isBeyond) return undefined;
  return SIDES[position.side][trigger.purpose === 'stop_loss' ? 'stop_loss' : 'take_profit'][0];
}

/** Registers a trigger order that waits for its trigger. */
export function registerTrigger(state: State, trigger: TriggerOrder): TriggerOrder {
  indexTrigger(state, trigger);
  trigger.margin.touch(state.timeMs);
  return trigger;
}

/** Puts a trigger order into the lists that triggers and its owner look it up in. */
export function indexTrigger(state: State, trigger: TriggerOrder): void {
  const { margin } = trigger;
  state.triggers.set(trigger.orderId, trigger);
  margin.addTrigger(trigger);
  const { risingTriggers, fallingTriggers } = state.swapOf(trigger);
  (trigger.direction === 'rise' ? risingTriggers : fallingTriggers).add(trigger);
}
