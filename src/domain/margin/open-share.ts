/**
 * Shares of open values in numbers. A fine unit is the 10^12th part of a unit of a linear
 * contract, so that nearly every open value takes two machine words: each operation on such a
 * bigint calls into the runtime (30 to 60 ns), and a close had eight of them.
 */
import { wholeToBigInt } from '#kernel';
import type { HoldSide } from '../contract.ts';
import type { Amount } from '../units.ts';
import type { ValueTerms } from './number-terms.ts';
import { type FineAmount, fineParts, finePnl, openShare, type TradeValue } from './value.ts';

/** Fine units per unit of a linear contract: two digits of a million. */
export const LINEAR_FINE = 1e12;
const DIGIT = 1e6;

/** Part of an open value, or all of it. */
export interface OpenPart {
  /** Whole units of a linear contract; NaN where numbers are not exact. */
  readonly units: number;
  /** Fine units beyond them. */
  readonly rest: number;
  /** All of it where numbers are not exact, and else nothing. */
  readonly fine: FineAmount;
}

export function openPartOf({ kind, fineFactor }: ValueTerms, fine: FineAmount): OpenPart {
  const units = kind === 'linear' ? Number(fine / fineFactor) : Number.NaN;
  if (!Number.isSafeInteger(units)) return { units: Number.NaN, rest: 0, fine };
  return { units, rest: Number(fine % fineFactor), fine: 0n };
}

/** In fine units, whatever it is kept in. */
export function openPartFine({ fineFactor }: ValueTerms, part: OpenPart): FineAmount {
  if (Number.isNaN(part.units)) return part.fine;
  return wholeToBigInt(part.units) * fineFactor + wholeToBigInt(part.rest);
}

/** As openShare: the share that belongs to part of the lots. */
export function openShareOf(
  terms: ValueTerms,
  side: HoldSide,
  open: OpenPart,
  part: number,
  whole: number,
): OpenPart {
  if (part === whole) return open;
  // The largest products of the division; of an open value that is no number nothing is below.
  const isExact =
    (open.units / DIGIT) * part < Number.MAX_SAFE_INTEGER &&
    3 * DIGIT * whole < Number.MAX_SAFE_INTEGER;
  if (isExact) return dividedShare(side, open, part, whole);
  return openPartOf(terms, openShare(terms, side, openPartFine(terms, open), part, whole));
}

/**
 * A long division by digits of a million: what a step leaves over, less than the whole, is worth a
 * million of the next digit each. Of safe integers the quotients are exact.
 */
function dividedShare(side: HoldSide, open: OpenPart, part: number, whole: number): OpenPart {
  const first = Math.floor(open.units / DIGIT);
  const third = Math.floor(open.rest / DIGIT);
  const ofFirst = first * part;
  const firstShare = Math.floor(ofFirst / whole);
  const ofSecond = (ofFirst - firstShare * whole) * DIGIT + (open.units - first * DIGIT) * part;
  const secondShare = Math.floor(ofSecond / whole);
  const ofThird = (ofSecond - secondShare * whole) * DIGIT + third * part;
  const thirdShare = Math.floor(ofThird / whole);
  const ofLast = (ofThird - thirdShare * whole) * DIGIT + (open.rest - third * DIGIT) * part;
  // Rounded so that its profit is no larger than the exact one.
  const lastShare = Math.floor((side === 'long' ? ofLast + whole - 1 : ofLast) / whole);
  const units = firstShare * DIGIT + secondShare;
  const rest = thirdShare * DIGIT + lastShare;
  return rest < LINEAR_FINE
    ? { units, rest, fine: 0n }
    : { units: units + 1, rest: rest - LINEAR_FINE, fine: 0n };
}

/** What closing a part at a value gains, rounded down, and what that rounding leaves over. */
export function closingGain(
  terms: ValueTerms,
  side: HoldSide,
  part: OpenPart,
  worth: TradeValue,
): { readonly pnl: Amount; readonly residue: FineAmount } {
  const isLong = side === 'long';
  const units = isLong ? worth.number - part.units : part.units - worth.number;
  if (Number.isNaN(units)) {
    const gain = fineParts(terms, finePnl(terms, side, openPartFine(terms, part), worth.fine));
    return { pnl: gain.units, residue: gain.rest };
  }
  if (part.rest === 0) return { pnl: wholeToBigInt(units), residue: 0n };
  return isLong
    ? { pnl: wholeToBigInt(units - 1), residue: wholeToBigInt(LINEAR_FINE - part.rest) }
    : { pnl: wholeToBigInt(units), residue: wholeToBigInt(part.rest) };
}
