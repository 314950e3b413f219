/**
 * One wave of liquidations: all that a price sets off. It knows how often each unit was tried, and
 * has a queue of those to deleverage for every contract that it reaches.
 */
import type { LiquidationUnit, MarginAccount } from '../margin/margin-account.ts';
import type { MarginWallet } from '../margin/margin-wallet.ts';
import type { State } from '../state.ts';
import type { SwapMarket } from '../swap/market.ts';
import { Deleveraging } from './deleverage.ts';

/** A unit without a counterparty is tried again after the others. */
const TRIES_MAX = 3;

export class Wave {
  readonly #state: State;
  readonly #tries = new Map<LiquidationUnit, number>();
  /** Of contracts within a cross unit over several. */
  readonly #takeOvers = new Map<LiquidationUnit, number>();
  readonly #others = new Map<SwapMarket, Deleveraging>();
  /** Wallets over several contracts in one of which somebody was deleveraged since it was asked. */
  #deleveraged = new Set<MarginWallet<MarginAccount>>();

  constructor(state: State) {
    this.#state = state;
  }

  mayTry(unit: LiquidationUnit): boolean {
    return (this.#tries.get(unit) ?? 0) < TRIES_MAX;
  }

  /** One that is put off is tried no more in this wave. */
  tried(unit: LiquidationUnit, isPutOff: boolean): void {
    count(this.#tries, unit, isPutOff);
  }

  mayTakeOver(unit: LiquidationUnit): boolean {
    return (this.#takeOvers.get(unit) ?? 0) < TRIES_MAX;
  }

  takenOver(unit: LiquidationUnit, isPutOff: boolean): void {
    count(this.#takeOvers, unit, isPutOff);
  }

  /** Those who may be deleveraged in the contract of an account. */
  others({ market }: MarginAccount): Deleveraging {
    const swap = this.#state.swapOf(market.contract);
    const known = this.#others.get(swap);
    if (known !== undefined) return known;
    const made = new Deleveraging(swap, (margin) => {
      if (margin.wallet.isShared) this.#deleveraged.add(margin.wallet);
    });
    this.#others.set(swap, made);
    return made;
  }

  /**
   * Wallets that lost a profit to deleveraging since this was last asked, in the order in which
   * they did: what stood on it in other contracts may be below its threshold now.
   */
  takeDeleveraged(): ReadonlySet<MarginWallet<MarginAccount>> {
    const found = this.#deleveraged;
    this.#deleveraged = new Set();
    return found;
  }

  end(): void {
    for (const others of this.#others.values()) others.end();
  }
}

function count(
  tries: Map<LiquidationUnit, number>,
  unit: LiquidationUnit,
  isPutOff: boolean,
): void {
  tries.set(unit, isPutOff ? TRIES_MAX : (tries.get(unit) ?? 0) + 1);
}
