/** Joins the table of contract endpoints with handlers: one without a handler does not compile. */
import type { FastifyInstance } from 'fastify';
import {
  LEGACY_ENDPOINTS,
  OPEN_SWAP_NAMES,
  type OpenSwapName,
  SIGNED_SWAP_NAMES,
  type SignedSwapName,
  SWAP_ENDPOINTS,
} from '#wire';
import type { AppOptions } from '../options.ts';
import {
  type PrivateHandler,
  type PublicHandler,
  type ServeOptions,
  servePrivate,
  servePublic,
} from '../serve.ts';
import { swapAccountHandlers } from './swap-account.ts';
import { swapMarketHandlers } from './swap-market.ts';
import { ordersByStatus } from './swap-orders.ts';
import { swapTradeHandlers } from './swap-trade.ts';

/** Adds every contract route. */
export function addSwapRoutes(
  app: FastifyInstance,
  options: AppOptions,
  serving: ServeOptions,
): void {
  const open: Record<OpenSwapName, PublicHandler> = swapMarketHandlers(options);
  const signed: Record<SignedSwapName, PrivateHandler> = {
    ...swapTradeHandlers(options),
    ...swapAccountHandlers(options),
  };
  for (const name of OPEN_SWAP_NAMES) servePublic(app, serving, SWAP_ENDPOINTS[name], open[name]);
  for (const name of SIGNED_SWAP_NAMES) {
    servePrivate(app, serving, SWAP_ENDPOINTS[name], signed[name]);
  }
  servePrivate(app, serving, LEGACY_ENDPOINTS.swapOrders, (input, accountId) =>
    ordersByStatus(options, input, accountId),
  );
}
