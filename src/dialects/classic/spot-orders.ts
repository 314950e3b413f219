/**
 * Handlers that read orders and fills. Open orders are in the venue's memory, closed ones in the
 * history, which is asked only once it holds everything the caller can know of.
 */
import type { Answer, JsonObject, Services } from '#api';
import {
  type AccountId,
  isRefused,
  type OrderView,
  openStatus,
  refuse,
  type StateReader,
} from '#domain';
import type { ClosedOrder } from '#history';
import { present } from '#kernel';

import type { PrivateHandler } from '../handlers.ts';
import {
  type OrderReference,
  readFills,
  readOrderHistory,
  readOrderReference,
  readPairOrAll,
} from './spot-read-query.ts';
import { writeFill, writeOrder } from './spot-write-account.ts';
import { jsonList } from './spot-write-market.ts';

type OrdersOptions = Pick<
  Services,
  'venue' | 'live' | 'history' | 'historyReady' | 'compatibility'
>;

/** One handler per endpoint that reads orders, by its name in the table. */
export function orderHandlers(options: OrdersOptions) {
  return {
    orderInfo: (input, accountId) => orderInfo(options, input, accountId),
    openOrders: (input, accountId) => openOrders(options, input, accountId),
    orderHistory: (input, accountId) => orderHistory(options, input, accountId),
    fills: (input, accountId) => fills(options, input, accountId),
  } as const satisfies Record<string, PrivateHandler>;
}

async function orderInfo(
  options: OrdersOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const reference = readOrderReference(input, options.live.listings);
  if (isRefused(reference)) return reference;
  const { pair } = reference;
  const open = await options.venue.read((state) => {
    const order = findOpen(state, accountId, reference);
    return order && writeOrder(pair, order, openStatus(order));
  });
  if (open !== undefined) return `[${open}]`;
  const closed = await findClosed(options, accountId, reference);
  if (closed === undefined) return refuse('order_unknown');
  return `[${writeOrder(pair, closed, closed.status, closed.reason)}]`;
}

function findOpen(
  state: StateReader,
  accountId: AccountId,
  { pair, orderId, clientOrderId }: OrderReference,
): OrderView | undefined {
  const order =
    orderId === undefined
      ? state.openOrderByClientId(accountId, clientOrderId)
      : state.openOrder(orderId);
  if (order?.accountId !== accountId || order.instrumentId !== pair.instrumentId) return undefined;
  return order;
}

/** A closed order of the caller, by the newest one with its client order id if it has no id. */
export async function findClosed(
  { history, historyReady }: Pick<OrdersOptions, 'history' | 'historyReady'>,
  accountId: AccountId,
  { pair, orderId, clientOrderId }: OrderReference,
): Promise<ClosedOrder | undefined> {
  await historyReady();
  if (orderId === undefined) {
    return history.orderByClientId(accountId, pair.instrumentId, clientOrderId);
  }
  const closed = await history.order(accountId, orderId);
  return closed?.instrumentId === pair.instrumentId ? closed : undefined;
}

async function openOrders(
  { venue, live }: OrdersOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const query = readPairOrAll(input, live.listings);
  if (isRefused(query)) return query;
  const only = query.pair?.instrumentId;
  return venue.read((state) => {
    const rows: string[] = [];
    for (const order of state.openOrders(accountId)) {
      if (only !== undefined && order.instrumentId !== only) continue;
      const pair = present(state.listings.spotById(order.instrumentId), 'pair of an order');
      rows.push(writeOrder(pair, order, openStatus(order)));
    }
    return `[${rows.join(',')}]`;
  });
}

async function orderHistory(
  { live, history, historyReady }: OrdersOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const query = readOrderHistory(input, live.listings);
  if (isRefused(query)) return query;
  const { pair, ...page } = query;
  await historyReady();
  const orders = await history.orders({ ...page, accountId, instrumentId: pair.instrumentId });
  return jsonList(orders, (order) => writeOrder(pair, order, order.status, order.reason));
}

async function fills(
  { live, history, historyReady, compatibility }: OrdersOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const query = readFills(input, live.listings);
  if (isRefused(query)) return query;
  const { pair, orderId, ...page } = query;
  if (orderId === null) return '[]';
  await historyReady();
  const { instrumentId } = pair;
  const found = await history.fills({ ...page, accountId, instrumentId, orderId });
  const sign = compatibility?.fillFees === 'negative' ? -1n : 1n;
  return jsonList(found, (fill) => writeFill(pair, fill, sign));
}
