/**
 * Which positions a mark price concerns. Every risk unit (one side of a fixed account, or a whole
 * crossed one) stands in one of two heaps by the exact price at which it is liquidated, so that a
 * new mark costs the units it breaches and not a walk over all. A unit whose position or balance
 * changed is placed anew before the next mark looks.
 */
import {
  breachPrice,
  type ContractTerms,
  type HoldSide,
  isBreached,
  type RiskUnit,
  tierOf,
} from '#domain';
import { Heap, type HeapEntry } from '#kernel';
import type { MarginAccount } from './margin-account.ts';
import type { Position } from './position.ts';

/** A side of a fixed account, or the account when crossed. */
export type UnitSide = HoldSide | 'both';
const SIDE_ORDER: readonly UnitSide[] = ['long', 'short', 'both'];

export class AttentionUnit implements HeapEntry {
  readonly margin: MarginAccount;
  readonly side: UnitSide;
  atTicks = 0;
  direction: 'fall' | 'rise' = 'fall';
  heapIndex = -1;

  constructor(margin: MarginAccount, side: UnitSide) {
    this.margin = margin;
    this.side = side;
  }
}

export class Attention {
  readonly #falls = new Heap<AttentionUnit>(
    (one, other) =>
      one.atTicks > other.atTicks || (one.atTicks === other.atTicks && isFirst(one, other)),
  );
  readonly #rises = new Heap<AttentionUnit>(
    (one, other) =>
      one.atTicks < other.atTicks || (one.atTicks === other.atTicks && isFirst(one, other)),
  );
  readonly #changed = new Set<MarginAccount>();

  /** Remembers that an account's thresholds have to be worked out again. */
  changed(margin: MarginAccount): void {
    this.#changed.add(margin);
  }

  /** Every unit that is at or below its threshold at this mark, in no particular order. */
  breached(markTicks: number): AttentionUnit[] {
    for (const margin of this.#changed) this.#place(margin);
    this.#changed.clear();
    const found: AttentionUnit[] = [];
    this.#take(this.#falls, (unit) => markTicks <= unit.atTicks, found);
    this.#take(this.#rises, (unit) => markTicks >= unit.atTicks, found);
    for (const { margin } of found) this.#changed.add(margin);
    return found;
  }

  #take(
    heap: Heap<AttentionUnit>,
    isDue: (unit: AttentionUnit) => boolean,
    into: AttentionUnit[],
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

  #heap(unit: AttentionUnit): Heap<AttentionUnit> {
    return unit.direction === 'fall' ? this.#falls : this.#rises;
  }
}

function isFirst(one: AttentionUnit, other: AttentionUnit): boolean {
  if (one.margin.accountId !== other.margin.accountId) {
    return one.margin.accountId < other.margin.accountId;
  }
  return SIDE_ORDER.indexOf(one.side) < SIDE_ORDER.indexOf(other.side);
}

/** keepMarginRate of the tier plus the taker fee, for a position of this size. */
export function thresholdPpm(
  terms: Pick<ContractTerms, 'tiers' | 'takerFeePpm'>,
  size: number,
): number {
  return tierOf(terms, size).maintenanceRatePpm + terms.takerFeePpm;
}

/** What a unit is judged by; undefined when the account is in the other mode, or it is flat. */
export function riskOf(margin: MarginAccount, side: UnitSide): RiskUnit | undefined {
  const { long, short, mode } = margin;
  if ((side === 'both') !== (mode === 'crossed')) return undefined;
  if (side === 'both') {
    return long.lots + short.lots === 0 ? undefined : crossedRisk(margin);
  }
  const position = side === 'long' ? long : short;
  return position.lots === 0 ? undefined : fixedRisk(margin, position);
}

export function crossedRisk({ balance, long, short, market }: MarginAccount): RiskUnit {
  return {
    money: balance.balance,
    longLots: long.lots,
    longOpen: long.open,
    shortLots: short.lots,
    shortOpen: short.open,
    thresholdPpm: thresholdPpm(market.contract, long.lots + short.lots),
  };
}

export function fixedRisk({ market }: MarginAccount, position: Position): RiskUnit {
  const { side, lots, open, margin } = position;
  const isLong = side === 'long';
  return {
    money: margin,
    longLots: isLong ? lots : 0,
    longOpen: isLong ? open : 0n,
    shortLots: isLong ? 0 : lots,
    shortOpen: isLong ? 0n : open,
    thresholdPpm: thresholdPpm(market.contract, lots),
  };
}

/** Whether the unit that a side belongs to is at or below its threshold now. */
export function isUnitBreached(margin: MarginAccount, side: UnitSide): boolean {
  const risk = riskOf(margin, side);
  return risk !== undefined && isBreached(margin.market.contract, risk, margin.market.markTicks);
}
