/**
 * What was owned when each day (UTC) began, as its users see it. Of a day without any command
 * there is nothing, nor of those before the release that began to keep it.
 */
import type { AccountId, Amount, AssetId, Step } from '#domain';
import type { TimeRange } from './time-range.ts';

/** What an account owned of a coin in all its wallets, with its unrealised profit. */
export interface OpeningEquity {
  readonly accountId: AccountId;
  readonly assetId: AssetId;
  /** Below zero where losses not yet realised are larger than what is there. */
  readonly equity: Amount;
}

export interface OpeningFund {
  readonly assetId: AssetId;
  readonly fund: Amount;
}

/** The state before the first command of a day: as the day before has left it. */
export interface DayOpening {
  /** When the day began. */
  readonly dayMs: number;
  /** Accounts and coins with something. */
  readonly equities: readonly OpeningEquity[];
  /** Insurance funds with something. */
  readonly funds: readonly OpeningFund[];
}

/** A step on its way to the history; the first one of a day brings what was owned before it. */
export interface ProjectedStep extends Step {
  readonly dayOpening?: DayOpening | undefined;
}

export interface DayEquity extends Omit<OpeningEquity, 'accountId'> {
  readonly dayMs: number;
}

export interface DayFund extends OpeningFund {
  readonly dayMs: number;
}

/** Times are those at which days began, newest first; within a day the last listed coin first. */
export interface EquitiesQuery extends TimeRange {
  readonly accountId: AccountId;
  readonly assetId?: AssetId | undefined;
}

export interface FundsQuery extends TimeRange {
  readonly assetId: AssetId;
}
