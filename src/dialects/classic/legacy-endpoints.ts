/**
 * What older clients call under other names, apart from the documented endpoints: each answers as
 * the one it is made of unless its summary says otherwise.
 */

import Type from 'typebox';
import type { Endpoint } from '#api';
import { oneOf, optional } from '../schema.ts';
import { OLDER_SPOT_ENDPOINTS } from './endpoints.ts';
import { SWAP_ENDPOINTS } from './swap-endpoints.ts';

export const LEGACY_ENDPOINTS = {
  ...OLDER_SPOT_ENDPOINTS,
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
