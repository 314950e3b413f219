/**
 * How each refusal looks on the wire: the code clients match on, the HTTP status and the words. The
 * number stays with the domain's table; docs/REJECTS.md shows both and a test compares them.
 * Codes are strings of digits that existing clients already map to an error class. Refusals of the
 * operator's interface, which those clients never call, have 60 and their number as code.
 */
import { REJECTS, type Refused, type RejectKind } from '#domain';
import { detailText } from '../english.ts';
import { symbolName } from './symbols.ts';

export interface WireReject {
  readonly code: string;
  readonly status: number;
  /** Its wording where the core's meaning has other words than clients know. */
  readonly text?: string;
}

/** Of a key, a passphrase and a signature alike: no answer reveals which keys exist. */
const CREDENTIALS_WRONG = REJECTS.credentials_wrong.meaning;

export const WIRE_REJECTS: Record<RejectKind, WireReject> = {
  path_unknown: { code: '40404', status: 404 },
  method_not_allowed: { code: '405', status: 405 },
  body_too_large: { code: '40017', status: 413 },
  body_not_json: { code: '40007', status: 400 },
  rate_exceeded: { code: '429', status: 429 },
  venue_busy: { code: '40604', status: 503 },
  venue_halted: { code: '40200', status: 503 },
  outcome_unknown: { code: '40200', status: 503 },
  internal_fault: { code: '40015', status: 500 },
  history_unavailable: { code: '40725', status: 503 },
  key_missing: { code: '40001', status: 400, text: 'Header ACCESS-KEY is missing' },
  signature_missing: { code: '40002', status: 400, text: 'Header ACCESS-SIGN is missing' },
  timestamp_missing: { code: '40003', status: 400, text: 'Header ACCESS-TIMESTAMP is missing' },
  passphrase_missing: { code: '40011', status: 400, text: 'Header ACCESS-PASSPHRASE is missing' },
  timestamp_malformed: {
    code: '40005',
    status: 400,
    text: 'ACCESS-TIMESTAMP is not a valid number',
  },
  timestamp_expired: { code: '40008', status: 400 },
  permission_missing: { code: '40014', status: 400 },
  address_not_allowed: { code: '40018', status: 400 },
  admin_token_wrong: { code: '60121', status: 401 },
  account_frozen: { code: '40013', status: 400 },
  credentials_wrong: { code: '40012', status: 400 },
  request_repeated: { code: '40008', status: 400 },
  key_unknown: { code: '40012', status: 400, text: CREDENTIALS_WRONG },
  passphrase_wrong: { code: '40012', status: 400, text: CREDENTIALS_WRONG },
  signature_wrong: { code: '40012', status: 400, text: CREDENTIALS_WRONG },
  command_withheld: { code: '40200', status: 503 },
  host_unknown: { code: '421', status: 421 },
  content_type_wrong: { code: '40007', status: 400, text: REJECTS.body_not_json.meaning },
  parameter_invalid: { code: '40017', status: 400 },
  client_id_invalid: { code: '40305', status: 400 },
  batch_too_large: { code: '40912', status: 400 },
  order_id_missing: { code: '40913', status: 400 },
  parameter_missing: { code: '40017', status: 400, text: REJECTS.parameter_invalid.meaning },
  parameter_out_of_range: { code: '40017', status: 400 },
  parameters_conflict: { code: '40017', status: 400 },
  side_invalid: { code: '40017', status: 400 },
  order_type_invalid: { code: '40017', status: 400 },
  time_in_force_invalid: { code: '40017', status: 400 },
  symbol_unknown: { code: '50004', status: 400 },
  market_halted: { code: '50004', status: 400 },
  coin_unknown: { code: '40034', status: 400 },
  market_suspended: { code: '50004', status: 400 },
  contract_unknown: { code: '40102', status: 400 },
  price_invalid: { code: '40706', status: 400 },
  quantity_invalid: { code: '40108', status: 400 },
  quantity_below_minimum: { code: '50019', status: 400 },
  quantity_above_maximum: { code: '43007', status: 400 },
  notional_below_minimum: { code: '50014', status: 400 },
  client_order_id_in_use: { code: '43118', status: 400 },
  open_orders_exceeded: { code: '43005', status: 400 },
  order_unknown: { code: '40109', status: 400 },
  order_already_closed: { code: '43004', status: 400 },
  price_above_ceiling: { code: '50018', status: 400 },
  price_below_floor: { code: '50017', status: 400 },
  precision_exceeded: { code: '40017', status: 400 },
  balance_insufficient: { code: '50020', status: 400 },
  amount_invalid: { code: '40020', status: 400 },
  transfer_route_invalid: { code: '40020', status: 400 },
  transfer_not_allowed: { code: '40301', status: 400 },
  account_unknown: { code: '60601', status: 404 },
  account_name_in_use: { code: '60602', status: 409 },
  accounts_exceeded: { code: '60603', status: 400 },
  key_in_use: { code: '60604', status: 409 },
  keys_exceeded: { code: '60605', status: 400 },
  key_not_found: { code: '60606', status: 404 },
  listing_exists: { code: '60607', status: 409 },
  listing_invalid: { code: '60608', status: 400 },
  settings_invalid: { code: '60609', status: 400 },
  listings_exceeded: { code: '60610', status: 400 },
  checkpoint_unknown: { code: '60611', status: 404 },
  checkpoints_exceeded: { code: '60612', status: 400 },
  faults_exceeded: { code: '60613', status: 400 },
  fault_unknown: { code: '60614', status: 404 },
  clock_invalid: { code: '60615', status: 400 },
  maintenance: { code: '40200', status: 503 },
  scenario_unknown: { code: '60617', status: 404 },
  contract_halted: { code: '40308', status: 400 },
  contract_suspended: { code: '40308', status: 400 },
  contract_delisted: { code: '40309', status: 400 },
  contract_batch_too_large: { code: '40306', status: 400 },
  page_window_exceeded: { code: '40303', status: 400 },
  days_exceeded: { code: '40705', status: 400 },
  time_range_reversed: { code: '40707', status: 400 },
  trigger_direction_mismatch: {
    code: '40407',
    status: 400,
    text: 'Plan order directions contradict each other, or the price is there already',
  },
  price_above_band: { code: '40748', status: 400 },
  price_below_band: { code: '40749', status: 400 },
  contract_client_id_in_use: { code: '40500', status: 400, text: 'client_oid is already in use' },
  contract_orders_exceeded: { code: '40723', status: 400 },
  trigger_orders_exceeded: {
    code: '40750',
    status: 400,
    text: 'Too many plan orders in this contract',
  },
  tp_sl_exceeded: { code: '40751', status: 400 },
  close_exceeds_position: { code: '40717', status: 400 },
  close_long_beyond_liquidation: { code: '40718', status: 400 },
  close_short_beyond_liquidation: { code: '40719', status: 400 },
  openable_exceeded: { code: '40715', status: 400 },
  margin_insufficient: { code: '40711', status: 400 },
  opens_into_liquidation: { code: '40711', status: 400 },
  no_opposite_depth: { code: '40720', status: 400 },
  take_profit_below_order: { code: '40735', status: 400 },
  take_profit_below_price: { code: '40736', status: 400 },
  stop_loss_above_order: { code: '40737', status: 400 },
  stop_loss_above_price: { code: '40738', status: 400 },
  take_profit_above_order: { code: '40739', status: 400 },
  take_profit_above_price: { code: '40740', status: 400 },
  stop_loss_below_order: { code: '40741', status: 400 },
  stop_loss_below_price: { code: '40742', status: 400 },
  leverage_locked: {
    code: '40730',
    status: 400,
    text: 'Leverage cannot change while orders or plan orders are open',
  },
  margin_mode_locked: {
    code: '40729',
    status: 400,
    text: 'Mode cannot change while there are positions, orders or plan orders',
  },
  auto_margin_in_cross: {
    code: '40726',
    status: 400,
    text: 'No automatic margin in full-position mode',
  },
  adjust_margin_in_cross: {
    code: '40727',
    status: 400,
    text: 'No margin adjustment in full-position mode',
  },
  no_position_for_auto_margin: { code: '40709', status: 400 },
  no_position_for_margin: { code: '40714', status: 400 },
  margin_amount_invalid: { code: '40203', status: 400 },
  margin_removal_exceeded: { code: '40713', status: 400 },
  leverage_out_of_range: { code: '40020', status: 400 },
  order_state_wrong: { code: '40400', status: 400 },
  index_source_unknown: { code: '60751', status: 400 },
  sign_in_needed: { code: '60801', status: 401 },
  sign_in_failed: { code: '60802', status: 401 },
  second_factor_needed: { code: '60803', status: 401 },
  confirmation_needed: { code: '60804', status: 403 },
  origin_or_token_wrong: { code: '60805', status: 403 },
  sign_up_closed: { code: '60806', status: 403 },
  invitation_wrong: { code: '60807', status: 400 },
  link_wrong: { code: '60808', status: 400 },
  password_unfit: { code: '60809', status: 400 },
  people_unavailable: { code: '60810', status: 503 },
  person_unknown: { code: '60811', status: 404 },
  session_unknown: { code: '60812', status: 404 },
  people_exceeded: { code: '60813', status: 400 },
  second_factor_state_wrong: { code: '60814', status: 400 },
  code_wrong: { code: '60815', status: 400 },
  email_in_use: { code: '60816', status: 409 },
  competition_unknown: { code: '60861', status: 404 },
  competition_wrong: { code: '60862', status: 400 },
  payments_closed: { code: '60831', status: 400 },
  payment_unknown: { code: '60832', status: 404 },
  payment_state_wrong: { code: '60833', status: 409 },
  payment_limit_exceeded: { code: '60834', status: 400 },
  notice_unknown: { code: '60841', status: 404 },
  windows_overlap: { code: '60842', status: 409 },
  import_unknown: { code: '60843', status: 404 },
  import_differs: { code: '60844', status: 409 },
};

/** What a refusal means, in the words of this wire. */
export function meaningOf(reject: RejectKind): string {
  return WIRE_REJECTS[reject].text ?? REJECTS[reject].meaning;
}

/** The text of a refusal: its meaning and what it was about. */
export function rejectText({ reject, detail }: Refused): string {
  const about = detailText(detail, symbolName);
  return about === '' ? meaningOf(reject) : `${meaningOf(reject)}: ${about}`;
}
