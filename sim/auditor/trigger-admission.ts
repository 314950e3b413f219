/**
 * Whether a trigger order, a take-profit or stop-loss of a position, or another trigger for one is
 * taken, and whether what waits can be taken back: one ladder each, its first failure the answer.
 */
import type {
  CancelContractOrder,
  CancelTriggerOrder,
  ClosePosition,
  HoldSide,
  ModifyTpSl,
  ModifyTriggerOrder,
  PlaceTpSl,
  PlaceTriggerOrder,
  TpSlPurpose,
  TpSlTerms,
  TriggeredPrice,
  TriggerOrderView,
} from '#domain';
import { depthOf, isTaken, owned, TAKEN, type Verdict } from './admission.ts';
import {
  bookSide,
  type ContractBook,
  holdSide,
  isOpening,
  type Model,
  type Seat,
  type Trigger,
} from './model.ts';
import { seatIn } from './placed.ts';
import { takenPresets } from './presets.ts';
import { isStale, workingTicks } from './prices.ts';

type Cancel = CancelContractOrder | CancelTriggerOrder;
type Modify = ModifyTpSl | ModifyTriggerOrder;
export type OfContract = PlaceTriggerOrder | PlaceTpSl | Modify | ClosePosition | Cancel;

export function judgeTrigger(model: Model, command: OfContract, timeMs: number): Verdict {
  const { accountId, instrumentId } = command;
  const account = model.accounts.get(accountId);
  if (account === undefined) return 'account_unknown';
  if (account.frozen) return 'account_frozen';
  const book = model.contracts.get(instrumentId);
  const isCancel =
    command.kind === 'cancel_contract_order' || command.kind === 'cancel_trigger_order';
  if (book === undefined) return isCancel ? 'order_unknown' : 'contract_unknown';
  const seat = seatIn(model, accountId)(book);
  switch (command.kind) {
    case 'place_trigger_order':
      return owned(
        model,
        book,
        seat,
        holdSide(command.action),
        () => planOrder(model, book, seat, command, timeMs) ?? TAKEN,
      );
    case 'place_tp_sl':
      return owned(
        model,
        book,
        seat,
        command.side,
        () => tpSl(model, book, seat, command, timeMs) ?? TAKEN,
      );
    case 'modify_tp_sl':
    case 'modify_trigger_order':
      return modified(model, book, seat, command);
    case 'close_position':
      return owned(model, book, seat, command.side, () => {
        const reject = closing(book, seat, command);
        if (reject !== undefined || !command.reverses) return reject ?? TAKEN;
        return reversal(model, book, seat, command, timeMs);
      });
    default:
      return cancelled(book, command) ?? TAKEN;
  }
}

function isStep({ terms }: ContractBook, priceTicks: number): boolean {
  return priceTicks > 0 && priceTicks % terms.priceStepTicks === 0;
}

/** Which way the price goes to a close of this kind. */
function direction(side: HoldSide, purpose: TpSlPurpose): 'rise' | 'fall' {
  return (side === 'long') === (purpose === 'take_profit') ? 'rise' : 'fall';
}

/** Whether a close still has its trigger ahead. */
function notAhead(
  side: HoldSide,
  purpose: TpSlPurpose,
  triggerTicks: number,
  against: number,
  what: 'order' | 'price',
): string | undefined {
  const isRise = direction(side, purpose) === 'rise';
  if (isRise ? triggerTicks > against : triggerTicks < against) return undefined;
  return `${purpose}_${isRise ? 'below' : 'above'}_${what}`;
}

