/** Door of the history: closed orders, fills, bills and candles in SQL. */

export type {
  ClosedContractOrder,
  ClosedPlanOrder,
  ContractFillRecord,
  ContractFillsQuery,
  FundingRate,
  LiquidationRecord,
} from './contract-port.ts';
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
} from './port.ts';
export { setHistoryAside } from './sqlite/aside.ts';
export { compareHistories, type RowDifference } from './sqlite/compare.ts';
export { checkHistory, copyHistory } from './sqlite/copy.ts';
export { openHistoryReader } from './sqlite/reader.ts';
export { HistoryScrub } from './sqlite/scrub.ts';
export { openHistoryWriter } from './sqlite/writer.ts';
