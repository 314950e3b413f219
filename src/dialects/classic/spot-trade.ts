/**
 * Placing and cancelling orders, one or a batch: commands to the venue, answered once they are
 * durable.
 */
import Type from 'typebox';
import { type DataJson, type JsonObject, refuseSaying, type Services, type SignedCall } from '#api';
import {
  type AccountId,
  type CancelSpotOrder,
  type Event,
  isRefused,
  LIMITS,
  type OrderId,
  type Refused,
  refuse,
  type VenuePort,
} from '#domain';
import { assert } from '#kernel';
import { settleBatch, submitBatch } from '../kit/batch.ts';
import { type SignedEndpoint, signedEndpoint, signedEndpointReadBy } from '../kit/endpoint.ts';
import { ORDER_ID } from '../kit/examples.ts';
import { Fields, scalarText } from '../kit/fields.ts';
import { houseReject } from '../kit/house-rejects.ts';
import { clientIdOf, formatId, parseOrderId } from '../kit/ids.ts';
import type { Field } from '../kit/request.ts';
import { decimal, encoded, id, jsonList, listOf, row, type Shape, text } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { rejectText } from './rejects.ts';
import {
  NEW_BATCH_FIELDS,
  NEW_ORDER_FIELDS,
  type NewOrderBatch,
  ORDER_EXAMPLE,
  readNewOrder,
  readNewOrders,
} from './spot-new-order.ts';
import {
  findClosed,
  findOpen,
  ORDER_REFERENCE,
  type OrderReference,
  readOrderReference,
} from './spot-orders.ts';
import { PAIR, perSecond, SPOT_BASE } from './spot-terms.ts';

interface OrderIds {
  readonly orderId: OrderId;
  readonly clientOrderId: string | undefined;
}

export const ORDER_IDS = row<OrderIds>()({
  orderId: id('Order id', ORDER_ID, (placed) => formatId(placed.orderId)),
  clientOrderId: text('Id chosen by the client, or the order id', 'grid#7', clientIdOf),
});

/** An order of a batch that was refused, with the code and text it would have had alone. */
interface FailedItem {
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly refused: Refused;
}

const FAILED_ITEM = row<FailedItem>()({
  orderId: text('Order id as it was sent; empty for a new order', '', (item) => item.orderId),
  clientOrderId: text('As the client sent it', 'grid#8', (item) => item.clientOrderId),
  errorCode: decimal(
    'Error code as for a single order',
    houseReject('quantity_invalid').code,
    ({ refused }) => houseReject(refused.reject).code,
  ),
  errorMsg: text('Error text', rejectText(refuse('quantity_invalid')), ({ refused }) =>
    rejectText(refused),
  ),
});

interface BatchOutcome {
  /** Both already encoded, in request order. */
  readonly done: readonly string[];
  readonly failed: readonly string[];
}

const BATCH_OUTCOME = row<BatchOutcome>()({
  resultList: encoded(listOf(ORDER_IDS), ({ done }) => `[${done.join(',')}]`),
  failure: encoded(
    { schema: listOf(FAILED_ITEM).schema, example: [] },
    ({ failed }) => `[${failed.join(',')}]`,
  ),
});

const CANCELLED: Shape = { schema: schema.id('The cancelled order'), example: ORDER_ID };

/** In request order; ids that cannot be ours are left out. */
const ORDER_IDS_FIELD: Field<readonly OrderId[]> = {
  schema: Type.Array(schema.required('Order id'), {
    description: 'Order ids, up to 50',
    minItems: 1,
  }),
  read: (fields, name) => {
    const texts = fields.list(name, LIMITS.spotBatchMax).map(scalarText);
    if (texts.includes(undefined))
      fields.refuse('parameter_invalid', `${name} must hold order ids`);
    return texts.map((text) => parseOrderId(text ?? '')).filter((id) => id !== undefined);
  },
};

