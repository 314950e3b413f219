/** Orders of one account as calls name them: open ones in the state, closed ones in the history. */
import type { Services } from '#api';
import type {
  AccountId,
  ContractOrderView,
  Listings,
  OrderId,
  OrderView,
  StateReader,
} from '#domain';
import type { ClosedContractOrder, ClosedOrder } from '#history';
import { findNamed, findPastNamed, parseOrderId } from '../kit/ids.ts';
import type { ShownOrder } from './order-rows.ts';
import { isPair, type Market, marketById } from './terms.ts';

export type OpenOrder = OrderView | ContractOrderView;

/** Newest first. */
export function openOrders(
  state: StateReader,
  accountId: AccountId,
  only: Market | undefined,
): readonly OpenOrder[] {
  const orders: OpenOrder[] = [];
  if (only === undefined || isPair(only)) orders.push(...state.openOrders(accountId));
  if (only === undefined || !isPair(only)) orders.push(...state.openContractOrders(accountId));
  return orders
    .filter(({ instrumentId }) => only === undefined || only.instrumentId === instrumentId)
    .sort((left, right) => right.orderId - left.orderId);
}

/** Of this account, by its id or the name that the client gave it. */
export function findOpen(
  state: StateReader,
  accountId: AccountId,
  name: string,
): OpenOrder | undefined {
  const own = (order: OpenOrder | undefined) =>
    order?.accountId === accountId ? order : undefined;
  const byId = (orderId: OrderId) =>
    own(state.openOrder(orderId)) ?? own(state.openContractOrder(orderId));
  const asId = parseOrderId(name);
  if (asId !== undefined) {
    const found = byId(asId);
    if (found !== undefined) return found;
  }
  return findNamed<OpenOrder>(
    name,
    (chosen) =>
      own(state.openOrderByClientId(accountId, chosen)) ??
      own(state.openContractOrderByClientId(accountId, chosen)),
    byId,
  );
}

/** Of this account and closed, by its id or by the name that the client gave it. */
export async function findClosed(
  { history, historyReady }: Services,
  accountId: AccountId,
  name: string,
): Promise<ClosedOrder | ClosedContractOrder | undefined> {
  await historyReady();
  const byId = async (id: OrderId) =>
    (await history.order(accountId, id)) ?? (await history.contractOrder(accountId, id));
  const asId = parseOrderId(name);
  const found = asId === undefined ? undefined : await byId(asId);
  if (found !== undefined) return found;
  return findPastNamed<ClosedOrder | ClosedContractOrder>(
    name,
    async (chosen) =>
      (await history.orderByClientId(accountId, undefined, chosen)) ??
      (await history.contractOrderByClientId(accountId, undefined, chosen)),
    byId,
  );
}

export function withMarket(listings: Listings, order: ShownOrder['order']): ShownOrder {
  return { market: marketById(listings, order.instrumentId), order };
}
