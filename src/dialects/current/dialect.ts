/** The current dialect: pairs under /api/v3, contracts under /capi/v3. */
import type { Dialect, Route, Services } from '#api';
import { routesOf } from '../kit/endpoint.ts';
import { queryOrJson } from '../kit/input.ts';
import { SIGNER } from './access.ts';
import { contractMarketContext } from './contract-market.ts';
import { QUOTAS } from './costs.ts';
import {
  CURRENT_CONTRACT_ENDPOINTS,
  CURRENT_SPOT_ENDPOINTS,
  OTHER_CURRENT_ENDPOINTS,
} from './endpoints.ts';
import { FRAME } from './frame.ts';
import { showing } from './shown-venue.ts';
import { spotMarketContext } from './spot-market.ts';
import { currentStreams } from './stream-dialects.ts';

export const currentDialect: Dialect = {
  name: 'current',
  prefixes: ['/api/v3/', '/capi/', '/spot/v3/', '/contract/v3/', '/v3/'],
  frame: FRAME,
  signer: SIGNER,
  input: queryOrJson,
  quotas: QUOTAS,
  routes: (services) => routes(showing(services)),
  streams: currentStreams,
};

function routes(services: Services): Route[] {
  return [
    ...routesOf(CURRENT_SPOT_ENDPOINTS, spotMarketContext(services)),
    ...routesOf(CURRENT_CONTRACT_ENDPOINTS, contractMarketContext(services)),
    ...routesOf(OTHER_CURRENT_ENDPOINTS, services),
  ];
}
