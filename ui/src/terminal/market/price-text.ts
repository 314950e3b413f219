/** Prices and sizes of one instrument as text, from the wire's text or from ticks and lots. */
import { formatDecimal } from '#kernel';
import { compact, fixed, grouped, percentText, signOf } from '../../model/numbers.ts';

/** With all decimals of the scale and commas; undefined for zero, which means there is none. */
export function priceText(price: string, priceScale: number): string | undefined {
  return signOf(price) === 0 ? undefined : grouped(fixed(price, priceScale));
}

/** Ticks as text with no more decimals than multiples of a step have. */
export function ticksText(ticks: number, priceScale: number, stepTicks: number): string {
  let scale = priceScale;
  let step = stepTicks;
  let value = ticks;
  while (scale > 0 && step % 10 === 0 && value % 10 === 0) {
    scale -= 1;
    step /= 10;
    value /= 10;
  }
  return grouped(formatDecimal(value, scale));
}

const FULL_DIGITS_MAX = 9;

/** Lots with all their decimals; large amounts in few characters, so that a column stays narrow. */
export function lotsText(lots: number, quantityScale: number): string {
  const text = formatDecimal(lots, quantityScale);
  return text.length > FULL_DIGITS_MAX ? compact(text) : grouped(text);
}

/** A ratio in percent, with a plus in front of what is above zero. */
export function changeText(ratio: string, decimals: number): string {
  const text = percentText(ratio, decimals);
  return signOf(ratio) > 0 ? `+${text}` : text;
}
