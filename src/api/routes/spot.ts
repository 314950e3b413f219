/** Joins the table of spot endpoints with handlers: a row without a handler does not compile. */
import type { FastifyInstance } from 'fastify';
import {
  LEGACY_ENDPOINTS,
  OPEN_SPOT_NAMES,
  type OpenSpotName,
  SIGNED_SPOT_NAMES,
  type SignedSpotName,
  SPOT_ENDPOINTS,
} from '#wire';
import type { AppOptions } from '../options.ts';
import {
  type PrivateHandler,
  type PublicHandler,
  type ServeOptions,
  servePrivate,
  servePublic,
} from '../serve.ts';
import { accountHandlers, legacyAccountHandlers } from './account.ts';
import { marketHandlers } from './market.ts';
import { orderHandlers } from './orders.ts';
import { legacyTradeHandlers, tradeHandlers } from './trade.ts';

/** Adds every spot route. */
export function addSpotRoutes(
  app: FastifyInstance,
  options: AppOptions,
  serving: ServeOptions,
): void {
  const open: Record<OpenSpotName, PublicHandler> = marketHandlers(options);
  const signed: Record<SignedSpotName, PrivateHandler> = {
    ...tradeHandlers(options),
    ...orderHandlers(options),
    ...accountHandlers(options),
  };
  for (const name of OPEN_SPOT_NAMES) servePublic(app, serving, SPOT_ENDPOINTS[name], open[name]);
  for (const name of SIGNED_SPOT_NAMES) {
    servePrivate(app, serving, SPOT_ENDPOINTS[name], signed[name]);
  }
  const older = { ...legacyAccountHandlers(options), ...legacyTradeHandlers(options) };
  servePublic(app, serving, LEGACY_ENDPOINTS.fillsHistory, open.trades);
  servePrivate(app, serving, LEGACY_ENDPOINTS.transferV2, signed.transfer);
  servePrivate(app, serving, LEGACY_ENDPOINTS.assetsLite, older.assetsLite);
  servePrivate(app, serving, LEGACY_ENDPOINTS.accounts, older.accounts);
  servePrivate(app, serving, LEGACY_ENDPOINTS.cancelBatchV2, older.cancelBatchV2);
}
