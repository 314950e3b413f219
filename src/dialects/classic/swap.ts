/** Joins the table of contract endpoints with handlers: one without a handler does not compile. */
import type { Route, Services } from '#api';

import { type PrivateHandler, type PublicHandler, publicRoute, signedRoute } from '../handlers.ts';
import { LEGACY_ENDPOINTS } from './legacy-endpoints.ts';
import { swapAccountHandlers } from './swap-account.ts';
import {
  OPEN_SWAP_NAMES,
  type OpenSwapName,
  SIGNED_SWAP_NAMES,
  type SignedSwapName,
  SWAP_ENDPOINTS,
} from './swap-endpoints.ts';
import { swapMarketHandlers } from './swap-market.ts';
import { ordersByStatus } from './swap-orders.ts';
import { swapTradeHandlers } from './swap-trade.ts';

export function swapRoutes(services: Services): Route[] {
  const open: Record<OpenSwapName, PublicHandler> = swapMarketHandlers(services);
  const signed: Record<SignedSwapName, PrivateHandler> = {
    ...swapTradeHandlers(services),
    ...swapAccountHandlers(services),
  };
  return [
    ...OPEN_SWAP_NAMES.map((name) => publicRoute(SWAP_ENDPOINTS[name], open[name])),
    ...SIGNED_SWAP_NAMES.map((name) => signedRoute(SWAP_ENDPOINTS[name], signed[name])),
    signedRoute(LEGACY_ENDPOINTS.swapOrders, (input, accountId) =>
      ordersByStatus(services, input, accountId),
    ),
  ];
}