function planOrder(
  model: Model,
  book: ContractBook,
  seat: Seat,
  command: PlaceTriggerOrder,
  timeMs: number,
): string | undefined {
  const { accountId, sizeLots, clientOrderId, triggerTicks, action } = command;
  const { terms } = book;
  const ofSize = triggerSize(book, sizeLots);
  if (ofSize !== undefined) return ofSize;
  if (!isStep(book, triggerTicks)) return 'price_invalid';
  if (command.type === 'limit' && !isStep(book, command.executeTicks)) return 'price_invalid';
  if (clientOrderId !== undefined && isTaken(model, accountId, clientOrderId, timeMs)) {
    return 'contract_client_id_in_use';
  }
  const own = [...book.triggers.values()].filter(
    ({ view }) => view.accountId === accountId && view.purpose === 'trigger',
  );
  if (own.length >= terms.triggerOrdersMax) return 'trigger_orders_exceeded';
  const reject = contradiction(book, command) ?? attached(book, command);
  if (reject !== undefined || isOpening(action)) return reject;
  return seat[holdSide(action)].lots > 0 ? undefined : 'close_exceeds_position';
}

function triggerSize({ terms }: ContractBook, sizeLots: number): string | undefined {
  if (sizeLots <= 0) return 'quantity_invalid';
  if (sizeLots < terms.minLots) return 'quantity_below_minimum';
  return sizeLots > terms.maxLots ? 'quantity_above_maximum' : undefined;
}

/** A direction that is said must be the one in which the price still has to go. */
function contradiction(book: ContractBook, command: PlaceTriggerOrder): string | undefined {
  const { direction: said } = command;
  return said === undefined ? undefined : gone(book, { ...command, direction: said });
}

type Waits = Pick<TriggerOrderView, 'action' | 'direction' | 'triggerTicks' | 'workingPrice'>;

/** Whether the price is already where it would have to go. */
function gone(book: ContractBook, waits: Waits): string | undefined {
  const { action, triggerTicks, workingPrice } = waits;
  const current = workingTicks(book, workingPrice);
  if (isOpening(action)) {
    const isAhead = waits.direction === 'rise' ? triggerTicks > current : triggerTicks < current;
    return isAhead ? undefined : 'trigger_direction_mismatch';
  }
  const side = holdSide(action);
  const isStop = direction(side, 'stop_loss') === waits.direction;
  return notAhead(side, isStop ? 'stop_loss' : 'take_profit', triggerTicks, current, 'price');
}

type Brings = TpSlTerms & TriggeredPrice & Pick<TriggerOrderView, 'action' | 'triggerTicks'>;

/** Presets of a plan order are held against the price that its order will have. */
function attached(book: ContractBook, command: Brings): string | undefined {
  const { takeProfitTicks, stopLossTicks, action } = command;
  if (takeProfitTicks === undefined && stopLossTicks === undefined) return undefined;
  if (!isOpening(action)) return 'parameter_invalid';
  const price = command.type === 'limit' ? command.executeTicks : command.triggerTicks;
  const side = holdSide(action);
  for (const [purpose, at] of [
    ['take_profit', takeProfitTicks],
    ['stop_loss', stopLossTicks],
  ] as const) {
    if (at === undefined) continue;
    if (!isStep(book, at)) return 'price_invalid';
    const reject = notAhead(side, purpose, at, price, 'order');
    if (reject !== undefined) return reject;
  }
  return undefined;
}

function tpSl(
  model: Model,
  book: ContractBook,
  seat: Seat,
  command: PlaceTpSl,
  timeMs: number,
): string | undefined {
  const { accountId, side, purpose, sizeLots, triggerTicks, clientOrderId, workingPrice } = command;
  const ofSize = tpSlSize(book, seat, side, sizeLots);
  if (ofSize !== undefined) return ofSize;
  if (!isStep(book, triggerTicks)) return 'price_invalid';
  if (command.type === 'limit' && !isStep(book, command.executeTicks)) return 'price_invalid';
  if (clientOrderId !== undefined && isTaken(model, accountId, clientOrderId, timeMs)) {
    return 'contract_client_id_in_use';
  }
  if (takenPresets(book, accountId) >= book.terms.tpSlMax) return 'tp_sl_exceeded';
  return notAhead(side, purpose, triggerTicks, workingTicks(book, workingPrice), 'price');
}

