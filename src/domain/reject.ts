/**
 * Every refusal the venue can answer, by subject. A number is never reused; a retired row stays
 * with its number. How a refusal looks on the wire, and how it is worded there, is the business of
 * each API; docs/REJECTS.md shows both, and in which order checks run. A test compares it with
 * this table.
 */

export interface RejectRow<C extends string> {
  /**
   * Stable. 1xx door, 2xx shape, 3xx market, 4xx orders, 5xx money, 6xx operator, 7xx swap, 8xx
   * people.
   */
  readonly number: number;
  /** Its kind: an API gives each a status, and a code where it has one for all of it. */
  readonly class: C;
  /** For the admin console, and for an API that has no words of its own for it. */
  readonly meaning: string;
}

function classed<C extends string>(of: C): (number: number, meaning: string) => RejectRow<C> {
  return (number, meaning) => ({ number, class: of, meaning });
}

/** A part of the call is missing or cannot be read or used. */
const parameter = classed('parameter');
/** The call asks for more than one call may. */
const range = classed('range');
const credentials = classed('credentials');
const price = classed('price');
const quantity = classed('quantity');
const amount = classed('amount');
/** The prices of an order contradict its side. */
const direction = classed('direction');
/** The order is not there or no longer there to be changed. */
const order = classed('order');
const insufficient = classed('insufficient');
const pairClosed = classed('pair_closed');
const contractClosed = classed('contract_closed');
const unavailable = classed('unavailable');
const unknown = classed('unknown');
/** Something is there already, or has moved on. */
const conflict = classed('conflict');
const signedOut = classed('signed_out');
const forbidden = classed('forbidden');
/** Needs another operator. */
const role = classed('role');
/** None of these: what the state of account, market or venue does not allow. */
const unmet = classed('unmet');

