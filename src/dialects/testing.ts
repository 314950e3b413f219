/**
 * The dialects' door for tests: the kit that endpoints are made with, for a dialect of the tests'
 * own, and what a benchmark of batches runs without a server.
 */

export { refuseHandMoved } from './admin/payment-accounts.ts';
export { loginOf } from './kit/access-headers.ts';
export { spotAccountsOf } from './kit/account-events.ts';
export { formatPadded } from './kit/amounts.ts';
export { settleBatch } from './kit/batch.ts';
export { EncodedBalances } from './kit/encoded-balances.ts';
export { publicEndpoint, routesOf, signedEndpoint } from './kit/endpoint.ts';
export { FIELDS, OBSTACLES, RANGES, ROLES } from './kit/english.ts';
export { shown } from './kit/fields.ts';
export { idBound } from './kit/ids.ts';
export { type Named, requiredChoice, requiredText } from './kit/request.ts';
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
} from './kit/row.ts';
