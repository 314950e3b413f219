/** Orders: placed, read and cancelled, of pairs and contracts alike. */
import type { DataJson, Services, SignedCall } from '#api';
import {
  type AccountId,
  type ContractOrderView,
  isRefused,
  type Listings,
  type OrderId,
  type OrderView,
  type Refused,
  refuse,
  type StateReader,
  type VenuePort,
} from '#domain';
import type { ClosedContractOrder, ClosedOrder } from '#history';
import { assert } from '#kernel';
import { settleCancels } from '../kit/batch.ts';
import { type SignedEndpoint, signedEndpoint, signedEndpointReadBy } from '../kit/endpoint.ts';
import { findNamed, findPastNamed, formatId, parseOrderId } from '../kit/ids.ts';
import { type Named, optionalText } from '../kit/request.ts';
import { id, jsonList, listOf, nullOr, orNull, row, text } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { NEW_ORDER_FIELDS, type NewOrder, ORDER_EXAMPLE, readNewOrder } from './new-order.ts';
import { isOfContract, ORDER, type ShownOrder } from './order-rows.ts';
import { BASE, isPair, MARKET, type Market, marketById } from './terms.ts';

const RATE = { limit: 100, windowMs: 1_000 };

type OpenOrder = OrderView | ContractOrderView;

interface Placed {
  readonly orderId: OrderId;
  readonly clientOrderId: string | undefined;
}

const PLACED = row<Placed>()({
  id: id('Order', formatId(28), ({ orderId }) => formatId(orderId)),
  clientId: nullOr(
    'As the client chose it; null for none',
    text<Placed>('Client id', 'grid-7', ({ clientOrderId }) => clientOrderId ?? ''),
    ({ clientOrderId }) => clientOrderId === undefined,
  ),
});

interface Cancelled {
  readonly orderId: OrderId;
  readonly refused: Refused | undefined;
}

const CANCELLED = row<Cancelled>()({
  id: id('Order', formatId(28), ({ orderId }) => formatId(orderId)),
  error: orNull(
    schema.text('Kind'),
    'Kind of the refusal where it was not cancelled; else null',
    null,
    ({ refused }) => refused?.reject ?? null,
  ),
});

/** All markets where it is left out. */
export const ONE_OR_ALL: Named<string, Market | undefined> = {
  ...optionalText('Only this market'),
  find: (name, listings) => (name === '' ? undefined : MARKET.find(name, listings)),
};

export const ORDERS = {
  placeOrder: signedEndpointReadBy(readNewOrder, {
    method: 'POST',
    path: `${BASE}/orders`,
    rate: RATE,
    permission: 'trade',
    summary: 'Place an order of a pair or a contract. Fields that are not known are refused',
    request: NEW_ORDER_FIELDS,
    response: PLACED,
    example: { request: ORDER_EXAMPLE },
    answer: async ({ venue }: Services, command: NewOrder) => {
      const [first] = await venue.submit(command);
      if (first?.kind === 'refused') return first;
      assert(
        first?.kind === 'order_accepted' || first?.kind === 'contract_order_accepted',
        'an order is accepted or refused',
      );
      return PLACED.write(first);
    },
  }),
  openOrders: signedEndpoint({
    method: 'GET',
    path: `${BASE}/orders`,
    rate: RATE,
    permission: 'read',
    summary: 'Open orders, newest first, of one market or of all',
    request: { symbol: ONE_OR_ALL },
    response: listOf(ORDER),
    answer: ({ venue }: Services, { symbol: only }, { accountId }) =>
      venue.read((state) => {
        const shown = openOrders(state, accountId, only);
        return jsonList(shown, (order) => ORDER.write(withMarket(state.listings, order)));
      }, accountId),
  }),
  order: signedEndpoint({
    method: 'GET',
    path: `${BASE}/orders/:id`,
    rate: RATE,
    permission: 'read',
    summary: 'One order, open or closed, by its id or the id that the client chose',
    request: {},
    response: ORDER,
    answer: async (services: Services, _values, { accountId, path }) => {
      const name = path.id ?? '';
      const open = await services.venue.read((state) => {
        const order = findOpen(state, accountId, name);
        return order && ORDER.write(withMarket(state.listings, order));
      }, accountId);
      if (open !== undefined) return open;
      const closed = await findClosed(services, accountId, name);
      if (closed === undefined) return refuse('order_unknown');
      return ORDER.write(withMarket(services.live.listings, closed));
    },
  }),
  cancelOrder: signedEndpoint({
    method: 'DELETE',
    path: `${BASE}/orders/:id`,
    rate: RATE,
    inQuery: true,
    permission: 'trade',
    summary: 'Cancel an order, by its id or the id that the client chose',
    request: {},
    response: CANCELLED,
    answer: async ({ venue }: Services, _values, call) => {
      const { accountId, caller, path } = call;
      const order = await venue.read(
        (state) => findOpen(state, accountId, path.id ?? ''),
        accountId,
      );
      if (!caller.isLive) return refuse('credentials_wrong');
      if (order === undefined) return refuse('order_unknown');
      const cancelled = await cancel(venue, order);
      if (isRefused(cancelled)) return cancelled;
      return CANCELLED.write({ orderId: order.orderId, refused: undefined });
    },
  }),
  cancelOrders: signedEndpoint({
    method: 'DELETE',
    path: `${BASE}/orders`,
    rate: RATE,
    inQuery: true,
    permission: 'trade',
    summary: 'Cancel all open orders, of one market or of all, with what became of each',
    request: { symbol: ONE_OR_ALL },
    response: listOf(CANCELLED),
    answer: (services: Services, { symbol: only }, call) => cancelAll(services, only, call),
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

async function cancelAll(
  { venue }: Services,
  only: Market | undefined,
  { accountId, caller }: SignedCall,
): Promise<DataJson | Refused> {
  const open = await venue.read((state) => openOrders(state, accountId, only), accountId);
  if (!caller.isLive) return refuse('credentials_wrong');
  const settled = await settleCancels(venue, open, (order) => cancel(venue, order));
  if (isRefused(settled)) return settled;
  return jsonList(settled, ({ item: { orderId }, refused }) =>
    CANCELLED.write({ orderId, refused }),
  );
}

/** Newest first. */
function openOrders(
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
function findOpen(state: StateReader, accountId: AccountId, name: string): OpenOrder | undefined {
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

/** The newest of this account that is closed, by its id or by the name that the client gave it. */
async function findClosed(
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

function withMarket(listings: Listings, order: ShownOrder['order']): ShownOrder {
  return { market: marketById(listings, order.instrumentId), order };
}

async function cancel(venue: VenuePort, order: OpenOrder): Promise<OpenOrder | Refused> {
  const { accountId, instrumentId, orderId } = order;
  const kind = isOfContract(order) ? 'cancel_contract_order' : 'cancel_spot_order';
  const [first] = await venue.submit({ kind, accountId, instrumentId, orderId });
  return first?.kind === 'refused' ? first : order;
}
