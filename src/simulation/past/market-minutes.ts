/**
 * The minutes of one market in a past that never was, in whole ticks and lots, and the candles of
 * any period made of them. No trade is behind them: how many there were follows from the volume.
 */
import {
  type Candle,
  type Contract,
  lots,
  nextOpenTimeMs,
  openTimeMs,
  type Period,
  PPM,
  type SpotInstrument,
  ticks,
} from '#domain';
import { Prng } from '#kernel';
import { PATH_SCALE } from '../paths/path.ts';
import { heavyTailed } from '../tail.ts';
import { type CoinMinutes, DAY_MINUTES, MINUTE_MS } from './coin-minutes.ts';

const WORD = 2 ** 32;
const MONTH_MS = 31 * DAY_MINUTES * MINUTE_MS;
/** How far the takers of a minute may lean to one side of an even split. */
const LEANING = 0.35;

export type Market = SpotInstrument | Contract;

/** How a market is traded: lots of an ordinary minute, and between which prices they bounce. */
export interface Trading {
  readonly lotsPerMinute: number;
  /** Of an ordinary trade. */
  readonly lotsPerTrade: number;
  readonly bouncePpm: number;
}

/** What of a market follows from its coins; a quote coin without minutes is the currency itself. */
export interface Coins {
  readonly base: CoinMinutes;
  readonly quote: CoinMinutes | undefined;
}

/** Opening times, both included; of more than `limit` candles the oldest or the newest stay. */
export interface PastWindow {
  readonly fromMs: number;
  readonly toMs: number;
  readonly limit: number;
  readonly keep: 'oldest' | 'newest';
}

/** One number of each kind a minute. */
interface Minutes {
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly lots: Float64Array;
  readonly takerBuyLots: Float64Array;
  readonly trades: Float64Array;
  /** What the lots were worth, in whole multiples of the value unit. */
  readonly value: Float64Array;
  readonly takerBuyValue: Float64Array;
}

export class MarketMinutes {
  readonly #market: Market;
  readonly #coins: Coins;
  readonly #startMs: number;
  readonly #endMs: number;
  readonly #seed: number;
  readonly #trading: Trading | undefined;
  readonly #minutes: Minutes;
  readonly #daysMade = new Set<number>();
  readonly #valueUnit: bigint;

