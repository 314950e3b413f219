/** Accounts, their wallets and the keys that act for them. */
import type { Contract } from './contract.ts';
import type { SelfTradePrevention } from './order.ts';
import type { Wallet } from './symbols.ts';
import type { AccountId, Amount, AssetId } from './units.ts';

/** What has a margin wallet of its own: each contract, or a coin with all its linear contracts. */
export type WalletScope = 'contract' | 'coin';
export const WALLET_SCOPES: readonly WalletScope[] = ['contract', 'coin'];
/** Of an account that is opened now; commands of older accounts say nothing and mean contract. */
export const WALLETS_DEFAULT: WalletScope = 'coin';

export interface AccountSettings {
  readonly name: string;
  /** A frozen account is refused at the door: no orders, cancels or transfers; reads still work. */
  readonly frozen: boolean;
  readonly selfTradePrevention: SelfTradePrevention;
  readonly openOrdersMax: number;
  /** Fee rates that replace the instrument's for this account; null to use the instrument's. */
  readonly takerFeePpm: number | null;
  readonly makerFeePpm: number | null;
  /**
   * Chosen when the account is opened and never changed: money and risk would change hands with it.
   * Absent for a wallet per contract, as in every account from before there was a choice.
   */
  readonly wallets?: WalletScope;
}

/** Settings that can be changed later. */
export type AccountChanges = Partial<Omit<AccountSettings, 'wallets'>>;

/**
 * The wallet that holds the margin of a contract for an account. Inverse contracts always have one
 * each: their margin coin is what they are a price of, and the formulas over several are linear.
 */
export function marginWallet(
  { wallets }: Pick<AccountSettings, 'wallets'>,
  { symbol, kind }: Pick<Contract, 'symbol' | 'kind'>,
): Wallet {
  return wallets === 'coin' && kind === 'linear' ? 'margin' : symbol;
}

/** The wallet that a name means in an account: that of a contract may be the one of its coin. */
export function walletMeant(
  account: Pick<AccountSettings, 'wallets'>,
  wallet: Wallet,
  listings: { contract(symbol: string): Contract | undefined },
): Wallet {
  const contract = listings.contract(wallet);
  return contract === undefined ? wallet : marginWallet(account, contract);
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
  /** On whose hold alone money comes in and goes out; empty for none. */
  readonly moneyHolder: string;
  /** Every spot balance the account ever touched, by asset id. */
  spotBalances(): Iterable<BalanceView>;
  readonly wallets: WalletScope;
  /** The margin wallets the account ever touched. */
  contractBalances(): Iterable<readonly [Wallet, BalanceView]>;
  balance(wallet: Wallet, assetId: AssetId): BalanceView | undefined;
}

export type Permission = 'read' | 'trade' | 'transfer';
export const PERMISSIONS: readonly Permission[] = ['read', 'trade', 'transfer'];

/** An API key as it is stored. */
export interface KeyRecord {
  readonly key: string;
  readonly accountId: AccountId;
  readonly label: string;
  readonly permissions: readonly Permission[];
  /** Addresses or CIDR blocks that may use the key; empty for any. */
  readonly ipAllowList: readonly string[];
  /**
   * Its secret, unless a public key stands in its place, and what its passphrase is checked by:
   * sealed under the master key, which is not here.
   */
  readonly sealed: string;
  /** Of Ed25519, 32 bytes in base64: its owner signs with the private key, which is not here. */
  readonly publicKey?: string;
  /** Each of its requests that changes something is executed once; absent for any number. */
  readonly strictReplay?: true;
  /** From then on it is as unknown as one that was revoked; absent where it stays. */
  readonly expiresTimeMs?: number;
  readonly createdTimeMs: number;
  /** The person who made it, within whose rights it stays; absent for one of the operator. */
  readonly madeBy?: string;
}
