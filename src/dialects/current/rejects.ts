/**
 * How each refusal looks on the wire: an integer code that clients map to a class of errors, and
 * the text that belongs to it. The number stays with the domain's table; docs/REJECTS.md shows both
 * and a test compares them. Pairs and contracts have some codes of their own.
 */
import { REJECTS, type Refused, type RejectKind } from '#domain';
import { detailText } from '../kit/english.ts';
import { marketName } from './symbols.ts';

export type Product = 'spot' | 'contract';

interface Worded {
  readonly code: number;
  readonly text: string;
  /** The whole text, where what it is about is a part of it and does not follow after a colon. */
  readonly word?: (about: string) => string;
}

export interface WireReject extends Worded {
  readonly status: number;
  /** Its code and text for contracts, where those differ. */
  readonly contract?: Worded;
}

const BAD_REQUEST = 400;

function refused(code: number, text: string, contract?: Worded): WireReject {
  const row = { code, status: BAD_REQUEST, text };
  return contract === undefined ? row : { ...row, contract };
}

function worded(code: number, text: string, word: (detail: string) => string): WireReject {
  return { code, status: BAD_REQUEST, text, word };
}

/** What cannot be served now: the answer is tried again. */
function unavailable(status: number, code: number, text: string): WireReject {
  return { code, status, text };
}

/** What has no code of its own: the state of the account or of the market forbids it. */
function precondition(reject: RejectKind): WireReject {
  return refused(-1054, `FAILED_PRECONDITION: ${REJECTS[reject].meaning}`);
}

const NOT_ENOUGH = refused(-1054, 'FAILED_PRECONDITION: available amount not enough.');

/** A parameter that is always the same one. */
function invalid(parameter: string, contract?: Worded): WireReject {
  return refused(-1142, `Parameter '${parameter}' is invalid.`, contract);
}

function validation(reject: RejectKind): WireReject {
  return refused(-1140, `Parameter validation failed: ${REJECTS[reject].meaning}`);
}

/** Beside the price that it does not fit the text says which rule it breaks. */
function conflict(reject: RejectKind): WireReject {
  return refused(-1128, `Combination of optional parameters invalid: ${REJECTS[reject].meaning}`);
}

const MARKET_CLOSED = refused(-1058, 'No permission for this trading pair');
const CONTRACT_CLOSED = refused(-3235, 'No permission for this trading pair');
const NO_ORDER = refused(-2200, 'Order does not exist', {
  code: -3200,
  text: 'Order does not exist',
});
const NO_POSITION = { code: -1054, text: 'FAILED_PRECONDITION: There is no position' };
const TOO_LARGE = { code: -3007, text: 'Maximum contract order quantity exceeded' };