export const REJECTS = {
  path_unknown: unknown(101, 'No such path'),
  method_not_allowed: parameter(102, 'The path does not take this method'),
  body_too_large: range(103, 'Request body is too large'),
  body_not_json: parameter(104, 'Request body must be JSON (application/json)'),
  rate_exceeded: unavailable(105, 'Too many requests'),
  venue_busy: unavailable(106, 'The venue is overloaded, try again shortly'),
  venue_halted: unavailable(107, 'The venue has halted; nothing was carried out'),
  internal_fault: unavailable(108, 'Internal error'),
  history_unavailable: unavailable(109, 'The history cannot be read now'),
  key_missing: parameter(110, 'The key is missing'),
  signature_missing: parameter(111, 'The signature is missing'),
  timestamp_missing: parameter(112, 'The timestamp is missing'),
  passphrase_missing: parameter(113, 'The passphrase is missing'),
  timestamp_malformed: parameter(114, 'The timestamp is not a valid number'),
  timestamp_expired: parameter(115, 'Request timestamp is over 30 s old or over 5 s ahead'),
  permission_missing: forbidden(119, 'The key lacks the permission for this call'),
  address_not_allowed: forbidden(120, 'Caller address is not on the list of the key'),
  admin_token_wrong: signedOut(121, 'The admin token is missing or wrong'),
  account_frozen: unmet(122, 'The account is frozen'),
  credentials_wrong: credentials(123, 'Key, passphrase or signature is wrong'),
  request_repeated: parameter(124, 'A strict key signs each request anew'),
  key_unknown: credentials(125, 'The key is unknown'),
  passphrase_wrong: credentials(126, 'The passphrase is wrong'),
  signature_wrong: credentials(127, 'The signature is wrong'),
  command_withheld: unavailable(130, 'This very call has ended the venue twice'),
  money_held: unmet(128, 'Money of the account is on hold: nothing can be paid in or out'),
  host_unknown: unmet(131, 'The venue is not served under this name'),
  content_type_wrong: parameter(132, 'The content type must be application/json'),
  outcome_unknown: unavailable(
    133,
    'The outcome is unknown: the request may have been carried out',
  ),
  parameter_invalid: parameter(201, 'Parameter failed validation'),
  client_id_invalid: parameter(202, 'Client id is too long or has forbidden characters'),
  batch_too_large: range(203, 'Too many items in one batch'),
  order_id_missing: parameter(204, 'Neither order id nor client order id was given'),
  parameter_missing: parameter(205, 'A required parameter is missing'),
  parameter_out_of_range: parameter(206, 'Parameter is out of its range'),
  parameters_conflict: parameter(207, 'These parameters do not go together'),
  side_invalid: parameter(208, 'Side is invalid'),
  order_type_invalid: parameter(209, 'Order type is invalid'),
  time_in_force_invalid: parameter(210, 'Time in force is invalid'),
  symbol_unknown: parameter(301, 'Pair is unknown'),
  market_halted: pairClosed(302, 'Pair is not tradable now'),
  coin_unknown: parameter(303, 'Coin is unknown'),
  contract_unknown: parameter(304, 'Contract is unknown'),
  market_suspended: pairClosed(310, 'Pair is suspended after a fault'),
  price_invalid: price(401, 'Price is invalid'),
  quantity_invalid: quantity(402, 'Quantity is invalid'),
  quantity_below_minimum: quantity(403, 'Quantity is below the minimum'),
  quantity_above_maximum: quantity(404, 'Quantity is above the maximum'),
  notional_below_minimum: quantity(405, 'Order value is below the minimum'),
  client_order_id_in_use: conflict(406, 'Client order id is already in use'),
  open_orders_exceeded: unmet(407, 'Too many open orders'),
  order_unknown: order(408, 'Order does not exist'),
  order_already_closed: order(409, 'Order is already finished'),
  price_above_ceiling: price(411, 'Price is above the ceiling of the pair'),
  price_below_floor: price(412, 'Price is below the floor of the pair'),
  precision_exceeded: parameter(413, 'More decimal places than allowed'),
  balance_insufficient: insufficient(501, 'Balance is insufficient'),
  amount_invalid: amount(502, 'Amount is invalid'),
  transfer_route_invalid: unmet(503, 'No transfer between these wallets'),
  transfer_not_allowed: unmet(504, 'The coin cannot be transferred'),
  account_unknown: unknown(601, 'Account does not exist'),
  account_name_in_use: conflict(602, 'Account name is already in use'),
  accounts_exceeded: unmet(603, 'Too many accounts'),
  key_in_use: conflict(604, 'Key is already in use'),
  keys_exceeded: unmet(605, 'Too many keys for one account'),
  key_not_found: unknown(606, 'Key does not exist'),
  listing_exists: conflict(607, 'Already listed'),
  listing_invalid: unmet(608, 'Listing is invalid'),
  settings_invalid: unmet(609, 'Settings are invalid'),
  listings_exceeded: unmet(610, 'Too many listings'),
  checkpoint_unknown: unknown(611, 'Checkpoint does not exist'),
  checkpoints_exceeded: unmet(612, 'Too many checkpoints, or the venue is too large'),
  faults_exceeded: unmet(613, 'Too many fault rules'),
  fault_unknown: unknown(614, 'Fault rule does not exist'),
  clock_invalid: unmet(615, 'The clock cannot be set like this'),
  maintenance: unavailable(616, 'The venue is under maintenance'),
  scenario_unknown: unknown(617, 'Scenario does not exist'),
  account_reserved: conflict(618, 'The account is kept for payments by request'),
  operator_request_repeated: conflict(619, 'This was carried out before'),
  operator_request_differs: conflict(620, 'Something else has this client id'),
  operator_requests_exceeded: conflict(621, 'Too many client ids within 30 days'),
  contract_halted: contractClosed(701, 'Contract is not tradable now'),
  contract_batch_too_large: range(702, 'Too many orders in one batch'),
  page_window_exceeded: range(703, 'No pages are served this far'),
  days_exceeded: parameter(704, 'History is kept for fewer days'),
  time_range_reversed: parameter(705, 'Start time is after end time'),
  trigger_direction_mismatch: direction(
    706,
    'Trigger order directions contradict each other, or the price is there already',
  ),
  contract_delisted: contractClosed(709, 'Contract is delisted'),
  contract_suspended: contractClosed(710, 'Contract is suspended after a fault'),
  price_above_band: price(711, 'Price is above the highest allowed'),
  price_below_band: price(712, 'Price is below the lowest allowed'),
  contract_client_id_in_use: conflict(713, 'Client order id is already in use in this contract'),
  contract_orders_exceeded: unmet(714, 'Too many open orders in this contract'),
  trigger_orders_exceeded: unmet(715, 'Too many trigger orders in this contract'),
  tp_sl_exceeded: unmet(716, 'Too many take-profit or stop-loss orders'),
  close_exceeds_position: quantity(721, 'Closing more than the position has available'),
  close_long_beyond_liquidation: unmet(
    722,
    'Price to close the long is below its liquidation price',
  ),
  close_short_beyond_liquidation: unmet(
    723,
    'Price to close the short is above its liquidation price',
  ),
  openable_exceeded: insufficient(724, 'Larger than what can be opened at this leverage'),
  margin_insufficient: insufficient(725, 'Insufficient contract account balance'),
  opens_into_liquidation: insufficient(726, 'The position would be liquidated at once'),
  no_opposite_depth: unmet(727, 'Nothing on the other side of the book to trade with'),
  in_liquidation: unmet(728, 'In liquidation: only cancels and money put in until it is done'),
  take_profit_below_order: direction(731, 'Take-profit of a long must be above the order price'),
  take_profit_below_price: direction(732, 'Take-profit of a long must be above the current price'),
  stop_loss_above_order: direction(733, 'Stop-loss of a long must be below the order price'),
  stop_loss_above_price: direction(734, 'Stop-loss of a long must be below the current price'),
  take_profit_above_order: direction(735, 'Take-profit of a short must be below the order price'),
  take_profit_above_price: direction(736, 'Take-profit of a short must be below the current price'),
  stop_loss_below_order: direction(737, 'Stop-loss of a short must be above the order price'),
  stop_loss_below_price: direction(738, 'Stop-loss of a short must be above the current price'),
  leverage_locked: unmet(741, 'Leverage cannot change while orders or trigger orders are open'),
  margin_mode_locked: unmet(
    742,
    'Mode cannot change while there are positions, orders or trigger orders',
  ),
  auto_margin_in_cross: unmet(743, 'No automatic margin in cross mode'),
  adjust_margin_in_cross: unmet(744, 'No margin adjustment in cross mode'),
  no_position_for_auto_margin: unmet(745, 'No position for automatic margin'),
  no_position_for_margin: unmet(746, 'No position to adjust the margin of'),
  margin_amount_invalid: amount(747, 'Margin amount is invalid'),
  margin_removal_exceeded: insufficient(748, 'More margin than may be taken out'),
  leverage_out_of_range: parameter(749, 'Leverage is not allowed'),
  order_state_wrong: order(750, 'Order state does not allow it'),
  index_source_unknown: unmet(751, 'The contract has no such index source'),
  sign_in_needed: signedOut(801, 'Sign in first'),
  sign_in_failed: signedOut(802, 'E-mail, password or code is wrong'),
  second_factor_needed: signedOut(803, 'The code of the second factor is needed'),
  confirmation_needed: forbidden(804, 'Confirm your password first'),
  origin_or_token_wrong: forbidden(805, 'The CSRF token or the origin is wrong'),
  sign_up_closed: forbidden(806, 'Sign-up is closed'),
  invitation_wrong: unmet(807, 'The invitation code is wrong, used up or expired'),
  link_wrong: unmet(808, 'The link is wrong, used or expired'),
  password_unfit: unmet(809, 'The password cannot be used'),
  people_unavailable: unavailable(810, 'People cannot sign in now; trading goes on'),
  person_unknown: unknown(811, 'Person does not exist'),
  session_unknown: unknown(812, 'Session does not exist'),
  people_exceeded: unmet(813, 'Too many of these'),
  second_factor_state_wrong: unmet(814, 'The state of the second factor does not allow it'),
  code_wrong: unmet(815, 'The code is wrong, used or expired'),
  email_in_use: conflict(816, 'The e-mail address is already in use'),
  operator_needed: role(821, 'Only an operator may do this'),
  operator_factor_needed: role(
    822,
    'An operator needs a second factor: set it up on the account page',
  ),
  role_insufficient: role(823, 'The role of this operator does not allow it'),
  approval_pending: conflict(824, 'Another operator has to approve it'),
  approval_unknown: unknown(825, 'Approval does not exist'),
  approval_state_wrong: conflict(826, 'The approval was decided or has expired'),
  approval_own: role(827, 'Nobody approves what they asked for or gain from'),
  reason_needed: unmet(828, 'A reason must be given'),
  payments_closed: unmet(831, 'Deposits or withdrawals of this coin are closed'),
  payment_unknown: unknown(832, 'Request does not exist'),
  payment_state_wrong: conflict(833, 'The state of the request does not allow it'),
  payment_limit_exceeded: unmet(834, 'More than may be withdrawn within 24 hours'),
  competition_unknown: unknown(861, 'Competition, round or entry does not exist'),
  competition_wrong: unmet(862, 'The competition does not allow it'),
  deletion_refused: conflict(817, 'The person cannot be deleted yet'),
  notice_unknown: unknown(841, 'Announcement or maintenance window does not exist'),
  windows_overlap: conflict(842, 'Maintenance windows may not overlap'),
  import_unknown: unknown(843, 'Import does not exist'),
  import_differs: conflict(844, 'An import of this reference has other lines'),
};

export type RejectKind = keyof typeof REJECTS;
export type RejectClass = (typeof REJECTS)[RejectKind]['class'];

export function isReject(word: string): word is RejectKind {
  return Object.hasOwn(REJECTS, word);
}