export const SPOT_TRADE = {
  placeOrder: signedEndpointReadBy(readNewOrder, {
    method: 'POST',
    path: `${SPOT_BASE}/trade/orders`,
    rate: perSecond(10),
    permission: 'trade',
    summary: 'Place an order',
    request: NEW_ORDER_FIELDS,
    response: ORDER_IDS,
    example: { request: { symbol: 'BTCUSDT_SPBL', ...ORDER_EXAMPLE } },
    answer: async ({ venue }: Services, command) => {
      const placed = placedOrder(await venue.submit(command));
      if (isRefused(placed)) return placed;
      return ORDER_IDS.write(placed);
    },
  }),
  placeBatch: signedEndpointReadBy(readNewOrders, {
    method: 'POST',
    path: `${SPOT_BASE}/trade/batch-orders`,
    rate: perSecond(5),
    permission: 'trade',
    summary: 'Place up to 50 orders of one pair; each succeeds or fails alone',
    request: NEW_BATCH_FIELDS,
    response: BATCH_OUTCOME,
    example: { request: { symbol: 'BTCUSDT_SPBL', orderList: [ORDER_EXAMPLE] } },
    answer: ({ venue }: Services, batch) => placeBatch(venue, batch),
  }),
  cancelOrder: signedEndpointReadBy(readOrderReference, {
    method: 'POST',
    path: `${SPOT_BASE}/trade/cancel-order`,
    rate: perSecond(10),
    permission: 'trade',
    summary: 'Cancel an order, by its id or the id the client chose',
    request: ORDER_REFERENCE,
    response: CANCELLED,
    example: { request: { symbol: 'BTCUSDT_SPBL', orderId: ORDER_ID } },
    answer: cancelOrder,
  }),
  cancelBatch: signedEndpoint({
    method: 'POST',
    path: `${SPOT_BASE}/trade/cancel-batch-orders`,
    rate: perSecond(10),
    permission: 'trade',
    summary: 'Cancel up to 50 orders; ids that cannot be cancelled are left out of the answer',
    request: { symbol: PAIR, orderIds: ORDER_IDS_FIELD },
    response: { schema: Type.Array(schema.id('A cancelled order')), example: [ORDER_ID] },
    example: { request: { symbol: 'BTCUSDT_SPBL', orderIds: [ORDER_ID] } },
    answer: async ({ venue }: Services, { symbol: pair, orderIds }, { accountId }) => {
      const { instrumentId } = pair;
      const outcomes = await settleBatch(venue, orderIds, (orderId) =>
        cancel(venue, { accountId, instrumentId, orderId }),
      );
      if (isRefused(outcomes)) return outcomes;
      const cancelled = outcomes.filter((outcome): outcome is OrderIds => !isRefused(outcome));
      return jsonList(cancelled, ({ orderId }) => writeId(orderId));
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

const NAMED_ORDERS = {
  symbol: PAIR,
  orderIds: idList('Order id'),
  clientOids: idList('Id chosen by the client'),
};

/** What older clients call under another name. */
export const OLDER_SPOT_TRADE = {
  cancelBatchV2: signedEndpointReadBy(readNamedCancels, {
    method: 'POST',
    path: `${SPOT_BASE}/trade/cancel-batch-orders-v2`,
    rate: perSecond(10),
    permission: 'trade',
    summary: 'As cancel-batch-orders, with what became of each order',
    request: NAMED_ORDERS,
    response: BATCH_OUTCOME,
    example: { request: { symbol: 'BTCUSDT_SPBL', orderIds: [ORDER_ID] } },
    answer: async (services: Services, batch, call) => {
      const outcomes = await settleBatch(services.venue, batch, (item) =>
        cancelNamed(services, item, call),
      );
      return isRefused(outcomes) ? outcomes : writeBatch(outcomes, (at) => namesOf(batch[at]));
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

/** One body of a cancel for each order that a batch names, by its id or the id its client chose. */
function readNamedCancels(body: JsonObject): JsonObject[] | Refused {
  const fields = new Fields(body);
  const symbol = NAMED_ORDERS.symbol.read(fields, 'symbol');
  const orderIds = NAMED_ORDERS.orderIds.read(fields, 'orderIds');
  const clientOids = NAMED_ORDERS.clientOids.read(fields, 'clientOids');
  const names = [
    ...orderIds.map((orderId) => ({ symbol, orderId })),
    ...clientOids.map((clientOrderId) => ({ symbol, clientOrderId })),
  ];
  if (names.length === 0) fields.refuse('order_id_missing', '');
  if (names.length > LIMITS.spotBatchMax) {
    fields.refuse('batch_too_large', `${names.length} orders`);
  }
  return fields.fault ?? names;
}

function namesOf(item: JsonObject = {}): Pick<FailedItem, 'orderId' | 'clientOrderId'> {
  const { orderId = '', clientOrderId = '' } = item;
  return { orderId: String(orderId), clientOrderId: String(clientOrderId) };
}

/** A list that may be left out. */
function idList(description: string): Field<readonly unknown[]> {
  return {
    schema: Type.Optional(Type.Array(schema.text(description))),
    read: (fields, name) => (fields.has(name) ? fields.list(name, LIMITS.spotBatchMax) : []),
  };
}

/** The ids of an order, or why it got none. */
function placedOrder(events: readonly Event[]): OrderIds | Refused {
  const first = events[0];
  if (first?.kind === 'refused') return first;
  assert(first?.kind === 'order_accepted', 'an order is accepted or refused');
  return first;
}

async function placeBatch(venue: VenuePort, batch: NewOrderBatch): Promise<DataJson | Refused> {
  const placed = await submitBatch(venue, batch.items, placedOrder);
  if (isRefused(placed)) return placed;
  const { clientOrderIds } = batch;
  return writeBatch(placed, (at) => ({ orderId: '', clientOrderId: clientOrderIds[at] ?? '' }));
}

function writeBatch(
  outcomes: readonly (OrderIds | Refused)[],
  namesOf: (at: number) => Pick<FailedItem, 'orderId' | 'clientOrderId'>,
): DataJson {
  const done: string[] = [];
  const failed: string[] = [];
  for (const [at, outcome] of outcomes.entries()) {
    if (!isRefused(outcome)) done.push(ORDER_IDS.write(outcome));
    else failed.push(FAILED_ITEM.write({ ...namesOf(at), refused: outcome }));
  }
  return BATCH_OUTCOME.write({ done, failed });
}

async function cancelOrder(
  services: Services,
  reference: OrderReference,
  { accountId, caller }: SignedCall,
): Promise<DataJson | Refused> {
  const { venue } = services;
  const { instrumentId } = reference.pair;
  const orderId = await findOpenId(venue, accountId, reference);
  if (!caller.isLive) return refuse('credentials_wrong');
  if (orderId === undefined) return whyGone(services, accountId, reference);
  const cancelled = await cancel(venue, { accountId, instrumentId, orderId });
  if (!isRefused(cancelled)) return writeId(cancelled.orderId);
  if (cancelled.reject !== 'order_unknown') return cancelled;
  return whyGone(services, accountId, { ...reference, orderId });
}

async function cancelNamed(
  services: Services,
  item: JsonObject,
  { accountId, caller }: SignedCall,
): Promise<OrderIds | Refused> {
  const { venue, live } = services;
  const reference = readOrderReference(item, live.listings);
  if (isRefused(reference)) return reference;
  const { instrumentId } = reference.pair;
  const orderId = await findOpenId(venue, accountId, reference);
  if (!caller.isLive) return refuse('credentials_wrong');
  if (orderId === undefined) return whyGone(services, accountId, reference);
  return cancel(venue, { accountId, instrumentId, orderId });
}

type OrderKey = Pick<CancelSpotOrder, 'accountId' | 'instrumentId' | 'orderId'>;

/** The ids of the order that was cancelled, or why it was not. */
async function cancel(venue: VenuePort, order: OrderKey): Promise<OrderIds | Refused> {
  const [first] = await venue.submit({ kind: 'cancel_spot_order', ...order });
  if (first?.kind === 'refused') return first;
  const clientOrderId = first?.kind === 'order_closed' ? first.order.clientOrderId : undefined;
  return { orderId: order.orderId, clientOrderId };
}

/**
 * The id of the order that is meant. An open order of another pair may use the client id by now:
 * that is not the one.
 */
export async function findOpenId(
  venue: VenuePort,
  accountId: AccountId,
  reference: OrderReference,
): Promise<OrderId | undefined> {
  const { orderId } = reference;
  if (orderId !== undefined) return orderId;
  return venue.read((state) => findOpen(state, accountId, reference)?.orderId, accountId);
}

/** Why an order cannot be cancelled or moved: it has closed, or it never was the caller's. */
export async function whyGone(
  services: Services,
  accountId: AccountId,
  reference: OrderReference,
): Promise<Refused> {
  const closed = await findClosed(services, accountId, reference);
  if (closed === undefined) return refuse('order_unknown');
  return refuseSaying('order_already_closed', closed.status);
}

/** One id, as a JSON string. */
function writeId(id: number): string {
  return `"${formatId(id)}"`;
}
