/**
 * Orders beside those that are asked for: placed by a trigger or to close a position, and moved.
 * Each passes the ladder of every order, and a trigger order that fails says where it stopped.
 */
import type {
  ContractOrderAccepted,
  MoveContractOrder,
  Ticks,
  TpSlTerms,
  TriggerOrderView,
} from '#domain';
import { type Asked, judgeOrder, owned, TAKEN, type Verdict } from './admission.ts';
import { inTheWay, sizeWhenFired } from './closing.ts';
import { mustBe, show } from './judge.ts';
import {
  type ContractBook,
  type ContractRest,
  freshSeat,
  holdSide,
  type Model,
  type Seat,
} from './model.ts';
import { isAhead } from './presets.ts';
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
  const seat = seatOf(book);
  const sizeLots = sizeWhenFired(seat, trigger) as TriggerOrderView['sizeLots'];
  const going = inTheWay(book, seat, action, sizeLots);
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
    : judgeOrder(modelWithout(model, book, going), asked, turn.timeMs, seatOf, bounds);
  if (verdict === undefined) return;
  mustBe('admission', `why ${show(trigger)} fails`, reason, verdict);
  turn.count('failed trigger foretold');
}

/** A venue from whose contract some orders are gone. */
function modelWithout(model: Model, book: ContractBook, gone: readonly ContractRest[]): Model {
  const left = { ...book, orders: book.orders.filter((one) => !gone.includes(one)) };
  const { instrumentId } = book.terms;
  return { ...model, contracts: new Map([...model.contracts, [instrumentId as number, left]]) };
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
  const { minLots } = book.terms;
  const isLess = priceTicks === order.priceTicks && openLots <= order.openLots;
  if (isLess && sizeLots >= minLots) {
    const seat = seatIn(model, accountId)(book);
    return owned(model, book, seat, holdSide(order.action), () => TAKEN);
  }
  const { left, asked, bounds } = asNew(model, book, order, command);
  return judgeOrder(left, asked, timeMs, seatIn(left, accountId), bounds);
}

/** A move as the new order that it is judged as, and a venue without the one that is moved. */
export function asNew(
  model: Model,
  book: ContractBook,
  order: ContractRest,
  { accountId, instrumentId, priceTicks, sizeLots }: MoveContractOrder,
) {
  const { minLots, maxLots } = book.terms;
  const { action, force, filledLots } = order;
  const openLots = (sizeLots - filledLots) as typeof sizeLots;
  // It keeps the places among its owner's orders and presets that it has.
  const roomy = { openOrdersMax: Number.MAX_SAFE_INTEGER, tpSlMax: Number.MAX_SAFE_INTEGER };
  const terms = { ...book.terms, ...roomy };
  const without = { ...book, terms, orders: book.orders.filter((one) => one !== order) };
  const contracts = new Map([...model.contracts, [instrumentId as number, without]]);
  const facts = { accountId, instrumentId, action, force, priceTicks, sizeLots: openLots };
  const named = { ...facts, ...aheadOf(order), type: 'limit', clientOrderId: undefined } as const;
  const bounds = { minLots: Math.max(1, minLots - filledLots), maxLots: maxLots - filledLots };
  return { left: { ...model, contracts }, without, asked: named satisfies Asked, bounds };
}

/** Presets that wait, or never will again, are not held against the new price. */
function aheadOf({ presets }: ContractRest): TpSlTerms {
  const { take_profit: profit, stop_loss: loss } = presets;
  return {
    ...(profit && isAhead(profit) && { takeProfitTicks: ticks(profit.triggerTicks) }),
    ...(loss && isAhead(loss) && { stopLossTicks: ticks(loss.triggerTicks) }),
    takeProfitWorking: profit?.working,
    stopLossWorking: loss?.working,
  };
}

/** The domain brands its numbers; here they are plain. */
function ticks(plain: number): Ticks {
  return plain as Ticks;
}
