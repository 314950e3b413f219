/**
 * Which positions a mark price liquidates. Every risk unit (one side of an isolated account, or
 * what is cross) stands in one of two heaps by the exact price at which it is liquidated, so that
 * a new mark costs the units it breaches and not a walk over all. A unit whose position or balance
 * changed is placed again before the next look. One over several contracts: see anchor.ts.
 */
import { breachPrice, sideBreach } from '#domain';
import { Heap } from '#kernel';
import { anchor, reanchor } from './anchor.ts';
import type { LiquidationUnit, MarginAccount, WatchPrice } from './margin-account.ts';
import type { Position, UnitSide } from './position.ts';
import { riskOf, roundedSide } from './risk.ts';

export class LiquidationIndex {
  readonly #falls = new Heap<LiquidationUnit>(
    (one, other) =>
      one.atTicks > other.atTicks || (one.atTicks === other.atTicks && one.rank < other.rank),
  );
  readonly #rises = new Heap<LiquidationUnit>(
    (one, other) =>
      one.atTicks < other.atTicks || (one.atTicks === other.atTicks && one.rank < other.rank),
  );
  /** Each once: its own flag says that it is here. */
  #changed: MarginAccount[] = [];
  #lookedAtCount = 0;

  /** How many units prices have found so far, whether these were liquidated or not. */
  get lookedAtCount(): number {
    return this.#lookedAtCount;
  }

  /** Remembers that an account's thresholds have to be worked out again. */
  changed(margin: MarginAccount): void {
    if (margin.isMisplaced) return;
    margin.isMisplaced = true;
    this.#changed.push(margin);
  }

  /** Works out the places of those that changed, by the marks of now. */
  placeChanged(): void {
    const changed = this.#changed;
    this.#changed = [];
    for (const margin of changed) {
      margin.isMisplaced = false;
      this.#place(margin);
    }
  }

  /**
   * Every unit that is at or below its threshold at this mark, in no particular order. Some of
   * those over several contracts that are found may still be above it.
   */
  breached(markTicks: number): LiquidationUnit[] {
    this.placeChanged();
    const found: LiquidationUnit[] = [];
    this.#falls.takeWhile(({ atTicks }) => markTicks <= atTicks, found);
    this.#rises.takeWhile(({ atTicks }) => markTicks >= atTicks, found);
    this.#lookedAtCount += found.length;
    for (const { margin } of found) {
      if (isTogether(margin)) reanchor(margin.wallet);
      else this.changed(margin);
    }
    return found;
  }

  /**
   * Has the units over several contracts that this mark finds anchored at the marks of now: where
   * several move at once, a look at any of them must find what all of them together breach.
   */
  passOn(markTicks: number): void {
    this.breached(markTicks);
  }

  /** Puts a unit where a price finds it, or takes it out. */
  watch(unit: LiquidationUnit, breach: WatchPrice | undefined): void {
    const isWatched = unit.heapIndex >= 0;
    // Most prices change a little: then the unit stays about where it is.
    if (isWatched && unit.direction === breach?.direction) {
      unit.atTicks = Number(breach.atTicks);
      this.#heap(unit).moved(unit);
      return;
    }
    if (isWatched) this.#heap(unit).remove(unit);
    if (breach === undefined) return;
    unit.direction = breach.direction;
    unit.atTicks = Number(breach.atTicks);
    this.#heap(unit).add(unit);
  }

  #place(margin: MarginAccount): void {
    if (isTogether(margin)) {
      anchor(margin.wallet);
      return;
    }
    this.#placeSide(margin, margin.long, margin.longUnit);
    this.#placeSide(margin, margin.short, margin.shortUnit);
    this.#placeUnit(margin, 'both', margin.crossUnit);
  }

  #placeSide(margin: MarginAccount, position: Position, known: LiquidationUnit | null): void {
    const { side, lots } = position;
    if (margin.mode === 'isolated' && lots > 0) {
      const breach = sideBreach(margin.market.contract, roundedSide(margin, position));
      if (!Number.isNaN(breach?.atTicks)) {
        this.watch(known ?? margin.unit(side), breach);
        return;
      }
    }
    this.#placeUnit(margin, side, known);
  }

  #placeUnit(margin: MarginAccount, side: UnitSide, known: LiquidationUnit | null): void {
    const risk = riskOf(margin, side);
    // What is not held was mostly never held, and has no place to leave.
    const unit = risk === undefined ? known : (known ?? margin.unit(side));
    if (unit !== null) this.watch(unit, risk && breachPrice(margin.market.contract, risk));
  }

  #heap(unit: LiquidationUnit): Heap<LiquidationUnit> {
    return unit.direction === 'fall' ? this.#falls : this.#rises;
  }
}

/** Whether a contract stands or falls with what else is held on its wallet. */
function isTogether({ mode, wallet, isFlat }: MarginAccount): boolean {
  return mode === 'cross' && wallet.isShared && !isFlat;
}
