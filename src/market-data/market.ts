/**
 * Everything the public may ask about one market, a pair or a contract. Trades gather in the
 * current minute; only when the minute is over, or on a read, do they reach the candles of
 * every period and the 24 h window.
 */

import {
  type Amount,
  type Candle,
  LIMITS,
  openTimeMs,
  PERIODS,
  type Period,
  type PublicTrade,
  type Ticks,
  ZERO_TICKS,
} from '#domain';
import { assert, present, Ring } from '#kernel';
import { MinuteTrades } from './candle.ts';
import { DAY_MINUTES, type DayStats, DayWindow } from './day.ts';
import { Depth } from './depth.ts';
import { type CandleAnswer, CandleSeries, type CandleWindow } from './series.ts';

/** How many candles of a period stay in memory, and how many to seed when there are as many. */
export function candlesKept(period: Period): number {
  // A day of minutes and one before it, whose close is the price 24 hours ago.
  return period === '1min'
    ? Math.max(LIMITS.liveCandlesMax, DAY_MINUTES + 1)
    : LIMITS.liveCandlesMax;
}

/** What a market keeps of a trade in its book, spot or contract. */
export interface BookTrade extends Omit<PublicTrade, 'timeMs'> {
  /** In units of the quote coin, or of the margin coin of a contract. */
  readonly quoteAmount: Amount;
}

export class LiveMarket {
  readonly depth: Depth;
  readonly #trades = new Ring<PublicTrade>(LIMITS.recentTradesMax);
  readonly #minute = new MinuteTrades();
  readonly #day = new DayWindow();
  readonly #series = new Map<Period, CandleSeries>();
  readonly #minutes: CandleSeries;

  /** Books that came before had versions below this one. */
  constructor(bookVersion = 0) {
    this.depth = new Depth(bookVersion);
    for (const { period } of PERIODS) {
      this.#series.set(period, new CandleSeries(period, candlesKept(period)));
    }
    this.#minutes = this.series('1min');
  }

  series(period: Period): CandleSeries {
    return present(this.#series.get(period), `candles of period ${period}`);
  }

  seedTrades(newestFirst: readonly PublicTrade[]): void {
    assert(this.#trades.size === 0, 'recent trades are seeded before there are any');
    for (const trade of newestFirst.toReversed()) this.#trades.push(trade);
  }

  trade(timeMs: number, trade: BookTrade): void {
    const { tradeId, instrumentId, priceTicks, sizeLots, takerSide } = trade;
    this.depth.add(takerSide === 'buy' ? 'sell' : 'buy', priceTicks, -sizeLots);
    if (this.#minute.isOver(timeMs)) this.#settle();
    this.#minute.add(timeMs, priceTicks, sizeLots, trade.quoteAmount);
    this.#trades.push({ tradeId, instrumentId, priceTicks, sizeLots, takerSide, timeMs });
  }

  recentTrades(limit: number): PublicTrade[] {
    return this.#trades.newest(limit);
  }

  candles(period: Period, window: CandleWindow): CandleAnswer {
    this.#settle();
    return this.series(period).answer(window);
  }

  /** Price of the last trade; zero before the first one. */
  lastTicks(): Ticks {
    return this.#minute.empty ? (this.#minutes.last?.close ?? ZERO_TICKS) : this.#minute.close;
  }

  /** Undefined before the first trade ever. */
  day(nowMs: number): DayStats | undefined {
    this.#settle();
    return this.#day.stats(nowMs, this.#minutes);
  }

  /** First price since 00:00 UTC of the day of nowMs, or the last one before. */
  openUtc0(nowMs: number): Ticks {
    this.#settle();
    const today: Candle | undefined = this.series('1d').last;
    if (today?.openTimeMs === openTimeMs('1d', nowMs)) return today.open;
    return this.lastTicks();
  }

  #settle(): void {
    if (this.#minute.empty) return;
    const minute = this.#minute.take();
    for (const series of this.#series.values()) series.add(minute);
    this.#day.add(minute);
  }
}
