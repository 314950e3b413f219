/**
 * Placing and cancelling orders, one or a batch: commands to the venue, answered once they are
 * durable.
 */
import Type from 'typebox';
import type { DataJson, Services, SignedCall } from '#api';
import {
  isRefused,
  type OrderId,
  type OrderView,
  type PlaceSpotOrder,
  type Refused,
  refuse,
  type SpotInstrument,
  type VenuePort,
} from '#domain';
import { assert, present } from '#kernel';
import { settleBatch, settleCancels } from '../kit/batch.ts';
import { type SignedEndpoint, signedEndpoint, signedEndpointReadBy } from '../kit/endpoint.ts';
import { clientIdOf, formatId } from '../kit/ids.ts';
import {
  encoded,
  ID_NUMBER,
  idNumber,
  jsonList,
  listedName,
  listOf,
  onlyIf,
  row,
  text,
  whole,
} from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { batchCosts, costs } from './costs.ts';
import { type OrderName, orderNamesReader, referenceOf } from './order-names.ts';
import { idsUpTo } from './parameters.ts';
import { codeOf, rejectText } from './rejects.ts';
import {
  NEW_ORDER_FIELDS,
  NEW_ORDERS_FIELDS,
  NEW_ORDERS_MAX,
  type NewOrders,
  ORDER_EXAMPLE,
  readNewOrder,
  readNewOrders,
} from './spot-new-order.ts';
import {
  findOpen,
  ORDER_REFERENCE,
  type OrderReference,
  readOrderReference,
} from './spot-order-reference.ts';
import { PAIR, SPOT_BASE, TIME_MS } from './spot-terms.ts';
import { marketName } from './symbols.ts';

/** Orders that one call may cancel by their ids. */
const CANCELS_MAX = 50;

/** An order that was placed, or that had this client id already. */
interface Placed {
  readonly symbol: string;
  readonly orderId: OrderId;
  readonly clientOrderId: string | undefined;
  readonly timeMs: number;
}

export const PLACED = row<Placed>()({
  symbol: listedName('Pair', 'BTCUSDT', ({ symbol }) => marketName(symbol)),
  orderId: idNumber('Order id', ({ orderId }) => formatId(orderId)),
  clientOrderId: text('Id chosen by the client, or the order id', 'grid-7', clientIdOf),
  transactTime: whole('When it was placed', TIME_MS, ({ timeMs }) => timeMs),
});

/** An order of a batch that was refused, with the code and text it would have had alone. */
interface FailedItem {
  readonly symbol: string;
  readonly clientOrderId: string;
  readonly refused: Refused;
}

const FAILED_ITEM = row<FailedItem>()({
  symbol: listedName('Pair', 'BTCUSDT', ({ symbol }) => marketName(symbol)),
  clientOrderId: text('As the client sent it', 'grid-8', (item) => item.clientOrderId),
  errorCode: text('Error code as for a single order', '-1142', ({ refused }) =>
    String(codeOf(refused, 'spot')),
  ),
  errorMsg: text('Error text', "Parameter 'quantity' is invalid.", ({ refused }) =>
    rejectText(refused, 'spot'),
  ),
});

interface Cancelled {
  readonly name: OrderName;
  /** Undefined when it was cancelled. */
  readonly refused: Refused | undefined;
}

const CANCELED = 'CANCELED';
const FAILED = 'FAILED';

/** Named by its id or by the client, never by both; no quote may come before the optional ones. */
const CANCELLED = row<Cancelled>()({
  status: encoded(
    { schema: schema.oneOf([CANCELED, FAILED], 'What became of it'), example: CANCELED },
    ({ refused }) => JSON.stringify(refused === undefined ? CANCELED : FAILED),
  ),
  orderId: onlyIf(
    ({ name }) => 'orderId' in name,
    idNumber('Order id', ({ name }) => ('orderId' in name ? name.orderId : '')),
  ),
  origClientOrderId: onlyIf(
    ({ name }) => 'clientOrderId' in name,
    text('Id chosen by the client', 'grid-7', ({ name }) =>
      'clientOrderId' in name ? name.clientOrderId : '',
    ),
  ),
  errorMsg: onlyIf(
    ({ refused }) => refused !== undefined,
    text('Why it was not cancelled', '', ({ refused }) => whyFailed(refused)),
  ),
});

