/**
 * Everything the public may ask about one market, a pair or a contract: its book, its trades, the
 * candles of its prices and the last 24 hours.
 */

import {
  type Amount,
  type CandlePrice,
  LIMITS,
  openTimeMs,
  type Period,
  type PublicTrade,
  type Ticks,
  ZERO_LOTS,
} from '#domain';
import { assert, Ring } from '#kernel';
import { Candles } from './candles.ts';
import { DAY_MINUTES, type DayStats, DayWindow } from './day.ts';
import { Depth } from './depth.ts';
import type { CandleSeries } from './series.ts';

/** How many candles of a period stay in memory, and how many to seed when there are as many. */
export function candlesKept(period: Period, price: CandlePrice = 'last'): number {
  if (price !== 'last') return LIMITS.livePriceCandlesMax;
  // The window of a day, and a minute before it: its close is the price when nothing traded since.
  return period === '1min'
    ? Math.max(LIMITS.liveCandlesMax, DAY_MINUTES + 2)
    : LIMITS.liveCandlesMax;
}

assert(
  LIMITS.historyCandlesMin > DAY_MINUTES + 1 && LIMITS.historyCandlesMin >= LIMITS.liveCandlesMax,
  'the history keeps what the live views begin with',
);

/** What a market keeps of a trade in its book, spot or contract. */
export interface BookTrade extends Omit<PublicTrade, 'timeMs'> {
  /** In units of the quote coin, or of the margin coin of a contract. */
  readonly quoteAmount: Amount;
}

/** A price that is published and not traded at. */
const UNTRADED = {
  tradeId: undefined,
  sizeLots: ZERO_LOTS,
  quoteAmount: 0n,
  takerSide: 'buy',
} as const;

export class LiveMarket {
  readonly depth: Depth;
  readonly #trades = new Ring<PublicTrade>(LIMITS.recentTradesMax);
  readonly #day = new DayWindow();
  readonly #last = new Candles(candlesKept, (minute) => this.#day.add(minute));
  /** Of a contract, from its first price on. */
  readonly #published = new Map<CandlePrice, Candles>();

  /** Books that came before had versions below this one. */
  constructor(bookVersion = 0) {
    this.depth = new Depth(bookVersion);
  }

  candles(price: CandlePrice): Candles {
    if (price === 'last') return this.#last;
    const known = this.#published.get(price);
    if (known !== undefined) return known;
    const made = new Candles((period) => candlesKept(period, price));
    this.#published.set(price, made);
    return made;
  }

  series(period: Period, price: CandlePrice = 'last'): CandleSeries {
    return this.candles(price).series(period);
  }

  seedTrades(newestFirst: readonly PublicTrade[]): void {
    assert(this.#trades.size === 0, 'recent trades are seeded before there are any');
    for (const trade of newestFirst.toReversed()) this.#trades.push(trade);
  }

  /** In the step with this number. */
  trade(timeMs: number, trade: BookTrade, seq: number): void {
    const { tradeId, instrumentId, priceTicks, sizeLots, takerSide } = trade;
    this.depth.add(takerSide === 'buy' ? 'sell' : 'buy', priceTicks, -sizeLots, seq);
    this.#last.add(timeMs, trade);
    this.#trades.push({ tradeId, instrumentId, priceTicks, sizeLots, takerSide, timeMs });
  }

  /** A mark or index price of this time. */
  price(price: 'mark' | 'index', timeMs: number, priceTicks: Ticks): void {
    if (priceTicks > 0) this.candles(price).add(timeMs, { ...UNTRADED, priceTicks });
  }

  recentTrades(limit: number): PublicTrade[] {
    return this.#trades.newest(limit);
  }

  /** Price of the last trade; zero before the first one. */
  lastTicks(): Ticks {
    return this.#last.lastTicks();
  }

  /** Undefined before the first trade ever. */
  day(nowMs: number): DayStats | undefined {
    this.#last.settle();
    return this.#day.stats(nowMs, this.series('1min'));
  }

  /** First price since 00:00 UTC of the day of nowMs, or the last one before. */
  openUtc0(nowMs: number): Ticks {
    this.#last.settle();
    // A day of minutes is in memory.
    const first = this.series('1min').firstSince(openTimeMs('1d', nowMs));
    return first?.open ?? this.lastTicks();
  }
}
