/**
 * The newest candles of one market and period: those with trades, ascending and bounded. It answers
 * what it can and says what older candles an answer needs; reading those is the caller's business.
 */

import type { Candle, Period, Ticks } from '#domain';
import { openTimeMs } from '#domain';
import { assert } from '#kernel';
import { joinCandles, joinSeries } from './candle.ts';
import { type CandleRange, fillGaps, openAtOrAfterMs } from './gaps.ts';

/** Old candles are dropped this many at a time, so that dropping costs next to nothing. */
const DROP_CANDLES = 128;

/** Rows of `fromMs` <= opening time <= `toMs`: the first `limit`, or without `fromMs` the last. */
export interface CandleWindow {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly limit: number;
  readonly nowMs: number;
}

export interface CandleRows {
  readonly kind: 'rows';
  readonly rows: readonly Candle[];
}

/**
 * Memory begins too late for the answer. It is fillGaps(range, candles, previousClose) where
 * `candles` are the first range.limit stored ones that open from range.fromMs to before
 * recentFromMs, followed by `recent`, and previousClose is that of the last one before the range.
 */
export interface NeedsHistory {
  readonly kind: 'needs_history';
  readonly range: CandleRange;
  readonly recent: readonly Candle[];
  readonly recentFromMs: number;
}

export type CandleAnswer = CandleRows | NeedsHistory;

/** Up to so many candles, ascending, the newest of those before a series' own: what is made up. */
export type EarlierCandles = (limit: number) => readonly Candle[];

const NO_ROWS: CandleRows = { kind: 'rows', rows: [] };

export class CandleSeries {
  readonly #period: Period;
  readonly #keptMax: number;
  readonly #candles: Candle[] = [];
  /** True while the first candle ever is still here. */
  #complete = true;
  /** What was before the first candle ever; until somebody reads, nobody works it out. */
  #earlier: EarlierCandles | undefined;
  /** Candles that opened before this time lack what was before them. */
  #knownFromMs = Number.NEGATIVE_INFINITY;

  /** Keeps at least the newest `keptMax` candles, and a few more. */
  constructor(period: Period, keptMax: number) {
    this.#period = period;
    this.#keptMax = keptMax;
  }

  get size(): number {
    this.#recall();
    return this.#candles.length;
  }

  get last(): Candle | undefined {
    this.#recall();
    return this.#candles.at(-1);
  }

  /** Candles of earlier days, ascending: the newest keptMax, or fewer when there are no more. */
  seed(candles: readonly Candle[]): void {
    assert(this.#candles.length === 0, 'a series is seeded before it gets trades');
    for (const candle of candles) {
      const lastMs = this.#candles.at(-1)?.openTimeMs ?? Number.NEGATIVE_INFINITY;
      assert(candle.openTimeMs > lastMs, 'seeded candles ascend');
      this.#candles.push(candle);
    }
    this.#complete = candles.length < this.#keptMax;
    this.#dropOld();
  }

  /** In place of seed: what was before this time cannot be read now. */
  startUnknown(timeMs: number): void {
    assert(this.#candles.length === 0, 'a series begins before it gets trades');
    this.#complete = false;
    this.#knownFromMs = timeMs;
  }

  /** Goes on into a past that is made up, if the first candle ever is still here. */
  precede(earlier: EarlierCandles): void {
    if (this.#complete) this.#earlier = earlier;
  }

  /** Adds a minute, or a part of one, that is not before any added so far. */
  add(minute: Candle): void {
    const openMs = openTimeMs(this.#period, minute.openTimeMs);
    const last = this.#candles.at(-1);
    assert(last === undefined || last.openTimeMs <= openMs, 'time does not run backward');
    if (last?.openTimeMs === openMs) {
      this.#candles[this.#candles.length - 1] = joinCandles(last, minute);
      return;
    }
    this.#candles.push({ ...minute, openTimeMs: openMs });
    this.#dropOld();
  }

  /** Kept candles that open at or after a time, ascending. */
  since(fromMs: number): readonly Candle[] {
    this.#recall();
    return this.#candles.slice(this.#placeOf(fromMs));
  }

  /** The first kept candle that opens at or after a time. */
  firstSince(timeMs: number): Candle | undefined {
    this.#recall();
    return this.#candles[this.#placeOf(timeMs)];
  }

  /** Close of the last kept candle that opens before a time. */
  closeBefore(timeMs: number): Ticks | undefined {
    this.#recall();
    return this.#candles[this.#placeOf(timeMs) - 1]?.close;
  }

  /** The rows of a window up to the candle of `nowMs`, gaps filled, or what they need. */
  answer(window: CandleWindow): CandleAnswer {
    this.#recall();
    const range = this.#range(window);
    if (range === undefined) return NO_ROWS;
    const oldest = this.#placeOf(this.#knownFromMs);
    const recentFromMs = this.#candles[oldest]?.openTimeMs ?? range.toMs + 1;
    const at = Math.max(this.#placeOf(range.fromMs), oldest);
    const end = Math.min(at + range.limit, this.#placeOf(range.toMs + 1));
    const recent = this.#candles.slice(at, end);
    if (range.fromMs < recentFromMs) return { kind: 'needs_history', range, recent, recentFromMs };
    return { kind: 'rows', rows: fillGaps(range, recent, this.#candles[at - 1]?.close) };
  }

  /** The last of the earlier candles may be the first part of the first one here. */
  #recall(): void {
    const earlier = this.#earlier;
    if (earlier === undefined) return;
    this.#earlier = undefined;
    const limit = Math.max(1, this.#keptMax - this.#candles.length);
    const candles = joinSeries(earlier(limit), this.#candles.splice(0));
    for (const candle of candles) this.#candles.push(candle);
    this.#complete = candles.length < this.#keptMax;
  }

  /** A window with both ends on opening times that exist; undefined when there are none. */
  #range(window: CandleWindow): CandleRange | undefined {
    const toMs = Math.min(window.toMs ?? window.nowMs, window.nowMs);
    const firstMs = this.#complete ? this.#candles[0]?.openTimeMs : 0;
    if (firstMs === undefined || toMs < Math.max(firstMs, 0)) return undefined;
    const period = this.#period;
    const lastMs = openTimeMs(period, toMs);
    const { fromMs, limit } = window;
    if (fromMs === undefined) {
      return { period, fromMs: this.#openBackMs(lastMs, limit, firstMs), toMs: lastMs, limit };
    }
    if (fromMs > lastMs) return undefined;
    const startMs = fromMs <= firstMs ? firstMs : openAtOrAfterMs(period, fromMs);
    return { period, fromMs: startMs, toMs: lastMs, limit };
  }

  /** Where `count` rows that end at `lastMs` begin, but not before `firstMs`. */
  #openBackMs(lastMs: number, count: number, firstMs: number): number {
    let openMs = lastMs;
    for (let row = 1; row < count && openMs > firstMs; row += 1) {
      openMs = openTimeMs(this.#period, openMs - 1);
    }
    return openMs;
  }

  /** Index of the first candle that opens at or after a time. */
  #placeOf(timeMs: number): number {
    let low = 0;
    let high = this.#candles.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#candles[middle]?.openTimeMs ?? 0) < timeMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #dropOld(): void {
    const over = this.#candles.length - this.#keptMax;
    if (over < DROP_CANDLES) return;
    this.#candles.splice(0, over);
    this.#complete = false;
    this.#earlier = undefined;
  }
}
