/** How contract orders and trigger orders end: forgotten, and emitted with their last state. */
import {
  type CancelAllContractOrders,
  type CancelContractOrder,
  type CancelTriggerOrder,
  type ContractCloseReason,
  type HoldSide,
  holdSideOf,
  isOpen,
  type Lots,
  lots,
  type MoveContractOrder,
  type OrderId,
  type Refused,
  refuse,
  type TriggerOrderClosed,
} from '#domain';
import type { Account } from '../ledger/account.ts';
import type { MarginAccount } from '../margin/margin-account.ts';
import { ordersAtWork, takeFromWork } from '../orders-at-work.ts';
import type { Refusal, State } from '../state.ts';
import { disown, protect, releaseTpSl } from '../trigger/tp-sl.ts';
import type { TriggerOrder } from '../trigger/trigger-order.ts';
import { checkSuspended } from './check.ts';
import { keepClientId } from './client-ids.ts';
import type { ContractOrder } from './order.ts';

/** The owner takes an order back. A foreign order answers like an unknown one. */
export function cancelContractOrder(state: State, command: CancelContractOrder): Refusal {
  const order = ownOrder(state, command);
  if ('reject' in order) return order;
  const refusal = checkSuspended(order.market.contract);
  if (refusal !== undefined) return refusal;
  cancelOrder(state, order, 'cancelled_by_owner');
  return undefined;
}

/** An open order that its owner may change, or why it may not. */
export function ownOrder(
  state: State,
  command: CancelContractOrder | MoveContractOrder,
): ContractOrder | Refused {
  const account = ownerOf(state, command);
  if ('reject' in account) return account;
  const order = state.contractOrders.get(command.orderId);
  if (order === undefined || order.margin.account !== account) return refuse('order_unknown');
  return order.instrumentId === command.instrumentId ? order : refuse('order_unknown');
}

export function cancelTriggerOrder(state: State, command: CancelTriggerOrder): Refusal {
  const account = ownerOf(state, command);
  if ('reject' in account) return account;
  const trigger = state.triggers.get(command.orderId);
  if (trigger === undefined || trigger.margin.account !== account) return refuse('order_unknown');
  if (trigger.instrumentId !== command.instrumentId) return refuse('order_unknown');
  const refusal = checkSuspended(trigger.margin.market.contract);
  if (refusal !== undefined) return refusal;
  cancelTrigger(state, trigger, 'cancelled_by_owner');
  return undefined;
}

/** The operator clears an account's contract orders and trigger orders, piece by piece if many. */
export function cancelAllContractOrders(state: State, command: CancelAllContractOrders): Refusal {
  const account = state.ledger.account(command.accountId);
  if (account === undefined) return refuse('account_unknown');
  const { accountId } = account;
  let ordersCount = 0;
  for (const [instrumentId, { accounts }] of state.swaps) {
    const margin = accounts.get(accountId);
    if (margin === undefined) continue;
    ordersCount += margin.openOrdersCount;
    const bounds = { ordersTo: state.lastId, triggersTo: 0 };
    state.work.push({ kind: 'cancel_contract', accountId, instrumentId, ...bounds });
  }
  state.emit({ kind: 'orders_cancelled', accountId, ordersCount });
  return undefined;
}

function ownerOf(
  state: State,
  command: CancelContractOrder | MoveContractOrder | CancelTriggerOrder,
): Account | Exclude<Refusal, undefined> {
  const account = state.ledger.account(command.accountId);
  if (account === undefined) return refuse('account_unknown');
  return account.terms.frozen ? refuse('account_frozen') : account;
}

/** Cancels every order and trigger order of an account in a contract, or those of one side. */
export function cancelAll(
  state: State,
  margin: MarginAccount,
  side: HoldSide | undefined,
  reason: ContractCloseReason,
): void {
  for (const order of state.contractOrdersOf(margin, side)) cancelOrder(state, order, reason);
  for (const trigger of state.triggersOf(margin, side)) cancelTrigger(state, trigger, reason);
}

/** Takes back what would close a side, if anything would: its owner may have many other orders. */
export function cancelCloses(
  state: State,
  margin: MarginAccount,
  side: HoldSide,
  reason: ContractCloseReason,
): void {
  if (margin.position(side).frozenLots === 0) return;
  for (const order of state.contractOrdersOf(margin, side)) {
    if (!isOpen(order.action)) cancelOrder(state, order, reason);
  }
}

