/** The order of a round of liquidations: the worst margin ratio first, then account and side. */
import { marginRatio, sideRatio } from '#domain';
import { present } from '#kernel';
import type { LiquidationUnit } from '../margin/margin-account.ts';
import { riskOf, roundedSide } from '../margin/risk.ts';

/** Decimal places of the ratios by which the worst unit is found. */
const SCALE = 15;
/** Ratios are rounded down to this. */
const STEP = 1e-15;

interface Ranked {
  readonly unit: LiquidationUnit;
  readonly ratio: number;
  /** How far the ratio may be off. */
  readonly error: number;
  /** In whole numbers, once it was needed. */
  exact: bigint | undefined;
}

export function worstFirst(units: readonly LiquidationUnit[]): LiquidationUnit[] {
  return units
    .map(rankedOf)
    .sort(compare)
    .map(({ unit }) => unit);
}

/** What is cross is several things to add up: then the whole numbers are worked out at once. */
function rankedOf(unit: LiquidationUnit): Ranked {
  const { margin, side } = unit;
  if (side === 'both') {
    const exact = exactRatio(unit);
    return { unit, ratio: Number(exact) * STEP, error: Math.abs(Number(exact)) * STEP ** 2, exact };
  }
  const { contract, markTicks } = margin.market;
  const rounded = roundedSide(margin, margin.position(side));
  return { unit, ...sideRatio(contract, rounded, markTicks), exact: undefined };
}

/** By rounded ratios where they are far enough from each other. */
function compare(one: Ranked, other: Ranked): number {
  const gap = one.ratio - other.ratio;
  if (Math.abs(gap) > one.error + other.error + 2 * STEP) return gap;
  one.exact ??= exactRatio(one.unit);
  other.exact ??= exactRatio(other.unit);
  if (one.exact !== other.exact) return one.exact < other.exact ? -1 : 1;
  return one.unit.rank - other.unit.rank;
}

function exactRatio({ margin, side }: LiquidationUnit): bigint {
  const { contract, markTicks } = margin.market;
  const risk = present(riskOf(margin, side), 'a breached unit holds something');
  return marginRatio(contract, risk, markTicks, SCALE);
}
