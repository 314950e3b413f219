/**
 * The dialects' door for tests: the kit that endpoints are made with, for a dialect of the tests'
 * own, and what a benchmark of batches runs without a server.
 */

export { refuseHandMoved } from './admin/payment-accounts.ts';
export { settleBatch } from './batch.ts';
export { formatPadded } from './classic/amounts.ts';
export { EncodedBalances } from './encoded-balances.ts';
export { publicEndpoint, routesOf, signedEndpoint } from './endpoint.ts';
export { FIELDS, OBSTACLES, RANGES, ROLES } from './english.ts';
export { shown } from './fields.ts';
export { idBound } from './kit/ids.ts';
export { type Named, requiredChoice, requiredText } from './request.ts';
export {
  columnsOf,
  decimal,
  flag,
  id,
  jsonList,
  listedName,
  listOf,
  oneOf,
  onlyIf,
  row,
  text,
} from './row.ts';
