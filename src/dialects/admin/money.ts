/** The operator's handlers for money: in, out, locked, and between an account's own wallets. */
import { type Asset, type AssetId, isRefused, type Refused, type VenuePort } from '#domain';
import { present } from '#kernel';
import { carryOut } from '../carry-out.ts';
import type { OperatorCall, OperatorHandler } from '../handlers.ts';
import { onAccount } from './accounts.ts';
import { readFunding, readLock, readOwnTransfer } from './read-money.ts';
import { lockData, movementData, transferredData } from './write.ts';

export function moneyHandlers(venue: VenuePort) {
  return {
    deposit: (call) => fund(venue, 'deposit', call),
    withdraw: (call) => fund(venue, 'withdraw', call),
    lock: (call) => lock(venue, call),
    transfer: (call) => transfer(venue, call),
  } as const satisfies Record<string, OperatorHandler>;
}

async function fund(
  venue: VenuePort,
  kind: 'deposit' | 'withdraw',
  call: OperatorCall,
): Promise<object | Refused> {
  const event = await carryOut(venue, 'balance_changed', (state) =>
    onAccount(state, call, ({ accountId }) =>
      readFunding(kind, accountId, call.input, state.listings),
    ),
  );
  return isRefused(event) ? event : movementData(event, await assetOf(venue, event.assetId));
}

async function lock(venue: VenuePort, call: OperatorCall): Promise<object | Refused> {
  const event = await carryOut(venue, 'lock_set', (state) =>
    onAccount(state, call, ({ accountId }) => readLock(accountId, call.input, state.listings)),
  );
  return isRefused(event) ? event : lockData(event, await assetOf(venue, event.assetId));
}

async function transfer(venue: VenuePort, call: OperatorCall): Promise<object | Refused> {
  const event = await carryOut(venue, 'transferred', (state) =>
    onAccount(state, call, ({ accountId }) =>
      readOwnTransfer(accountId, call.input, state.listings),
    ),
  );
  return isRefused(event) ? event : transferredData(event, await assetOf(venue, event.assetId));
}

export function assetOf(venue: VenuePort, assetId: AssetId): Promise<Asset> {
  return venue.read(({ listings }) => present(listings.asset(assetId), `asset ${assetId}`));
}
