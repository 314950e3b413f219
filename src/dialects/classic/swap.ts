/** Joins the table of contract endpoints with handlers: one without a handler does not compile. */
import type { Route, Services } from '#api';

import { type PrivateHandler, signedRoute } from '../handlers.ts';
import { LEGACY_ENDPOINTS } from './legacy-endpoints.ts';
import { swapAccountHandlers } from './swap-account.ts';
import { SIGNED_SWAP_NAMES, type SignedSwapName, SWAP_ENDPOINTS } from './swap-endpoints.ts';
import { swapMarketRoutes } from './swap-market.ts';
import { ordersByStatus } from './swap-orders.ts';
import { swapTradeHandlers } from './swap-trade.ts';

export function swapRoutes(services: Services): Route[] {
  const signed: Record<SignedSwapName, PrivateHandler> = {
    ...swapTradeHandlers(services),
    ...swapAccountHandlers(services),
  };
  return [
    ...swapMarketRoutes(services),
    ...SIGNED_SWAP_NAMES.map((name) => signedRoute(SWAP_ENDPOINTS[name], signed[name])),
    signedRoute(LEGACY_ENDPOINTS.swapOrders, (input, accountId) =>
      ordersByStatus(services, input, accountId),
    ),
  ];
}
