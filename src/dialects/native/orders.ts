/** Orders of pairs and contracts alike: read and cancelled. */
import type { DataJson, Services, SignedCall } from '#api';
import { isRefused, type Refused, refuse, type Side, type VenuePort } from '#domain';
import { settleCancels } from '../kit/batch.ts';
import {
  type SignedEndpoint,
  signedEndpoint,
  signedEndpointReadBy,
  strictReader,
} from '../kit/endpoint.ts';
import { formatId } from '../kit/ids.ts';
import { type Field, optionalChoice } from '../kit/request.ts';
import { jsonList, listOf } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { findClosed, findOpen, type OpenOrder, openOrders, withMarket } from './find-order.ts';
import { isOfContract, ORDER, sideOfOrder } from './order-rows.ts';
import { CANCELLED } from './results.ts';
import { BASE, type Market, ONE_OR_ALL, SIDES } from './terms.ts';

const RATE = { limit: 100, windowMs: 1_000 };

const SIDE_OR_BOTH = optionalChoice('Only this side', SIDES, undefined);

/** Orders that one call may name. */
const IDS_MAX = 50;

/** Undefined where it is left out. What is no id of an open order is passed over. */
const IDS: Field<ReadonlySet<string> | undefined> = {
  schema: schema.optional(
    `Only these, by their ids or the clients' ids: up to ${IDS_MAX}, with commas between them`,
  ),
  read: (fields, name) => {
    const given = fields.text(name);
    if (given === '') return undefined;
    const ids = given.split(',');
    if (ids.length > IDS_MAX) {
      fields.refuse('batch_too_large', `${ids.length} in ${name}, at most ${IDS_MAX}`);
    }
    return new Set(ids);
  },
};

const NO_FIELDS = {};
const FILTER = { symbol: ONE_OR_ALL, side: SIDE_OR_BOTH, ids: IDS };

export const ORDERS = {
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
  cancelOrder: signedEndpointReadBy(strictReader(NO_FIELDS), {
    method: 'DELETE',
    path: `${BASE}/orders/:id`,
    rate: RATE,
    inQuery: true,
    permission: 'trade',
    summary: 'Cancel an order, by its id or the id that the client chose',
    request: NO_FIELDS,
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
  cancelOrders: signedEndpointReadBy(strictReader(FILTER), {
    method: 'DELETE',
    path: `${BASE}/orders`,
    rate: RATE,
    inQuery: true,
    permission: 'trade',
    summary:
      'Cancel all open orders, or those that fit all that is given; each with its outcome. ' +
      'Fields that are not known are refused',
    request: FILTER,
    response: listOf(CANCELLED),
    answer: (services: Services, filter, call) => cancelAll(services, filter, call),
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

interface Filter {
  readonly symbol: Market | undefined;
  readonly side: Side | undefined;
  readonly ids: ReadonlySet<string> | undefined;
}

function fits({ side, ids }: Filter, order: OpenOrder): boolean {
  if (side !== undefined && sideOfOrder(order) !== side) return false;
  if (ids === undefined) return true;
  const { orderId, clientOrderId } = order;
  return ids.has(formatId(orderId)) || (clientOrderId !== undefined && ids.has(clientOrderId));
}

async function cancelAll(
  { venue }: Services,
  filter: Filter,
  { accountId, caller }: SignedCall,
): Promise<DataJson | Refused> {
  const open = await venue.read((state) => {
    return openOrders(state, accountId, filter.symbol).filter((order) => fits(filter, order));
  }, accountId);
  if (!caller.isLive) return refuse('credentials_wrong');
  const settled = await settleCancels(venue, open, (order) => cancel(venue, order));
  if (isRefused(settled)) return settled;
  return jsonList(settled, ({ item: { orderId }, refused }) =>
    CANCELLED.write({ orderId, refused }),
  );
}

async function cancel(venue: VenuePort, order: OpenOrder): Promise<OpenOrder | Refused> {
  const { accountId, instrumentId, orderId } = order;
  const kind = isOfContract(order) ? 'cancel_contract_order' : 'cancel_spot_order';
  const [first] = await venue.submit({ kind, accountId, instrumentId, orderId });
  return first?.kind === 'refused' ? first : order;
}
