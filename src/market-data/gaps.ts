/**
 * Turns the candles that have trades into the rows a client sees, one for every period. Used for
 * candles from memory and for those that history had to add, so that both look the same.
 */

import type { Candle, Period, Ticks } from '#domain';
import { nextOpenTimeMs, openTimeMs } from '#domain';
import { assert } from '#kernel';
import { flatCandle } from './candle.ts';

/** Which rows: of the periods that open from `fromMs` to `toMs`, both included, the first ones. */
export interface CandleRange {
  readonly period: Period;
  readonly fromMs: number;
  readonly toMs: number;
  /** Most rows; the oldest are kept. */
  readonly limit: number;
}

/** When the first candle that opens at or after `timeMs` opens. */
export function openAtOrAfterMs(period: Period, timeMs: number): number {
  const openMs = openTimeMs(period, timeMs);
  return openMs < timeMs ? nextOpenTimeMs(period, openMs) : openMs;
}

/**
 * The rows of a range, ascending. `candles` are those with trades, ascending, none before the range
 * and at least the first `limit` of it. `previousClose` is the last price before the range, or
 * undefined when there was none: then rows begin with the first candle. Cost: the rows returned.
 */
export function fillGaps(
  range: CandleRange,
  candles: readonly Candle[],
  previousClose: Ticks | undefined,
): Candle[] {
  const rows: Candle[] = [];
  let close = previousClose;
  let openMs = openAtOrAfterMs(range.period, range.fromMs);
  if (close === undefined) openMs = candles[0]?.openTimeMs ?? Number.POSITIVE_INFINITY;
  let at = 0;
  while (openMs <= range.toMs && rows.length < range.limit) {
    const candle = candles[at];
    assert(candle === undefined || candle.openTimeMs >= openMs, 'candles ascend within the range');
    if (candle !== undefined && candle.openTimeMs === openMs) {
      rows.push(candle);
      close = candle.close;
      at += 1;
    } else if (close !== undefined) rows.push(flatCandle(openMs, close));
    openMs = nextOpenTimeMs(range.period, openMs);
  }
  return rows;
}
