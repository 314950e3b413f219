/** The spot endpoints: one row each, in the order of the documentation. */

import Type from 'typebox';
import type { Endpoint } from '#api';
import { choices, id, optional, required, whole } from '../schema.ts';
import { SPOT_ACCOUNT } from './spot-account.ts';
import * as example from './spot-examples.ts';
import { SPOT_PERIODS } from './spot-read-market.ts';
import {
  BatchResultSchema,
  CandleSchema,
  CoinSchema,
  DepthSchema,
  FillSchema,
  OrderIdsSchema,
  OrderSchema,
  ProductSchema,
  PublicTradeSchema,
  TickerSchema,
} from './spot-resources.ts';
import { ORDER_ID, perSecond, perTwoSeconds, TIME_MS } from './spot-terms.ts';

const BASE = '/api/spot/v1';

const symbol = required('Pair, with or without _SPBL, in any case');
const limit = optional('Rows wanted; above the maximum counts as the maximum', whole(1));
const beforeId = optional('An id: rows after it, oldest first');
const afterId = optional('An id: rows before it, newest first');

const nothing = Type.Object({});

const orderFields = {
  side: required('buy or sell', choices('buy', 'sell')),
  orderType: required('limit or market', choices('limit', 'market')),
  force: optional(
    'normal or gtc, post_only, fok, ioc; ignored for a market order',
    choices('normal', 'gtc', 'post_only', 'fok', 'ioc'),
  ),
  price: optional('Limit price; ignored for a market order'),
  quantity: required('Base coin; for a market buy the quote coin to spend'),
  clientOrderId: optional(
    'Up to 40 characters without spaces and quotes, not used by an open order',
  ),
};

const PUBLIC_ENDPOINTS = {
  time: {
    method: 'GET',
    path: `${BASE}/public/time`,
    rate: perTwoSeconds(20),
    permission: 'none',
    summary: 'Server time in milliseconds',
    request: nothing,
    response: Type.Integer({ description: 'Unix time in milliseconds' }),
    example: { request: {}, data: TIME_MS },
  },
  currencies: {
    method: 'GET',
    path: `${BASE}/public/currencies`,
    rate: perTwoSeconds(20),
    permission: 'none',
    summary: 'Coins with their chains',
    request: nothing,
    response: Type.Array(CoinSchema),
    example: { request: {}, data: [example.COIN] },
  },
  products: {
    method: 'GET',
    path: `${BASE}/public/products`,
    rate: perSecond(20),
    permission: 'none',
    summary: 'Every trading pair',
    request: nothing,
    response: Type.Array(ProductSchema),
    example: { request: {}, data: [example.PRODUCT] },
  },
  product: {
    method: 'GET',
    path: `${BASE}/public/product`,
    rate: perSecond(20),
    permission: 'none',
    summary: 'One trading pair, in an array',
    request: Type.Object({ symbol }),
    response: Type.Array(ProductSchema),
    example: { request: { symbol: 'BTCUSDT' }, data: [example.PRODUCT] },
  },
} as const satisfies Record<string, Endpoint>;

const MARKET_ENDPOINTS = {
  ticker: {
    method: 'GET',
    path: `${BASE}/market/ticker`,
    rate: perSecond(20),
    permission: 'none',
    summary: 'Last price and 24 hours of one pair',
    request: Type.Object({ symbol }),
    response: TickerSchema,
    example: { request: { symbol: 'BTCUSDT_SPBL' }, data: example.TICKER },
  },
  tickers: {
    method: 'GET',
    path: `${BASE}/market/tickers`,
    rate: perSecond(20),
    permission: 'none',
    summary: 'Last price and 24 hours of every pair',
    request: nothing,
    response: Type.Array(TickerSchema),
    example: { request: {}, data: [example.TICKER] },
  },
  trades: {
    method: 'GET',
    path: `${BASE}/market/fills`,
    rate: perSecond(20),
    permission: 'none',
    summary: 'Recent public trades, newest first (100 by default, up to 2000)',
    request: Type.Object({ symbol, limit }),
    response: Type.Array(PublicTradeSchema),
    example: { request: { symbol: 'BTCUSDT_SPBL', limit: '1' }, data: [example.PUBLIC_TRADE] },
  },
  candles: {
    method: 'GET',
    path: `${BASE}/market/candles`,
    rate: perSecond(20),
    permission: 'none',
    summary: 'Candles, oldest first (100 by default, up to 1000)',
    request: Type.Object({
      symbol,
      period: required(
        '1min 3min 5min 15min 30min 1h 2h 4h 6h 12h 1d 3d 7d 1M, or its seconds',
        choices(...SPOT_PERIODS.keys()),
      ),
      after: optional('Candles that open at this time or later; milliseconds or seconds', whole()),
      before: optional(
        'Candles that open at this time or earlier; milliseconds or seconds',
        whole(),
      ),
      limit,
    }),
    response: Type.Array(CandleSchema),
    example: {
      request: { symbol: 'BTCUSDT_SPBL', period: '1min', limit: '1' },
      data: [example.CANDLE],
    },
  },
  depth: {
    method: 'GET',
    path: `${BASE}/market/depth`,
    rate: perSecond(20),
    permission: 'none',
    summary: 'Order book by price, best first (150 levels by default, up to 500)',
    request: Type.Object({
      symbol,
      type: optional(
        'step0 as it is; step1 to step5 merge prices to 10 to 100000 ticks',
        choices('step0', 'step1', 'step2', 'step3', 'step4', 'step5'),
      ),
      limit,
    }),
    response: DepthSchema,
    example: { request: { symbol: 'BTCUSDT_SPBL', limit: '1' }, data: example.DEPTH },
  },
} as const satisfies Record<string, Endpoint>;

