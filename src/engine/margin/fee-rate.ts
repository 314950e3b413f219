/** The fee rates that an account takes at. */
import type { MarginAccount } from './margin-account.ts';

/** The account's own taker rate, or the contract's. */
export function takerFeePpm({ account, market }: MarginAccount): number {
  return account.terms.takerFeePpm ?? market.contract.takerFeePpm;
}

/** What a liquidation pays: at most the contract's rate, which is all the threshold keeps back. */
export function forcedFeePpm(margin: MarginAccount): number {
  return Math.min(takerFeePpm(margin), margin.market.contract.takerFeePpm);
}