/** Takes back what would open a side, and with it what it has frozen. */
export function cancelOpenings(
  state: State,
  margin: MarginAccount,
  side: HoldSide,
  reason: ContractCloseReason,
): void {
  if (margin.position(side).pendingLots === 0 && !isAnyAtWork(state, margin)) return;
  for (const order of state.contractOrdersOf(margin, side)) {
    if (isOpen(order.action)) cancelOrder(state, order, reason);
  }
}

/** One that is being matched opens without being counted as pending. */
function isAnyAtWork(state: State, margin: MarginAccount): boolean {
  return ordersAtWork(state).some(({ order }) => 'margin' in order && order.margin === margin);
}

/** Takes an open order off the book, or from its work, and ends it. */
export function cancelOrder(state: State, order: ContractOrder, reason: ContractCloseReason): void {
  if (order.level === null) {
    takeFromWork(state, order);
    closeOrder(state, order, reason, lots(0));
    return;
  }
  state.swapOf(order).book.remove(order);
  closeResting(state, order, reason);
}

/** Ends an order that the book has just let go of: gives back what it froze first. */
export function closeResting(
  state: State,
  order: ContractOrder,
  reason: ContractCloseReason,
): void {
  thaw(state, order);
  closeOrder(state, order, reason, order.openLots);
}

/** Gives back the margin that an order has frozen which the book has just let go of. */
export function thaw(state: State, order: ContractOrder): void {
  const { action, margin, openLots } = order;
  if (!isOpen(action)) return;
  margin.position(holdSideOf(action)).pendingLots -= openLots;
  margin.balance.release(order.frozen, state.timeMs);
  order.frozen = 0n;
}

/** Ends an order that keeps no margin frozen any more. */
export function closeOrder(
  state: State,
  order: ContractOrder,
  reason: ContractCloseReason,
  restingLots: Lots,
): void {
  const { margin, clientOrderId } = order;
  // Many were filled at once and never rested: for them the table of all orders is not searched.
  if (margin.lists(order)) {
    state.contractOrders.delete(order);
    margin.removeOrder(order);
  }
  if (clientOrderId !== undefined) keepClientId(state, margin, clientOrderId);
  if (!isOpen(order.action)) {
    const position = margin.position(holdSideOf(order.action));
    position.frozenLots = lots(position.frozenLots - order.unfilledLots);
  }
  margin.touchOrders(state.timeMs);
  state.emit({
    kind: 'contract_order_closed',
    order: order.view(),
    reason,
    restingLots,
  });
  if (!order.hasTpSl) return;
  protect(state, order);
  releaseTpSl(order);
}

/** Ends a waiting trigger order that will not fire. */
export function cancelTrigger(state: State, trigger: TriggerOrder, reason: string): void {
  // What its owner takes back is not armed again by the next fill of its order.
  disown(state, trigger, reason === 'cancelled_by_owner');
  forgetTrigger(state, trigger);
  endTrigger(state, trigger, 'cancelled', reason, undefined, lots(0));
}

/** Takes a trigger order out of everything that knows it. */
export function forgetTrigger(state: State, trigger: TriggerOrder): void {
  const { margin, partner, clientOrderId } = trigger;
  disown(state, trigger, false);
  trigger.level?.home.remove(trigger);
  state.triggers.delete(trigger.orderId);
  margin.removeTrigger(trigger);
  if (clientOrderId !== undefined) keepClientId(state, margin, clientOrderId);
  margin.touch(state.timeMs);
  if (partner !== null) partner.partner = null;
  trigger.partner = null;
}

export function endTrigger(
  state: State,
  trigger: TriggerOrder,
  status: TriggerOrderClosed['status'],
  reason: string,
  placedOrderId: OrderId | undefined,
  executedLots: Lots,
): void {
  const view = trigger.view();
  state.emit({
    kind: 'trigger_order_closed',
    trigger: view,
    status,
    reason,
    placedOrderId,
    executedLots,
  });
}

/** TP/SL die with the position they protect. */
export function dropTpSl(state: State, margin: MarginAccount, side: HoldSide): void {
  if (margin.tpSlCount === 0) return;
  for (const trigger of state.triggersOf(margin, side)) {
    if (trigger.purpose !== 'trigger') cancelTrigger(state, trigger, 'position_closed');
  }
}
