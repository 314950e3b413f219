/**
 * Orders and fills of an account. Open orders are in the venue's memory, closed ones in the
 * history, which is asked only once it holds everything the caller can know of.
 */
import type { Services } from '#api';
import { refuse } from '#domain';
import { present } from '#kernel';
import { type SignedEndpoint, signedEndpoint, signedEndpointReadBy } from '../endpoint.ts';
import { ID_NUMBER, listOf } from '../row.ts';
import { costs } from './costs.ts';
import {
  findClosed,
  findOpen,
  ORDER_REFERENCE,
  readOrderReference,
} from './spot-order-reference.ts';
import { ORDER, writeClosed, writeOpen } from './spot-order-row.ts';
import { PAIR_OR_ALL, SPOT_BASE } from './spot-terms.ts';

export const SPOT_ORDERS = {
  order: signedEndpointReadBy(readOrderReference, {
    method: 'GET',
    path: `${SPOT_BASE}/order`,
    ...costs(2),
    permission: 'read',
    summary: 'One order, open or closed, by its id or the id the client chose',
    request: ORDER_REFERENCE,
    response: ORDER,
    example: { request: { orderId: String(ID_NUMBER) } },
    answer: async (services: Services, reference, { accountId }) => {
      const open = await services.venue.read((state) => {
        const order = findOpen(state, accountId, reference);
        if (order === undefined) return undefined;
        const pair = present(state.listings.spotById(order.instrumentId), 'pair of an order');
        return writeOpen(pair, order);
      });
      if (open !== undefined) return open;
      const closed = await findClosed(services, accountId, reference);
      if (closed === undefined) return refuse('order_unknown');
      const { listings } = services.live;
      return writeClosed(present(listings.spotById(closed.instrumentId), 'pair'), closed);
    },
  }),
  openOrders: signedEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/openOrders`,
    ...costs(3),
    permission: 'read',
    summary: 'Open orders of a pair or all, newest first',
    request: { symbol: PAIR_OR_ALL },
    response: listOf(ORDER),
    example: { request: { symbol: 'BTCUSDT' } },
    answer: ({ venue }: Services, { symbol: only }, { accountId }) =>
      venue.read((state) => {
        const rows: string[] = [];
        for (const order of state.openOrders(accountId)) {
          if (only !== undefined && order.instrumentId !== only.instrumentId) continue;
          const pair = present(state.listings.spotById(order.instrumentId), 'pair of an order');
          rows.push(writeOpen(pair, order));
        }
        return `[${rows.join(',')}]`;
      }),
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;
