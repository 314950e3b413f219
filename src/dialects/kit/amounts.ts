/** Amounts of a coin with a least number of decimals, for columns that line up, and prices. */
import type { Amount, Ticks } from '#domain';
import { formatDecimal, formatTrimmed } from '#kernel';

/** Exactly, with at least this many decimals and no zeros beyond them: 1 at 8 is "1.00000000". */
export function formatPadded(value: bigint, scale: number, decimalsMin: number): string {
  if (scale <= decimalsMin) {
    const exact = formatDecimal(value, scale);
    if (scale === decimalsMin) return exact;
    return `${exact}${scale === 0 ? '.' : ''}${'0'.repeat(decimalsMin - scale)}`;
  }
  const text = formatTrimmed(value, scale);
  const point = text.indexOf('.');
  const whole = point === -1 ? text : text.slice(0, point);
  const fraction = point === -1 ? '' : text.slice(point + 1);
  return `${whole}.${fraction.padEnd(decimalsMin, '0')}`;
}

/** A price with the decimals of its listing; 0 for none. */
export function priceText(price: Ticks, { priceScale }: { readonly priceScale: number }): string {
  return price === 0 ? '0' : formatDecimal(price, priceScale);
}

const AMOUNT_DECIMALS_MIN = 8;

/** Exactly, with at least eight decimals. */
export function formatAmount(amount: Amount, scale: number): string {
  return formatPadded(amount, scale, AMOUNT_DECIMALS_MIN);
}
