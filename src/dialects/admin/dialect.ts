/** The operator's routes under /admin/v1: every change is a command through the venue. */
import type { Dialect, KeyVault } from '#api';
import { OPERATOR_FORM } from '../classic/dialect.ts';
import { operatorRoutes } from '../handlers.ts';
import { accountHandlers } from './accounts.ts';
import { type ConfirmableClock, clockHandlers } from './clock.ts';
import { contractHandlers } from './contracts.ts';
import { ADMIN_ENDPOINTS } from './endpoints.ts';
import { listingHandlers } from './listings.ts';
import { moneyHandlers } from './money.ts';

export interface AdminOptions {
  readonly vault: KeyVault;
  /** The clock that the venue follows. */
  readonly watched: ConfirmableClock;
}

export function adminDialect({ vault, watched }: AdminOptions): Dialect {
  return {
    ...OPERATOR_FORM,
    name: 'admin',
    prefixes: ['/admin/'],
    routes: (services) =>
      operatorRoutes(ADMIN_ENDPOINTS, {
        ...accountHandlers(services.venue, vault),
        ...moneyHandlers(services.venue),
        ...listingHandlers(services.venue),
        ...contractHandlers(services),
        ...clockHandlers(watched),
      }),
  };
}
