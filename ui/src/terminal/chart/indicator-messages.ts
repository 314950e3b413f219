/** What the page and the worker of the indicators say to each other. */
import type { Bar } from '../../model/candles.ts';
import type { SettledRate } from '../../model/funding-line.ts';
import type { IndicatorChoice } from '../../model/indicators.ts';
import type { ProfileRow } from '../../model/volume-profile.ts';

export type ToWorker =
  | { readonly kind: 'choices'; readonly choices: readonly IndicatorChoice[] }
  /** Bars from this index on, six numbers each; those before it are known. */
  | {
      readonly kind: 'bars';
      readonly from: number;
      readonly columns: Float64Array<ArrayBuffer>;
      /** Counts how often all bars were given anew. */
      readonly epoch: number;
    }
  | { readonly kind: 'rates'; readonly rates: readonly SettledRate[] }
  /** The bars that are seen, for what is worked out from them alone. */
  | { readonly kind: 'seen'; readonly from: number; readonly to: number };

export type FromWorker =
  | {
      readonly kind: 'lines';
      readonly id: string;
      /** The values of each line from this bar on. */
      readonly from: number;
      readonly lines: readonly Float64Array[];
      /** Of the bars that they are about. */
      readonly epoch: number;
    }
  | { readonly kind: 'profile'; readonly id: string; readonly rows: readonly ProfileRow[] };

const NUMBERS = 6;

/** Bars from an index on as numbers in a row, which cost nothing to hand over. */
export function packed(bars: readonly Bar[], from: number): Float64Array<ArrayBuffer> {
  const columns = new Float64Array(Math.max(0, bars.length - from) * NUMBERS);
  for (let at = from; at < bars.length; at += 1) {
    const bar = bars[at];
    if (bar === undefined) continue;
    const { time, open, high, low, close, volume } = bar;
    columns.set([time, open, high, low, close, volume], (at - from) * NUMBERS);
  }
  return columns;
}

export function unpacked(columns: Float64Array): Bar[] {
  const bars: Bar[] = [];
  for (let at = 0; at < columns.length; at += NUMBERS) {
    const [time = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = columns.subarray(
      at,
      at + NUMBERS,
    );
    bars.push({ time, open, high, low, close, volume });
  }
  return bars;
}
