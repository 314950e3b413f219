/** Door of the market data: live tickers, depth, candles and trades in memory. */

export { joinSeries } from './candle.ts';
export type { DepthStep, DepthView } from './depth.ts';
export { fillGaps } from './gaps.ts';
export { candlesKept } from './market.ts';
export { LiveMarkets } from './markets.ts';
export type { CandleAnswer, CandleWindow, EarlierCandles, NeedsHistory } from './series.ts';
