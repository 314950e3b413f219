/** Joins the table of contract endpoints with handlers: one without a handler does not compile. */
import type { Route, Services } from '#api';

import { routesOf } from '../endpoint.ts';
import { type PrivateHandler, signedRoute } from '../handlers.ts';
import { LEGACY_ENDPOINTS } from './legacy-endpoints.ts';
import { SWAP_ACCOUNT } from './swap-account.ts';
import { swapMarketRoutes } from './swap-market.ts';
import { ordersByStatus } from './swap-orders.ts';
import { swapTradeHandlers } from './swap-trade.ts';
import { SWAP_TRADE_ENDPOINTS } from './swap-trade-endpoints.ts';

export function swapRoutes(services: Services): Route[] {
  const handlers: Record<keyof typeof SWAP_TRADE_ENDPOINTS, PrivateHandler> =
    swapTradeHandlers(services);
  const names = Object.keys(handlers) as (keyof typeof handlers)[];
  return [
    ...swapMarketRoutes(services),
    ...routesOf(SWAP_ACCOUNT, services),
    ...names.map((name) => signedRoute(SWAP_TRADE_ENDPOINTS[name], handlers[name])),
    signedRoute(LEGACY_ENDPOINTS.swapOrders, (input, accountId) =>
      ordersByStatus(services, input, accountId),
    ),
  ];
}