  /** Without trading it is what the coins were worth: an index. */
  constructor(market: Market, coins: Coins, endMs: number, seed: number, trading?: Trading) {
    const count = coins.base.activity.length;
    this.#market = market;
    this.#coins = coins;
    this.#startMs = endMs - count * MINUTE_MS;
    this.#endMs = endMs;
    this.#seed = seed;
    this.#trading = trading;
    const series = () => new Float64Array(count);
    this.#minutes = {
      ...{ open: series(), high: series(), low: series(), close: series() },
      ...{ lots: series(), takerBuyLots: series(), value: series(), takerBuyValue: series() },
      trades: series(),
    };
    this.#valueUnit = isInverse(market) ? 1n : tickLotUnit(market);
  }

  /** The candles of a window, ascending. The first and last one may hold a part of their time. */
  candles(period: Period, { fromMs, toMs, limit, keep }: PastWindow): Candle[] {
    if (this.#startMs === this.#endMs || toMs < this.#startMs - MONTH_MS) return [];
    const lastMs = openTimeMs(period, Math.min(toMs, this.#endMs - MINUTE_MS));
    const firstMs = openTimeMs(period, this.#startMs);
    const opens: number[] = [];
    for (let openMs = lastMs; openMs >= Math.max(firstMs, fromMs); ) {
      opens.push(openMs);
      if (keep === 'newest' && opens.length === limit) break;
      openMs = openTimeMs(period, openMs - 1);
    }
    opens.reverse();
    const shown = opens.slice(0, limit);
    return shown.map((openMs) => this.#candle(openMs, nextOpenTimeMs(period, openMs)));
  }

  /** All minutes of the past from one time to another as one candle. */
  #candle(openMs: number, nextMs: number): Candle {
    const first = (Math.max(openMs, this.#startMs) - this.#startMs) / MINUTE_MS;
    const end = (Math.min(nextMs, this.#endMs) - this.#startMs) / MINUTE_MS;
    this.#makeDays(first, end);
    const { open, high, low, close, lots: size, value, trades, ...takers } = this.#minutes;
    let highest = 0;
    let lowest = Number.POSITIVE_INFINITY;
    const sums = { lots: 0, takerBuyLots: 0, value: 0, takerBuyValue: 0, trades: 0 };
    for (let at = first; at < end; at += 1) {
      highest = Math.max(highest, high[at] ?? 0);
      lowest = Math.min(lowest, low[at] ?? 0);
      sums.lots += size[at] ?? 0;
      sums.takerBuyLots += takers.takerBuyLots[at] ?? 0;
      sums.value += value[at] ?? 0;
      sums.trades += trades[at] ?? 0;
      sums.takerBuyValue += takers.takerBuyValue[at] ?? 0;
    }
    return {
      openTimeMs: openMs,
      open: ticks(open[first] ?? 0),
      high: ticks(highest),
      low: ticks(lowest),
      close: ticks(close[end - 1] ?? 0),
      baseLots: lots(sums.lots),
      quoteAmount: BigInt(sums.value) * this.#valueUnit,
      tradesCount: sums.trades,
      takerBuyLots: lots(sums.takerBuyLots),
      takerBuyQuote: BigInt(sums.takerBuyValue) * this.#valueUnit,
      firstTradeId: undefined,
      lastTradeId: undefined,
    };
  }

  /** A ticker needs a day and a chart a few: each is made when somebody looks at it. */
  #makeDays(first: number, end: number): void {
    const lastDay = Math.floor((end - 1) / DAY_MINUTES);
    for (let day = Math.floor(first / DAY_MINUTES); day <= lastDay; day += 1) {
      if (this.#daysMade.has(day)) continue;
      this.#daysMade.add(day);
      this.#makeDay(day);
    }
  }

  #makeDay(day: number): void {
    const { base, quote } = this.#coins;
    const { priceScale, symbol } = this.#market;
    const { open, high, low, close } = this.#minutes;
    const step = 'priceStepTicks' in this.#market ? this.#market.priceStepTicks : 1;
    const toTicks = (price: number) =>
      Math.max(step, Math.round((price * 10 ** priceScale) / step) * step);
    const prng = new Prng(this.#seed, `past ${symbol} ${day}`);
    const bounce = (this.#trading?.bouncePpm ?? 0) / PPM;
    const worth = (at: number) => {
      const unit = quote === undefined ? 10 ** PATH_SCALE : (quote.closes[at] ?? 1);
      return ((base.closes[at] ?? 1) / unit) * (1 + bounce * (prng.word() / WORD - 0.5));
    };
    const end = Math.min((day + 1) * DAY_MINUTES, open.length);
    for (let at = day * DAY_MINUTES; at < end; at += 1) {
      const from = worth(at);
      const to = worth(at + 1);
      open[at] = toTicks(from);
      close[at] = toTicks(to);
      high[at] = toTicks(Math.max(from, to) * (base.above[at] ?? 1));
      low[at] = toTicks(Math.min(from, to) * (base.below[at] ?? 1));
      this.#makeVolume(at, prng);
    }
  }

  /** Takers lean the way the price went. */
  #makeVolume(at: number, prng: Prng): void {
    if (this.#trading === undefined) return;
    const { open, close, lots: sizes, takerBuyLots, value, takerBuyValue, trades } = this.#minutes;
    const { lotsPerMinute, lotsPerTrade } = this.#trading;
    const ordinary = lotsPerMinute * (this.#coins.base.activity[at] ?? 1);
    const size = Math.max(1, Math.round(ordinary * heavyTailed(prng.word() / WORD)));
    const [from, to] = [open[at] ?? 0, close[at] ?? 0];
    const lean = (to > from ? 1 : -1) * (prng.word() / WORD) * LEANING;
    const bought = Math.round(size * (0.5 + lean));
    const price = Math.round((from + to) / 2);
    sizes[at] = size;
    takerBuyLots[at] = bought;
    // One of each side that took, at least.
    const sides = Number(bought > 0) + Number(bought < size);
    trades[at] = Math.max(sides, Math.min(size, Math.round(size / lotsPerTrade)));
    value[at] = worthOf(this.#market, size, price);
    takerBuyValue[at] = worthOf(this.#market, bought, price);
  }
}

function isInverse(market: Market): market is Contract {
  return 'kind' in market && market.kind === 'inverse';
}

/** What one lot at a price of one tick is worth. */
function tickLotUnit(market: Market): bigint {
  return 'base' in market ? market.quoteUnitsPerTickLot : market.valueFactor;
}

function worthOf(market: Market, size: number, priceTicks: number): number {
  if (!isInverse(market)) return size * priceTicks;
  return Math.floor((Number(market.valueFactor) * size) / priceTicks);
}
