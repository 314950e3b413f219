/** Building candles: a minute as its trades come in, two candles joined, one without trades. */

import {
  type Amount,
  type Candle,
  type Lots,
  lots,
  type Side,
  type Ticks,
  type TradeId,
  ZERO_LOTS,
  ZERO_TICKS,
} from '#domain';
import { assert } from '#kernel';

export const MINUTE_MS = 60_000;

/** What a candle takes in: a trade, or a price that nothing was traded at. */
export interface CandleTrade {
  /** Undefined for such a price. */
  readonly tradeId: TradeId | undefined;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly quoteAmount: Amount;
  readonly takerSide: Side;
}

/** The trades of one minute, gathered in place: the only candle work done per trade. */
export class MinuteTrades {
  #openTimeMs = 0;
  #open = ZERO_TICKS;
  #high = ZERO_TICKS;
  #low = ZERO_TICKS;
  #close = ZERO_TICKS;
  #baseLots = 0;
  #quoteAmount: Amount = 0n;
  #takerBuyLots = 0;
  #takerBuyQuote: Amount = 0n;
  #firstTradeId: TradeId | undefined;
  #lastTradeId: TradeId | undefined;
  #isEmpty = true;
  /** Prices without a size are no trades. */
  #tradesCount = 0;

  get empty(): boolean {
    return this.#isEmpty;
  }

  /** Price of the last trade; zero when empty. */
  get close(): Ticks {
    return this.#close;
  }

  /** True when a trade at this time is of a later minute than those gathered. */
  isOver(timeMs: number): boolean {
    return !this.#isEmpty && timeMs >= this.#openTimeMs + MINUTE_MS;
  }

  add(timeMs: number, trade: CandleTrade): void {
    const { priceTicks: price, sizeLots, quoteAmount, takerSide, tradeId } = trade;
    if (this.#isEmpty) {
      this.#isEmpty = false;
      this.#openTimeMs = timeMs - (timeMs % MINUTE_MS);
      this.#open = price;
      this.#high = price;
      this.#low = price;
    } else if (price > this.#high) this.#high = price;
    else if (price < this.#low) this.#low = price;
    this.#close = price;
    if (sizeLots === 0) return;
    this.#tradesCount += 1;
    this.#firstTradeId ??= tradeId;
    this.#lastTradeId = tradeId;
    this.#baseLots += sizeLots;
    this.#quoteAmount += quoteAmount;
    if (takerSide === 'sell') return;
    this.#takerBuyLots += sizeLots;
    this.#takerBuyQuote += quoteAmount;
  }

  /** The trades gathered, as a candle of their minute; afterwards there are none. */
  take(): Candle {
    assert(!this.#isEmpty, 'a candle has prices');
    const candle = {
      openTimeMs: this.#openTimeMs,
      open: this.#open,
      high: this.#high,
      low: this.#low,
      close: this.#close,
      baseLots: volume(this.#baseLots),
      quoteAmount: this.#quoteAmount,
      tradesCount: this.#tradesCount,
      takerBuyLots: volume(this.#takerBuyLots),
      takerBuyQuote: this.#takerBuyQuote,
      firstTradeId: this.#firstTradeId,
      lastTradeId: this.#lastTradeId,
    };
    this.#isEmpty = true;
    this.#close = ZERO_TICKS;
    this.#baseLots = 0;
    this.#quoteAmount = 0n;
    this.#tradesCount = 0;
    this.#takerBuyLots = 0;
    this.#takerBuyQuote = 0n;
    this.#firstTradeId = undefined;
    this.#lastTradeId = undefined;
    return candle;
  }
}

/** A volume above the safe integers stays at the largest one: only the true sum could say more. */
export function volume(sum: number): Lots {
  return lots(Math.min(sum, Number.MAX_SAFE_INTEGER));
}

/** One candle of two, where all trades of `later` came after those of `earlier`. */
export function joinCandles(earlier: Candle, later: Candle): Candle {
  return {
    openTimeMs: earlier.openTimeMs,
    open: earlier.open,
    high: later.high > earlier.high ? later.high : earlier.high,
    low: later.low < earlier.low ? later.low : earlier.low,
    close: later.close,
    baseLots: volume(earlier.baseLots + later.baseLots),
    quoteAmount: earlier.quoteAmount + later.quoteAmount,
    tradesCount: earlier.tradesCount + later.tradesCount,
    takerBuyLots: volume(earlier.takerBuyLots + later.takerBuyLots),
    takerBuyQuote: earlier.takerBuyQuote + later.takerBuyQuote,
    firstTradeId: earlier.firstTradeId ?? later.firstTradeId,
    lastTradeId: later.lastTradeId ?? earlier.lastTradeId,
  };
}

/** Two series of candles, ascending, of which one may end within the candle the other begins in. */
export function joinSeries(earlier: readonly Candle[], later: readonly Candle[]): Candle[] {
  const [last, first] = [earlier.at(-1), later[0]];
  if (last === undefined || first?.openTimeMs !== last.openTimeMs) return [...earlier, ...later];
  return [...earlier.slice(0, -1), joinCandles(last, first), ...later.slice(1)];
}

/** A candle without trades: the price stayed where it was. */
export function flatCandle(openTimeMs: number, close: Ticks): Candle {
  return {
    openTimeMs,
    open: close,
    high: close,
    low: close,
    close,
    baseLots: ZERO_LOTS,
    quoteAmount: 0n,
    tradesCount: 0,
    takerBuyLots: ZERO_LOTS,
    takerBuyQuote: 0n,
    firstTradeId: undefined,
    lastTradeId: undefined,
  };
}
