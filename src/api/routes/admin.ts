/** The operator's routes under /admin/v1: every change is a command through the venue. */
import type { FastifyInstance } from 'fastify';
import { ADMIN_ENDPOINTS, type AdminEndpointName } from '#wire';
import type { KeyVault } from '../keys/vault.ts';
import type { AppOptions } from '../options.ts';
import { accountHandlers } from './admin-accounts.ts';
import { type ConfirmableClock, clockHandlers } from './admin-clock.ts';
import { contractHandlers } from './admin-contracts.ts';
import { listingHandlers } from './admin-listings.ts';
import { moneyHandlers } from './admin-money.ts';
import type { OperatorDoor, OperatorHandler } from './operator.ts';

export interface AdminOptions extends Pick<AppOptions, 'venue' | 'history' | 'historyReady'> {
  readonly vault: KeyVault;
  readonly door: OperatorDoor;
  /** The clock that the venue follows. */
  readonly watched: ConfirmableClock;
}

/** Adds every operator endpoint, and returns what answers them. */
export function addAdminRoutes(
  app: FastifyInstance,
  options: AdminOptions,
): Record<AdminEndpointName, OperatorHandler> {
  const handlers = {
    ...accountHandlers(options.venue, options.vault),
    ...moneyHandlers(options.venue),
    ...listingHandlers(options.venue),
    ...contractHandlers(options),
    ...clockHandlers(options.watched),
  };
  options.door.add(app, ADMIN_ENDPOINTS, handlers);
  return handlers;
}
