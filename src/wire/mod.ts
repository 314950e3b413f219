/** Door of the wire: endpoint tables, request readers and answer writers by area. */

export {
  ADMIN_ENDPOINT_NAMES,
  ADMIN_ENDPOINTS,
  type AdminEndpointName,
  unknownField,
} from './admin/endpoints.ts';
export {
  findAccount,
  readAccountChanges,
  readAccountsPage,
  readNewAccount,
  readNewKey,
} from './admin/read-account.ts';
export {
  findContract,
  readContract,
  readContractChanges,
  readIndexReport,
  readLiquidations,
} from './admin/read-contract.ts';
export { findPair, readAsset, readPair, readPairChanges } from './admin/read-listing.ts';
export { readFunding, readInsurance, readLock, readOwnTransfer } from './admin/read-money.ts';
export {
  accountData,
  accountWithBalancesData,
  assetData,
  auditData,
  instrumentsData,
  keyData,
  lockData,
  movementData,
  pairData,
  transferredData,
} from './admin/write.ts';
export {
  contractData,
  contractStateData,
  indexReportData,
  insuranceFundedData,
  insuranceFundsData,
  liquidationData,
} from './admin/write-contract.ts';
export type { Access, Endpoint, RateLimit } from './endpoint.ts';
export { type DataJson, refusalBody, successBody } from './envelope.ts';
export { Fields, scalarText, shown } from './fields.ts';
export { type JsonObject, parseJsonObject } from './json.ts';
export { LEGACY_ENDPOINTS } from './legacy-endpoints.ts';
export { isRefused, refuse, rejectText, WIRE_REJECTS, type WireReject } from './reject.ts';
export { SANDBOX_ENDPOINTS, type SandboxEndpointName } from './sandbox/endpoints.ts';
export {
  readFaultRule,
  readFundingJump,
  readJump,
  readPriceMove,
  readSpeed,
  readStep,
  readText,
} from './sandbox/read.ts';
export {
  type ClockReading,
  checkpointData,
  checkpointsData,
  clockData,
  faultData,
  faultsData,
} from './sandbox/write.ts';
export {
  OPEN_SPOT_NAMES,
  type OpenSpotName,
  SIGNED_SPOT_NAMES,
  type SignedSpotName,
  SPOT_ENDPOINTS,
  type SpotEndpointName,
} from './spot/endpoints.ts';
export {
  type CandlesQuery,
  type DepthQuery,
  readCandles,
  readDepth,
  readPairQuery,
  readTrades,
} from './spot/read-market.ts';
export { type NewOrderBatch, readNewOrder, readNewOrders } from './spot/read-order.ts';
export {
  type CancelBatch,
  type OrderReference,
  readBills,
  readCancelBatch,
  readCoin,
  readFills,
  readNamedCancels,
  readOrderHistory,
  readOrderReference,
  readPairOrAll,
  readTransfer,
  readTransfers,
} from './spot/read-query.ts';
export {
  averagePrice,
  formatAmount,
  orderQuantity,
  writeAsset,
  writeBatchFailure,
  writeBill,
  writeFill,
  writeId,
  writeOrder,
  writeOrderIds,
  writeTransferIds,
  writeTransferRecord,
} from './spot/write-account.ts';
export {
  jsonList,
  writeCandles,
  writeCoins,
  writeDepth,
  writeDepthSides,
  writeProducts,
  writeTicker,
  writeTickerFields,
  writeTrades,
} from './spot/write-market.ts';
export {
  OPEN_SWAP_NAMES,
  type OpenSwapName,
  SIGNED_SWAP_NAMES,
  type SignedSwapName,
  SWAP_ENDPOINTS,
  type SwapEndpointName,
} from './swap/endpoints.ts';
export {
  type ContractChange,
  readAutoMargin,
  readHoldModel,
  readLeverageChange,
  readMarginAdjustment,
} from './swap/read-account.ts';
export { readContractQuery } from './swap/read-contract.ts';
export {
  CONTRACT_GRANULARITIES,
  type ContractCandlesQuery,
  readContractCandles,
  readContractDepth,
  readContractTrades,
  readFundingHistory,
  readOpenCount,
} from './swap/read-market.ts';
export {
  type ContractOrderReference,
  readContractCancelBatch,
  readContractHistory,
  readContractOrder,
  readContractOrderReference,
  readContractOrders,
  readOrdersByStatus,
} from './swap/read-order.ts';
export { type PlansQuery, readPlanOrder, readPlans } from './swap/read-plan.ts';
export {
  writeAutoMargin,
  writeContractAccount,
  writeHoldModel,
  writeMarginAdjusted,
  writePosition,
  writeSettings,
} from './swap/write-account.ts';
export {
  writeContract,
  writeContractCandles,
  writeContractDepthSides,
  writeContractTicker,
  writeContractTickerFields,
  writeContractTrades,
  writeFundingRate,
  writeFundingTime,
  writeIndex,
  writeMarkPrice,
  writeOpenCount,
  writeOpenInterest,
  writePriceLimit,
  writeServerTime,
} from './swap/write-market.ts';
export {
  type CancelFailure,
  type ContractOrderValues,
  type PlacedOrder,
  writeCancelBatch,
  writeCancelled,
  writeContractFill,
  writeContractOrder,
  writeContractOrderDetail,
  writeNotCancelled,
  writePlaced,
  writePlacedItem,
  writeRefusedItem,
} from './swap/write-order.ts';
export {
  waitingOutcome,
  writePlan,
  writePlanCancelled,
  writePlanNotCancelled,
} from './swap/write-plan.ts';
export {
  contractLevelTexts,
  writeStreamRow,
  writeStreamSides,
} from './swap/write-stream.ts';
