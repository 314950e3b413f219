/**
 * Orders that the venue places for their owner, by a trigger or to close a position: each passes
 * the ladder of every order, and a trigger order that fails says where it stopped.
 */
import type { ContractOrderAccepted, TriggerOrderView } from '#domain';
import { type Asked, closable, judgeOrder, TAKEN } from './admission.ts';
import { mustBe, show } from './judge.ts';
import { type ContractBook, freshSeat, type Model, type Seat } from './model.ts';
import type { Turn } from './turn.ts';

/** What protects or closes a position does so however small or large that is. */
const ANY_SIZE = { minLots: 1, maxLots: Number.MAX_SAFE_INTEGER } as const;

function seatIn(model: Model, accountId: number): (book: ContractBook) => Seat {
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
