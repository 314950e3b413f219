/** Figures for show: how far a price has moved, and what an order has cost on average. */
import type { OrderView, SpotInstrument, Ticks } from '#domain';
import { formatTrimmed } from '#kernel';

/** (last - open) / open, rounded toward zero; zero before the first trade. */
export function changeRatio(open: Ticks, last: Ticks, decimals: number): string {
  if (open === 0) return '0';
  return formatTrimmed((BigInt(last - open) * 10n ** BigInt(decimals)) / BigInt(open), decimals);
}

/**
 * Filled quote over filled base, at the quote coin's decimals, rounded half up: the average of two
 * prices needs more decimals than either. It is for show; the filled quote is exact.
 */
export function averagePrice(pair: SpotInstrument, order: OrderView): string {
  if (order.filledLots === 0) return '0';
  const filled = BigInt(order.filledLots);
  const scaled = order.filledQuote * 10n ** BigInt(pair.quantityScale);
  return formatTrimmed((2n * scaled + filled) / (2n * filled), pair.quote.scale);
}
