/** Door of the views: what readers may know, in memory and in SQL. */
export { setHistoryAside } from './history/aside.ts';
export { compareHistories, type RowDifference } from './history/compare.ts';
export type {
  ClosedContractOrder,
  ClosedPlanOrder,
  ContractFillRecord,
  ContractFillsQuery,
  FundingRate,
  LiquidationRecord,
} from './history/contract-port.ts';
export { checkHistory, copyHistory } from './history/copy.ts';
export {
  BILL_GROUPS,
  type Bill,
  type BillBiz,
  type BillGroup,
  type ClosedOrder,
  type Fill,
  HistoryDamaged,
  type HistoryReader,
  HistoryUnusable,
  type HistoryWriter,
  type TransferRecord,
} from './history/port.ts';
export { openHistoryReader } from './history/reader.ts';
export { HistoryScrub } from './history/scrub.ts';
export { openHistoryWriter } from './history/writer.ts';
export type { DepthStep, DepthView } from './live/depth.ts';
export { fillGaps } from './live/gaps.ts';
export { candlesKept } from './live/market.ts';
export { LiveMarkets } from './live/markets.ts';
export type { CandleAnswer, CandleWindow, NeedsHistory } from './live/series.ts';
export { CANDLE_TIME_MAX_MS, nextOpenTimeMs, openTimeMs, PERIODS } from './periods.ts';
