/**
 * Orders beside those that are asked for: placed by a trigger or to close a position, and moved.
 * Each passes the ladder of every order, and a trigger order that fails says where it stopped.
 */
import type { ContractOrderAccepted, MoveContractOrder, TriggerOrderView } from '#domain';
import { type Asked, closable, judgeOrder, statusOf, TAKEN, type Verdict } from './admission.ts';
import { mustBe, show } from './judge.ts';
import { type ContractBook, freshSeat, type Model, type Seat } from './model.ts';
import type { Turn } from './turn.ts';

/** What protects or closes a position does so however small or large that is. */
const ANY_SIZE = { minLots: 1, maxLots: Number.MAX_SAFE_INTEGER } as const;

export function seatIn(model: Model, accountId: number): (book: ContractBook) => Seat {
  return (book) => book.seats.get(accountId) ?? freshSeat(model, book, accountId);
}

/** An order that comes in and is not what the command itself asks for. */
export function placed(model: Model, turn: Turn, event: ContractOrderAccepted): void {
  const { command, events, timeMs } = turn;
  const { accountId, instrumentId, terms } = event;
  const isAsked = command.kind === 'place_contract_order' && events[0] === event;
  if (isAsked || terms.cause !== 'owner') return;
  const asked: Asked = { ...terms, accountId, instrumentId, clientOrderId: undefined };
  const bounds = terms.action.startsWith('close') ? ANY_SIZE : undefined;
  const verdict = judgeOrder(model, asked, timeMs, seatIn(model, accountId), bounds);
  if (verdict === undefined) return;
  mustBe('admission', `what becomes of ${show(terms)}`, TAKEN, verdict);
  turn.count('order of a trigger foretold');
}

/** Why a trigger order that has fired was not placed. */
export function failed(
  model: Model,
  turn: Turn,
  book: ContractBook,
  trigger: TriggerOrderView,
  reason: string,
): void {
  if (reason === 'position_closed') return;
  const { accountId, action, purpose } = trigger;
  const seatOf = seatIn(model, accountId);
  const open = purpose === 'trigger' ? trigger.sizeLots : closable(book, seatOf(book), action);
  const sizeLots = (
    trigger.sizeLots === 0 ? open : Math.min(trigger.sizeLots, open)
  ) as TriggerOrderView['sizeLots'];
  const how =
    trigger.type === 'limit'
      ? ({ type: 'limit', force: 'gtc', priceTicks: trigger.executeTicks } as const)
      : ({ type: 'market', force: 'ioc' } as const);
  const asked: Asked = { ...trigger, sizeLots, clientOrderId: undefined, ...how };
  const { maxLots } = trigger.sizeLots === 0 ? ANY_SIZE : book.terms;
  const bounds = purpose === 'trigger' ? undefined : { ...ANY_SIZE, maxLots };
  const isFrozen = model.accounts.get(accountId)?.frozen === true;
  const isNothing = sizeLots === 0 && !isFrozen;
  const verdict = isNothing
    ? 'close_exceeds_position'
    : judgeOrder(model, asked, turn.timeMs, seatOf, bounds);
  if (verdict === undefined) return;
  mustBe('admission', `why ${show(trigger)} fails`, reason, verdict);
  turn.count('failed trigger foretold');
}

/** A move is judged as a new order would be, the moved one gone; less of it may always be. */
export function judgeMove(model: Model, command: MoveContractOrder, timeMs: number): Verdict {
  const { accountId, instrumentId, orderId, priceTicks, sizeLots } = command;
  const account = model.accounts.get(accountId);
  if (account === undefined) return 'account_unknown';
  if (account.frozen) return 'account_frozen';
  const book = model.contracts.get(instrumentId);
  const order = book?.orders.find((one) => one.orderId === orderId);
  if (book === undefined || order?.accountId !== accountId) return 'order_unknown';
  if (sizeLots <= order.filledLots) return 'quantity_invalid';
  const openLots = (sizeLots - order.filledLots) as typeof sizeLots;
  const { minLots, maxLots } = book.terms;
  const isLess = priceTicks === order.priceTicks && openLots <= order.openLots;
  if (isLess && sizeLots >= minLots) return statusOf(book) ?? TAKEN;
  // Which of its presets are armed already is not always known.
  if (order.presetsCount > 0) return undefined;
  // It keeps the place among its owner's orders that it has.
  const terms = { ...book.terms, openOrdersMax: Number.MAX_SAFE_INTEGER };
  const others = book.orders.filter((one) => one !== order);
  const without = { ...book, terms, orders: others };
  const contracts = new Map([...model.contracts, [instrumentId as number, without]]);
  const left = { ...model, contracts };
  const { action, force } = order;
  const asked = { accountId, instrumentId, action, force, priceTicks, sizeLots: openLots };
  const { filledLots } = order;
  const bounds = { minLots: Math.max(1, minLots - filledLots), maxLots: maxLots - filledLots };
  const named = { ...asked, type: 'limit', clientOrderId: undefined } as const;
  return judgeOrder(left, named, timeMs, seatIn(left, accountId), bounds);
}
