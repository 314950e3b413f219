/**
 * Who is deleveraged on one side of a contract, best first, as it was ranked when first needed. An
 * account that cannot be closed at a price is passed over without being looked at, so that a wave
 * of liquidations costs what it closes, however many accounts cannot be closed meanwhile.
 */
import {
  bankruptcyTicks,
  deleveragingScore,
  finePnl,
  fineValue,
  type HoldSide,
  otherSide,
} from '#domain';
import { MaxTree, present } from '#kernel';
import type { MarginAccount } from '../margin/margin-account.ts';
import { isUnitBreached } from '../margin/risk.ts';
import type { SwapMarket } from '../swap/market.ts';
import { nettingOf } from './netting.ts';

interface Candidate {
  readonly margin: MarginAccount;
  readonly isBreached: boolean;
  readonly score: bigint;
  readonly openedTimeMs: number;
}

/** What a place is worth in the trees when nothing can be had from it. */
const NEVER = Number.NEGATIVE_INFINITY;

export class AdlQueue {
  readonly side: HoldSide;
  readonly #market: SwapMarket;
  readonly #ranked: MarginAccount[] = [];
  readonly #places = new Map<MarginAccount, number>();
  /** Accounts that opened a position after the ranking. */
  readonly #late = new Set<MarginAccount>();
  /** Places that were passed over in this command. */
  #passed: number[] = [];
  /** By place: the worst price at which all of it can be closed, upwards as it gets worse. */
  readonly #closable = new MaxTree();
  /** By place: 1 for a hedge whose larger side is this one and that can be closed within itself. */
  readonly #nettable = new MaxTree();

  constructor(market: SwapMarket, side: HoldSide) {
    this.side = side;
    this.#market = market;
  }

  /** All who hold something on this side, as they are now. */
  rankAll(): void {
    this.append(this.#rank(this.#market.holders()));
  }

  /** Everybody who has a place, best first. */
  get ranked(): readonly MarginAccount[] {
    return this.#ranked;
  }

  /** Who came later, by account, with those among the changed ones who did. */
  lateWith(changed: ReadonlySet<MarginAccount>): MarginAccount[] {
    return [...this.#late.union(changed)]
      .filter((margin) => margin.position(this.side).lots > 0 && !this.#places.has(margin))
      .sort((one, other) => one.accountId - other.accountId);
  }

  /** How many places there are. */
  get size(): number {
    return this.#ranked.length;
  }

  account(place: number): MarginAccount | undefined {
    return this.#ranked[place];
  }

  /** The first place from here on that can be closed at a price; -1 when there is none. */
  closableFrom(place: number, priceTicks: number): number {
    return this.#closable.firstFrom(place, this.#worth(priceTicks));
  }

  /** The first place from here on with a hedge that can be closed within itself, or -1. */
  nettableFrom(place: number): number {
    return this.#nettable.firstFrom(place, 1);
  }

  /** Works out anew what an account can bear; one that is not ranked waits to be. */
  refresh(margin: MarginAccount): void {
    const place = this.#places.get(margin);
    if (place !== undefined) this.#set(place, margin);
    else if (margin.position(this.side).lots > 0) this.#late.add(margin);
  }

  /**
   * Passes an account over at this price and at worse ones, until something about it changes or the
   * command is over: what the next one begins with is in a snapshot.
   */
  passOver(place: number, priceTicks: number): void {
    this.#closable.set(place, this.#worth(priceTicks) - 1);
    this.#passed.push(place);
  }

  retryPassed(): void {
    for (const place of this.#passed) this.#set(place, present(this.#ranked[place], 'passed one'));
    this.#passed = [];
  }

  /** Works out anew what each of them can bear: by other terms, or at another mark price. */
  refreshAll(): void {
    this.#passed = [];
    for (const [place, margin] of this.#ranked.entries()) this.#set(place, margin);
  }

  /** Puts those who came later behind the others; returns whether there were any. */
  admitLate(): boolean {
    const before = this.size;
    this.append(this.#rank([...this.#late]));
    this.#late.clear();
    return this.size > before;
  }

  /** Gives accounts the next places, in this order. */
  append(margins: readonly MarginAccount[]): void {
    for (const margin of margins) {
      this.#places.set(margin, this.#ranked.length);
      this.#ranked.push(margin);
      this.#closable.push(NEVER);
      this.#nettable.push(NEVER);
      this.#set(this.#ranked.length - 1, margin);
    }
  }

  /** Healthy ones before those in trouble, then by score, who opened first, and account. */
  #rank(margins: readonly MarginAccount[]): MarginAccount[] {
    return margins
      .filter((margin) => margin.position(this.side).lots > 0)
      .map((margin) => candidateOf(margin, this.side))
      .sort(
        (one, other) =>
          Number(one.isBreached) - Number(other.isBreached) ||
          (one.score === other.score ? 0 : one.score > other.score ? -1 : 1) ||
          one.openedTimeMs - other.openedTimeMs ||
          one.margin.accountId - other.margin.accountId,
      )
      .map(({ margin }) => margin);
  }

  #set(place: number, margin: MarginAccount): void {
    this.#closable.set(place, this.#worstOf(margin));
    const isLarger = margin.position(this.side).lots > margin.position(otherSide(this.side)).lots;
    const netting = isLarger ? nettingOf(margin) : undefined;
    const isPaid = netting !== undefined && margin.wallet.crossMoney() + netting.pnl >= 0n;
    this.#nettable.set(place, isPaid ? 1 : NEVER);
  }

  /** A price as it looks to this side: the higher, the worse. A short is closed by buying. */
  #worth(priceTicks: number): number {
    return this.side === 'short' ? priceTicks : -priceTicks;
  }

  /** The worst price at which an account can be closed, what rounding may add included. */
  #worstOf(margin: MarginAccount): number {
    const { side, lots, open, margin: own } = margin.position(this.side);
    if (lots === 0) return NEVER;
    const { contract } = this.#market;
    const money = margin.mode === 'isolated' ? own : margin.wallet.crossMoney();
    const held = { lots, open, money: money + roundingUnits(lots) };
    const step = contract.priceStepTicks;
    const found = bankruptcyTicks(contract, side, held, 0, step);
    if (found === undefined) return side === 'short' ? Number.POSITIVE_INFINITY : NEVER;
    return this.#worth(found) + step;
  }
}

/** How many units rounding may cost an account that is closed in pieces of a lot each. */
export function roundingUnits(size: number): bigint {
  return 3n * BigInt(size) + 2n;
}

function candidateOf(margin: MarginAccount, side: HoldSide): Candidate {
  const { market, mode, wallet } = margin;
  const { contract, markTicks } = market;
  const position = margin.position(side);
  const value = fineValue(contract, position.lots, markTicks);
  const pnl = finePnl(contract, side, position.open, value);
  const money = mode === 'isolated' ? position.margin : wallet.crossMoney();
  const all = mode === 'isolated' ? pnl : margin.finePnl() + (wallet.othersOf(margin)?.pnl ?? 0n);
  const equity = money * contract.fineFactor + all;
  return {
    margin,
    isBreached: isUnitBreached(margin, mode === 'isolated' ? side : 'both'),
    score: deleveragingScore(pnl, position.open, value, equity),
    openedTimeMs: position.openedTimeMs,
  };
}
