/** The contract endpoints for orders and plan orders: one row each. */

import Type from 'typebox';
import type { Endpoint, RateLimit } from '#api';
import { choices, optional, required, whole } from '../schema.ts';
import * as example from './swap-trade-examples.ts';
import {
  CancelBatchSchema,
  CancelSchema,
  ContractFillSchema,
  ContractOrderDetailSchema,
  ContractOrderSchema,
  OrderBatchSchema,
  PlacedSchema,
  PlanCancelSchema,
  PlanSchema,
} from './swap-trade-resources.ts';

const BASE = '/api/swap/v3/order';
const RATE: RateLimit = { limit: 10, windowMs: 1_000 };

const symbol = required('Contract, in any case');
const orderId = required('Order id');
const pageIndex = optional('Page, 1 to 200; the first one by default', whole(1));
const pageSize = optional('Rows of a page, up to 100; 20 by default', whole(1));
const clientOid = optional(
  'Up to 40 characters without spaces and quotes, not used by an open order; ' +
    'the venue makes one up when there is none',
);

const orderFields = {
  client_oid: clientOid,
  size: required('Quantity in contracts'),
  type: required(
    '1 open long, 2 open short, 3 close long, 4 close short',
    choices('1', '2', '3', '4'),
  ),
  order_type: optional(
    '0 normal, 1 post only, 2 fill or kill, 3 immediate or cancel; for a market order 0, 2 or 3',
    choices('0', '1', '2', '3'),
  ),
  match_price: optional('0 limit price, 1 market price', choices('0', '1')),
  price: optional('Limit price; ignored for a market order'),
  presetTakeProfitPrice: optional('Closes what the order opened when the price reaches it'),
  presetStopLossPrice: optional('Closes what the order opened when the price falls back to it'),
};

const ORDER_ENDPOINTS = {
  placeOrder: {
    method: 'POST',
    path: `${BASE}/placeOrder`,
    rate: RATE,
    permission: 'trade',
    summary: 'Place an order',
    bare: true,
    request: Type.Object({ symbol, ...orderFields }),
    response: PlacedSchema,
    example: {
      request: { symbol: example.SYMBOL, ...example.NEW_ORDER },
      data: example.PLACED,
    },
  },
  placeBatch: {
    method: 'POST',
    path: `${BASE}/batchOrders`,
    rate: RATE,
    permission: 'trade',
    summary: 'Place up to 20 orders of one contract; each succeeds or fails alone',
    bare: true,
    request: Type.Object({
      symbol,
      orderDataList: Type.Optional(
        Type.Array(Type.Object(orderFields), { description: 'Orders, up to 20', minItems: 1 }),
      ),
      order_data: optional('The orders as JSON text, read when there is no orderDataList'),
    }),
    response: OrderBatchSchema,
    example: {
      request: { symbol: example.SYMBOL, orderDataList: [example.NEW_ORDER] },
      data: { result: true, order_info: [example.PLACED_ITEM] },
    },
  },
  cancelOrder: {
    method: 'POST',
    path: `${BASE}/cancel_order`,
    rate: RATE,
    permission: 'trade',
    summary: 'Cancel an order; result says whether it was cancelled',
    bare: true,
    request: Type.Object({ symbol, orderId }),
    response: CancelSchema,
    example: {
      request: { symbol: example.SYMBOL, orderId: example.ORDER_ID },
      data: example.CANCELLED,
    },
  },
  cancelBatch: {
    method: 'POST',
    path: `${BASE}/cancel_batch_orders`,
    rate: RATE,
    permission: 'trade',
    summary: 'Cancel up to 50 orders; fail_infos lists those that were not cancelled',
    bare: true,
    request: Type.Object({
      symbol,
      ids: Type.Array(required('Order id'), { description: 'Order ids, up to 50', minItems: 1 }),
    }),
    response: CancelBatchSchema,
    example: {
      request: { symbol: example.SYMBOL, ids: [example.ORDER_ID, '700000000000000099'] },
      data: example.CANCEL_BATCH,
    },
  },
  orderDetail: {
    method: 'GET',
    path: `${BASE}/detail`,
    rate: RATE,
    permission: 'read',
    summary: 'One order, open or closed',
    bare: true,
    request: Type.Object({ symbol, orderId }),
    response: ContractOrderDetailSchema,
    example: {
      request: { symbol: example.SYMBOL, orderId: example.ORDER_ID },
      data: { ...example.ORDER, timestamp: example.ORDER.createTime },
    },
  },
  orderHistory: {
    method: 'GET',
    path: `${BASE}/history`,
    rate: RATE,
    permission: 'read',
    summary: 'Closed orders, newest first',
    bare: true,
    request: Type.Object({
      symbol,
      pageIndex: optional('Page, from 1 (default); pages end at 20000 rows', whole(1)),
      pageSize,
      createDate: required('Days before today (UTC) to look back, 0 to 90'),
    }),
    response: Type.Array(ContractOrderSchema),
    example: {
      request: { symbol: example.SYMBOL, pageIndex: '1', pageSize: '20', createDate: '30' },
      data: [example.FILLED_ORDER],
    },
  },
  openOrders: {
    method: 'GET',
    path: `${BASE}/current`,
    rate: RATE,
    permission: 'read',
    summary: 'Open orders, newest first',
    bare: true,
    request: Type.Object({ symbol }),
    response: Type.Array(ContractOrderSchema),
    example: { request: { symbol: example.SYMBOL }, data: [example.ORDER] },
  },
  fills: {
    method: 'GET',
    path: `${BASE}/fills`,
    rate: RATE,
    permission: 'read',
    summary: 'All fills of an order, newest first (up to 20000)',
    bare: true,
    request: Type.Object({ symbol, orderId }),
    response: Type.Array(ContractFillSchema),
    example: {
      request: { symbol: example.SYMBOL, orderId: example.ORDER_ID },
      data: [example.FILL],
    },
  },
} as const satisfies Record<string, Endpoint>;

