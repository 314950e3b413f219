/** The classic dialect: pairs under /api/spot/v1, contracts under /api/swap/v3, two streams. */

import type { Dialect } from '#api';
import { headerSigner } from '../kit/access-headers.ts';
import { routesOf } from '../kit/endpoint.ts';
import { queryOrJson } from '../kit/input.ts';
import { OLDER_SPOT_ENDPOINTS, SPOT_ENDPOINTS, SWAP_ENDPOINTS } from './endpoints.ts';
import { FRAME } from './frame.ts';
import { spotMarketContext } from './spot-market.ts';
import { spotDialect } from './spot-stream.ts';
import { swapMarketContext } from './swap-market.ts';
import { OLDER_SWAP_ORDERS } from './swap-orders.ts';
import { swapDialect } from './swap-stream-dialect.ts';

const SIGNER = headerSigner();

export const classicDialect: Dialect = {
  name: 'classic',
  prefixes: ['/api/spot/', '/api/swap/', '/spot/', '/ws/'],
  frame: FRAME,
  signer: SIGNER,
  input: queryOrJson,
  routes: (services) => [
    ...routesOf({ ...SPOT_ENDPOINTS, ...OLDER_SPOT_ENDPOINTS }, spotMarketContext(services)),
    ...routesOf({ ...SWAP_ENDPOINTS, ...OLDER_SWAP_ORDERS }, swapMarketContext(services)),
  ],
  streams: (services) => [spotDialect(services), swapDialect(services)],
};
