/** Accounts, their wallets and the keys that act for them. */
import type { SelfTradePrevention } from './order.ts';
import type { Wallet } from './symbols.ts';
import type { AccountId, Amount, AssetId } from './units.ts';

export interface AccountSettings {
  readonly name: string;
  /** A frozen account is refused at the door: no orders, cancels or transfers; reads still work. */
  readonly frozen: boolean;
  readonly selfTradePrevention: SelfTradePrevention;
  readonly openOrdersMax: number;
  /** Fee rates that replace the instrument's for this account; null to use the instrument's. */
  readonly takerFeePpm: number | null;
  readonly makerFeePpm: number | null;
}

/**
 * One coin in one wallet. balance is what the ledger says is owned; held is reserved by open
 * orders and locked by the operator, both parts of balance.
 */
export interface BalanceView {
  readonly assetId: AssetId;
  readonly balance: Amount;
  readonly held: Amount;
  readonly locked: Amount;
  /**
   * What can be spent on, withdrawn or transferred: balance - held - locked in the spot wallet; in
   * a margin wallet also less what positions need, and never below zero.
   */
  readonly available: Amount;
  readonly updatedTimeMs: number;
}

export interface AccountView extends AccountSettings {
  readonly accountId: AccountId;
  readonly createdTimeMs: number;
  readonly openOrdersCount: number;
  /** Every spot balance the account ever touched, by asset id. */
  spotBalances(): Iterable<BalanceView>;
  /** The margin wallets the account ever touched. */
  contractBalances(): Iterable<readonly [Wallet, BalanceView]>;
  balance(wallet: Wallet, assetId: AssetId): BalanceView | undefined;
}

export type Permission = 'read' | 'trade' | 'transfer';
export const PERMISSIONS: readonly Permission[] = ['read', 'trade', 'transfer'];

/** An API key as it is stored: secret sealed, passphrase hashed. Neither opens the other. */
export interface KeyRecord {
  readonly key: string;
  readonly accountId: AccountId;
  readonly label: string;
  readonly permissions: readonly Permission[];
  /** Addresses or CIDR blocks that may use the key; empty for any. */
  readonly ipAllowList: readonly string[];
  readonly sealedSecret: string;
  readonly passphraseHash: string;
  /** Each of its requests that changes something is executed once; absent for any number. */
  readonly strictReplay?: true;
  readonly createdTimeMs: number;
}
