/** A coin of the venue and the chains it would move over. */
import type { AssetId } from './units.ts';

export interface Chain {
  readonly chain: string;
  readonly needTag: boolean;
  readonly withdrawable: boolean;
  readonly rechargeable: boolean;
  /** Decimal text in coins, as the least amounts are: what requests are held to. */
  readonly withdrawFee: string;
  readonly depositConfirm: number;
  readonly withdrawConfirm: number;
  readonly minDepositAmount: string;
  readonly minWithdrawAmount: string;
  readonly browserUrl: string;
}

export interface AssetSpec {
  /** The number clients know the coin by; unique, chosen by the operator. */
  readonly coinId: number;
  /** Upper case, as in USDT. */
  readonly code: string;
  /** Decimal places of the smallest unit in the ledger. */
  readonly scale: number;
  readonly transferable: boolean;
  readonly chains: readonly Chain[];
  /** What liquidations may cost the coin's insurance fund. */
  readonly fundBudget: FundBudget;
}

/** Parts of what a fund held when an hour or a day began, each from 0 to 1,000,000. */
export interface FundBudget {
  readonly hourPpm: number;
  readonly dayPpm: number;
}

/** 5 % an hour and 10 % a day, for coins of which nothing else is said. */
export const USUAL_FUND_BUDGET: FundBudget = { hourPpm: 50_000, dayPpm: 100_000 };

/** What may change once a coin is listed. */
export type AssetTerms = Pick<AssetSpec, 'transferable' | 'chains' | 'fundBudget'>;

export interface Asset extends AssetSpec {
  readonly assetId: AssetId;
}

/**
 * What never changes of a listed coin. Pairs and contracts hold no more of theirs, so nothing of
 * them is out of date when the coin's terms change.
 */
export type Coin = Omit<Asset, keyof AssetTerms>;

/** A listed coin without its terms. */
export function bareCoin({ assetId, coinId, code, scale }: Coin): Coin {
  return { assetId, coinId, code, scale };
}
