/** Which order a call is about: it names no pair, and either the order's id or the client's. */
import { type JsonObject, refuseSaying, type Services } from '#api';
import {
  type AccountId,
  isRefused,
  type Listings,
  type OpenOrderView,
  type OrderId,
  type Refused,
  refuse,
  type StateReader,
} from '#domain';
import type { ClosedOrder } from '#history';
import { findNamed, findPastNamed } from '../kit/ids.ts';
import { optionalText, requestReader } from '../kit/request.ts';
import { ORDER_ID } from './parameters.ts';

export const ORDER_REFERENCE = {
  orderId: ORDER_ID,
  origClientOrderId: optionalText('Id chosen by the client, in place of the order id'),
};

/** By its id, null for one that no order here has, or by the id that the client chose. */
export type OrderReference =
  | { readonly orderId: OrderId | null }
  | { readonly clientOrderId: string };

const readReference = requestReader(ORDER_REFERENCE);

export function readOrderReference(
  input: JsonObject,
  listings: Listings,
): OrderReference | Refused {
  const values = readReference(input, listings);
  if (isRefused(values)) return values;
  const { orderId, origClientOrderId: clientOrderId } = values;
  if (orderId === undefined) {
    return clientOrderId === '' ? refuse('order_id_missing') : { clientOrderId };
  }
  if (clientOrderId !== '')
    return refuseSaying('parameters_conflict', 'orderId and origClientOrderId');
  return { orderId };
}

/** An open order of the account. */
export function findOpen(
  state: StateReader,
  accountId: AccountId,
  reference: OrderReference,
): OpenOrderView | undefined {
  const byId = (id: OrderId) => {
    const order = state.openOrder(id);
    return order?.accountId === accountId ? order : undefined;
  };
  if ('clientOrderId' in reference) {
    const byChoice = (name: string) => state.openOrderByClientId(accountId, name);
    return findNamed(reference.clientOrderId, byChoice, byId);
  }
  return reference.orderId === null ? undefined : byId(reference.orderId);
}

/** A closed order of the account; by the client's id the newest one. */
export async function findClosed(
  { history, historyReady }: Services,
  accountId: AccountId,
  reference: OrderReference,
): Promise<ClosedOrder | undefined> {
  await historyReady();
  const byId = (id: OrderId) => history.order(accountId, id);
  if ('clientOrderId' in reference) {
    const byChoice = (name: string) => history.orderByClientId(accountId, undefined, name);
    return findPastNamed(reference.clientOrderId, byChoice, byId);
  }
  return reference.orderId === null ? undefined : byId(reference.orderId);
}
