/** A contract as its accounts and orders know it: terms, prices, sums and the fund it may spend. */
import {
  type Amount,
  type Contract,
  type ContractPrices,
  type FineAmount,
  priceBand,
  type WorkingPrice,
} from '#domain';
import type { BookDepth } from '../book/book.ts';
import type { InsuranceFund } from '../ledger/insurance-fund.ts';

/** A report of one source. */
export interface IndexReport {
  readonly priceTicks: number;
  readonly timeMs: number;
}

/** How far the middle of the book was from the index at one time. */
export interface BasisSample {
  readonly timeMs: number;
  readonly basisTicks: number;
}

export abstract class MarketState {
  /** Replaced as a whole when the operator changes the terms. */
  contract: Contract;
  abstract readonly book: BookDepth;
  /** Lots held on either side: equal between commands. */
  longLots = 0;
  shortLots = 0;
  /** Minus the sum of all profit booked so far, plus dust swept: what positions owe each other. */
  clearing: Amount = 0n;
  /** Fractions of units that rounding kept back; whole units go to the insurance fund. */
  dust: FineAmount = 0n;
  lastTicks = 0;
  lastTimeMs = 0;
  indexTicks: number;
  /** When the index was last computed from a fresh source; zero when it never was. */
  indexFreshMs = 0;
  markTicks: number;
  readonly reports = new Map<string, IndexReport>();
  readonly basis: BasisSample[] = [];
  premiumSumPpb = 0;
  premiumCount = 0;
  lastPremiumPpb = 0;
  /** The last minute whose premium was sampled. */
  premiumMinute = 0;
  nextFundingMs: number;
  /** As last emitted; undefined before the first time. */
  prices: ContractPrices | undefined;
  /** What owners' orders may be placed at; follows the mark price. */
  band: { readonly highestTicks: number; readonly lowestTicks: number };
  /** Of the margin coin, shared by its contracts. */
  readonly fund: InsuranceFund;

  constructor(contract: Contract, fund: InsuranceFund, nextFundingMs: number) {
    this.contract = contract;
    this.fund = fund;
    this.indexTicks = contract.referencePriceTicks;
    this.markTicks = contract.referencePriceTicks;
    this.nextFundingMs = nextFundingMs;
    this.band = this.#bandNow();
  }

  /** What a trigger looks at; instead of a last price the mark price until something trades. */
  workingTicks(working: WorkingPrice): number {
    if (working === 'index') return this.indexTicks;
    return working === 'mark' || this.lastTicks === 0 ? this.markTicks : this.lastTicks;
  }

  /** Sets the mark price and what follows from it. */
  setMark(markTicks: number): void {
    this.markTicks = markTicks;
    this.band = this.#bandNow();
  }

  #bandNow(): MarketState['band'] {
    return priceBand(this.markTicks, this.contract.priceBandPpm, this.contract.priceStepTicks);
  }

  /** Whether no source has been fresh for too long; never before the first one was. */
  isIndexStale(timeMs: number): boolean {
    const { indexStaleMs } = this.contract;
    if (indexStaleMs === 0 || this.indexFreshMs === 0) return false;
    return timeMs - this.indexFreshMs > indexStaleMs;
  }
}