export const CURRENT_REJECTS: Record<RejectKind, WireReject> = {
  path_unknown: { code: 404, status: 404, text: 'Not Found' },
  method_not_allowed: worded(-1150, 'Request method not supported', (detail) => {
    const [method = '', ...others] = detail.split(', ');
    return [`Request method '${method}' not supported`, ...others].join(', ');
  }),
  body_too_large: { ...validation('body_too_large'), status: 413 },
  body_not_json: refused(-1135, 'Invalid JSON request'),
  content_type_wrong: refused(-1045, 'Invalid Content-Type, please use application/json'),
  rate_exceeded: unavailable(429, -1003, 'Too many requests'),
  venue_busy: unavailable(503, -1054, 'FAILED_PRECONDITION: The venue is overloaded'),
  venue_halted: unavailable(503, -1054, 'FAILED_PRECONDITION: The venue has halted'),
  outcome_unknown: unavailable(
    503,
    -1054,
    `FAILED_PRECONDITION: ${REJECTS.outcome_unknown.meaning}`,
  ),
  internal_fault: unavailable(500, -1000, 'An unknown error occurred'),
  history_unavailable: unavailable(503, -1054, 'FAILED_PRECONDITION: The history is unavailable'),
  command_withheld: unavailable(
    503,
    -1054,
    `FAILED_PRECONDITION: ${REJECTS.command_withheld.meaning}`,
  ),
  maintenance: unavailable(503, -1054, 'FAILED_PRECONDITION: The venue is under maintenance'),
  host_unknown: { ...precondition('host_unknown'), status: 421 },

  key_missing: refused(-1040, 'ACCESS_KEY header is required'),
  signature_missing: refused(-1041, 'ACCESS_SIGN header is required'),
  timestamp_missing: refused(-1042, 'ACCESS_TIMESTAMP header is required'),
  passphrase_missing: refused(-1049, 'API key or passphrase incorrect'),
  timestamp_malformed: refused(-1043, 'Invalid ACCESS_TIMESTAMP'),
  timestamp_expired: refused(-1046, 'Request timestamp expired'),
  request_repeated: refused(-1046, 'Request timestamp expired: a strict key signs each call anew'),
  // Alike: a stranger does not learn which keys exist.
  key_unknown: refused(-1047, 'API authentication failed'),
  passphrase_wrong: refused(-1047, 'API authentication failed'),
  signature_wrong: refused(-1047, 'API authentication failed'),
  credentials_wrong: refused(-1047, 'API authentication failed'),
  address_not_allowed: refused(-1056, 'Invalid IP address'),
  account_frozen: refused(-1050, 'User status is abnormal'),
  money_held: refused(-1050, 'User status is abnormal: money of the account is on hold'),
  permission_missing: refused(-1052, 'Insufficient permissions for this action'),
  admin_token_wrong: refused(-1052, 'Insufficient permissions for this action'),

  parameter_missing: worded(-1141, 'Parameter cannot be empty.', cannotBeEmpty),
  order_id_missing: worded(-1141, 'Parameter cannot be empty.', () => cannotBeEmpty('orderId')),
  parameter_invalid: worded(-1142, 'Parameter is invalid.', isInvalid),
  parameter_out_of_range: worded(
    -1140,
    'Parameter validation failed',
    (detail) => `Parameter validation failed: ${detail}`,
  ),
  parameters_conflict: refused(-1128, 'Combination of optional parameters invalid'),
  side_invalid: refused(-1117, 'Invalid side'),
  order_type_invalid: refused(-1116, 'Invalid order type'),
  time_in_force_invalid: refused(-1115, 'Invalid timeInForce'),
  client_id_invalid: refused(-1180, 'Invalid client id'),
  client_order_id_in_use: refused(-1180, 'client_oid is already in use'),
  contract_client_id_in_use: refused(-1180, 'client_oid is already in use'),
  precision_exceeded: refused(-1160, 'Decimal precision error'),
  batch_too_large: validation('batch_too_large'),
  contract_batch_too_large: validation('contract_batch_too_large'),
  page_window_exceeded: validation('page_window_exceeded'),
  days_exceeded: worded(
    -1170,
    'Time range cannot exceed so many days',
    (days) => `Time range cannot exceed ${days} days`,
  ),
  time_range_reversed: refused(-1171, 'startTime cannot be greater than endTime'),

  symbol_unknown: refused(-2007, 'Symbol does not exist'),
  contract_unknown: refused(-1121, 'Invalid symbol'),
  coin_unknown: invalid('coinId'),
  market_halted: MARKET_CLOSED,
  market_suspended: MARKET_CLOSED,
  contract_halted: CONTRACT_CLOSED,
  contract_suspended: CONTRACT_CLOSED,
  contract_delisted: CONTRACT_CLOSED,

  price_invalid: invalid('price'),
  price_above_ceiling: invalid('price'),
  price_below_floor: invalid('price'),
  price_above_band: invalid('price'),
  price_below_band: invalid('price'),
  quantity_invalid: invalid('quantity'),
  quantity_below_minimum: invalid('quantity'),
  quantity_above_maximum: invalid('quantity', TOO_LARGE),
  notional_below_minimum: invalid('quantity'),
  amount_invalid: invalid('amount'),
  margin_amount_invalid: invalid('amount'),
  leverage_out_of_range: refused(-3313, 'Leverage exceeds maximum limit'),

  order_unknown: NO_ORDER,
  order_already_closed: NO_ORDER,
  order_state_wrong: NO_ORDER,
  close_exceeds_position: refused(TOO_LARGE.code, TOO_LARGE.text),
  balance_insufficient: NOT_ENOUGH,
  margin_insufficient: NOT_ENOUGH,
  opens_into_liquidation: NOT_ENOUGH,
  margin_removal_exceeded: NOT_ENOUGH,
  openable_exceeded: NOT_ENOUGH,
  trigger_direction_mismatch: conflict('trigger_direction_mismatch'),
  take_profit_below_order: conflict('take_profit_below_order'),
  take_profit_below_price: conflict('take_profit_below_price'),
  stop_loss_above_order: conflict('stop_loss_above_order'),
  stop_loss_above_price: conflict('stop_loss_above_price'),
  take_profit_above_order: conflict('take_profit_above_order'),
  take_profit_above_price: conflict('take_profit_above_price'),
  stop_loss_below_order: conflict('stop_loss_below_order'),
  stop_loss_below_price: conflict('stop_loss_below_price'),

  open_orders_exceeded: precondition('open_orders_exceeded'),
  contract_orders_exceeded: precondition('contract_orders_exceeded'),
  trigger_orders_exceeded: precondition('trigger_orders_exceeded'),
  tp_sl_exceeded: precondition('tp_sl_exceeded'),
  no_opposite_depth: precondition('no_opposite_depth'),
  close_long_beyond_liquidation: precondition('close_long_beyond_liquidation'),
  close_short_beyond_liquidation: precondition('close_short_beyond_liquidation'),
  leverage_locked: precondition('leverage_locked'),
  in_liquidation: precondition('in_liquidation'),
  margin_mode_locked: precondition('margin_mode_locked'),
  auto_margin_in_cross: precondition('auto_margin_in_cross'),
  adjust_margin_in_cross: precondition('adjust_margin_in_cross'),
  no_position_for_auto_margin: precondition('no_position_for_auto_margin'),
  no_position_for_margin: precondition('no_position_for_margin'),
  transfer_route_invalid: precondition('transfer_route_invalid'),
  transfer_not_allowed: precondition('transfer_not_allowed'),

  // Of the operator's calls, which this interface does not have.
  account_unknown: precondition('account_unknown'),
  account_name_in_use: precondition('account_name_in_use'),
  accounts_exceeded: precondition('accounts_exceeded'),
  key_in_use: precondition('key_in_use'),
  keys_exceeded: precondition('keys_exceeded'),
  key_not_found: precondition('key_not_found'),
  listing_exists: precondition('listing_exists'),
  listing_invalid: precondition('listing_invalid'),
  settings_invalid: precondition('settings_invalid'),
  listings_exceeded: precondition('listings_exceeded'),
  checkpoint_unknown: precondition('checkpoint_unknown'),
  checkpoints_exceeded: precondition('checkpoints_exceeded'),
  faults_exceeded: precondition('faults_exceeded'),
  fault_unknown: precondition('fault_unknown'),
  clock_invalid: precondition('clock_invalid'),
  scenario_unknown: precondition('scenario_unknown'),
  account_reserved: precondition('account_reserved'),
  operator_request_repeated: precondition('operator_request_repeated'),
  operator_request_differs: precondition('operator_request_differs'),
  operator_requests_exceeded: precondition('operator_requests_exceeded'),
  index_source_unknown: precondition('index_source_unknown'),

  // Of sessions, with which the terminal calls this interface, too.
  sign_in_needed: { ...precondition('sign_in_needed'), status: 401 },
  sign_in_failed: { ...precondition('sign_in_failed'), status: 401 },
  second_factor_needed: { ...precondition('second_factor_needed'), status: 401 },
  confirmation_needed: { ...precondition('confirmation_needed'), status: 403 },
  origin_or_token_wrong: { ...precondition('origin_or_token_wrong'), status: 403 },
  sign_up_closed: { ...precondition('sign_up_closed'), status: 403 },
  invitation_wrong: precondition('invitation_wrong'),
  link_wrong: precondition('link_wrong'),
  password_unfit: precondition('password_unfit'),
  people_unavailable: unavailable(
    503,
    -1054,
    `FAILED_PRECONDITION: ${REJECTS.people_unavailable.meaning}`,
  ),
  person_unknown: precondition('person_unknown'),
  session_unknown: precondition('session_unknown'),
  people_exceeded: precondition('people_exceeded'),
  second_factor_state_wrong: precondition('second_factor_state_wrong'),
  code_wrong: precondition('code_wrong'),
  email_in_use: precondition('email_in_use'),
  operator_needed: precondition('operator_needed'),
  operator_factor_needed: precondition('operator_factor_needed'),
  role_insufficient: precondition('role_insufficient'),
  approval_pending: precondition('approval_pending'),
  approval_unknown: precondition('approval_unknown'),
  approval_state_wrong: precondition('approval_state_wrong'),
  approval_own: precondition('approval_own'),
  reason_needed: precondition('reason_needed'),
  payments_closed: precondition('payments_closed'),
  payment_unknown: precondition('payment_unknown'),
  payment_state_wrong: precondition('payment_state_wrong'),
  payment_limit_exceeded: precondition('payment_limit_exceeded'),
  competition_unknown: precondition('competition_unknown'),
  competition_wrong: precondition('competition_wrong'),
  deletion_refused: precondition('deletion_refused'),
  notice_unknown: precondition('notice_unknown'),
  windows_overlap: precondition('windows_overlap'),
  import_unknown: precondition('import_unknown'),
  import_differs: precondition('import_differs'),
};

