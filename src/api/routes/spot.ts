/** Joins the table of spot endpoints with the handlers: a row without a handler does not compile. */
import type { FastifyInstance } from 'fastify';
import { SPOT_ENDPOINTS, type SpotEndpointName } from '#wire';
import type { AppOptions } from '../options.ts';
import {
  type PrivateHandler,
  type PublicHandler,
  type ServeOptions,
  servePrivate,
  servePublic,
} from '../serve.ts';
import { accountHandlers } from './account.ts';
import { marketHandlers } from './market.ts';
import { orderHandlers } from './orders.ts';
import { tradeHandlers } from './trade.ts';

type Table = typeof SPOT_ENDPOINTS;
type PublicName = {
  [Name in SpotEndpointName]: Table[Name]['permission'] extends 'none' ? Name : never;
}[SpotEndpointName];
type PrivateName = Exclude<SpotEndpointName, PublicName>;

/** Adds every spot route. */
export function addSpotRoutes(
  app: FastifyInstance,
  options: AppOptions,
  serving: ServeOptions,
): void {
  const open: Record<PublicName, PublicHandler> = marketHandlers(options);
  const signed: Record<PrivateName, PrivateHandler> = {
    ...tradeHandlers(options),
    ...orderHandlers(options),
    ...accountHandlers(options),
  };
  for (const [name, handler] of Object.entries(open)) {
    servePublic(app, serving, SPOT_ENDPOINTS[name as PublicName], handler);
  }
  for (const [name, handler] of Object.entries(signed)) {
    servePrivate(app, serving, SPOT_ENDPOINTS[name as PrivateName], handler);
  }
}
