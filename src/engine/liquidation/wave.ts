/**
 * One wave of liquidations: all that a price sets off in a contract. It knows who has not had his
 * turn yet and how often each unit was tried, and has a queue of those to deleverage for every
 * contract that it reaches. It may wait between commands.
 */
import type { HoldSide } from '#domain';
import type { LiquidationUnit, MarginAccount } from '../margin/margin-account.ts';
import type { MarginWallet } from '../margin/margin-wallet.ts';
import type { CountedPart, WaveState } from '../pending-work.ts';
import type { State } from '../state.ts';
import type { SwapMarket } from '../swap/market.ts';
import { Deleveraging } from './deleverage.ts';

/** A unit without a counterparty is tried again after the others. */
const TRIES_MAX = 3;

export class Wave {
  readonly market: SwapMarket;
  /** Of this round, in the order of their turns. */
  #due: LiquidationUnit[] = [];
  /** How many of them have had theirs. */
  #doneCount = 0;
  readonly #tries = new Map<LiquidationUnit, number>();
  /** Of contracts within a cross unit over several. */
  readonly #takeOvers = new Map<LiquidationUnit, number>();
  /** Units whose liquidation goes on in a later command, and the contract that it goes on in. */
  readonly #begun = new Map<LiquidationUnit, LiquidationUnit>();
  /** Down to how many lots a unit is being reduced, in a contract. */
  readonly #reductions = new Map<LiquidationUnit, number>();
  readonly #others = new Map<SwapMarket, Deleveraging>();
  /** Wallets over several contracts in one of which somebody was deleveraged since it was asked. */
  #deleveraged = new Set<MarginWallet<MarginAccount>>();

  constructor(market: SwapMarket) {
    this.market = market;
  }

  /** Whether everybody in the round has had his turn. */
  get isRoundOver(): boolean {
    return this.#doneCount === this.#due.length;
  }

  beginRound(due: LiquidationUnit[]): void {
    this.#due = due;
    this.#doneCount = 0;
  }

  /** The next one in the round. */
  take(): LiquidationUnit | undefined {
    const unit = this.#due[this.#doneCount];
    if (unit !== undefined) this.#doneCount += 1;
    return unit;
  }

  mayTry(unit: LiquidationUnit): boolean {
    return (this.#tries.get(unit) ?? 0) < TRIES_MAX;
  }

  /** Its turn comes next, before what is left of the round: the last one that is put goes first. */
  putNext(unit: LiquidationUnit): void {
    this.#due = [unit, ...this.#due.slice(this.#doneCount)];
    this.#doneCount = 0;
  }

  tried(unit: LiquidationUnit): void {
    count(this.#tries, unit);
    this.#begun.delete(unit);
  }

  /** It is above its threshold. */
  leave(unit: LiquidationUnit): void {
    this.#reductions.delete(this.#begun.get(unit) ?? unit);
    this.#begun.delete(unit);
  }

  /** The next command goes on with it, in this contract. */
  goesOn(unit: LiquidationUnit, inContract: LiquidationUnit): void {
    this.#begun.set(unit, inContract);
    this.putNext(unit);
  }

  /** The contract that the liquidation of a unit goes on in. */
  begunIn(unit: LiquidationUnit): LiquidationUnit | undefined {
    return this.#begun.get(unit);
  }

  /** Whether a liquidation that has begun and goes on has to do with a side, or with either. */
  covers(margin: MarginAccount, side: HoldSide | undefined): boolean {
    return this.#begun.keys().some((unit) => isOf(unit, margin, side));
  }

  /** Whether a liquidation that has begun and goes on may need money of this wallet. */
  coversWallet(wallet: MarginWallet<MarginAccount>): boolean {
    return this.#begun.keys().some(({ margin }) => margin.wallet === wallet);
  }

  reductionOf(unit: LiquidationUnit): number | undefined {
    return this.#reductions.get(unit);
  }

  /** Notes down to how many lots it is being reduced; undefined once that is over. */
  setReduction(unit: LiquidationUnit, targetLots: number | undefined): void {
    if (targetLots === undefined) this.#reductions.delete(unit);
    else this.#reductions.set(unit, targetLots);
  }

  /** What an earlier price has begun stays in front. */
  goOnWith(earlier: Wave): void {
    for (const unit of earlier.#due.slice(earlier.#doneCount)) {
      const inContract = earlier.#begun.get(unit);
      if (inContract === undefined) continue;
      this.#due.push(unit);
      this.#begun.set(unit, inContract);
      this.setReduction(inContract, earlier.#reductions.get(inContract));
    }
  }

  mayTakeOver(unit: LiquidationUnit): boolean {
    return (this.#takeOvers.get(unit) ?? 0) < TRIES_MAX;
  }

  takenOver(unit: LiquidationUnit): void {
    count(this.#takeOvers, unit);
  }

  /** Those who may be deleveraged in the contract of an account. */
  others(state: State, { market }: MarginAccount): Deleveraging {
    return this.#othersIn(state.swapOf(market.contract));
  }

  #othersIn(market: SwapMarket): Deleveraging {
    const known = this.#others.get(market);
    if (known !== undefined) return known;
    const made = new Deleveraging(market, (margin) => {
      if (margin.wallet.isShared) this.#deleveraged.add(margin.wallet);
    });
    this.#others.set(market, made);
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

  /** Goes on after commands of others. */
  resume(): void {
    for (const others of this.#others.values()) others.resume();
  }

  end(): void {
    for (const others of this.#others.values()) others.end();
  }

  state(): WaveState {
    return {
      due: this.#due.slice(this.#doneCount),
      tries: this.#tries,
      takeOvers: this.#takeOvers,
      begun: this.#begun,
      reductions: this.#reductions,
      rankings: [...this.#others.values()].flatMap((others) => others.rankings()),
    };
  }

  /** Takes back what a snapshot found here. */
  restoreUnit(part: CountedPart | 'due', unit: LiquidationUnit, n: number): void {
    if (part === 'due') this.#due.push(unit);
    else if (part === 'tries') this.#tries.set(unit, n);
    else if (part === 'takeOvers') this.#takeOvers.set(unit, n);
    else this.#reductions.set(unit, n);
  }

  restoreBegun(unit: LiquidationUnit, inContract: LiquidationUnit): void {
    this.#begun.set(unit, inContract);
  }

  restoreRanking(
    market: SwapMarket,
    side: HoldSide,
    part: 'ranked' | 'late',
    margins: readonly MarginAccount[],
  ): void {
    this.#othersIn(market).restore(side, part, margins);
  }
}

function count(tries: Map<LiquidationUnit, number>, unit: LiquidationUnit): void {
  tries.set(unit, (tries.get(unit) ?? 0) + 1);
}

/** What is cross stands or falls with all that is cross on its wallet. */
function isOf(
  { margin, side }: LiquidationUnit,
  other: MarginAccount,
  otherSide: HoldSide | undefined,
): boolean {
  if (margin === other) return side === 'both' || otherSide === undefined || side === otherSide;
  return side === 'both' && other.mode === 'cross' && margin.wallet === other.wallet;
}
