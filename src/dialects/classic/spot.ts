/** Joins the table of spot endpoints with handlers: a row without a handler does not compile. */
import type { Route, Services } from '#api';

import { routesOf } from '../endpoint.ts';
import { type PrivateHandler, type PublicHandler, publicRoute, signedRoute } from '../handlers.ts';
import { LEGACY_ENDPOINTS } from './legacy-endpoints.ts';
import { OLDER_SPOT_ACCOUNT, SPOT_ACCOUNT } from './spot-account.ts';
import {
  OPEN_SPOT_NAMES,
  type OpenSpotName,
  SIGNED_SPOT_NAMES,
  type SignedSpotName,
  SPOT_ENDPOINTS,
} from './spot-endpoints.ts';
import { marketHandlers } from './spot-market.ts';
import { orderHandlers } from './spot-orders.ts';
import { legacyTradeHandlers, tradeHandlers } from './spot-trade.ts';

export function spotRoutes(services: Services): Route[] {
  const open: Record<OpenSpotName, PublicHandler> = marketHandlers(services);
  const signed: Record<SignedSpotName, PrivateHandler> = {
    ...tradeHandlers(services),
    ...orderHandlers(services),
  };
  const older = legacyTradeHandlers(services);
  return [
    ...routesOf({ ...SPOT_ACCOUNT, ...OLDER_SPOT_ACCOUNT }, services),
    ...OPEN_SPOT_NAMES.map((name) => publicRoute(SPOT_ENDPOINTS[name], open[name])),
    ...SIGNED_SPOT_NAMES.map((name) => signedRoute(SPOT_ENDPOINTS[name], signed[name])),
    publicRoute(LEGACY_ENDPOINTS.fillsHistory, open.trades),
    signedRoute(LEGACY_ENDPOINTS.cancelBatchV2, older.cancelBatchV2),
  ];
}
