/**
 * What older clients call under other names, apart from the documented endpoints: each answers as
 * the one it is made of unless its summary says otherwise.
 */

import Type from 'typebox';
import type { Endpoint } from '#api';
import { id, oneOf, optional, text } from '../schema.ts';
import { OLDER_SPOT_ACCOUNT } from './spot-account.ts';
import { SPOT_ENDPOINTS } from './spot-endpoints.ts';
import { SWAP_ENDPOINTS } from './swap-endpoints.ts';

const SPOT = '/api/spot/v1';
const CANCELLED_IDS = Type.Object({
  orderId: id('Order id'),
  clientOrderId: text('Id chosen by the client, or the order id'),
});

export const LEGACY_ENDPOINTS = {
  ...OLDER_SPOT_ACCOUNT,
  fillsHistory: { ...SPOT_ENDPOINTS.trades, path: `${SPOT}/market/fills-history` },
  cancelBatchV2: {
    ...SPOT_ENDPOINTS.cancelBatch,
    path: `${SPOT}/trade/cancel-batch-orders-v2`,
    summary: 'As cancel-batch-orders, with what became of each order',
    request: Type.Object({
      symbol: SPOT_ENDPOINTS.cancelBatch.request.properties.symbol,
      orderIds: Type.Optional(Type.Array(text('Order id'))),
      clientOids: Type.Optional(Type.Array(text('Id chosen by the client'))),
    }),
    response: Type.Object({
      resultList: Type.Array(CANCELLED_IDS),
      failure: Type.Array(
        Type.Object({
          orderId: text('Order id as it was sent'),
          clientOrderId: text('Id chosen by the client as it was sent'),
          errorCode: text('Code'),
          errorMsg: text('Why'),
        }),
      ),
    }),
    example: {
      ...SPOT_ENDPOINTS.cancelBatch.example,
      data: {
        resultList: [{ orderId: '700000000000000028', clientOrderId: 'grid#7' }],
        failure: [],
      },
    },
  },
  swapOrders: {
    ...SWAP_ENDPOINTS.openOrders,
    path: '/api/swap/v3/order/orders',
    summary: 'Orders of one contract by status',
    request: Type.Object({
      symbol: SWAP_ENDPOINTS.openOrders.request.properties.symbol,
      status: Type.Optional(
        oneOf(['-1', '0', '1', '2', '3'], 'As in an order; 3, the default, is 0 and 1'),
      ),
      limit: optional('Rows, up to 100'),
    }),
  },
} as const satisfies Record<string, Endpoint>;
