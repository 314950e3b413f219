/**
 * Numbers between the wire, the screen and the keyboard. Money stays decimal text or a scaled
 * bigint; floating point is for the pixels of a chart alone (chartNumber).
 */
import { assert, formatDecimal, formatTrimmed, parseDecimal } from '#kernel';

/** A decimal as it was written: 10^-scale is one unit of value. */
export interface Exact {
  readonly value: bigint;
  readonly scale: number;
}

/** The value of a decimal text of the server, exactly. Anything else is a fault of the program. */
export function exact(text: string): Exact {
  const point = text.indexOf('.');
  const scale = point === -1 ? 0 : text.length - point - 1;
  return { value: scaled(text, scale), scale };
}

/** A decimal text of the server in units of 10^-scale; it must not have more decimals. */
export function scaled(text: string, scale: number): bigint {
  const value = parseDecimal(text, scale);
  assert(typeof value === 'bigint', `a decimal at ${scale} places: ${text}`);
  return value;
}

/** As scaled, for ticks and lots, which are safe integers. */
export function scaledNumber(text: string, scale: number): number {
  const value = Number(scaled(text, scale));
  assert(Number.isSafeInteger(value), `ticks and lots are safe integers: ${text}`);
  return value;
}

/** The sum of decimal texts of the server, with as many decimals as the longest has. */
export function sumOf(texts: readonly string[]): string {
  const decimals = Math.max(0, ...texts.map((text) => exact(text).scale));
  return formatDecimal(
    texts.reduce((sum, text) => sum + scaled(text, decimals), 0n),
    decimals,
  );
}

/** For the pixels of a chart only: the nearest number that floating point has. */
export function chartNumber(text: string): number {
  return Number(text);
}

/** With exactly so many decimals, rounded half away from zero: "1.005" at 2 is "1.01". */
export function fixed(text: string, decimals: number): string {
  const { value, scale } = exact(text);
  if (scale <= decimals) return formatDecimal(value * 10n ** BigInt(decimals - scale), decimals);
  const divisor = 10n ** BigInt(scale - decimals);
  const half = value < 0n ? -divisor / 2n : divisor / 2n;
  return formatDecimal((value + half) / divisor, decimals);
}

/** With at most so many decimals, the rest cut off: "1.239" at 2 is "1.23", "1.20" is "1.2". */
export function cut(text: string, decimals: number): string {
  const { value, scale } = exact(text);
  if (scale <= decimals) return formatTrimmed(value, scale);
  return formatTrimmed(value / 10n ** BigInt(scale - decimals), decimals);
}

/** With commas between thousands: "1234567.8901" is "1,234,567.8901". */
export function grouped(text: string): string {
  const point = text.indexOf('.');
  const whole = point === -1 ? text : text.slice(0, point);
  const fraction = point === -1 ? '' : text.slice(point);
  return whole.replace(/\B(?=([0-9]{3})+$)/g, ',') + fraction;
}

/** -1, 0 or 1 as one is less than, equal to or more than other. */
export function compare(one: string, other: string): -1 | 0 | 1 {
  const [left, right] = [exact(one), exact(other)];
  const difference =
    left.value * 10n ** BigInt(right.scale) - right.value * 10n ** BigInt(left.scale);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

/** -1, 0 or 1: for colours and arrows. */
export function signOf(text: string): -1 | 0 | 1 {
  const { value } = exact(text);
  return value > 0n ? 1 : value < 0n ? -1 : 0;
}

/** With a plus in front of what is above zero. */
export function withSign(text: string): string {
  return signOf(text) > 0 ? `+${text}` : text;
}

/** A ratio in percent with exactly so many decimals: "0.01234" at 2 is "1.23%". */
export function percentText(ratio: string, decimals: number): string {
  const { value, scale } = exact(ratio);
  return `${fixed(formatDecimal(value * 100n, scale), decimals)}%`;
}

const COMPACT_UNITS = [
  { digits: 12, letter: 'T' },
  { digits: 9, letter: 'B' },
  { digits: 6, letter: 'M' },
  { digits: 3, letter: 'K' },
] as const;
const COMPACT_DECIMALS = 2;

/** A volume in few characters, cut off after two decimals: "1234567" is "1.23M". */
export function compact(text: string): string {
  const { value, scale } = exact(text);
  const size = value < 0n ? -value : value;
  const unit = COMPACT_UNITS.find(({ digits }) => size >= 10n ** BigInt(scale + digits));
  if (unit === undefined) return cut(text, COMPACT_DECIMALS);
  const divisor = 10n ** BigInt(scale + unit.digits - COMPACT_DECIMALS);
  return formatTrimmed(value / divisor, COMPACT_DECIMALS) + unit.letter;
}

/** What was typed into a field. */
export type Typed =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'empty' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'too_precise'; readonly decimalsMax: number }
  | { readonly kind: 'too_large' };

const PLAIN = /^([0-9]+\.?[0-9]*|\.[0-9]+)$/;
const IN_THOUSANDS = /^[1-9][0-9]{0,2}([, \u00a0\u202f][0-9]{3})+(\.[0-9]*)?$/;

/**
 * Reads what was typed, in units of 10^-scale. Commas and spaces may stand between thousands and
 * nowhere else, so "0,5" is no number: a decimal comma is never read as thousands. Signs and
 * exponents are refused. Zeros beyond the scale are fine, other digits are too precise.
 */
export function readTyped(typed: string, scale: number): Typed {
  const text = typed.trim();
  if (text === '') return { kind: 'empty' };
  if (!PLAIN.test(text) && !IN_THOUSANDS.test(text)) return { kind: 'malformed' };
  const plain = text.replace(/[, \u00a0\u202f]/g, '').replace(/\.$/, '');
  const value = parseDecimal(plain.startsWith('.') ? `0${plain}` : plain, scale);
  if (typeof value === 'bigint') return { kind: 'number', value };
  return value === 'too_precise' ? { kind: value, decimalsMax: scale } : { kind: value };
}
