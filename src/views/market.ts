/** What the public sees of a market's past: candles and trades, shared by memory and history. */
import type { InstrumentId, Lots, Side, Ticks, TradeId } from '#domain';

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
}

export interface PublicTrade {
  readonly tradeId: TradeId;
  readonly instrumentId: InstrumentId;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly takerSide: Side;
  readonly timeMs: number;
}
