/**
 * The last 24 hours of one market in whole minutes: the current one and all since the one that was
 * current 24 hours before, so that nothing of these hours is left out. Sums and extremes move along
 * as minutes come and go, so that a ticker costs no scan.
 */

import type { Amount, Candle, Lots, Ticks } from '#domain';
import { present } from '#kernel';
import { joinCandles, MINUTE_MS, volume } from './candle.ts';
import type { CandleSeries } from './series.ts';

/** Minutes in the window before the current one. */
export const DAY_MINUTES = 1_440;

export interface DayStats {
  /** The first price; as high and low, the last one before when there is none. */
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly baseLots: Lots;
  readonly quoteAmount: Amount;
  readonly tradesCount: number;
  readonly takerBuyLots: Lots;
  readonly takerBuyQuote: Amount;
}

/** When the window of a time begins. */
export function dayStartMs(nowMs: number): number {
  return nowMs - (nowMs % MINUTE_MS) - DAY_MINUTES * MINUTE_MS;
}

export class DayWindow {
  /** Minutes with trades, ascending. One that grows is replaced. */
  readonly #minutes: Candle[] = [];
  readonly #highs = new Extremes(1);
  readonly #lows = new Extremes(-1);
  #baseLots = 0n;
  #quoteAmount: Amount = 0n;
  #tradesCount = 0;
  #takerBuyLots = 0n;
  #takerBuyQuote: Amount = 0n;
  /** Last price before the window; undefined when there was none. */
  #closeBefore: Ticks | undefined;
  /** Where the window begins: nowhere until the first read. */
  #startMs = Number.POSITIVE_INFINITY;

  /** Adds a minute, or a part of one, that is not before any added so far. */
  add(minute: Candle): void {
    if (this.#startMs === Number.POSITIVE_INFINITY) return;
    const last = this.#minutes.at(-1);
    if (last?.openTimeMs === minute.openTimeMs) {
      this.#count(last, -1n);
      this.#minutes[this.#minutes.length - 1] = joinCandles(last, minute);
    } else this.#minutes.push(minute);
    this.#count(present(this.#minutes.at(-1), 'minute just added'), 1n);
    this.#highs.add(minute.openTimeMs, minute.high);
    this.#lows.add(minute.openTimeMs, minute.low);
  }

  /**
   * The window that ends with the minute of nowMs; undefined before the first trade ever.
   * `minutes` are the market's one-minute candles, at least those of the window.
   */
  stats(nowMs: number, minutes: CandleSeries): DayStats | undefined {
    const startMs = dayStartMs(nowMs);
    if (startMs < this.#startMs) this.#rebuild(startMs, minutes);
    else this.#moveTo(startMs);
    const open = this.#minutes[0]?.open ?? this.#closeBefore;
    if (open === undefined) return undefined;
    return {
      open,
      high: this.#highs.best() ?? open,
      low: this.#lows.best() ?? open,
      baseLots: volume(Number(this.#baseLots)),
      quoteAmount: this.#quoteAmount,
      tradesCount: this.#tradesCount,
      takerBuyLots: volume(Number(this.#takerBuyLots)),
      takerBuyQuote: this.#takerBuyQuote,
    };
  }

  /** Minutes that the window leaves behind go, each once. */
  #moveTo(startMs: number): void {
    this.#startMs = startMs;
    while ((this.#minutes[0]?.openTimeMs ?? startMs) < startMs) {
      const gone = present(this.#minutes.shift(), 'oldest minute');
      this.#count(gone, -1n);
      this.#closeBefore = gone.close;
    }
    this.#highs.dropBefore(startMs);
    this.#lows.dropBefore(startMs);
  }

  #count(minute: Candle, sign: 1n | -1n): void {
    this.#baseLots += sign * BigInt(minute.baseLots);
    this.#quoteAmount += sign * minute.quoteAmount;
    this.#tradesCount += Number(sign) * minute.tradesCount;
    this.#takerBuyLots += sign * BigInt(minute.takerBuyLots);
    this.#takerBuyQuote += sign * minute.takerBuyQuote;
  }

  /** The first question, or a clock that went back. */
  #rebuild(startMs: number, minutes: CandleSeries): void {
    this.#moveTo(Number.MAX_SAFE_INTEGER);
    this.#startMs = startMs;
    this.#closeBefore = minutes.closeBefore(startMs);
    for (const minute of minutes.since(startMs)) this.add(minute);
  }
}

interface Extreme {
  readonly timeMs: number;
  readonly price: Ticks;
}

/** The highest (or lowest) price of a sliding window: only those no later one beats are kept. */
class Extremes {
  readonly #sign: 1 | -1;
  readonly #kept: Extreme[] = [];

  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  best(): Ticks | undefined {
    return this.#kept[0]?.price;
  }

  add(timeMs: number, price: Ticks): void {
    let last = this.#kept.at(-1);
    while (last !== undefined && (price - last.price) * this.#sign >= 0) {
      this.#kept.pop();
      last = this.#kept.at(-1);
    }
    if (last?.timeMs !== timeMs) this.#kept.push({ timeMs, price });
  }

  dropBefore(timeMs: number): void {
    while ((this.#kept[0]?.timeMs ?? timeMs) < timeMs) this.#kept.shift();
  }
}
