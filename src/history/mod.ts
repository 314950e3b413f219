/** Door of the history: closed orders, fills, bills and candles of the past. */
export type {
  ClosedContractOrder,
  ClosedContractOrdersQuery,
  ClosedTriggerOrder,
  ContractFillRecord,
  ContractFillsQuery,
  EndedContractOrder,
  FundingRate,
  LiquidationRecord,
} from './contract-port.ts';
export type { DayEquity, DayFund, DayOpening, ProjectedStep } from './day-port.ts';
export type {
  ExportFilter,
  ExportMark,
  ExportQuery,
  ExportReader,
  ExportRecords,
  ExportTable,
  SeriesRecords,
  SeriesTable,
} from './export-port.ts';
export {
  LEDGER_KINDS,
  type LedgerEntry,
  type LedgerKind,
  type LedgerQuery,
} from './ledger-port.ts';
export { type HistoryPlace, historyAt } from './open.ts';
export {
  BILL_GROUPS,
  type Bill,
  type BillBiz,
  type BillGroup,
  type ClosedOrder,
  type Fill,
  type History,
  HistoryAway,
  HistoryDamaged,
  type HistoryReader,
  type HistoryScrub,
  HistoryUnusable,
  type HistoryWriter,
  type NewestFillsQuery,
  netOfBill,
  type Removed,
  type RowDifference,
  type TransferRecord,
  type WalletKind,
} from './port.ts';
export { checkHistory, copyHistory } from './sqlite/copy.ts';
