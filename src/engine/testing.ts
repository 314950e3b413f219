/**
 * The engine's door for tests: the two books, compared with each other and measured alone; the ids
 * in use; what orders have in common; the orders of a liquidation; what a dump must hold; and the
 * classes that a test makes fail.
 */
export { type Book, type BookLevel, type BookOrder, opposite } from './book/book.ts';
export { createBook } from './book/fast-book.ts';
export { type MatchEnd, type MatchHandler, matchOrder } from './book/match.ts';
export { NaiveBook } from './book/naive-book.ts';
export { type Balance, MarginBalance } from './ledger/balance.ts';
export { fingerprint } from './ledger/fingerprints.ts';
export { Ledger } from './ledger/ledger.ts';
export { NamedOrders } from './ledger/named-orders.ts';
export { OperatorRequests } from './ledger/operator-requests.ts';
export { OrderTable } from './ledger/order-table.ts';
export { SpotBalance, SpotBalances } from './ledger/spot-balances.ts';
export { type IdScope, UsedIds, UsedIdsTable } from './ledger/used-ids.ts';
export { ranked } from './liquidation/ranking.ts';
export { worstFirst } from './liquidation/worst-first.ts';
export { AccountTable } from './margin/account-table.ts';
export type { LiquidationUnit, MarginAccount } from './margin/margin-account.ts';
export { OpenSum } from './margin/open-sum.ts';
export { Position } from './margin/position.ts';
export { type Filled, Tally } from './margin/tally.ts';
export { restore } from './report/restore.ts';
export {
  CONTRACT_ORDER_FIELDS,
  MARKET_FIELDS,
  POSITION_FIELDS,
  TRIGGER_FIELDS,
} from './report/swap-fields.ts';
export { OrderKinds } from './spot/order-kind.ts';
export type { State } from './state.ts';
export { SwapMarket } from './swap/market.ts';
