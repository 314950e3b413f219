/**
 * Trigger orders and TP/SL: each waits for its price and fires when that has been reached, not
 * before and not later, in the order of acceptance.
 */
import type { ContractPrices, Event, WorkingPrice } from '#domain';
import { must, mustBe } from './judge.ts';
import { type ContractBook, holdSide, type Model, type Trigger } from './model.ts';
import { failed } from './placed.ts';
import * as presets from './presets.ts';
import { ID_HELD_MS } from './spot.ts';
import type { Turn } from './turn.ts';

type TriggerEvent = Extract<Event, { readonly trigger: unknown }>;

export function apply(model: Model, turn: Turn, event: TriggerEvent): void {
  const { trigger } = event;
  const book = model.contracts.get(trigger.instrumentId);
  must(book !== undefined, 'trigger', () => 'a trigger order of no contract');
  turn.touch(trigger.instrumentId, trigger.accountId);
  const known = book.triggers.get(trigger.orderId);
  if (event.kind === 'trigger_order_accepted') {
    must(known === undefined, 'trigger', () => `${trigger.orderId} is accepted twice`);
    const { takeProfitTicks, stopLossTicks } = trigger;
    if (takeProfitTicks ?? stopLossTicks) turn.count('trigger order with presets');
    const isAsked = turn.command.kind === 'place_tp_sl' && turn.at === 0;
    const held = book.seats.get(trigger.accountId)?.[holdSide(trigger.action)];
    const isOfOrder = trigger.purpose !== 'trigger' && !isAsked;
    const parentId = isOfOrder && held ? presets.armed(turn, book, held, trigger) : undefined;
    const { orderId: place } = trigger;
    book.triggers.set(place, { view: trigger, parentId, place, reached: false, reachedBy: 0 });
    return;
  }
  must(known !== undefined, 'trigger', () => `${trigger.orderId} does not wait`);
  if (event.kind === 'trigger_order_grown') {
    presets.grown(turn, known, trigger);
    known.view = trigger;
  } else if (event.kind === 'trigger_order_modified') {
    changed(turn, known, event);
  } else over(model, turn, book, known, event);
}

type Modified = Extract<Event, { readonly kind: 'trigger_order_modified' }>;

/** What it is for and the way it waits stay; it goes behind others only for another price. */
function changed(turn: Turn, known: Trigger, { trigger, placeId }: Modified): void {
  const { orderId, triggerTicks, workingPrice, purpose, direction, action } = known.view;
  mustBe('trigger', `purpose of ${orderId}`, trigger.purpose, purpose);
  mustBe('trigger', `direction of ${orderId}`, trigger.direction, direction);
  mustBe('trigger', `action of ${orderId}`, trigger.action, action);
  const isSame = trigger.triggerTicks === triggerTicks && trigger.workingPrice === workingPrice;
  if (turn.command.kind === 'modify_trigger_order') {
    turn.count(isSame ? 'trigger order changed in its place' : 'trigger order moved');
    const { sizeLots = known.view.sizeLots } = turn.command;
    mustBe('trigger', `size of ${orderId}`, trigger.sizeLots, sizeLots);
    if (isSame) mustBe('trigger', `place of ${orderId}`, placeId, known.place);
  } else mustBe('trigger', `size of ${orderId}`, trigger.sizeLots, known.view.sizeLots);
  Object.assign(known, { view: trigger, place: placeId, reached: false });
}

function over(
  model: Model,
  turn: Turn,
  book: ContractBook,
  known: Trigger,
  event: Extract<Event, { kind: 'trigger_order_closed' }>,
): void {
  const { orderId, accountId, clientOrderId } = known.view;
  book.triggers.delete(orderId);
  if (clientOrderId !== undefined) {
    model.usedIds.set(`${accountId} contract ${clientOrderId}`, turn.timeMs + ID_HELD_MS);
  }
  mustBe('trigger', `trigger of ${orderId}`, event.trigger.triggerTicks, known.view.triggerTicks);
  presets.over(turn, book, known, event);
  presets.partner(turn, known, event);
  if (event.status === 'cancelled' || isJustArmed(turn, orderId)) return;
  const isMet = known.reached || isReached(known, priceFor(book, known));
  must(isMet, 'trigger', () => `${orderId} fires at ${known.view.triggerTicks}, not reached`);
  turn.count(`trigger fired at the ${known.view.workingPrice ?? 'last'} price`);
  if (event.status === 'failed') failed(model, turn, book, known.view, event.reason);
  for (const other of book.triggers.values()) {
    // What one price reached fires in the order of acceptance, what the next one did behind it.
    const isLater = other.reachedBy - known.reachedBy || other.place - known.place;
    if (!other.reached || isLater > 0) continue;
    if (!turn.wereReachedBefore.has(orderId) || !turn.wereReachedBefore.has(other.view.orderId)) {
      continue;
    }
    must(false, 'trigger order', () => `${orderId} fires before ${other.view.orderId}`);
  }
}

/** One that cannot be armed ends in the event after its acceptance. */
function isJustArmed({ events, at }: Turn, orderId: number): boolean {
  const before = events[at - 1];
  return before?.kind === 'trigger_order_accepted' && before.trigger.orderId === orderId;
}

function priceFor(book: ContractBook, { view }: Trigger): number | undefined {
  if (view.workingPrice === 'index') return book.prices?.indexTicks;
  if (view.workingPrice === 'mark' || book.lastTicks === 0) return book.prices?.markTicks;
  return book.lastTicks;
}

function isReached({ view }: Trigger, priceTicks: number | undefined): boolean {
  if (priceTicks === undefined) return false;
  const { direction, triggerTicks } = view;
  return direction === 'rise' ? priceTicks >= triggerTicks : priceTicks <= triggerTicks;
}

/** Notes what the prices of now have reached. */
export function notePrices(
  book: ContractBook,
  { markTicks, indexTicks }: Pick<ContractPrices, 'markTicks' | 'indexTicks'>,
): void {
  note(book, 'mark', markTicks);
  note(book, 'index', indexTicks);
}

/** Notes what a price of this kind has reached; while the contract is halted nothing is. */
export function note(book: ContractBook, working: WorkingPrice, priceTicks: number): void {
  if (book.terms.status !== 'online') return;
  book.notedCount += 1;
  for (const trigger of book.triggers.values()) {
    const own = trigger.view.workingPrice ?? 'last';
    if (trigger.reached || own !== working || !isReached(trigger, priceTicks)) continue;
    trigger.reached = true;
    trigger.reachedBy = book.notedCount;
  }
}

/** When nothing is left to do, nothing that was reached still waits. */
export function allFired(model: Model): void {
  for (const book of model.contracts.values()) {
    if (book.terms.status !== 'online') continue;
    for (const { view, reached } of book.triggers.values()) {
      must(!reached, 'trigger', () => `${view.orderId} was reached and has not fired`);
    }
  }
}
