/** The ways in which bars are drawn, and the averaged bars of one of them. */
import type { Bar } from './candles.ts';

export const CHART_STYLES = ['candles', 'heikin_ashi', 'bars', 'line', 'area'] as const;
export type ChartStyle = (typeof CHART_STYLES)[number];

/**
 * Heikin-Ashi bars: the close is the average of a bar, the open lies midway in the bar before.
 * Those before `from` are taken from `made`, which gets the others: a new bar costs one bar.
 */
export function heikinAshi(bars: readonly Bar[], from: number, made: Bar[]): void {
  made.length = Math.min(from, made.length);
  for (let at = made.length; at < bars.length; at += 1) {
    const bar = bars[at];
    if (bar !== undefined) made.push(averaged(bar, made[at - 1]));
  }
}

function averaged(bar: Bar, before: Bar | undefined): Bar {
  const close = (bar.open + bar.high + bar.low + bar.close) / 4;
  const open = before === undefined ? (bar.open + bar.close) / 2 : (before.open + before.close) / 2;
  const high = Math.max(bar.high, open, close);
  const low = Math.min(bar.low, open, close);
  return { time: bar.time, open, high, low, close, volume: bar.volume };
}
