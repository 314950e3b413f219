/** An account's money behind all linear contracts of a coin, as its owner sees it. */
import type { AssetId, MarginFundsView } from '#domain';
import type { Account } from '../ledger/account.ts';
import type { Balance } from '../ledger/balance.ts';
import type { SwapMarket } from '../swap/market.ts';
import { MarginWallet } from './margin-wallet.ts';

/** Sums over the wallets that linear contracts of this coin stand on: one, or one for each. */
export function marginFundsView(
  markets: Iterable<SwapMarket>,
  account: Account,
  assetId: AssetId,
): MarginFundsView {
  const sums = { balance: 0n, used: 0n, frozen: 0n, available: 0n, unrealizedPnl: 0n };
  for (const balance of balancesOf(markets, account, assetId)) {
    const { available, held, reserve } = balance;
    const wallet = reserve instanceof MarginWallet ? reserve : undefined;
    sums.balance += balance.balance;
    sums.used += wallet?.usedMargin() ?? 0n;
    sums.frozen += held;
    sums.available += available;
    sums.unrealizedPnl += wallet?.unrealizedPnl() ?? 0n;
  }
  return { assetId, ...sums };
}

function balancesOf(
  markets: Iterable<SwapMarket>,
  account: Account,
  assetId: AssetId,
): Set<Balance> {
  const found = new Set<Balance>();
  for (const market of markets) {
    const { kind, margin } = market.contract;
    if (kind === 'linear' && margin.assetId === assetId) found.add(market.balanceOf(account));
  }
  return found;
}
