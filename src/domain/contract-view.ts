/** Contract accounts, positions and markets as the rest of the venue sees them. */
import type { HoldSide, MarginMode } from './contract.ts';
import type { FineAmount } from './margin/value.ts';
import type { Wallet } from './symbols.ts';
import type { AccountId, Amount, AssetId, InstrumentId, Lots, OrderId, Ticks } from './units.ts';

/** Ratios are whole numbers of 10^-8. */
export const RATIO_SCALE = 8;
/** Funding rates are whole numbers of 10^-9 (parts per billion). */
export const FUNDING_RATE_SCALE = 9;

/**
 * What a position has done since its side went from flat to open. Values are exact and in fine
 * units, fees and funding in margin units.
 */
export interface PositionTotals {
  readonly openedLots: bigint;
  readonly openedValue: FineAmount;
  readonly openedFee: Amount;
  readonly closedLots: bigint;
  readonly closedValue: FineAmount;
  /** Of the owner's orders; what steps of a liquidation were charged is the liquidation fee. */
  readonly closedFee: Amount;
  readonly liquidationFee: Amount;
  /** Signed: received is above zero. */
  readonly funding: Amount;
  /** Opening fees and funding of what is still held: a close takes its part of both with it. */
  readonly heldFee: Amount;
  readonly heldFunding: Amount;
}

export const NO_TOTALS: PositionTotals = {
  openedLots: 0n,
  openedValue: 0n,
  openedFee: 0n,
  closedLots: 0n,
  closedValue: 0n,
  closedFee: 0n,
  liquidationFee: 0n,
  funding: 0n,
  heldFee: 0n,
  heldFunding: 0n,
};

/** The leverages of an account in a contract: those of the mode it is not in wait for it. */
export interface StoredLeverages {
  readonly cross: number;
  readonly isolatedLong: number;
  readonly isolatedShort: number;
}

/** One side of a contract account; all zero when nothing is held. */
export interface PositionView {
  /** Another one each time the side goes from flat to open; zero when flat. */
  readonly positionId: number;
  /** Undefined when flat. */
  readonly openedOrderId: OrderId | undefined;
  readonly side: HoldSide;
  readonly lots: Lots;
  /** lots less what resting close orders will take. */
  readonly availableLots: Lots;
  /** Average entry price times 10^AVERAGE_EXTRA_SCALE ticks, rounded half up; zero when flat. */
  readonly averageEntry: bigint;
  /** Exact value at which what is held was opened. */
  readonly open: FineAmount;
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
  readonly totals: PositionTotals;
  /** Number and time of the command that opened it; zero when flat. */
  readonly openedSeq: number;
  readonly openedTimeMs: number;
  /** Number and time of the last command that changed it. */
  readonly updatedSeq: number;
  readonly updatedTimeMs: number;
}

/** Extra decimal places of an average price beyond the contract's priceScale. */
export const AVERAGE_EXTRA_SCALE = 8;

/** The money figures are those of the wallet, which other contracts may stand on, too. */
export interface MarginAccountView {
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly marginMode: MarginMode;
  readonly leverages: StoredLeverages;
  /**
   * Whether the owner asked for a position of its own for each opening order. Kept for clients that
   * ask for it again; a side is one position either way.
   */
  readonly isSeparated: boolean;
  readonly wallet: Wallet;
  readonly balance: Amount;
  /** balance + unrealised profit and loss of every position that stands on the wallet. */
  readonly equity: Amount;
  /** What can still be used for opening, or moved out; never negative. */
  readonly available: Amount;
  /** Of both sides in this contract. */
  readonly margin: Amount;
  /** By open orders of every contract that stands on the wallet. */
  readonly marginFrozen: Amount;
  /** In this contract, as the next one. */
  readonly realizedPnl: Amount;
  readonly unrealizedPnl: Amount;
  /** Of all that is cross on the wallet; null in isolated mode. Zero when flat. */
  readonly marginRatio: bigint | null;
  readonly long: PositionView;
  readonly short: PositionView;
  readonly openOrdersCount: number;
  readonly triggerOrdersCount: number;
  readonly updatedTimeMs: number;
}

/** An account's money behind all linear contracts of a margin coin, whatever wallets it is in. */
export interface MarginFundsView {
  readonly assetId: AssetId;
  /** Settled: without unrealised profit, with what positions use and orders freeze. */
  readonly balance: Amount;
  /** Used by positions: V(E) / L of cross ones, the margins of isolated ones. */
  readonly used: Amount;
  /** By open orders. */
  readonly frozen: Amount;
  /** What can open positions or be moved out; never negative. */
  readonly available: Amount;
  readonly unrealizedPnl: Amount;
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
