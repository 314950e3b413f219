/**
 * Market orders with a limit to their slippage: an order that takes at once what the book has up to
 * so much beyond the best price, and no more.
 */
import { PPM, type Side } from '#domain';

/** The worst price within the limit, on a whole step: a buy rounds down, a sell up. */
export function boundTicks(
  side: Side,
  bestTicks: number,
  slippagePpm: number,
  stepTicks: number,
): number {
  const [best, step] = [BigInt(bestTicks), BigInt(stepTicks)];
  const whole = BigInt(PPM) * step;
  if (side === 'buy') return Number(((best * BigInt(PPM + slippagePpm)) / whole) * step);
  const least = (best * BigInt(PPM - slippagePpm) + whole - 1n) / whole;
  return Number((least > 0n ? least : 1n) * step);
}
