/**
 * What closes when its trigger is met: it is as large as it was asked for and no larger than what
 * is held, and the newest resting closes go as long as they leave it too few lots.
 */
import type { ContractOrderAccepted, ContractOrderClosed, TriggerOrderView } from '#domain';
import { closable } from './admission.ts';
import { must, mustBe } from './judge.ts';
import { type ContractBook, type ContractRest, holdSide, isOpening, type Seat } from './model.ts';
import type { Turn } from './turn.ts';

const REASON = 'closing_trigger_fired';

/** How much a trigger order asks for once its trigger is met. */
export function sizeWhenFired(seat: Seat, { action, sizeLots }: TriggerOrderView): number {
  if (isOpening(action)) return sizeLots;
  const { lots } = seat[holdSide(action)];
  return sizeLots === 0 ? lots : Math.min(sizeLots, lots);
}

/** The closes that go for one of this size. */
export function inTheWay(
  book: ContractBook,
  seat: Seat,
  action: TriggerOrderView['action'],
  sizeLots: number,
): ContractRest[] {
  if (isOpening(action)) return [];
  const found: ContractRest[] = [];
  let free = closable(book, seat, action);
  for (const order of closesOf(book, seat, action)) {
    if (free >= sizeLots) break;
    found.push(order);
    free += order.openLots;
  }
  return found;
}

function closesOf(book: ContractBook, { accountId }: Seat, action: string): ContractRest[] {
  return book.orders
    .filter((order) => order.accountId === accountId && order.action === action)
    .toSorted((one, other) => other.orderId - one.orderId);
}

/** A close that went for another one was the next to go, and that one comes in right after. */
export function takenBack(
  turn: Turn,
  book: ContractBook,
  seat: Seat,
  { order, reason }: ContractOrderClosed,
): void {
  if (reason !== REASON) return;
  const { accountId, action, orderId } = order;
  const next = turn.events.slice(turn.at + 1).find((event) => !isTakenBack(event));
  const isFor =
    next?.kind === 'contract_order_accepted' &&
    next.accountId === accountId &&
    next.terms.action === action;
  must(isFor, 'closing', () => `${orderId} goes and nothing takes its place`);
  const [first] = inTheWay(book, seat, action, next.terms.sizeLots);
  mustBe('closing', 'which close goes', orderId, first?.orderId);
  turn.count('close that goes for one whose trigger was met');
}

function isTakenBack(event: Turn['events'][number]): boolean {
  return event.kind === 'contract_order_closed' && event.reason === REASON;
}

/** The order of a trigger is of the size that was left. */
export function fired(
  turn: Turn,
  seat: Seat,
  { terms, orderId }: ContractOrderAccepted,
  trigger: TriggerOrderView | undefined,
): void {
  if (trigger === undefined) return;
  const expected = sizeWhenFired(seat, trigger);
  mustBe('closing', `size of ${orderId}`, terms.sizeLots, expected);
  const isCut = !isOpening(trigger.action) && expected < trigger.sizeLots;
  if (isCut) turn.count('closing trigger cut to what is held');
}
