/** What an account owns of each coin: every wallet, with the profit that is not realised yet. */
import type { Amount, AssetId } from '#domain';
import type { Account } from '../ledger/account.ts';
import { MarginWallet } from './margin-wallet.ts';

/** Profit counts at the marks of now, rounded down in each wallet. Costs the account's wallets. */
export function ownedBy(account: Account): Map<AssetId, Amount> {
  const owned = new Map<AssetId, Amount>();
  const add = (assetId: AssetId, amount: Amount): void => {
    owned.set(assetId, (owned.get(assetId) ?? 0n) + amount);
  };
  for (const { assetId, balance } of account.spotBalances()) add(assetId, balance);
  for (const [, { assetId, balance, reserve }] of account.contractBalances()) {
    add(assetId, balance);
    if (reserve instanceof MarginWallet) add(assetId, reserve.unrealizedPnl());
  }
  return owned;
}
