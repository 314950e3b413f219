/** What the operator's endpoints work with, and the account that a path names. */
import { type KeyVault, refuseSaying, type Services } from '#api';
import { type AccountView, accountId, type Refused, type StateReader } from '#domain';
import type { Clock } from '#kernel';
import { shown } from '../fields.ts';

/** A clock that does not take every step for the time. */
export interface ConfirmableClock extends Clock {
  confirm(): void;
}

export interface AdminOptions {
  readonly vault: KeyVault;
  /** The clock that the venue follows. */
  readonly watched: ConfirmableClock;
}

export type AdminContext = Services & AdminOptions;

export const BASE = '/admin/v1';
export const ACCOUNT_PATH = `${BASE}/accounts/:account`;

/** The account of this id or else of this name, handed on, or why there is none. */
export function onAccount<T>(
  state: StateReader,
  named = '',
  use: (account: AccountView) => T | Refused,
): T | Refused {
  const id = /^[1-9][0-9]{0,14}$/.test(named) ? accountId(Number(named)) : undefined;
  const byId = id === undefined ? undefined : state.account(id);
  const account = byId ?? state.accountByName(named);
  return account === undefined ? refuseSaying('account_unknown', shown(named)) : use(account);
}
