/** Contract accounts, positions and markets as the rest of the venue sees them. */
import type { HoldSide, MarginMode } from './contract.ts';
import type { AccountId, Amount, InstrumentId, Lots, Ticks } from './units.ts';

/** Ratios are whole numbers of 10^-8. */
export const RATIO_SCALE = 8;
/** Funding rates are whole numbers of 10^-9 (parts per billion). */
export const FUNDING_RATE_SCALE = 9;

/** One side of a contract account; all zero when nothing is held. */
export interface PositionView {
  readonly side: HoldSide;
  readonly lots: Lots;
  /** lots less what resting close orders will take. */
  readonly availableLots: Lots;
  /** Average entry price times 10^AVERAGE_EXTRA_SCALE ticks, rounded half up; zero when flat. */
  readonly averageEntry: bigint;
  readonly leverage: number;
  readonly autoAppend: boolean;
  /** Margin in use: set aside for this side (isolated), or entry value over leverage (cross). */
  readonly margin: Amount;
  readonly realizedPnl: Amount;
  /** At the mark price, rounded down. */
  readonly unrealizedPnl: Amount;
  /** Of the tier that applies; the first tier's when flat. */
  readonly maintenanceRatePpm: number;
  /** Estimate; zero when no price liquidates it. */
  readonly liquidationTicks: Ticks;
  /** (margin + unrealised) / value in isolated mode; null in cross mode. Zero when flat. */
  readonly marginRatio: bigint | null;
  readonly updatedTimeMs: number;
}

/** Extra decimal places of an average price beyond the contract's priceScale. */
export const AVERAGE_EXTRA_SCALE = 8;

export interface MarginAccountView {
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly marginMode: MarginMode;
  readonly balance: Amount;
  /** balance + unrealised profit and loss of both sides. */
  readonly equity: Amount;
  /** What can still be used for opening, or moved out; never negative. */
  readonly available: Amount;
  readonly margin: Amount;
  readonly marginFrozen: Amount;
  readonly realizedPnl: Amount;
  readonly unrealizedPnl: Amount;
  /** Of the whole account in cross mode; null in isolated mode. Zero when flat. */
  readonly marginRatio: bigint | null;
  readonly long: PositionView;
  readonly short: PositionView;
  readonly openOrdersCount: number;
  readonly triggerOrdersCount: number;
  readonly updatedTimeMs: number;
}

/** The prices a contract is run by, as last emitted, and what is held in it now. */
export interface ContractPrices {
  readonly instrumentId: InstrumentId;
  readonly indexTicks: Ticks;
  /** No source for too long: positions can be closed and not opened, and nothing is liquidated. */
  readonly indexStale: boolean;
  readonly markTicks: Ticks;
  /** Price band: highest for buying, lowest for selling. */
  readonly highestTicks: Ticks;
  readonly lowestTicks: Ticks;
  /** Contracts held long, which equals those held short. */
  readonly openInterestLots: Lots;
  /** The rate as it would be charged now. */
  readonly fundingRatePpb: number;
  readonly nextFundingMs: number;
  readonly insuranceFund: Amount;
  readonly timeMs: number;
}
