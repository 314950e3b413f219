/**
 * Take-profit and stop-loss that come with an opening order: checked when it is placed, armed as
 * two waiting closes by its first fill, when they are held against the average entry, and grown by
 * every further one.
 */
import {
  averageEntry,
  byFigure,
  type Contract,
  type ContractAction,
  closeOf,
  countFigure,
  dueTo,
  type HoldSide,
  holdSideOf,
  isOpen,
  type Lots,
  lots,
  priceFigure,
  type RejectKind,
  refuse,
  type Ticks,
  type TpSlPurpose,
  type TpSlTerms,
  type TriggerDirection,
  type TriggerPurpose,
  type TriggerTerms,
  ticks,
  type WorkingPrice,
  ZERO_LOTS,
} from '#domain';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Refusal, State } from '../state.ts';
import type { ContractOrder, OrderTerms } from '../swap/order.ts';
import { type ProtectedOrder, TriggerOrder } from './trigger-order.ts';

/** A TP/SL's refusals: its trigger against the order's price, and against the last price. */
const SIDES: Record<
  HoldSide,
  Record<TpSlPurpose, readonly [order: RejectKind, price: RejectKind]>
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
  const wantedCount = Number(takeProfitTicks !== undefined) + Number(stopLossTicks !== undefined);
  if (wantedCount === 0) return undefined;
  const { market } = margin;
  const { contract } = market;
  if (!isOpen(terms.action)) return refuse('parameter_invalid', dueTo('tp_sl_on_closing'));
  // Those of resting orders count: they are armed later, when nothing can be refused any more.
  const taken = margin.tpSlCount + margin.promisedTpSlCount;
  if (taken + wantedCount > contract.tpSlMax) {
    return refuse('tp_sl_exceeded', byFigure('at_most', countFigure(contract.tpSlMax)));
  }
  return checkTriggers(margin, terms, (purpose) => {
    const current = market.workingTicks(workingOf(terms, purpose));
    return { order: terms.type === 'market' ? current : terms.priceTicks, current };
  });
}

/** Holds the TP/SL of a trigger order against the price that its order would have. */
export function checkAttached(
  margin: MarginAccount,
  terms: TpSlTerms & { readonly action: ContractAction },
  priceTicks: number,
): Refusal {
  const { takeProfitTicks, stopLossTicks, action } = terms;
  if (takeProfitTicks === undefined && stopLossTicks === undefined) return undefined;
  if (!isOpen(action)) return refuse('parameter_invalid', dueTo('tp_sl_on_closing'));
  return checkTriggers(margin, terms, () => ({ order: priceTicks, current: priceTicks }));
}

/** What a trigger is held against. */
interface Held {
  readonly order: number;
  readonly current: number;
}

function checkTriggers(
  { market }: MarginAccount,
  terms: TpSlTerms & { readonly action: ContractAction },
  heldAgainst: (purpose: TpSlPurpose) => Held,
): Refusal {
  const side = holdSideOf(terms.action);
  for (const purpose of ['take_profit', 'stop_loss'] as const) {
    const at = purpose === 'take_profit' ? terms.takeProfitTicks : terms.stopLossTicks;
    if (at === undefined) continue;
    const refusal = checkOneTpSl(market.contract, side, purpose, at, heldAgainst(purpose));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function workingOf(terms: TpSlTerms, purpose: TpSlPurpose): WorkingPrice {
  const { takeProfitWorking, stopLossWorking } = terms;
  return (purpose === 'take_profit' ? takeProfitWorking : stopLossWorking) ?? 'last';
}

/** Whether the trigger of a TP/SL of this side lies beyond the prices that it is held against. */
function checkOneTpSl(
  contract: Contract,
  side: HoldSide,
  tpSl: TpSlPurpose,
  triggerTicks: Ticks,
  { order, current }: Held,
): Refusal {
  if (triggerTicks <= 0 || triggerTicks % contract.priceStepTicks !== 0)
    return refuse('price_invalid', dueTo('tp_sl_between_steps'));
  const [againstOrder] = SIDES[side][tpSl];
  if (!isBeyond(side, tpSl, triggerTicks, order)) {
    return refuse(againstOrder, byFigure('against', priceFigure(contract, order)));
  }
  return checkBeyond(contract, side, tpSl, triggerTicks, current);
}

function isBeyond(
  side: HoldSide,
  purpose: TpSlPurpose,
  triggerTicks: number,
  heldTicks: number,
): boolean {
  return directionOf(side, purpose) === 'rise'
    ? triggerTicks > heldTicks
    : triggerTicks < heldTicks;
}

/** Whether a close that waits for a trigger has that still ahead of it. */
export function checkBeyond(
  contract: Contract,
  side: HoldSide,
  purpose: TpSlPurpose,
  triggerTicks: Ticks,
  currentTicks: number,
): Refusal {
  if (isBeyond(side, purpose, triggerTicks, currentTicks)) return undefined;
  const [, againstPrice] = SIDES[side][purpose];
  return refuse(againstPrice, byFigure('against', priceFigure(contract, currentTicks)));
}

export function directionOf(side: HoldSide, tpSl: TpSlPurpose): TriggerDirection {
  return (side === 'long') === (tpSl === 'take_profit') ? 'rise' : 'fall';
}

/**
 * Protects what an order has filled since it was last asked: its TP/SL are armed with its first
 * fill and grow with every other one. One cancels the other.
 */
export function protect(state: State, order: ContractOrder): void {
  if (order.hasTpSl && isOpen(order.action)) protectFilled(state, order);
}

/** Apart, so that asking whether there is anything to protect is no call. */
function protectFilled(state: State, order: ContractOrder): void {
  const size = lots(order.filledLots - order.protectedLots);
  if (size === 0) return;
  order.protectedLots = order.filledLots;
  protectBy(state, order, 'take_profit', size);
  protectBy(state, order, 'stop_loss', size);
  const { takeProfit, stopLoss } = order;
  if (takeProfit === null || stopLoss === null) return;
  takeProfit.partner = stopLoss;
  stopLoss.partner = takeProfit;
}

function protectBy(state: State, order: ContractOrder, purpose: TpSlPurpose, size: Lots): void {
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
  purpose: TpSlPurpose,
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
    workingPrice: workingOf(order, purpose),
    direction: directionOf(side, purpose),
    sizeLots: size,
    clientOrderId: undefined,
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
  if (state.contractOrders.get(order.orderId) === undefined) return;
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
function indexTrigger(state: State, trigger: TriggerOrder): void {
  listTrigger(state, trigger);
  awaitTrigger(state, trigger);
}

/** Puts a trigger order into the lists that its owner looks it up in. */
export function listTrigger(state: State, trigger: TriggerOrder): void {
  state.triggers.set(trigger.orderId, trigger);
  trigger.margin.addTrigger(trigger);
}

/** Lets a trigger order wait for the price it looks at. */
export function awaitTrigger(state: State, trigger: TriggerOrder): void {
  state.swapOf(trigger).waiting[trigger.workingPrice].add(trigger);
}