function tpSlSize(
  { terms }: ContractBook,
  seat: Seat,
  side: HoldSide,
  sizeLots: number,
): string | undefined {
  const { lots } = seat[side];
  if (lots === 0) return 'close_exceeds_position';
  if (sizeLots < 0) return 'quantity_invalid';
  if (sizeLots > lots) return 'close_exceeds_position';
  return sizeLots > terms.maxLots ? 'quantity_above_maximum' : undefined;
}

/** It waits on in the way it does, so its new trigger must still be ahead; its old one is kept. */
function modified(model: Model, book: ContractBook, seat: Seat, command: Modify): Verdict {
  const known = book.triggers.get(command.orderId);
  if (known?.view.accountId !== command.accountId) return 'order_unknown';
  const { view } = known;
  const isOld = command.kind === 'modify_tp_sl';
  if (isOld && view.purpose === 'trigger') return 'order_unknown';
  if (known.reached) return 'order_state_wrong';
  const side = holdSide(view.action);
  return owned(model, book, seat, side, () => changed(book, seat, known, command) ?? TAKEN);
}

function changed(
  book: ContractBook,
  seat: Seat,
  known: Trigger,
  command: Modify,
): string | undefined {
  const { view } = known;
  const isOld = command.kind === 'modify_tp_sl';
  const { triggerTicks, execution, workingPrice = view.workingPrice } = command;
  const reject = isOld ? undefined : newSize(book, seat, known, command);
  if (reject !== undefined) return reject;
  if (!isStep(book, triggerTicks)) return 'price_invalid';
  if (execution?.type === 'limit' && !isStep(book, execution.executeTicks)) return 'price_invalid';
  const isSame =
    triggerTicks === view.triggerTicks &&
    (workingPrice ?? 'last') === (view.workingPrice ?? 'last');
  const isAway = isOld || !isSame ? gone(book, { ...view, triggerTicks, workingPrice }) : undefined;
  if (isAway !== undefined || isOld) return isAway;
  return attached(book, { ...view, triggerTicks, ...execution });
}

function newSize(
  book: ContractBook,
  seat: Seat,
  { view, parentId }: Trigger,
  { sizeLots }: ModifyTriggerOrder,
): string | undefined {
  if (sizeLots === undefined) return undefined;
  if (view.purpose === 'trigger') return triggerSize(book, sizeLots);
  if (book.orders.some(({ orderId }) => orderId === parentId)) return 'order_state_wrong';
  return tpSlSize(book, seat, holdSide(view.action), sizeLots);
}

/** What its owner may take back he may in a halt, and not while the contract is suspended. */
function cancelled(book: ContractBook, command: Cancel): string | undefined {
  const { orderId, accountId } = command;
  const found =
    command.kind === 'cancel_contract_order'
      ? book.orders.find((one) => one.orderId === orderId)
      : book.triggers.get(orderId)?.view;
  if (found?.accountId !== accountId) return 'order_unknown';
  return book.terms.status === 'suspended' ? 'contract_suspended' : undefined;
}

function closing(book: ContractBook, seat: Seat, { side }: ClosePosition): string | undefined {
  if (seat[side].lots === 0) return 'close_exceeds_position';
  return depthOf(book, bookSide(side === 'long' ? 'close_long' : 'close_short'));
}

/** What can be said of the opening before anything is closed. */
function reversal(
  model: Model,
  book: ContractBook,
  seat: Seat,
  { side }: ClosePosition,
  timeMs: number,
): Verdict {
  return owned(model, book, seat, side === 'long' ? 'short' : 'long', () => {
    if (isStale(book, timeMs)) return 'contract_halted';
    return seat[side].lots > book.terms.maxLots ? 'quantity_above_maximum' : TAKEN;
  });
}
