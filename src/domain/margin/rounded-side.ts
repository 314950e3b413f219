/**
 * What is exact about one side on its own, worked out in rounded numbers as far as they can tell.
 * Where they cannot it is NaN, and whole numbers have to decide. It stays beside those because one
 * price may have ten thousand sides placed and ranked in one step, which everybody waits for.
 */
import type { HoldSide } from '../contract.ts';
import { PPM } from '../units.ts';
import { numberTerms, type ValueTerms } from './number-terms.ts';
import { type RiskUnit, type RoundedSide, roundedLotValue } from './risk.ts';

/** How far a sum may be off, as a part of all that is added up: three times what roundings do. */
const ROUNDED_PART = 4e-15;
/** How far a quotient of exact numbers may be. */
const QUOTIENT_PART = 1e-14;
/** And in fine units: inverse values are cut after their last digit. */
const CUT = 4;

/** Scores are whole numbers of 10^-9. */
const SCORE_SCALE = 1e9;

/** A price from which on a side is liquidated; at NaN ticks where numbers cannot tell. */
interface RoundedBreach {
  readonly direction: 'fall' | 'rise';
  readonly atTicks: number;
}

const UNTOLD: RoundedBreach = { direction: 'fall', atTicks: Number.NaN };

/** As `breachPrice`: nearly always numbers tell which tick it is, in a quarter of the time. */
export function sideBreach(
  contract: ValueTerms,
  { side, lots, open, money, thresholdPpm }: RoundedSide,
): RoundedBreach | undefined {
  const isLong = side === 'long';
  const isLinear = contract.kind === 'linear';
  // It stands while what it is worth covers what is owed, or does not reach what there is.
  const isOwing = isLong === isLinear;
  const left = isOwing ? open - money : open + money;
  const off = ROUNDED_PART * (open + Math.abs(money));
  if (!(Math.abs(left) > off) || thresholdPpm >= PPM) return UNTOLD;
  if (left < 0) return isOwing ? undefined : { direction: 'rise', atTicks: 0 };
  const part = (isOwing ? PPM - thresholdPpm : PPM + thresholdPpm) / PPM;
  const factor = lots * numberTerms(contract).lotFactor * part;
  const price = isLinear ? left / factor : factor / left;
  const error = price * ((2 * off) / left + QUOTIENT_PART);
  const whole = Math.floor(price);
  const rest = price - whole;
  if (!(rest > error && 1 - rest > error)) return UNTOLD;
  if (!isLong) return { direction: 'rise', atTicks: whole + 1 };
  return whole < 1 ? undefined : { direction: 'fall', atTicks: whole };
}

/** As `numberScore`, for one side on its own. */
export function sideNumberScore(
  contract: ValueTerms,
  { side, lots, open, money }: RoundedSide,
  markTicks: number,
): number {
  const value = lots * roundedLotValue(contract, markTicks);
  const gain = (side === 'long') === (contract.kind === 'linear') ? value - open : open - value;
  const off = ROUNDED_PART * (Math.abs(money) + open + value) + CUT;
  return wholeScore(gain, open, value, money + gain, off);
}

/**
 * As `sideScore`, or NaN. Scores are whole, and equal ones are common, so a rounded one does not
 * do; but of a thousand there is about one that numbers cannot tell. Takes a third of the time.
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
  const score = ratio * SCORE_SCALE;
  const whole = Math.trunc(score);
  const rest = Math.abs(score - whole);
  const error = Math.abs(score) * (2 * (off / gain + off / equity) + ROUNDED_PART);
  return rest > error && 1 - rest > error ? whole : Number.NaN;
}
