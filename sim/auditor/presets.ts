/**
 * Take-profit and stop-loss that opening orders bring along: the first fill arms them, every other
 * one makes them grow, and each must stand on the right side of the average entry when it is armed.
 */
import type { ContractOrderWish, TpSlPurpose, TriggerOrderClosed, TriggerOrderView } from '#domain';
import { must, mustBe } from './judge.ts';
import {
  type ContractBook,
  type ContractRest,
  type Holding,
  holdSide,
  type Model,
  type Preset,
  type Trigger,
} from './model.ts';
import { averageEntry } from './shown.ts';
import type { Turn } from './turn.ts';

const TP_SL: readonly TpSlPurpose[] = ['take_profit', 'stop_loss'];

export function presetsOf(terms: ContractOrderWish): ContractRest['presets'] {
  const { takeProfitTicks, stopLossTicks, takeProfitWorking, stopLossWorking } = terms;
  const preset = (triggerTicks: number, working: Preset['working'] = 'last'): Preset => {
    return { triggerTicks, working, state: 'ahead', coveredLots: 0 };
  };
  return {
    ...(takeProfitTicks && { take_profit: preset(takeProfitTicks, takeProfitWorking) }),
    ...(stopLossTicks && { stop_loss: preset(stopLossTicks, stopLossWorking) }),
  };
}

/** How many TP/SL of an account wait, or may still be armed by orders that rest. */
export function takenPresets({ orders, triggers }: ContractBook, accountId: number): number {
  const waiting = [...triggers.values()].filter(
    ({ view }) => view.accountId === accountId && view.purpose !== 'trigger',
  );
  const own = orders.filter((order) => order.accountId === accountId);
  const ahead = own.flatMap(({ presets }) => Object.values(presets)).filter(isAhead);
  return waiting.length + ahead.length;
}

export function isAhead({ state }: Preset): boolean {
  return state === 'ahead';
}

/** Notes that something of an order has filled which its presets have to protect. */
export function noteFill(turn: Turn, { terms }: ContractBook, order: ContractRest): void {
  if (Object.keys(order.presets).length > 0) turn.protectedBy.set(order, terms.instrumentId);
}

/** A TP/SL that was not asked for by itself: the order that it is of, which now has it waiting. */
export function armed(
  turn: Turn,
  book: ContractBook,
  held: Holding,
  view: TriggerOrderView,
): number {
  const { purpose } = view;
  const found = [...turn.protectedBy].find(([order, instrumentId]) => {
    if (instrumentId !== view.instrumentId || order.accountId !== view.accountId) return false;
    const preset = presetOf(order, purpose);
    return (
      preset !== undefined &&
      isAhead(preset) &&
      preset.coveredLots < order.filledLots &&
      preset.triggerTicks === view.triggerTicks &&
      preset.working === (view.workingPrice ?? 'last') &&
      holdSide(order.action) === holdSide(view.action)
    );
  });
  must(found !== undefined, 'TP/SL', () => `${view.orderId} is armed and protects nothing`);
  const [order] = found;
  const preset = presetOf(order, purpose);
  must(preset !== undefined, 'TP/SL', () => `${view.orderId} is of no preset`);
  mustBe('TP/SL', `size of ${view.orderId}`, view.sizeLots, order.filledLots - preset.coveredLots);
  mustBe('TP/SL', `type of ${view.orderId}`, view.type, 'market');
  const isRise = (holdSide(view.action) === 'long') === (purpose === 'take_profit');
  mustBe('TP/SL', `direction of ${view.orderId}`, view.direction, isRise ? 'rise' : 'fall');
  Object.assign(preset, { state: 'armed', coveredLots: order.filledLots });
  const failure = nextFailure(turn, view.orderId);
  const expected = whyNotArmed(book, held, view);
  mustBe('TP/SL', `why ${view.orderId} is not armed`, failure, expected);
  turn.count(expected === undefined ? 'TP/SL armed' : 'TP/SL that fails when it is armed');
  return order.orderId;
}

/** What the event after this one says of it when it could not be armed. */
function nextFailure({ events, at }: Turn, orderId: number): string | undefined {
  const next = events[at + 1];
  const isOwn = next?.kind === 'trigger_order_closed' && next.trigger.orderId === orderId;
  return isOwn && next.status === 'failed' ? next.reason : undefined;
}

/** A side that is flat needs none; any other is protected beyond its average entry to the tick. */
function whyNotArmed(
  book: ContractBook,
  held: Holding,
  { action, purpose, triggerTicks }: TriggerOrderView,
): string | undefined {
  if (held.lots === 0) return 'position_closed';
  const isRise = (holdSide(action) === 'long') === (purpose === 'take_profit');
  const average = averageEntry(book, held, 1n);
  const isBeyond = isRise ? BigInt(triggerTicks) > average : BigInt(triggerTicks) < average;
  return isBeyond ? undefined : `${purpose}_${isRise ? 'below' : 'above'}_order`;
}