const planFilters = {
  symbol,
  side: optional('Same as delegateType, read when that is not given; deprecated'),
  delegateType: optional(
    'Only 1 open long, 2 open short, 3 close long or 4 close short',
    choices('1', '2', '3', '4'),
  ),
  pageIndex,
  pageSize,
  startTime: optional('Only those placed at this time or later, in milliseconds', whole()),
  endTime: optional('Only those placed at this time or earlier, in milliseconds', whole()),
};

const PLAN_ENDPOINTS = {
  placePlan: {
    method: 'POST',
    path: `${BASE}/plan_order`,
    rate: RATE,
    permission: 'trade',
    summary: 'Place a plan order: an order that waits for a price',
    bare: true,
    request: Type.Object({
      symbol,
      client_oid: clientOid,
      size: required('Quantity in contracts'),
      type: required('1 open, 2 close', choices('1', '2')),
      side: optional('Same as holdSide, read when that is not given; deprecated'),
      holdSide: optional('1 long, 2 short', choices('1', '2')),
      match_type: optional('0 limit (default), 1 market; also as match_price'),
      execute_price: optional('Limit price of the order it places; ignored for a market order'),
      trigger_price: required('Last traded price that triggers it'),
    }),
    response: PlacedSchema,
    example: {
      request: { symbol: example.SYMBOL, ...example.NEW_PLAN },
      data: example.PLACED_PLAN,
    },
  },
  cancelPlan: {
    method: 'POST',
    path: `${BASE}/cancel_plan`,
    rate: RATE,
    permission: 'trade',
    summary: 'Cancel a plan order, take-profit or stop-loss; result says whether it was cancelled',
    bare: true,
    request: Type.Object({ symbol, orderId }),
    response: PlanCancelSchema,
    example: {
      request: { symbol: example.SYMBOL, orderId: example.ORDER_ID },
      data: example.PLAN_CANCELLED,
    },
  },
  openPlans: {
    method: 'GET',
    path: `${BASE}/currentPlan`,
    rate: RATE,
    permission: 'read',
    summary: 'Waiting plan orders, take-profits and stop-losses, newest first',
    bare: true,
    request: Type.Object(planFilters),
    response: Type.Array(PlanSchema),
    example: { request: { symbol: example.SYMBOL, delegateType: '1' }, data: [example.PLAN] },
  },
  planHistory: {
    method: 'GET',
    path: `${BASE}/historyPlan`,
    rate: RATE,
    permission: 'read',
    summary: 'Plan orders that fired, failed or were cancelled, newest first',
    bare: true,
    request: Type.Object(planFilters),
    response: Type.Array(PlanSchema),
    example: {
      request: { symbol: example.SYMBOL, delegateType: '1' },
      data: [example.PLACED_BY_PLAN],
    },
  },
} as const satisfies Record<string, Endpoint>;

/** Endpoints that take a signed call. */
export const SWAP_TRADE_ENDPOINTS = {
  ...ORDER_ENDPOINTS,
  ...PLAN_ENDPOINTS,
} as const satisfies Record<string, Endpoint>;