const CANCEL_EXAMPLE = { status: CANCELED, orderId: ID_NUMBER };

/** What clients match on when there is no such order. */
function whyFailed(refused: Refused | undefined): string {
  if (refused === undefined) return '';
  return refused.reject === 'order_unknown'
    ? 'FAILED_ORDER_NOT_FOUND'
    : rejectText(refused, 'spot');
}

const CANCELLED_LIST = {
  schema: Type.Object({ orderList: Type.Array(CANCELLED.schema) }),
  example: { orderList: [CANCEL_EXAMPLE] },
};

const PLACED_LIST = {
  schema: Type.Object({
    orderList: Type.Array(Type.Union([PLACED.schema, FAILED_ITEM.schema])),
  }),
  example: { orderList: [PLACED.example, FAILED_ITEM.example] },
};

const NAMED_ORDERS = {
  orderIds: idsUpTo(CANCELS_MAX, `Order ids, up to ${CANCELS_MAX}`),
  origClientOrderIds: idsUpTo(CANCELS_MAX, 'Or as many ids chosen by the client'),
};

const readNamedOrders = orderNamesReader(NAMED_ORDERS);
const ORDER_ID_TEXT = String(ID_NUMBER);

export const SPOT_TRADE = {
  placeOrder: signedEndpointReadBy(readNewOrder, {
    method: 'POST',
    path: `${SPOT_BASE}/order`,
    ...costs(5, 1),
    permission: 'trade',
    summary: 'Place an order; an open one with the same client id is answered in its place',
    request: NEW_ORDER_FIELDS,
    response: PLACED,
    example: { request: { symbol: 'BTCUSDT', ...ORDER_EXAMPLE } },
    answer: async (services: Services, command, { nowMs }) => {
      const placed = await place(services, command, nowMs);
      return isRefused(placed) ? placed : PLACED.write(placed);
    },
  }),
  placeBatch: signedEndpointReadBy(readNewOrders, {
    method: 'POST',
    path: `${SPOT_BASE}/order/batch`,
    ...batchCosts(50, 'orderList'),
    permission: 'trade',
    summary: `Place up to ${NEW_ORDERS_MAX} orders of one pair; each succeeds or fails alone`,
    request: NEW_ORDERS_FIELDS,
    response: PLACED_LIST,
    example: { request: { symbol: 'BTCUSDT', orderList: [ORDER_EXAMPLE] } },
    answer: (services: Services, batch, { nowMs }) => placeBatch(services, batch, nowMs),
  }),
  cancelOrder: signedEndpointReadBy(readOrderReference, {
    method: 'DELETE',
    path: `${SPOT_BASE}/order`,
    ...costs(1),
    inQuery: true,
    permission: 'trade',
    summary: 'Cancel an order, by its id or the id the client chose',
    request: ORDER_REFERENCE,
    response: CANCELLED,
    example: { request: { orderId: ORDER_ID_TEXT }, data: CANCEL_EXAMPLE },
    answer: async ({ venue }: Services, reference, call) => {
      const order = await cancelNamed(venue, reference, call);
      if (isRefused(order)) return order;
      const byClientId = 'clientOrderId' in reference;
      const name = byClientId ? reference : { orderId: formatId(order.orderId) };
      return CANCELLED.write({ name, refused: undefined });
    },
  }),
  cancelBatch: signedEndpointReadBy(readNamedOrders, {
    method: 'DELETE',
    path: `${SPOT_BASE}/order/batch`,
    ...costs(10),
    permission: 'trade',
    summary: `Cancel up to ${CANCELS_MAX} orders, with what became of each`,
    request: NAMED_ORDERS,
    response: CANCELLED_LIST,
    example: { request: { orderIds: [ORDER_ID_TEXT] } },
    answer: async ({ venue }: Services, names, call) => {
      const outcomes = await settleBatch(venue, names, (name) =>
        cancelNamed(venue, referenceOf(name), call),
      );
      if (isRefused(outcomes)) return outcomes;
      const named = names.map((name, at) => {
        const outcome = outcomes[at];
        return { name, refused: isRefused(outcome) ? outcome : undefined };
      });
      return `{"orderList":${jsonList(named, CANCELLED.write)}}`;
    },
  }),
  cancelAll: signedEndpoint({
    method: 'DELETE',
    path: `${SPOT_BASE}/openOrders`,
    ...costs(1),
    inQuery: true,
    permission: 'trade',
    summary: 'Cancel all open orders of a pair, with what became of each',
    request: { symbol: PAIR },
    response: { schema: listOf(CANCELLED).schema, example: [CANCEL_EXAMPLE] },
    example: { request: { symbol: 'BTCUSDT' } },
    answer: ({ venue }: Services, { symbol: pair }, call) => cancelAll(venue, pair, call),
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

/** Answers an open order that already has the client id: sent again, nothing is placed twice. */
async function place(
  { venue, live }: Services,
  command: PlaceSpotOrder,
  nowMs: number,
): Promise<Placed | Refused> {
  const [first] = await venue.submit(command);
  if (first?.kind === 'refused') return sameIdOr(venue, command, first);
  assert(first?.kind === 'order_accepted', 'an order is accepted or refused');
  const { orderId, clientOrderId, instrumentId } = first;
  const { symbol } = present(live.listings.spotById(instrumentId), 'pair of an order');
  return { symbol, orderId, clientOrderId, timeMs: nowMs };
}

async function sameIdOr(
  venue: VenuePort,
  { accountId, clientOrderId }: PlaceSpotOrder,
  refused: Refused,
): Promise<Placed | Refused> {
  if (clientOrderId === undefined || refused.reject !== 'client_order_id_in_use') return refused;
  return venue.read((state) => {
    const open = state.openOrderByClientId(accountId, clientOrderId);
    if (open === undefined) return refused;
    const { symbol } = present(state.listings.spotById(open.instrumentId), 'pair of an order');
    return { symbol, orderId: open.orderId, clientOrderId, timeMs: open.createdTimeMs };
  }, accountId);
}

async function placeBatch(
  services: Services,
  { items, clientOrderIds, market: { symbol } }: NewOrders,
  nowMs: number,
): Promise<DataJson | Refused> {
  const placed = await settleBatch(services.venue, items, async (item) =>
    isRefused(item) ? item : place(services, item, nowMs),
  );
  if (isRefused(placed)) return placed;
  const list = placed.map((outcome, at) =>
    isRefused(outcome)
      ? FAILED_ITEM.write({ symbol, clientOrderId: clientOrderIds[at] ?? '', refused: outcome })
      : PLACED.write(outcome),
  );
  return `{"orderList":[${list.join(',')}]}`;
}

/** The order that was cancelled, or why there was none. */
async function cancelNamed(
  venue: VenuePort,
  reference: OrderReference,
  { accountId, caller }: SignedCall,
): Promise<OrderView | Refused> {
  const order = await venue.read((state) => findOpen(state, accountId, reference), accountId);
  if (!caller.isLive) return refuse('credentials_wrong');
  return order === undefined ? refuse('order_unknown') : cancel(venue, order);
}

async function cancel(venue: VenuePort, order: OrderView): Promise<OrderView | Refused> {
  const { accountId, instrumentId, orderId } = order;
  const [first] = await venue.submit({
    kind: 'cancel_spot_order',
    accountId,
    instrumentId,
    orderId,
  });
  return first?.kind === 'refused' ? first : order;
}

/** Orders that have filled meanwhile are left out; one that was refused says why. */
async function cancelAll(
  venue: VenuePort,
  { instrumentId }: SpotInstrument,
  { accountId, caller }: SignedCall,
): Promise<DataJson | Refused> {
  const open = await venue.read(
    (state) =>
      [...state.openOrders(accountId)].filter((order) => order.instrumentId === instrumentId),
    accountId,
  );
  if (!caller.isLive) return refuse('credentials_wrong');
  const settled = await settleCancels(venue, open, (order) => cancel(venue, order));
  if (isRefused(settled)) return settled;
  return jsonList(settled, ({ item, refused }) =>
    CANCELLED.write({ name: { orderId: formatId(item.orderId) }, refused }),
  );
}
