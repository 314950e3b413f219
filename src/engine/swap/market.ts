/** One contract at work: terms, book, prices, positions and what waits for a price. */
import {
  type AccountId,
  type Amount,
  type Contract,
  type ContractPrices,
  defaultLeverage,
  type FineAmount,
  PPM_BIG,
  priceBand,
  walletOf,
} from '#domain';
import { createBook } from '../book/fast-book.ts';
import type { Account } from '../ledger/account.ts';
import type { AssetTotals } from '../ledger/ledger.ts';
import { Attention } from './attention.ts';
import { MarginAccount } from './margin-account.ts';
import type { ContractOrder } from './order.ts';
import { PlanLadder } from './plan-levels.ts';

const HOUR_MS = 3_600_000;

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

export class SwapMarket {
  /** Replaced as a whole when the operator changes the terms. */
  contract: Contract;
  readonly book = createBook<ContractOrder>();
  readonly accounts = new Map<AccountId, MarginAccount>();
  /** Those that hold something: what a settlement costs, however many have ever traded here. */
  readonly holding = new Set<MarginAccount>();
  readonly attention = new Attention();
  /** Accounts whose money or positions changed, while somebody wants to know. */
  changes: Set<MarginAccount> | undefined;
  readonly planRises = new PlanLadder('rise');
  readonly planFalls = new PlanLadder('fall');
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
  /** The last minute whose premium was sampled. */
  premiumMinute = 0;
  nextFundingMs: number;
  /** The hour (UTC, counted from the epoch) that the next two figures are of. */
  budgetHour = -1;
  /** What the insurance fund held when that hour began, and what the operator added since. */
  budgetBase: Amount = 0n;
  /** What liquidations of this contract have cost the insurance fund in that hour. */
  budgetSpent: Amount = 0n;
  /** What the insurance fund keeps in any case while one liquidation runs. */
  fundKept: Amount = 0n;
  /** As last told; undefined before the first time. */
  prices: ContractPrices | undefined;
  /** What owners' orders may be placed at; follows the mark price. */
  band: { readonly highestTicks: number; readonly lowestTicks: number };
  /** Of the margin coin: where its insurance fund is kept. */
  readonly totals: Pick<AssetTotals, 'insurance'>;

  constructor(contract: Contract, totals: Pick<AssetTotals, 'insurance'>, nextFundingMs: number) {
    this.contract = contract;
    this.totals = totals;
    this.indexTicks = contract.referencePriceTicks;
    this.markTicks = contract.referencePriceTicks;
    this.nextFundingMs = nextFundingMs;
    this.band = this.#bandNow();
  }

  /** Sets the mark price and what follows from it. */
  setMark(markTicks: number): void {
    this.markTicks = markTicks;
    this.band = this.#bandNow();
  }

  /** Begins a new hour of what liquidations may cost when it is time. */
  beginBudget(timeMs: number): void {
    const hour = Math.floor(timeMs / HOUR_MS);
    if (hour === this.budgetHour) return;
    this.budgetHour = hour;
    this.budgetBase = this.totals.insurance;
    this.budgetSpent = 0n;
  }

  /** What liquidations may still cost the insurance fund in this hour. */
  get budgetLeft(): Amount {
    const budget = (this.budgetBase * BigInt(this.contract.insuranceBudgetPpm)) / PPM_BIG;
    return budget > this.budgetSpent ? budget - this.budgetSpent : 0n;
  }

  /** What the insurance fund may pay for the liquidation that runs. */
  get payable(): Amount {
    const { insurance } = this.totals;
    return insurance > this.fundKept ? insurance - this.fundKept : 0n;
  }

  /**
   * Begins a liquidation: it may spend what it brings in itself and what is left of the hour's
   * budget. Returns what the fund holds before it.
   */
  beginSpending(): Amount {
    const { insurance } = this.totals;
    this.fundKept = insurance > this.budgetLeft ? insurance - this.budgetLeft : 0n;
    return insurance;
  }

  /** Ends a liquidation and counts what it cost the fund; returns what it brought or cost. */
  endSpending(fundBefore: Amount): Amount {
    const delta = this.totals.insurance - fundBefore;
    if (delta < 0n) this.budgetSpent -= delta;
    return delta;
  }

  #bandNow(): SwapMarket['band'] {
    return priceBand(this.markTicks, this.contract.priceBandPpm, this.contract.priceStepTicks);
  }

  /** An account's side of this contract; made with default settings when there is none. */
  margin(account: Account): MarginAccount {
    const known = this.accounts.get(account.accountId);
    if (known !== undefined) return known;
    const { symbol, margin } = this.contract;
    const balance = account.wallet(walletOf(symbol), margin.assetId);
    const made = new MarginAccount(account, this, balance, defaultLeverage(this.contract));
    balance.reserve = made;
    this.accounts.set(account.accountId, made);
    return made;
  }

  /** Every account that ever did something here, by account id. */
  touchedAccounts(): MarginAccount[] {
    return [...this.accounts.values()].filter(({ updatedTimeMs }) => updatedTimeMs > 0).sort(byId);
  }

  /** Every account that holds something, by account id. */
  holders(): MarginAccount[] {
    return [...this.holding].sort(byId);
  }

  /** Whether no source has been fresh for too long; never before the first one was. */
  isIndexStale(timeMs: number): boolean {
    const { indexStaleMs } = this.contract;
    if (indexStaleMs === 0 || this.indexFreshMs === 0) return false;
    return timeMs - this.indexFreshMs > indexStaleMs;
  }
}

function byId(one: MarginAccount, other: MarginAccount): number {
  return one.accountId - other.accountId;
}
