/**
 * Fee levels: which one each account has by its volume, and the rates that were set because of it.
 * They own the table `fee_levels`. Rates in force are the engine's, volumes those of the history;
 * here is what was worked out from them, and what was set by hand is left alone.
 */
import type { AccountId, Amount } from '#domain';

/** Rates in parts per million; null for those of each market. */
export interface LevelRates {
  readonly takerFeePpm: number | null;
  readonly makerFeePpm: number | null;
}

export interface AccountLevel {
  readonly accountId: AccountId;
  /** 0 below the first threshold, then 1 for the first level and so on. */
  readonly level: number;
  /** In the smallest unit of the coin that volumes are counted in. */
  readonly volume: Amount;
  /** When the days that are counted end. */
  readonly countedMs: number;
  /** What was set last. */
  readonly applied: LevelRates;
  /** What is being set: noted before, so that a restart knows both for the level's own. */
  readonly wanted: LevelRates;
}

export interface FeeLevelsStore {
  feeLevel(accountId: AccountId): Promise<AccountLevel | undefined>;
  /** By account id. */
  feeLevels(after: AccountId | undefined, limit: number): Promise<readonly AccountLevel[]>;
  putFeeLevel(level: AccountLevel): Promise<void>;
}
