/**
 * Orders and fills of an account. Open orders are in the venue's memory, closed ones in the
 * history, which is asked only once it holds everything the caller can know of.
 */
import type { Services } from '#api';
import { isRefused, LIMITS, refuse } from '#domain';
import { present } from '#kernel';
import { type SignedEndpoint, signedEndpoint, signedEndpointReadBy } from '../kit/endpoint.ts';
import { openSpotOrders } from '../kit/open-spot-orders.ts';
import { ID_NUMBER, jsonList, listOf } from '../kit/row.ts';
import { costs } from './costs.ts';
import { BEFORE_FILL, ORDER_ID, OWN_FILLS_END, ownRowsWanted, pageFrom } from './parameters.ts';
import { allOrders } from './spot-all-orders.ts';
import {
  findClosed,
  findOpen,
  ORDER_REFERENCE,
  readOrderReference,
} from './spot-order-reference.ts';
import { FILL, ORDER, writeClosed, writeOpen } from './spot-order-row.ts';
import { PAIR, PAIR_OR_ALL, SPOT_BASE } from './spot-terms.ts';
import { END_TIME, rangeOf, START_TIME } from './time-range.ts';

const ALL_ORDERS_MAX = 1_000;
const MY_TRADES_MAX = 100;
const FIRST_PAGE = 1;

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
      }, accountId);
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
      venue.read((state) => openSpotOrders(state, accountId, only, writeOpen), accountId),
  }),
  allOrders: signedEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/allOrders`,
    ...costs(10),
    permission: 'read',
    summary: 'Orders of a pair, open and closed, by their creation, newest first',
    request: {
      symbol: PAIR,
      startTime: START_TIME,
      endTime: END_TIME,
      limit: ownRowsWanted(LIMITS.pageRowsDefault, ALL_ORDERS_MAX),
      page: pageFrom(FIRST_PAGE),
    },
    response: listOf(ORDER),
    example: { request: { symbol: 'BTCUSDT', limit: 1 } },
    answer: async (services: Services, asked, { accountId }) => {
      const { symbol: pair, startTime, endTime, limit, page } = asked;
      const range = rangeOf(startTime, endTime);
      if (isRefused(range)) return range;
      const skip = (page - FIRST_PAGE) * limit;
      return allOrders(services, { accountId, pair, ...range, limit, skip });
    },
  }),
  myTrades: signedEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/myTrades`,
    ...costs(5),
    permission: 'read',
    summary: `Own trades of a pair, newest first. ${OWN_FILLS_END}`,
    request: {
      symbol: PAIR,
      orderId: ORDER_ID,
      startTime: START_TIME,
      endTime: END_TIME,
      limit: ownRowsWanted(LIMITS.pageRowsDefault, MY_TRADES_MAX),
      beforeId: BEFORE_FILL,
    },
    response: listOf(FILL),
    example: { request: { symbol: 'BTCUSDT', limit: 1 } },
    answer: async ({ history, historyReady }: Services, asked, { accountId }) => {
      const { symbol: pair, orderId, startTime, endTime, limit, beforeId: before } = asked;
      const range = rangeOf(startTime, endTime);
      if (isRefused(range)) return range;
      if (orderId === null) return '[]';
      await historyReady();
      const { instrumentId } = pair;
      const fills = await history.newestFills({
        accountId,
        instrumentId,
        orderId,
        ...range,
        before,
        limit,
        whole: orderId === undefined ? 'millisecond' : 'order',
      });
      return jsonList(fills, (fill) => FILL.write({ pair, fill }));
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;
