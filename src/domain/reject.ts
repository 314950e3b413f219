/**
 * Every refusal the venue can answer, by subject. A number is never reused; a retired row stays
 * with its number. How a refusal looks on the wire, and how it is worded there, is the business of
 * the wire room; docs/REJECTS.md shows both, and in which order checks run. A test compares it with
 * this table.
 */

export interface RejectRow {
  /** Stable. 1xx door, 2xx shape, 3xx market, 4xx orders, 5xx money, 6xx operator, 7xx swap. */
  readonly number: number;
  /** For the operator's desk, and for an API that has no words of its own for it. */
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
  key_missing: { number: 110, meaning: 'The key is missing' },
  signature_missing: { number: 111, meaning: 'The signature is missing' },
  timestamp_missing: { number: 112, meaning: 'The timestamp is missing' },
  passphrase_missing: { number: 113, meaning: 'The passphrase is missing' },
  timestamp_malformed: { number: 114, meaning: 'The timestamp is not a valid number' },
  timestamp_expired: {
    number: 115,
    meaning: 'Request timestamp is over 30 s old or over 5 s ahead',
  },
  permission_missing: { number: 119, meaning: 'The key lacks the permission for this call' },
  address_not_allowed: { number: 120, meaning: 'Caller address is not on the list of the key' },
  admin_token_wrong: { number: 121, meaning: 'The admin token is missing or wrong' },
  account_frozen: { number: 122, meaning: 'The account is frozen' },
  credentials_wrong: { number: 123, meaning: 'Key, passphrase or signature is wrong' },
  request_repeated: { number: 124, meaning: 'A strict key signs each request anew' },
  command_withheld: { number: 130, meaning: 'This very call has ended the venue twice' },
  host_unknown: { number: 131, meaning: 'The venue is not served under this name' },
  parameter_invalid: { number: 201, meaning: 'Parameter failed validation' },
  client_id_invalid: { number: 202, meaning: 'Client id is too long or has forbidden characters' },
  batch_too_large: { number: 203, meaning: 'Too many items in one batch' },
  order_id_missing: { number: 204, meaning: 'Neither order id nor client order id was given' },
  symbol_unknown: { number: 301, meaning: 'Pair is unknown' },
  market_halted: { number: 302, meaning: 'Pair is not tradable now' },
  coin_unknown: { number: 303, meaning: 'Coin is unknown' },
  contract_unknown: { number: 304, meaning: 'Contract is unknown' },
  market_suspended: { number: 310, meaning: 'Pair is suspended after a fault' },
  price_invalid: { number: 401, meaning: 'Price is invalid' },
  quantity_invalid: { number: 402, meaning: 'Quantity is invalid' },
  quantity_below_minimum: { number: 403, meaning: 'Quantity is below the minimum' },
  quantity_above_maximum: { number: 404, meaning: 'Quantity is above the maximum' },
  notional_below_minimum: { number: 405, meaning: 'Order value is below the minimum' },
  client_order_id_in_use: { number: 406, meaning: 'Client order id is already in use' },
  open_orders_exceeded: { number: 407, meaning: 'Too many open orders' },
  order_unknown: { number: 408, meaning: 'Order does not exist' },
  order_already_closed: { number: 409, meaning: 'Order is already finished' },
  price_above_ceiling: { number: 411, meaning: 'Price is above the ceiling of the pair' },
  price_below_floor: { number: 412, meaning: 'Price is below the floor of the pair' },
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
  checkpoint_unknown: { number: 611, meaning: 'Checkpoint does not exist' },
  checkpoints_exceeded: { number: 612, meaning: 'Too many checkpoints, or the venue is too large' },
  faults_exceeded: { number: 613, meaning: 'Too many fault rules' },
  fault_unknown: { number: 614, meaning: 'Fault rule does not exist' },
  clock_invalid: { number: 615, meaning: 'The clock cannot be set like this' },
  maintenance: { number: 616, meaning: 'The venue is under maintenance' },
  scenario_unknown: { number: 617, meaning: 'Scenario does not exist' },
  contract_halted: { number: 701, meaning: 'Contract is not tradable now' },
  contract_batch_too_large: { number: 702, meaning: 'Too many orders in one batch' },
  page_window_exceeded: { number: 703, meaning: 'No pages are served this far' },
  days_exceeded: { number: 704, meaning: 'History is kept for fewer days' },
  time_range_reversed: { number: 705, meaning: 'Start time is after end time' },
  trigger_direction_mismatch: {
    number: 706,
    meaning: 'Trigger order directions contradict each other',
  },
  contract_delisted: { number: 709, meaning: 'Contract is delisted' },
  contract_suspended: { number: 710, meaning: 'Contract is suspended after a fault' },
  price_above_band: { number: 711, meaning: 'Price is above the highest allowed' },
  price_below_band: { number: 712, meaning: 'Price is below the lowest allowed' },
  contract_client_id_in_use: {
    number: 713,
    meaning: 'Client order id is already in use in this contract',
  },
  contract_orders_exceeded: { number: 714, meaning: 'Too many open orders in this contract' },
  trigger_orders_exceeded: { number: 715, meaning: 'Too many trigger orders in this contract' },
  tp_sl_exceeded: { number: 716, meaning: 'Too many take-profit or stop-loss orders' },
  close_exceeds_position: { number: 721, meaning: 'Closing more than the position has available' },
  close_long_beyond_liquidation: {
    number: 722,
    meaning: 'Price to close the long is below its liquidation price',
  },
  close_short_beyond_liquidation: {
    number: 723,
    meaning: 'Price to close the short is above its liquidation price',
  },
  openable_exceeded: { number: 724, meaning: 'Larger than what can be opened at this leverage' },
  margin_insufficient: { number: 725, meaning: 'Insufficient contract account balance' },
  opens_into_liquidation: { number: 726, meaning: 'The position would be liquidated at once' },
  no_opposite_depth: {
    number: 727,
    meaning: 'Nothing on the other side of the book to trade with',
  },
  take_profit_below_order: {
    number: 731,
    meaning: 'Take-profit of a long must be above the order price',
  },
  take_profit_below_price: {
    number: 732,
    meaning: 'Take-profit of a long must be above the current price',
  },
  stop_loss_above_order: {
    number: 733,
    meaning: 'Stop-loss of a long must be below the order price',
  },
  stop_loss_above_price: {
    number: 734,
    meaning: 'Stop-loss of a long must be below the current price',
  },
  take_profit_above_order: {
    number: 735,
    meaning: 'Take-profit of a short must be below the order price',
  },
  take_profit_above_price: {
    number: 736,
    meaning: 'Take-profit of a short must be below the current price',
  },
  stop_loss_below_order: {
    number: 737,
    meaning: 'Stop-loss of a short must be above the order price',
  },
  stop_loss_below_price: {
    number: 738,
    meaning: 'Stop-loss of a short must be above the current price',
  },
  leverage_locked: {
    number: 741,
    meaning: 'Leverage cannot change while orders or trigger orders are open',
  },
  margin_mode_locked: {
    number: 742,
    meaning: 'Mode cannot change while there are positions, orders or trigger orders',
  },
  auto_margin_in_cross: { number: 743, meaning: 'No automatic margin in cross mode' },
  adjust_margin_in_cross: { number: 744, meaning: 'No margin adjustment in cross mode' },
  no_position_for_auto_margin: { number: 745, meaning: 'No position for automatic margin' },
  no_position_for_margin: { number: 746, meaning: 'No position to adjust the margin of' },
  margin_amount_invalid: { number: 747, meaning: 'Margin amount is invalid' },
  margin_removal_exceeded: { number: 748, meaning: 'More margin than may be taken out' },
  leverage_out_of_range: { number: 749, meaning: 'Leverage is not allowed' },
  order_state_wrong: { number: 750, meaning: 'Order state does not allow it' },
  index_source_unknown: { number: 751, meaning: 'The contract has no such index source' },
} as const satisfies Record<string, RejectRow>;

export type RejectKind = keyof typeof REJECTS;
