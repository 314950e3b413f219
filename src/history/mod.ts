/** Door of the history: closed orders, fills, bills and candles in SQL. */
export { setHistoryAside } from './aside.ts';
export { compareHistories, type RowDifference } from './compare.ts';
export type {
  ClosedContractOrder,
  ClosedPlanOrder,
  ContractFillRecord,
  ContractFillsQuery,
  FundingRate,
  LiquidationRecord,
} from './contract-port.ts';
export { checkHistory, copyHistory } from './copy.ts';
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
export { openHistoryReader } from './reader.ts';
export { HistoryScrub } from './scrub.ts';
export { openHistoryWriter } from './writer.ts';