/** One that waits protects what its order has filled since. */
export function grown(turn: Turn, known: Trigger, view: TriggerOrderView): void {
  const found = [...turn.protectedBy.keys()].find(({ orderId }) => orderId === known.parentId);
  const preset = found && presetOf(found, view.purpose);
  must(
    found !== undefined && preset?.state === 'armed',
    'TP/SL',
    () => `${view.orderId} grows and no order has filled`,
  );
  const more = found.filledLots - preset.coveredLots;
  mustBe('TP/SL', `size of ${view.orderId}`, view.sizeLots, known.view.sizeLots + more);
  must(more > 0, 'TP/SL', () => `${view.orderId} grows by nothing`);
  preset.coveredLots = found.filledLots;
}

/** A trigger that fires is none any more when what it places meets the book. */
export function fires(
  turn: Turn,
  book: ContractBook,
  placedOrderId: number,
): TriggerOrderView | undefined {
  const end = turn.events.find(
    (event) => event.kind === 'trigger_order_closed' && event.placedOrderId === placedOrderId,
  );
  if (end?.kind !== 'trigger_order_closed') return undefined;
  const known = book.triggers.get(end.trigger.orderId);
  if (known === undefined) return undefined;
  for (const other of book.triggers.values()) {
    const isPartner = known.parentId !== undefined && other.parentId === known.parentId;
    const isOther = other !== known && isPartner;
    must(!isOther, 'TP/SL', () => `${other.view.orderId} outlives its partner`);
  }
  over(turn, book, known, end);
  turn.hasFired.add(end.trigger.orderId);
  return known.view;
}

/** What its owner takes back, or cannot be armed, is not armed again; anything else may be. */
export function over(
  turn: Turn,
  book: ContractBook,
  known: Trigger,
  event: TriggerOrderClosed,
): void {
  const { view, parentId } = known;
  if (parentId === undefined || turn.hasFired.has(view.orderId)) return;
  const orders = [...book.orders, ...turn.incoming.values(), ...turn.protectedBy.keys()];
  const order = orders.find(({ orderId }) => orderId === parentId);
  const preset = order && presetOf(order, view.purpose);
  if (preset === undefined) return;
  const isByHand = event.status === 'cancelled' && event.reason === 'cancelled_by_owner';
  const isMisplaced = event.status === 'failed' && event.reason === misplacement(known);
  preset.state = isByHand || isMisplaced ? 'dropped' : 'ahead';
}

function misplacement({ view: { purpose, direction } }: Trigger): string {
  return `${purpose}_${direction === 'rise' ? 'below' : 'above'}_order`;
}

function presetOf({ presets }: ContractRest, purpose: string): Preset | undefined {
  return purpose === 'trigger' ? undefined : presets[purpose as TpSlPurpose];
}

/** After a step all that has filled is protected, and nothing that is gone. */
export function allProtected(model: Model, turn: Turn): void {
  for (const [order] of turn.protectedBy) {
    for (const purpose of TP_SL) {
      const preset = order.presets[purpose];
      if (preset === undefined || preset.state === 'dropped') continue;
      const { coveredLots } = preset;
      mustBe(
        'TP/SL',
        `lots that the ${purpose} of ${order.orderId} is for`,
        coveredLots,
        order.filledLots,
      );
    }
    turn.count('fills protected');
  }
  for (const [instrumentId, accounts] of turn.touched) {
    const book = model.contracts.get(instrumentId);
    if (book !== undefined) noneOfFlat(book, accounts);
  }
}

function noneOfFlat({ seats, triggers }: ContractBook, accounts: ReadonlySet<number>): void {
  for (const { view } of triggers.values()) {
    if (view.purpose === 'trigger' || !accounts.has(view.accountId)) continue;
    const held = seats.get(view.accountId)?.[holdSide(view.action)].lots ?? 0;
    must(held > 0, 'TP/SL', () => `${view.orderId} waits and its side is flat`);
  }
}

/** What goes for its partner goes because that one fires. */
export function partner(turn: Turn, { view }: Trigger, event: TriggerOrderClosed): void {
  if (event.status !== 'cancelled' || event.reason !== 'other_tp_sl_fired') return;
  const isFired = turn.events.some(
    (other) =>
      other.kind === 'trigger_order_closed' &&
      other.status !== 'cancelled' &&
      other.trigger.accountId === view.accountId &&
      other.trigger.action === view.action &&
      other.trigger.purpose !== view.purpose,
  );
  must(isFired, 'TP/SL', () => `${view.orderId} goes for another one, and none has fired`);
  turn.count('TP/SL that goes with its partner');
}