const TRADE_ENDPOINTS = {
  placeOrder: {
    method: 'POST',
    path: `${BASE}/trade/orders`,
    rate: perSecond(10),
    permission: 'trade',
    summary: 'Place an order',
    request: Type.Object({ symbol, ...orderFields }),
    response: OrderIdsSchema,
    example: {
      request: { symbol: 'BTCUSDT_SPBL', ...example.NEW_ORDER },
      data: example.ORDER_IDS,
    },
  },
  placeBatch: {
    method: 'POST',
    path: `${BASE}/trade/batch-orders`,
    rate: perSecond(5),
    permission: 'trade',
    summary: 'Place up to 50 orders of one pair; each succeeds or fails alone',
    request: Type.Object({
      symbol,
      orderList: Type.Array(Type.Object(orderFields), {
        description: 'Orders, up to 50',
        minItems: 1,
      }),
    }),
    response: BatchResultSchema,
    example: {
      request: { symbol: 'BTCUSDT_SPBL', orderList: [example.NEW_ORDER] },
      data: { resultList: [example.ORDER_IDS], failure: [] },
    },
  },
  cancelOrder: {
    method: 'POST',
    path: `${BASE}/trade/cancel-order`,
    rate: perSecond(10),
    permission: 'trade',
    summary: 'Cancel an order, by its id or the id the client chose',
    request: Type.Object({
      symbol,
      orderId: optional('Order id'),
      clientOrderId: optional('Id chosen by the client, read when no order id is given'),
    }),
    response: id('The cancelled order'),
    example: {
      request: { symbol: 'BTCUSDT_SPBL', orderId: ORDER_ID },
      data: ORDER_ID,
    },
  },
  cancelBatch: {
    method: 'POST',
    path: `${BASE}/trade/cancel-batch-orders`,
    rate: perSecond(10),
    permission: 'trade',
    summary: 'Cancel up to 50 orders; ids that cannot be cancelled are left out of the answer',
    request: Type.Object({
      symbol,
      orderIds: Type.Array(required('Order id'), {
        description: 'Order ids, up to 50',
        minItems: 1,
      }),
    }),
    response: Type.Array(id('A cancelled order')),
    example: {
      request: { symbol: 'BTCUSDT_SPBL', orderIds: [ORDER_ID] },
      data: [ORDER_ID],
    },
  },
  orderInfo: {
    method: 'POST',
    path: `${BASE}/trade/orderInfo`,
    rate: perSecond(10),
    permission: 'read',
    summary: 'One order, open or closed, in an array',
    request: Type.Object({
      symbol,
      orderId: optional('Order id'),
      clientOrderId: optional('Id chosen by the client, read when no order id is given'),
    }),
    response: Type.Array(OrderSchema),
    example: {
      request: { symbol: 'BTCUSDT_SPBL', orderId: ORDER_ID },
      data: [example.ORDER],
    },
  },
  openOrders: {
    method: 'POST',
    path: `${BASE}/trade/open-orders`,
    rate: perSecond(10),
    permission: 'read',
    summary: 'Open orders, newest first; an empty symbol asks for every pair',
    request: Type.Object({ symbol }),
    response: Type.Array(OrderSchema),
    example: { request: { symbol: 'BTCUSDT_SPBL' }, data: [example.ORDER] },
  },
  orderHistory: {
    method: 'POST',
    path: `${BASE}/trade/history`,
    rate: perSecond(20),
    permission: 'read',
    summary: 'Closed orders, newest first (100 by default, up to 500)',
    request: Type.Object({ symbol, after: afterId, before: beforeId, limit }),
    response: Type.Array(OrderSchema),
    example: { request: { symbol: 'BTCUSDT_SPBL', limit: 1 }, data: [example.CLOSED_ORDER] },
  },
  fills: {
    method: 'POST',
    path: `${BASE}/trade/fills`,
    rate: perSecond(20),
    permission: 'read',
    summary: 'Own trades, newest first (100 by default, up to 500)',
    request: Type.Object({
      symbol,
      orderId: optional('Only the fills of this order'),
      after: afterId,
      before: beforeId,
      limit,
    }),
    response: Type.Array(FillSchema),
    example: {
      request: { symbol: 'BTCUSDT_SPBL', orderId: ORDER_ID },
      data: [example.FILL],
    },
  },
} as const satisfies Record<string, Endpoint>;

const OPEN_ENDPOINTS = { ...PUBLIC_ENDPOINTS, ...MARKET_ENDPOINTS };
const SIGNED_ENDPOINTS = { ...TRADE_ENDPOINTS };

export const SPOT_ENDPOINTS = {
  ...OPEN_ENDPOINTS,
  ...SIGNED_ENDPOINTS,
  ...SPOT_ACCOUNT,
} as const satisfies Record<string, Endpoint>;

export type SpotEndpointName = keyof typeof SPOT_ENDPOINTS;

/** Endpoints without authentication. */
export type OpenSpotName = keyof typeof OPEN_ENDPOINTS;
export const OPEN_SPOT_NAMES = Object.keys(OPEN_ENDPOINTS) as OpenSpotName[];

/** Endpoints that take a signed call. */
export type SignedSpotName = keyof typeof SIGNED_ENDPOINTS;
export const SIGNED_SPOT_NAMES = Object.keys(SIGNED_ENDPOINTS) as SignedSpotName[];
