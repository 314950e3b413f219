/** How much was traded at which prices, as far as bars tell: each counts evenly over its range. */
import type { Bar } from './candles.ts';

export interface ProfileRow {
  /** From this price up to the next row's. */
  readonly low: number;
  readonly high: number;
  /** Volume of bars that closed at or above their open, and of the others. */
  readonly up: number;
  readonly down: number;
}

/** Rows of equal height from the lowest to the highest price of the bars, lowest first. */
export function volumeProfile(bars: readonly Bar[], rowCount: number): readonly ProfileRow[] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const bar of bars) {
    low = Math.min(low, bar.low);
    high = Math.max(high, bar.high);
  }
  if (!(high > low)) return [];
  const height = (high - low) / rowCount;
  const sums = Array.from({ length: rowCount }, () => ({ up: 0, down: 0 }));
  for (const bar of bars) spread(bar, low, height, sums);
  return sums.map((sum, at) => ({ low: low + at * height, high: low + (at + 1) * height, ...sum }));
}

interface Sums {
  up: number;
  down: number;
}

function spread(bar: Bar, low: number, height: number, sums: readonly Sums[]): void {
  const last = sums.length - 1;
  const rowOf = (price: number) => Math.min(last, Math.floor((price - low) / height));
  const [first, end] = [rowOf(bar.low), rowOf(bar.high)];
  const range = bar.high - bar.low;
  for (let at = first; at <= end; at += 1) {
    const sum = sums[at];
    if (sum === undefined) continue;
    const bottom = Math.max(bar.low, low + at * height);
    const top = Math.min(bar.high, low + (at + 1) * height);
    const share = first === end || range === 0 ? 1 : Math.max(0, top - bottom) / range;
    sum[bar.close < bar.open ? 'down' : 'up'] += bar.volume * share;
  }
}
