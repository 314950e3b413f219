/** Door of the wire: what requests and answers look like, per family of endpoints. */

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
  findPair,
  readAsset,
  readContract,
  readPair,
  readPairChanges,
} from './admin/read-listing.ts';
export { readFunding, readLock, readOwnTransfer } from './admin/read-money.ts';
export {
  accountData,
  accountWithBalancesData,
  assetData,
  auditData,
  contractData,
  instrumentsData,
  keyData,
  lockData,
  movementData,
  pairData,
  transferredData,
} from './admin/write.ts';
export type { Access, Endpoint, RateLimit } from './endpoint.ts';
export { type DataJson, refusalBody, successBody } from './envelope.ts';
export { Fields, scalarText, shown } from './fields.ts';
export { type JsonObject, parseJsonObject } from './json.ts';
export { isRefused, refuse, rejectText, WIRE_REJECTS, type WireReject } from './reject.ts';
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
  readOrderHistory,
  readOrderReference,
  readPairOrAll,
  readTransfer,
  readTransfers,
} from './spot/read-query.ts';
export {
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
