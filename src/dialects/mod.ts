/** Door of the dialects: what the server is given to speak, and the pages beside it. */

export { type ActionOptions, ActionRecords } from './access/action-records.ts';
export { Admitters } from './access/admitters.ts';
export { dutyOf } from './access/calls.ts';
export { OperatorToken } from './access/operator-token.ts';
export { SessionAuth, type SessionOptions } from './access/session-auth.ts';
export { auditData } from './admin/audit.ts';
export type { AdminOptions } from './admin/context.ts';
export { contractData } from './admin/contracts.ts';
export { ADMIN_ENDPOINTS, type AdminEndpointName, adminDialect } from './admin/dialect.ts';
export { KEY_EXPIRES_DAYS_MAX } from './admin/keys.ts';
export { classicDialect } from './classic/dialect.ts';
export {
  LEGACY_ENDPOINTS,
  type SignedSwapName,
  SPOT_ENDPOINTS,
  type SpotEndpointName,
  SWAP_ENDPOINTS,
  type SwapEndpointName,
} from './classic/endpoints.ts';
export { FRAME } from './classic/frame.ts';
export { SWAP_MOVES } from './classic/moves.ts';
export { meaningOf } from './classic/rejects.ts';
export { CLASSIC_SPELLING } from './classic/spelling.ts';
export { readNewOrder, readNewOrders } from './classic/spot-new-order.ts';
export { readOrderReference } from './classic/spot-orders.ts';
export { CONTRACT_ACCOUNT, POSITION } from './classic/swap-account.ts';
export { SWAP_LEDGER } from './classic/swap-ledger.ts';
export { readContractOrder } from './classic/swap-new-order.ts';
export { readPlanOrder } from './classic/swap-new-plan.ts';
export { CONTRACT_ORDER, midnightMs } from './classic/swap-orders.ts';
export { SWAP_RISK } from './classic/swap-risk.ts';
export { SWAP_TRIGGER_MOVES } from './classic/swap-trigger-moves.ts';
export { SWAP_WALLETS } from './classic/swap-wallets.ts';
export type { CompetitionOptions } from './competition/context.ts';
export { addLeaderboardCsv } from './competition/csv.ts';
export {
  COMPETITION_ENDPOINTS,
  COMPETITION_OPERATOR_ENDPOINTS,
  competitionDialect,
} from './competition/dialect.ts';
export { currentDialect } from './current/dialect.ts';
export { CURRENT_CONTRACT_ENDPOINTS, CURRENT_SPOT_ENDPOINTS } from './current/endpoints.ts';
export { currentReject, type WireReject } from './current/rejects.ts';
export { DOCUMENTED, openApiDocument } from './docs/dialects.ts';
export { addDocsRoutes } from './docs/routes.ts';
export { detailText, failureText } from './kit/english.ts';
export { Fields } from './kit/fields.ts';
export { houseReject } from './kit/house-rejects.ts';
export { clientIdOf, formatId, parseId } from './kit/ids.ts';
export { nativeDialect } from './native/dialect.ts';
export { NATIVE_ENDPOINTS } from './native/endpoints.ts';
export { MARKET_ROW } from './native/market-rows.ts';
export { addConsoleLink, addPages, type PagesOptions } from './pages.ts';
export type { PeopleOptions } from './people/context.ts';
export {
  PEOPLE_ENDPOINTS,
  PEOPLE_OPERATOR_ENDPOINTS,
  peopleDialect,
} from './people/dialect.ts';
export { accountOpener, systemAccountNamed } from './people/open-account.ts';
export type { SandboxOptions, ScenarioDesk } from './sandbox/context.ts';
export { SANDBOX_ENDPOINTS, sandboxDialect } from './sandbox/dialect.ts';
