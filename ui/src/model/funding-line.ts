/** Settled funding rates along the bars: at each bar the rate that was settled last. */
import type { Bar } from './candles.ts';

export interface SettledRate {
  readonly timeMs: number;
  /** 0.0001 is a basis point. */
  readonly rate: number;
}

/** One value a bar, NaN before the first settlement. Rates are in the order of their times. */
export function fundingLine(bars: readonly Bar[], rates: readonly SettledRate[]): number[] {
  let at = 0;
  let rate = Number.NaN;
  return bars.map(({ time }, index) => {
    const endMs = (bars[index + 1]?.time ?? Number.POSITIVE_INFINITY) * 1_000;
    for (let next = rates[at]; next !== undefined && next.timeMs < endMs; next = rates[at]) {
      rate = next.rate;
      at += 1;
    }
    return time * 1_000 < (rates[0]?.timeMs ?? Number.POSITIVE_INFINITY) && at === 0
      ? Number.NaN
      : rate;
  });
}
