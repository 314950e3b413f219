/**
 * Trigger orders and TP/SL: each waits for its price and fires when that has been reached, not
 * before and not later, in the order of acceptance.
 */
import type { Event } from '#domain';
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
    book.triggers.set(place, { view: trigger, parentId, place, reached: false });
    return;
  }
  must(known !== undefined, 'trigger', () => `${trigger.orderId} does not wait`);
  if (event.kind === 'trigger_order_grown') {
    presets.grown(turn, known, trigger);
    known.view = trigger;
  } else if (event.kind === 'trigger_order_modified') {
    Object.assign(known, { view: trigger, place: event.placeId, reached: false });
  } else over(model, turn, book, known, event);
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
  model.usedIds.set(`${accountId} contract ${clientOrderId}`, turn.timeMs + ID_HELD_MS);
  mustBe('trigger', `trigger of ${orderId}`, event.trigger.triggerTicks, known.view.triggerTicks);
  presets.over(turn, book, known, event);
  presets.partner(turn, known, event);
  if (event.status === 'cancelled' || isJustArmed(turn, orderId)) return;
  const isMet = known.reached || isReached(known, priceFor(book, known));
  must(isMet, 'trigger', () => `${orderId} fires at ${known.view.triggerTicks}, not reached`);
  turn.count('trigger fired');
  if (event.status === 'failed') failed(model, turn, book, known.view, event.reason);
  for (const other of book.triggers.values()) {
    if (!other.reached || other.place > known.place) continue;
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
  if (view.workingPrice === 'mark' || book.lastTicks === 0) return book.prices?.markTicks;
  return book.lastTicks;
}

function isReached({ view }: Trigger, priceTicks: number | undefined): boolean {
  if (priceTicks === undefined) return false;
  const { direction, triggerTicks } = view;
  return direction === 'rise' ? priceTicks >= triggerTicks : priceTicks <= triggerTicks;
}

/** Notes what a trade or a mark price has reached; while the contract is halted nothing is. */
export function note(book: ContractBook, working: 'last' | 'mark', priceTicks: number): void {
  if (book.terms.status !== 'online') return;
  for (const trigger of book.triggers.values()) {
    const own = trigger.view.workingPrice ?? 'last';
    if (own === working && isReached(trigger, priceTicks)) trigger.reached = true;
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
