/**
 * The candles of every period over one kind of price of a market. What comes in gathers in the
 * current minute; only when the minute is over, or on a read, does it reach the periods.
 */

import { type Candle, PERIODS, type Period, type Ticks, ZERO_TICKS } from '#domain';
import { present } from '#kernel';
import { type CandleTrade, MinuteTrades } from './candle.ts';
import { type CandleAnswer, CandleSeries, type CandleWindow } from './series.ts';

export class Candles {
  readonly #minute = new MinuteTrades();
  readonly #series = new Map<Period, CandleSeries>();
  readonly #onMinute: (minute: Candle) => void;

  /** Keeps so many candles of each period, and tells of each minute, or part of one. */
  constructor(kept: (period: Period) => number, onMinute: (minute: Candle) => void = () => {}) {
    for (const { period } of PERIODS) {
      this.#series.set(period, new CandleSeries(period, kept(period)));
    }
    this.#onMinute = onMinute;
  }

  series(period: Period): CandleSeries {
    return present(this.#series.get(period), `candles of period ${period}`);
  }

  add(timeMs: number, trade: CandleTrade): void {
    if (this.#minute.isOver(timeMs)) this.settle();
    this.#minute.add(timeMs, trade);
  }

  answer(period: Period, window: CandleWindow): CandleAnswer {
    this.settle();
    return this.series(period).answer(window);
  }

  /** The last price; zero before the first one. */
  lastTicks(): Ticks {
    if (!this.#minute.empty) return this.#minute.close;
    return this.series('1min').last?.close ?? ZERO_TICKS;
  }

  /** Brings the minute in progress into the candles of every period. */
  settle(): void {
    if (this.#minute.empty) return;
    const minute = this.#minute.take();
    for (const series of this.#series.values()) series.add(minute);
    this.#onMinute(minute);
  }
}
