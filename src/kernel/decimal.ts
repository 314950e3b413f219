/**
 * Decimal text to integers and back. A "scale" is the number of decimal places that one integer
 * unit stands for: 12.5 at scale 2 is 1250. Nothing here rounds: too many decimals is a fault.
 */
import { assert } from './assert.ts';

export type DecimalFault = 'malformed' | 'too_precise' | 'too_large';

/** Longest accepted text, well above any amount a venue can hold. */
const TEXT_LENGTH_MAX = 64;
/** So many digits survive as a number. */
const DIGITS_SAFE = 15;
const [ZERO, NINE, POINT] = [48, 57, 46];
const PLAIN_DECIMAL = /^-?[0-9]+(\.[0-9]+)?$/;

/**
 * Reads a plain decimal (no exponent, no thousands sign, digits on both sides of a point).
 * Trailing zeros beyond the scale are fine; other digits beyond it are 'too_precise'.
 */
export function parseDecimal(text: string, scale: number): bigint | DecimalFault {
  if (text.length > TEXT_LENGTH_MAX) return 'too_large';
  if (!PLAIN_DECIMAL.test(text)) return 'malformed';
  const point = text.indexOf('.');
  if (point === -1) return BigInt(text) * 10n ** BigInt(scale);
  const fraction = text.slice(point + 1);
  const kept = fraction.slice(0, scale).padEnd(scale, '0');
  for (let at = scale; at < fraction.length; at += 1) {
    if (fraction.charCodeAt(at) !== 48) return 'too_precise';
  }
  return BigInt(text.slice(0, point) + kept);
}

/** As parseDecimal, for quantities that must fit a safe integer (ticks, lots). */
export function parseScaled(text: string, scale: number): number | DecimalFault {
  const short = shortScaled(text, scale);
  if (short !== undefined) return short;
  const value = parseDecimal(text, scale);
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : 'too_large';
}

/**
 * The prices and sizes of nearly all orders, whose digits a number holds: read without a pattern
 * and bigints in a third of the time. Undefined for any other text, well-formed or not.
 */
function shortScaled(text: string, scale: number): number | undefined {
  if (text.length + scale > DIGITS_SAFE) return undefined;
  let value = 0;
  let point = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === POINT && point === text.length) point = at;
    else if (code >= ZERO && code <= NINE) value = value * 10 + (code - ZERO);
    else return undefined;
  }
  const decimals = Math.max(text.length - point - 1, 0);
  const hasBothSides = point > 0 && (decimals > 0 || point === text.length);
  if (!hasBothSides || decimals > scale) return undefined;
  for (let at = decimals; at < scale; at += 1) value *= 10;
  return value;
}

/** Writes an integer of the given scale with exactly that many decimals: 1250 at 2 is "12.50". */
export function formatDecimal(value: bigint | number, scale: number): string {
  const negative = value < 0;
  const digits = String(negative ? -value : value);
  const sign = negative ? '-' : '';
  if (scale === 0) return sign + digits;
  const padded = digits.length > scale ? digits : digits.padStart(scale + 1, '0');
  const split = padded.length - scale;
  return `${sign}${padded.slice(0, split)}.${padded.slice(split)}`;
}

/** As formatDecimal, without trailing zeros: 1250 at 2 is "12.5", 1200 at 2 is "12". */
export function formatTrimmed(value: bigint | number, scale: number): string {
  const text = formatDecimal(value, scale);
  if (scale === 0) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end -= 1;
  if (text.charCodeAt(end - 1) === 46) end -= 1;
  return text.slice(0, end);
}

/** Writes a finite number without an exponent, with the digits JavaScript prints. */
export function plainNumberText(value: number): string {
  assert(Number.isFinite(value), 'only finite numbers have a decimal text');
  return plainDecimalText(String(value));
}

/** Rewrites "1.5e-7" as "0.00000015"; text without an exponent comes back as it is. */
export function plainDecimalText(text: string): string {
  const match = /^(-?)([0-9]+)(?:\.([0-9]+))?[eE]([+-]?[0-9]{1,3})$/.exec(text);
  if (match === null) return text;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const point = whole.length + Number(exponentText);
  const digits = whole + fraction;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits.padEnd(point, '0');
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
