/** Handlers that place and cancel orders: commands to the venue, answered once they are durable. */
import type { Answer, Caller, JsonObject, Services } from '#api';
import {
  type AccountId,
  type CancelSpotOrder,
  type Event,
  isRefused,
  type OrderId,
  type Refused,
  refuse,
  type VenuePort,
} from '#domain';
import { assert } from '#kernel';

import { settleBatch, submitBatch } from '../batch.ts';
import type { PrivateHandler } from '../handlers.ts';
import { findClosed } from './spot-orders.ts';
import { readNewOrder, readNewOrders } from './spot-read-order.ts';
import {
  type OrderReference,
  readCancelBatch,
  readNamedCancels,
  readOrderReference,
} from './spot-read-query.ts';
import { writeBatchFailure, writeId, writeOrderIds } from './spot-write-account.ts';
import { jsonList } from './spot-write-market.ts';

type TradeOptions = Pick<Services, 'venue' | 'live' | 'history' | 'historyReady'>;

/** One handler per endpoint that changes orders, by its name in the table. */
export function tradeHandlers(options: TradeOptions) {
  return {
    placeOrder: (input, accountId) => placeOrder(options, input, accountId),
    placeBatch: (input, accountId) => placeBatch(options, input, accountId),
    cancelOrder: (input, accountId, _nowMs, caller) =>
      cancelOrder(options, input, accountId, caller),
    cancelBatch: (input, accountId) => cancelBatch(options, input, accountId),
  } as const satisfies Record<string, PrivateHandler>;
}

/** What older clients call under other names. */
export function legacyTradeHandlers(options: TradeOptions) {
  return {
    cancelBatchV2: (input, accountId) => cancelBatchV2(options, input, accountId),
  } as const satisfies Record<string, PrivateHandler>;
}

async function placeOrder(
  { venue, live }: TradeOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const command = readNewOrder(input, accountId, live.listings);
  if (isRefused(command)) return command;
  const placed = placedOrder(await venue.submit(command));
  return isRefused(placed) ? placed : writeOrderIds(placed, command.clientOrderId);
}

/** The id an order got, or why it got none. */
function placedOrder(events: readonly Event[]): OrderId | Refused {
  const first = events[0];
  if (first?.kind === 'refused') return first;
  assert(first?.kind === 'order_accepted', 'an order is accepted or refused');
  return first.orderId;
}

async function placeBatch(
  { venue, live }: TradeOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const batch = readNewOrders(input, accountId, live.listings);
  if (isRefused(batch)) return batch;
  const outcomes = await submitBatch(venue, batch.items, placedOrder);
  if (isRefused(outcomes)) return outcomes;
  const placed: string[] = [];
  const failed: string[] = [];
  for (const [at, outcome] of outcomes.entries()) {
    const clientOrderId = batch.clientOrderIds[at] ?? '';
    if (isRefused(outcome)) failed.push(writeBatchFailure(clientOrderId, outcome));
    else placed.push(writeOrderIds(outcome, clientOrderId));
  }
  return `{"resultList":[${placed.join(',')}],"failure":[${failed.join(',')}]}`;
}

async function cancelOrder(
  options: TradeOptions,
  input: JsonObject,
  accountId: AccountId,
  caller: Caller,
): Promise<Answer> {
  const { venue, live } = options;
  const reference = readOrderReference(input, live.listings);
  if (isRefused(reference)) return reference;
  const { instrumentId } = reference.pair;
  const orderId = reference.orderId ?? (await findOpenId(venue, accountId, reference));
  if (!caller.isLive) return refuse('credentials_wrong');
  if (orderId === undefined) return whyGone(options, accountId, reference);
  const cancelled = await cancel(venue, { accountId, instrumentId, orderId });
  if (!isRefused(cancelled)) return writeId(cancelled);
  if (cancelled.reject !== 'order_unknown') return cancelled;
  return whyGone(options, accountId, { ...reference, orderId });
}

type OrderKey = Pick<CancelSpotOrder, 'accountId' | 'instrumentId' | 'orderId'>;

async function cancel(venue: VenuePort, order: OrderKey): Promise<OrderId | Refused> {
  const [first] = await venue.submit({ kind: 'cancel_spot_order', ...order });
  return first?.kind === 'refused' ? first : order.orderId;
}

/** An open order of another pair may use the id by now: it is not the one that was meant. */
function findOpenId(
  venue: VenuePort,
  accountId: AccountId,
  { clientOrderId, pair }: OrderReference,
): Promise<OrderId | undefined> {
  return venue.read((state) => {
    const order = state.openOrderByClientId(accountId, clientOrderId);
    return order?.instrumentId === pair.instrumentId ? order.orderId : undefined;
  });
}

/** Why an order cannot be cancelled: it has closed, or it never was the caller's. */
async function whyGone(
  options: TradeOptions,
  accountId: AccountId,
  reference: OrderReference,
): Promise<Refused> {
  const closed = await findClosed(options, accountId, reference);
  if (closed === undefined) return refuse('order_unknown');
  return refuse('order_already_closed', closed.status);
}

async function cancelBatch(
  { venue, live }: TradeOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const batch = readCancelBatch(input, live.listings);
  if (isRefused(batch)) return batch;
  const { instrumentId } = batch.pair;
  const outcomes = await settleBatch(venue, batch.orderIds, (orderId) =>
    cancel(venue, { accountId, instrumentId, orderId }),
  );
  if (isRefused(outcomes)) return outcomes;
  const cancelled = outcomes.filter((outcome) => typeof outcome === 'number');
  return jsonList(cancelled, writeId);
}

/** As cancelBatch, with what became of each order, which may be named by either of its ids. */
async function cancelBatchV2(
  options: TradeOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const batch = readNamedCancels(input);
  if (isRefused(batch)) return batch;
  const outcomes = await settleBatch(options.venue, batch, (item) =>
    cancelNamed(options, item, accountId),
  );
  if (isRefused(outcomes)) return outcomes;
  const done = outcomes.filter((outcome) => typeof outcome === 'string');
  const failed = outcomes.flatMap((outcome, at) => {
    if (!isRefused(outcome)) return [];
    const { orderId = '', clientOrderId = '' } = batch[at] ?? {};
    return [writeBatchFailure(String(clientOrderId), outcome, String(orderId))];
  });
  return `{"resultList":[${done.join(',')}],"failure":[${failed.join(',')}]}`;
}

async function cancelNamed(
  options: TradeOptions,
  item: JsonObject,
  accountId: AccountId,
): Promise<string | Refused> {
  const { venue, live } = options;
  const reference = readOrderReference(item, live.listings);
  if (isRefused(reference)) return reference;
  const { instrumentId } = reference.pair;
  const orderId = reference.orderId ?? (await findOpenId(venue, accountId, reference));
  if (orderId === undefined) return whyGone(options, accountId, reference);
  const [first] = await venue.submit({
    kind: 'cancel_spot_order',
    accountId,
    instrumentId,
    orderId,
  });
  if (first?.kind === 'refused') return first;
  const name = first?.kind === 'order_closed' ? first.order.clientOrderId : '';
  return writeOrderIds(orderId, name);
}
