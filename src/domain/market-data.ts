/** What the public sees of a market: candles, trades, and the last 24 hours of a pair. */
import type { Side } from './order.ts';
import type { Amount, InstrumentId, Lots, Ticks, TradeId } from './units.ts';

/** The candle periods of the venue. */
export type Period =
  | '1min'
  | '3min'
  | '5min'
  | '15min'
  | '30min'
  | '1h'
  | '2h'
  | '4h'
  | '6h'
  | '8h'
  | '12h'
  | '1d'
  | '3d'
  | '1w'
  | '1M';

/** The trades of one period. Immutable: a candle that grows is replaced by a new one. */
export interface Candle {
  readonly openTimeMs: number;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
  readonly baseLots: Lots;
  /** In quote units. */
  readonly quoteAmount: bigint;
  readonly tradesCount: number;
  /** Of them what takers bought. */
  readonly takerBuyLots: Lots;
  readonly takerBuyQuote: bigint;
  /** Undefined where no trade is kept of it. */
  readonly firstTradeId: TradeId | undefined;
  readonly lastTradeId: TradeId | undefined;
}

/** Which prices candles are made of. Index and mark prices are a contract's, and have no volume. */
export type CandlePrice = 'last' | 'mark' | 'index';
export const CANDLE_PRICES: readonly CandlePrice[] = ['last', 'mark', 'index'];

export interface PublicTrade {
  readonly tradeId: TradeId;
  readonly instrumentId: InstrumentId;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly takerSide: Side;
  readonly timeMs: number;
}

/** The last 24 hours of a pair and its best prices. Prices are zero before the first trade. */
export interface Ticker {
  readonly instrumentId: InstrumentId;
  readonly last: Ticks;
  /** When the 24 hours begin, which are whole minutes: they hold all trades since. */
  readonly openTimeMs: number;
  /** The first price of them; as high and low, the last one before when there is none. */
  readonly open: Ticks;
  /** The first price since 00:00 UTC, or the last one before. */
  readonly openUtc0: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly baseLots: Lots;
  /** In quote units. */
  readonly quoteAmount: Amount;
  readonly tradesCount: number;
  readonly takerBuyLots: Lots;
  readonly takerBuyQuote: Amount;
  readonly usdtValue: UsdtValue;
  /** Best prices with the size there; zero when the side is empty. */
  readonly bid: Ticks;
  readonly bidLots: Lots;
  readonly ask: Ticks;
  readonly askLots: Lots;
}

/** An amount of USDT at the given number of decimal places. */
export interface UsdtValue {
  readonly amount: Amount;
  readonly scale: number;
}
