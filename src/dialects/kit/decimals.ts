/**
 * The one reader of decimal numbers in requests, of every dialect: a text as whole units, or what
 * is wrong with it. What a number is of, and which code a fault has, is said by who asks.
 */
import { refuseSaying } from '#api';
import { isRefused, type Refused, type RejectKind } from '#domain';
import { type DecimalFault, parseDecimal, parseScaled } from '#kernel';
import { type Fields, shown } from './fields.ts';

export interface DecimalRule {
  /** Decimal places of a unit: 2 reads "1.25" as 125. */
  readonly scale: number;
  /** The least that is taken, in units: 1, which is above zero, unless said. */
  readonly least?: 0 | 1;
  readonly reject: RejectKind;
  /** Of more decimal places, and of more digits, than there can be; `reject` if absent. */
  readonly tooPrecise?: RejectKind;
  readonly tooLarge?: RejectKind;
  /** Names the field in the reason. */
  readonly name?: string;
}

/** Of any size. */
export function readDecimal(given: string, rule: DecimalRule): bigint | Refused {
  const value = parseDecimal(given, rule.scale);
  const isTaken = typeof value === 'bigint' && value >= BigInt(rule.least ?? 1);
  return isTaken ? value : refusalOf(given, value, rule);
}

/** Of what fits a safe integer, as ticks and lots do; more is too large. */
export function readUnits(given: string, rule: DecimalRule): number | Refused {
  const value = parseScaled(given, rule.scale);
  const isTaken = typeof value === 'number' && value >= (rule.least ?? 1);
  return isTaken ? value : refusalOf(given, value, rule);
}

/** As readUnits; zero after the fault is noted. */
export function noteUnits(fields: Fields, given: string, rule: DecimalRule): number {
  const found = readUnits(given, rule);
  if (!isRefused(found)) return found;
  fields.fail(found);
  return 0;
}

function refusalOf(
  given: string,
  value: number | bigint | DecimalFault,
  { scale, least = 1, reject, tooPrecise = reject, tooLarge = reject, name }: DecimalRule,
): Refused {
  const why = whyNot(given, value, scale, least);
  const kind = value === 'too_precise' ? tooPrecise : value === 'too_large' ? tooLarge : reject;
  return refuseSaying(kind, name === undefined ? why : `${name} ${why}`);
}

/** Why a number is refused: its own fault, or that it is not above zero, or below it. */
function whyNot(
  given: string,
  fault: number | bigint | DecimalFault,
  scale: number,
  least: 0 | 1,
): string {
  if (fault === 'malformed') return `${shown(given)} is not a plain decimal number`;
  if (fault === 'too_precise') {
    return scale === 0
      ? `${shown(given)} is not a whole number`
      : `${shown(given)} has more than ${scale} decimal places`;
  }
  if (fault === 'too_large') return `${shown(given)} is too large`;
  return least === 0 ? `${shown(given)} is negative` : `${shown(given)} is not above zero`;
}
