/** The order of a round of liquidations: the worst margin ratio first, then account and side. */
import { marginRatio } from '#domain';
import { present } from '#kernel';
import type { LiquidationUnit } from '../margin/margin-account.ts';
import { riskOf } from '../margin/risk.ts';

/** Decimal places of the ratios by which the worst unit is found. */
const SCALE = 15;

export function worstFirst(units: readonly LiquidationUnit[]): LiquidationUnit[] {
  return units
    .map((unit) => ({ unit, ratio: ratioOf(unit) }))
    .sort((one, other) => {
      if (one.ratio !== other.ratio) return one.ratio < other.ratio ? -1 : 1;
      return one.unit.rank - other.unit.rank;
    })
    .map(({ unit }) => unit);
}

function ratioOf({ margin, side }: LiquidationUnit): bigint {
  const { contract, markTicks } = margin.market;
  const risk = present(riskOf(margin, side), 'a breached unit holds something');
  return marginRatio(contract, risk, markTicks, SCALE);
}
