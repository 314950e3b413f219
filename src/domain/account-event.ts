/** What happens to accounts and keys themselves. */
import type { AccountSettings, KeyRecord } from './account.ts';
import type { AccountId, Amount, AssetId } from './units.ts';

export interface LockSet {
  readonly kind: 'lock_set';
  readonly accountId: AccountId;
  readonly assetId: AssetId;
  readonly amount: Amount;
}

/** Money of an account stands still, or moves again. */
export interface MoneyHeld {
  readonly kind: 'money_held';
  readonly accountId: AccountId;
  readonly holder: string;
  readonly isHeld: boolean;
}

export interface AccountCreated {
  readonly kind: 'account_created';
  readonly accountId: AccountId;
  readonly settings: AccountSettings;
}

export interface AccountUpdated {
  readonly kind: 'account_updated';
  readonly accountId: AccountId;
  readonly settings: AccountSettings;
}

export interface KeyCreated {
  readonly kind: 'key_created';
  readonly record: KeyRecord;
}

export interface KeyRevoked {
  readonly kind: 'key_revoked';
  readonly key: string;
}
