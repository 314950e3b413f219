/** How spot orders end: the engine forgets them and emits an event with their last state. */
import {
  type CancelAllSpotOrders,
  type CancelSpotOrder,
  type CloseReason,
  type Lots,
  type MoveSpotOrder,
  ofMarket,
  type Refused,
  refuse,
  ZERO_LOTS,
} from '#domain';
import { present } from '#kernel';
import { takeFromWork } from '../orders-at-work.ts';
import type { Refusal, State } from '../state.ts';
import type { SpotOrder } from './order.ts';
import { paidFrom } from './pair.ts';
import { reservation } from './settle.ts';

/** The owner takes an order back. A foreign order answers like an unknown one. */
export function cancelSpotOrder(state: State, command: CancelSpotOrder): Refusal {
  const order = ownOrder(state, command);
  if ('reject' in order) return order;
  const { status, symbol } = order.market.instrument;
  if (status === 'suspended') return refuse('market_suspended', ofMarket(symbol));
  cancelOrder(state, order, 'cancelled_by_owner');
  return undefined;
}

/** An open order that its owner may change, or why it may not. */
export function ownOrder(
  state: State,
  command: CancelSpotOrder | MoveSpotOrder,
): SpotOrder | Refused {
  const account = state.ledger.account(command.accountId);
  if (account === undefined) return refuse('account_unknown');
  if (account.terms.frozen) return refuse('account_frozen');
  const order = state.orders.get(command.orderId);
  if (order === undefined || order.accountId !== command.accountId) return refuse('order_unknown');
  return order.instrumentId === command.instrumentId ? order : refuse('order_unknown');
}

/** Takes an open order off the book, or from its work, and ends it. */
export function cancelOrder(state: State, order: SpotOrder, reason: CloseReason): void {
  if (order.level === null) {
    takeFromWork(state, order);
    giveBack(state, order);
    closeOrder(state, order, reason, ZERO_LOTS);
    return;
  }
  const market = present(state.market(order.instrumentId), 'market of an open order');
  market.book.remove(order);
  closeResting(state, order, reason);
}

/** The operator clears an account's orders, piece by piece if they are many. */
export function cancelAllSpotOrders(state: State, command: CancelAllSpotOrders): Refusal {
  const account = state.ledger.account(command.accountId);
  if (account === undefined) return refuse('account_unknown');
  const { accountId, openOrdersCount: ordersCount } = account;
  state.emit({ kind: 'orders_cancelled', accountId, ordersCount });
  state.work.push({ kind: 'cancel_spot', accountId, ordersTo: state.lastId });
  return undefined;
}

/** Ends an order that the book has just let go of: gives back its reservation first. */
export function closeResting(state: State, order: SpotOrder, reason: CloseReason): void {
  giveBack(state, order);
  closeOrder(state, order, reason, order.openLots);
}

function giveBack(state: State, order: SpotOrder): void {
  const amount = reservation(order.market.instrument, order, order.openLots);
  paidFrom(order.market, order.side).release(order.accountId, amount, state.timeMs);
}

/** Ends an order that holds nothing any more. An order that never rested only emits its event. */
export function closeOrder(
  state: State,
  order: SpotOrder,
  reason: CloseReason,
  restingLots: Lots,
): void {
  const { clientOrderId } = order;
  const account = state.ownerOf(order);
  // Many were filled at once and never rested: for them the map of all orders is not searched.
  if (account.lists(order)) {
    state.orders.delete(order);
    account.removeOrder(order);
  }
  if (clientOrderId !== undefined) {
    state.usedIds.keep(account.usedIds('spot'), clientOrderId, state.timeMs);
  }
  state.emit({ kind: 'order_closed', order: order.view(), reason, restingLots });
}
