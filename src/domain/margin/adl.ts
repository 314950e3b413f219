/**
 * The order in which others are deleveraged: who gains most with least behind it goes first. Scores
 * are whole numbers, and equal ones are common, so a rounded one does not do; but nearly always
 * rounded numbers tell which whole number it is.
 */
import type { HoldSide } from '../contract.ts';
import { numberTerms, type ValueTerms } from './number-terms.ts';
import { type RiskUnit, roundedLotValue } from './risk.ts';
import { type FineAmount, finePnl, fineValue } from './value.ts';

/** Scores are whole numbers of 10^-9. */
const SCORE_SCALE = 1_000_000_000n;
const SCORE_SCALE_NUMBER = Number(SCORE_SCALE);

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

/** How far a sum may be off, as a part of all that is added up: three times what roundings do. */
const ROUNDED_PART = 4e-15;
/** And in fine units: inverse values are cut after their last digit. */
const CUT = 4;

/**
 * The same score as a number, or NaN where rounded numbers cannot tell which one it is: of a
 * thousand positions about one. Takes a third of the time.
 */
export function numberScore(
  contract: ValueTerms,
  side: HoldSide,
  unit: RiskUnit,
  markTicks: number,
): number {
  const { longLots, shortLots, others } = unit;
  const lotValue = roundedLotValue(contract, markTicks);
  const longValue = longLots * lotValue;
  const shortValue = shortLots * lotValue;
  const longOpen = longLots === 0 ? 0 : Number(unit.longOpen);
  const shortOpen = shortLots === 0 ? 0 : Number(unit.shortOpen);
  const isLinear = contract.kind === 'linear';
  const longPnl = isLinear ? longValue - longOpen : longOpen - longValue;
  const shortPnl = isLinear ? shortOpen - shortValue : shortValue - shortOpen;
  const money = Number(unit.money) * numberTerms(contract).fineFactor;
  const otherPnl = others === undefined ? 0 : Number(others.pnl);
  const equity = money + longPnl + shortPnl + otherPnl;
  const held = longValue + longOpen + shortValue + shortOpen;
  const off = ROUNDED_PART * (held + Math.abs(money) + Math.abs(otherPnl)) + CUT;
  return side === 'long'
    ? wholeScore(longPnl, longOpen, longValue, equity, off)
    : wholeScore(shortPnl, shortOpen, shortValue, equity, off);
}

/** The whole number that a score is cut to when profit and equity may each be so much off. */
function wholeScore(
  pnl: number,
  openValue: number,
  markValue: number,
  equity: number,
  off: number,
): number {
  if (equity < -off) return 0;
  const gain = Math.abs(pnl);
  if (!(equity > off && gain > off)) return Number.NaN;
  const ratio =
    pnl > 0 ? (pnl * markValue) / (openValue * equity) : (pnl * equity) / (openValue * markValue);
  const score = ratio * SCORE_SCALE_NUMBER;
  const whole = Math.trunc(score);
  const rest = Math.abs(score - whole);
  const error = Math.abs(score) * (2 * (off / gain + off / equity) + ROUNDED_PART);
  return rest > error && 1 - rest > error ? whole : Number.NaN;
}
