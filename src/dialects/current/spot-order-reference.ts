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
import { optionalText, requestReader } from '../request.ts';
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
  if ('clientOrderId' in reference) {
    return state.openOrderByClientId(accountId, reference.clientOrderId);
  }
  const { orderId } = reference;
  const order = orderId === null ? undefined : state.openOrder(orderId);
  return order?.accountId === accountId ? order : undefined;
}

/** A closed order of the account; by the client's id the newest one. */
export async function findClosed(
  { history, historyReady }: Services,
  accountId: AccountId,
  reference: OrderReference,
): Promise<ClosedOrder | undefined> {
  await historyReady();
  if ('clientOrderId' in reference) {
    return history.orderByClientId(accountId, undefined, reference.clientOrderId);
  }
  const { orderId } = reference;
  return orderId === null ? undefined : history.order(accountId, orderId);
}
