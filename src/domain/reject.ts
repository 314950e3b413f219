/**
 * Every refusal the venue can answer, in the order in which checks run. A number is never reused;
 * a retired row stays with its number. How a refusal looks on the wire is the wire room's business;
 * docs/REJECTS.md shows both and a test compares it with this table.
 */

export interface RejectRow {
  /** Stable. 1xx door, 2xx shape, 3xx market, 4xx orders, 5xx money, 6xx the operator. */
  readonly number: number;
  readonly meaning: string;
}

export const REJECTS = {
  path_unknown: { number: 101, meaning: 'No such path' },
  method_not_allowed: { number: 102, meaning: 'The path does not take this method' },
  body_too_large: { number: 103, meaning: 'Request body is too large' },
  body_not_json: { number: 104, meaning: 'Request body must be JSON (application/json)' },
  rate_exceeded: { number: 105, meaning: 'Too many requests' },
  venue_busy: { number: 106, meaning: 'The venue is overloaded, try again shortly' },
  venue_halted: { number: 107, meaning: 'The venue has halted; the outcome may be unknown' },
  internal_fault: { number: 108, meaning: 'Internal error' },
  history_unavailable: { number: 109, meaning: 'The history cannot be read now' },
  key_missing: { number: 110, meaning: 'Header ACCESS-KEY is missing' },
  signature_missing: { number: 111, meaning: 'Header ACCESS-SIGN is missing' },
  timestamp_missing: { number: 112, meaning: 'Header ACCESS-TIMESTAMP is missing' },
  passphrase_missing: { number: 113, meaning: 'Header ACCESS-PASSPHRASE is missing' },
  timestamp_malformed: { number: 114, meaning: 'ACCESS-TIMESTAMP is not a valid number' },
  timestamp_expired: { number: 115, meaning: 'Request timestamp is outside the 30 s window' },
  key_unknown: { number: 116, meaning: 'ACCESS-KEY is unknown' },
  passphrase_wrong: { number: 117, meaning: 'ACCESS-PASSPHRASE is wrong' },
  signature_wrong: { number: 118, meaning: 'Signature does not match' },
  permission_missing: { number: 119, meaning: 'The key lacks the permission for this call' },
  address_not_allowed: { number: 120, meaning: 'Caller address is not on the list of the key' },
  admin_token_wrong: { number: 121, meaning: 'The admin token is missing or wrong' },
  account_frozen: { number: 122, meaning: 'The account is frozen' },
  parameter_invalid: { number: 201, meaning: 'Parameter failed validation' },
  client_id_invalid: { number: 202, meaning: 'Client id is too long or has forbidden characters' },
  batch_too_large: { number: 203, meaning: 'Too many items in one batch' },
  order_id_missing: { number: 204, meaning: 'Neither order id nor client order id was given' },
  symbol_unknown: { number: 301, meaning: 'Pair is unknown' },
  market_halted: { number: 302, meaning: 'Pair is not tradable now' },
  coin_unknown: { number: 303, meaning: 'Coin is unknown' },
  contract_unknown: { number: 304, meaning: 'Contract is unknown' },
  price_invalid: { number: 401, meaning: 'Price is invalid' },
  quantity_invalid: { number: 402, meaning: 'Quantity is invalid' },
  quantity_below_minimum: { number: 403, meaning: 'Quantity is below the minimum' },
  quantity_above_maximum: { number: 404, meaning: 'Quantity is above the maximum' },
  notional_below_minimum: { number: 405, meaning: 'Order value is below the minimum' },
  client_order_id_in_use: { number: 406, meaning: 'Client order id is already in use' },
  open_orders_exceeded: { number: 407, meaning: 'Too many open orders' },
  order_unknown: { number: 408, meaning: 'Order does not exist' },
  order_already_closed: { number: 409, meaning: 'Order is already finished' },
  balance_insufficient: { number: 501, meaning: 'Balance is insufficient' },
  amount_invalid: { number: 502, meaning: 'Amount is invalid' },
  transfer_route_invalid: { number: 503, meaning: 'No transfer between these wallets' },
  transfer_not_allowed: { number: 504, meaning: 'The coin cannot be transferred' },
  account_unknown: { number: 601, meaning: 'Account does not exist' },
  account_name_in_use: { number: 602, meaning: 'Account name is already in use' },
  accounts_exceeded: { number: 603, meaning: 'Too many accounts' },
  key_in_use: { number: 604, meaning: 'Key is already in use' },
  keys_exceeded: { number: 605, meaning: 'Too many keys for one account' },
  key_not_found: { number: 606, meaning: 'Key does not exist' },
  listing_exists: { number: 607, meaning: 'Already listed' },
  listing_invalid: { number: 608, meaning: 'Listing is invalid' },
  settings_invalid: { number: 609, meaning: 'Settings are invalid' },
  listings_exceeded: { number: 610, meaning: 'Too many listings' },
} as const satisfies Record<string, RejectRow>;

export type RejectKind = keyof typeof REJECTS;
