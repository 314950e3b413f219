/**
 * Which positions a mark price liquidates. Every risk unit (one side of an isolated account, or a
 * whole cross one) stands in one of two heaps by the exact price at which it is liquidated, so that
 * a new mark costs the units it breaches and not a walk over all. A unit whose position or balance
 * changed is placed again before the next look.
 */
import { breachPrice } from '#domain';
import { Heap } from '#kernel';
import { type LiquidationUnit, type MarginAccount, UNIT_SIDES } from './margin-account.ts';
import { riskOf } from './risk.ts';

export class LiquidationIndex {
  readonly #falls = new Heap<LiquidationUnit>(
    (one, other) =>
      one.atTicks > other.atTicks || (one.atTicks === other.atTicks && isFirst(one, other)),
  );
  readonly #rises = new Heap<LiquidationUnit>(
    (one, other) =>
      one.atTicks < other.atTicks || (one.atTicks === other.atTicks && isFirst(one, other)),
  );
  readonly #changed = new Set<MarginAccount>();

  /** Remembers that an account's thresholds have to be worked out again. */
  changed(margin: MarginAccount): void {
    this.#changed.add(margin);
  }

  /** Every unit that is at or below its threshold at this mark, in no particular order. */
  breached(markTicks: number): LiquidationUnit[] {
    for (const margin of this.#changed) this.#place(margin);
    this.#changed.clear();
    const found: LiquidationUnit[] = [];
    this.#take(this.#falls, (unit) => markTicks <= unit.atTicks, found);
    this.#take(this.#rises, (unit) => markTicks >= unit.atTicks, found);
    for (const { margin } of found) this.#changed.add(margin);
    return found;
  }

  #take(
    heap: Heap<LiquidationUnit>,
    isDue: (unit: LiquidationUnit) => boolean,
    into: LiquidationUnit[],
  ): void {
    for (let unit = heap.first; unit !== undefined && isDue(unit); unit = heap.first) {
      heap.remove(unit);
      into.push(unit);
    }
  }

  #place(margin: MarginAccount): void {
    for (const unit of margin.units) {
      if (unit.heapIndex >= 0) this.#heap(unit).remove(unit);
      const risk = riskOf(margin, unit.side);
      const breach = risk && breachPrice(margin.market.contract, risk);
      if (breach === undefined) continue;
      unit.direction = breach.direction;
      unit.atTicks = Number(breach.atTicks);
      this.#heap(unit).add(unit);
    }
  }

  #heap(unit: LiquidationUnit): Heap<LiquidationUnit> {
    return unit.direction === 'fall' ? this.#falls : this.#rises;
  }
}

function isFirst(one: LiquidationUnit, other: LiquidationUnit): boolean {
  if (one.margin.accountId !== other.margin.accountId) {
    return one.margin.accountId < other.margin.accountId;
  }
  return UNIT_SIDES.indexOf(one.side) < UNIT_SIDES.indexOf(other.side);
}
