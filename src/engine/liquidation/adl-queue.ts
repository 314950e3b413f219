/**
 * Who is deleveraged on one side of a contract, best first, as it was ranked when first needed. An
 * account that cannot be closed at a price is passed over without being looked at, so that a wave
 * of liquidations costs what it closes, however many accounts cannot be closed meanwhile.
 */
import { bankruptcyTicks, type HoldSide, otherSide } from '#domain';
import { MaxTree, present } from '#kernel';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { SwapMarket } from '../swap/market.ts';
import { nettingOf } from './netting.ts';
import { ranked } from './ranking.ts';

/** What a place is worth in the trees when nothing can be had from it. */
const NEVER = Number.NEGATIVE_INFINITY;
/** And where nobody has looked yet: of ten thousand few have their turn in one command. */
const UNKNOWN = Number.POSITIVE_INFINITY;

export class AdlQueue {
  readonly side: HoldSide;
  readonly #market: SwapMarket;
  readonly #ranked: MarginAccount[] = [];
  readonly #places = new Map<MarginAccount, number>();
  /** Accounts that opened a position after the ranking. */
  readonly #late = new Set<MarginAccount>();
  /** Places that were passed over in this command. */
  #passed: number[] = [];
  /** By place: no less than the worst price at which all of it can be closed, as `#worth` says. */
  readonly #closable = new MaxTree();
  /** By place: 1 for what may be a hedge that can be closed within itself. */
  readonly #nettable = new MaxTree();

  constructor(market: SwapMarket, side: HoldSide) {
    this.side = side;
    this.#market = market;
  }

  /** All who hold something on this side, as they are now. */
  rankAll(): void {
    this.append(ranked(this.#market.holders(), this.side));
  }

  /** Everybody who has a place, best first. */
  get ranked(): readonly MarginAccount[] {
    return this.#ranked;
  }

  /** Who came later, by account, with those among the changed ones who did. */
  lateWith(changed: ReadonlySet<MarginAccount>): MarginAccount[] {
    return byAccount(this.#late.union(changed)).filter(
      (margin) => margin.position(this.side).lots > 0 && !this.#places.has(margin),
    );
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
    const least = this.#worth(priceTicks);
    return this.#firstFrom(this.#closable, place, least, (margin) => this.#worstOf(margin));
  }

  /** The first place from here on with a hedge that can be closed within itself, or -1. */
  nettableFrom(place: number): number {
    return this.#firstFrom(this.#nettable, place, 1, (margin) => this.#nettableOf(margin));
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
    this.append(ranked(byAccount(this.#late), this.side));
    this.#late.clear();
    return this.size > before;
  }

  /** Gives accounts the next places, in this order. */
  append(margins: readonly MarginAccount[]): void {
    const nettable = new Float64Array(margins.length);
    for (const [at, margin] of margins.entries()) {
      this.#places.set(margin, this.#ranked.length);
      this.#ranked.push(margin);
      nettable[at] = mayBeNettable(margin);
    }
    this.#closable.append(new Float64Array(margins.length).fill(UNKNOWN));
    this.#nettable.append(nettable);
  }

  #set(place: number, margin: MarginAccount): void {
    this.#closable.set(place, UNKNOWN);
    this.#nettable.set(place, mayBeNettable(margin));
  }

  /** The first place from here on of which a tree says enough, and that is worth so much. */
  #firstFrom(
    tree: MaxTree,
    from: number,
    least: number,
    worthOf: (margin: MarginAccount) => number,
  ): number {
    let place = tree.firstFrom(from, least);
    while (place >= 0) {
      const worth = worthOf(present(this.#ranked[place], 'account of a place'));
      if (worth >= least) break;
      tree.set(place, worth);
      place = tree.firstFrom(place + 1, least);
    }
    return place;
  }

  /** A price as it looks to this side: the higher, the worse. A short is closed by buying. */
  #worth(priceTicks: number): number {
    return this.side === 'short' ? priceTicks : -priceTicks;
  }

  /** 1 for a hedge whose larger side is this one and that can be closed within itself. */
  #nettableOf(margin: MarginAccount): number {
    const isLarger = margin.position(this.side).lots > margin.position(otherSide(this.side)).lots;
    const netting = isLarger ? nettingOf(margin) : undefined;
    const isPaid = netting !== undefined && margin.wallet.crossMoney() + netting.pnl >= 0n;
    return isPaid ? 1 : NEVER;
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

/** Only what is cross is a hedge: nothing else is looked at. */
function mayBeNettable({ mode }: MarginAccount): number {
  return mode === 'cross' ? 1 : NEVER;
}

function byAccount(margins: ReadonlySet<MarginAccount>): MarginAccount[] {
  return [...margins].sort((one, other) => one.accountId - other.accountId);
}
