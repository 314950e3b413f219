/** The order in which others are deleveraged: who gains most with least behind it goes first. */
import type { HoldSide } from '../contract.ts';
import type { ValueTerms } from './number-terms.ts';
import type { RiskUnit } from './risk.ts';
import { type FineAmount, finePnl, fineValue } from './value.ts';

/** Scores are whole numbers of 10^-9. */
const SCORE_SCALE = 1_000_000_000n;

/**
 * pnl% times effective leverage when in profit, pnl% over it when in loss, with
 * pnl% = profit / V(E) and effective leverage = V(M) / equity. An equity at or below zero counts as
 * an effective leverage of zero. All amounts in fine units; rounded toward zero.
 */
export function deleveragingScore(
  pnl: FineAmount,
  openValue: FineAmount,
  markValue: FineAmount,
  equity: FineAmount,
): bigint {
  if (equity <= 0n || openValue === 0n || markValue === 0n) return 0n;
  if (pnl > 0n) return (pnl * markValue * SCORE_SCALE) / (openValue * equity);
  return (pnl * equity * SCORE_SCALE) / (openValue * markValue);
}

/** The score of one side of a unit at a mark price. */
export function sideScore(
  contract: ValueTerms,
  side: HoldSide,
  unit: RiskUnit,
  markTicks: number,
): bigint {
  const { longOpen, shortOpen } = unit;
  const longValue = fineValue(contract, unit.longLots, markTicks);
  const shortValue = fineValue(contract, unit.shortLots, markTicks);
  const longPnl = finePnl(contract, 'long', longOpen, longValue);
  const shortPnl = finePnl(contract, 'short', shortOpen, shortValue);
  const equity = unit.money * contract.fineFactor + longPnl + shortPnl + (unit.others?.pnl ?? 0n);
  return side === 'long'
    ? deleveragingScore(longPnl, longOpen, longValue, equity)
    : deleveragingScore(shortPnl, shortOpen, shortValue, equity);
}