export function statusOf(reject: RejectKind): number {
  return CURRENT_REJECTS[reject].status;
}

export function codeOf(refused: Refused, product: Product): number {
  return wordedFor(refused, product).code;
}

/** The text of a refusal: what it means and the value it was about. */
export function rejectText(refused: Refused, product: Product): string {
  const { text, word } = wordedFor(refused, product);
  const { detail } = refused;
  const about = detail.is === 'missing' ? detail.parameter : detailText(detail, marketName);
  if (word !== undefined) return word(about);
  if (about === '') return text;
  return `${text}${text.endsWith('.') ? '' : ':'} ${about}`;
}

function wordedFor({ reject, detail }: Refused, product: Product): Worded {
  // A price between two steps is one of too many decimals, and a tier a bound of quantities.
  if (detail.is === 'figure' && detail.role === 'price_step') {
    return CURRENT_REJECTS.precision_exceeded;
  }
  if (reject === 'openable_exceeded' && detail.is === 'tier') return TOO_LARGE;
  if (reject === 'close_exceeds_position' && detail.is === 'obstacle') return NO_POSITION;
  const row = CURRENT_REJECTS[reject];
  return product === 'contract' ? (row.contract ?? row) : row;
}

function cannotBeEmpty(name: string): string {
  return `Parameter '${name}' cannot be empty.`;
}

/** A detail of a reader begins with the name of its parameter. */
function isInvalid(detail: string): string {
  const [name] = /^[A-Za-z]\w*(?= )/.exec(detail) ?? [];
  return name === undefined
    ? `Parameter is invalid. ${detail}`
    : `Parameter '${name}' is invalid. ${detail}`;
}
