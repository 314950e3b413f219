/**
 * How each refusal looks in an answer of the house: the code, the HTTP status and the words. The
 * number stays with the domain's table; docs/REJECTS.md shows both and a test compares them. Codes
 * are strings of digits that existing clients already map to an error class. What those clients
 * never call, as the operator's interface, answers with 60 and the number.
 */
import { REJECTS, type Refused, type RejectClass, type RejectKind } from '#domain';
import { detailText } from './english.ts';

interface WireReject {
  readonly code: string;
  readonly status: number;
}

const BAD_REQUEST = 400;

/** Where a class has no code, each of its refusals has 60 and its number. */
const CLASSES: Partial<Record<RejectClass, { readonly code?: string; readonly status: number }>> = {
  parameter: { code: '40017', status: BAD_REQUEST },
  credentials: { code: '40012', status: BAD_REQUEST },
  pair_closed: { code: '50004', status: BAD_REQUEST },
  contract_closed: { code: '40308', status: BAD_REQUEST },
  unavailable: { code: '40200', status: 503 },
  unknown: { status: 404 },
  conflict: { status: 409 },
  signed_out: { status: 401 },
  forbidden: { status: 403 },
  role: { status: 403 },
};

/** What clients know by a code that its class does not have: with 400 if nothing else is said. */
const CODES: Partial<Record<RejectKind, string | WireReject>> = {
  path_unknown: { code: '40404', status: 404 },
  method_not_allowed: { code: '405', status: 405 },
  body_too_large: { code: '40017', status: 413 },
  body_not_json: '40007',
  rate_exceeded: { code: '429', status: 429 },
  venue_busy: { code: '40604', status: 503 },
  internal_fault: { code: '40015', status: 500 },
  history_unavailable: { code: '40725', status: 503 },
  key_missing: '40001',
  signature_missing: '40002',
  timestamp_missing: '40003',
  passphrase_missing: '40011',
  timestamp_malformed: '40005',
  timestamp_expired: '40008',
  permission_missing: '40014',
  address_not_allowed: '40018',
  account_frozen: '40013',
  request_repeated: '40008',
  host_unknown: { code: '421', status: 421 },
  content_type_wrong: '40007',
  client_id_invalid: '40305',
  batch_too_large: '40912',
  order_id_missing: '40913',
  symbol_unknown: '50004',
  coin_unknown: '40034',
  contract_unknown: '40102',
  price_invalid: '40706',
  quantity_invalid: '40108',
  quantity_below_minimum: '50019',
  quantity_above_maximum: '43007',
  notional_below_minimum: '50014',
  client_order_id_in_use: '43118',
  open_orders_exceeded: '43005',
  order_unknown: '40109',
  order_already_closed: '43004',
  price_above_ceiling: '50018',
  price_below_floor: '50017',
  balance_insufficient: '50020',
  amount_invalid: '40020',
  transfer_route_invalid: '40020',
  transfer_not_allowed: '40301',
  contract_batch_too_large: '40306',
  page_window_exceeded: '40303',
  days_exceeded: '40705',
  time_range_reversed: '40707',
  trigger_direction_mismatch: '40407',
  contract_delisted: '40309',
  price_above_band: '40748',
  price_below_band: '40749',
  contract_client_id_in_use: '40500',
  contract_orders_exceeded: '40723',
  trigger_orders_exceeded: '40750',
  tp_sl_exceeded: '40751',
  close_exceeds_position: '40717',
  close_long_beyond_liquidation: '40718',
  close_short_beyond_liquidation: '40719',
  openable_exceeded: '40715',
  margin_insufficient: '40711',
  opens_into_liquidation: '40711',
  no_opposite_depth: '40720',
  in_liquidation: '40308',
  take_profit_below_order: '40735',
  take_profit_below_price: '40736',
  stop_loss_above_order: '40737',
  stop_loss_above_price: '40738',
  take_profit_above_order: '40739',
  take_profit_above_price: '40740',
  stop_loss_below_order: '40741',
  stop_loss_below_price: '40742',
  leverage_locked: '40730',
  margin_mode_locked: '40729',
  auto_margin_in_cross: '40726',
  adjust_margin_in_cross: '40727',
  no_position_for_auto_margin: '40709',
  no_position_for_margin: '40714',
  margin_amount_invalid: '40203',
  margin_removal_exceeded: '40713',
  leverage_out_of_range: '40020',
  order_state_wrong: '40400',
  people_unavailable: { code: '60810', status: 503 },
};

/** Of a key, a passphrase and a signature alike: no answer reveals which keys exist. */
const CREDENTIALS_WRONG = REJECTS.credentials_wrong.meaning;

/** Where what is shown is not the core's meaning. */
const TEXTS: Partial<Record<RejectKind, string>> = {
  key_unknown: CREDENTIALS_WRONG,
  passphrase_wrong: CREDENTIALS_WRONG,
  signature_wrong: CREDENTIALS_WRONG,
  content_type_wrong: REJECTS.body_not_json.meaning,
  parameter_missing: REJECTS.parameter_invalid.meaning,
};

export function houseReject(reject: RejectKind): WireReject {
  const known = CODES[reject];
  if (typeof known === 'object') return known;
  if (known !== undefined) return { code: known, status: BAD_REQUEST };
  const { class: of, number } = REJECTS[reject];
  return { code: `60${number}`, status: BAD_REQUEST, ...CLASSES[of] };
}

/** What a refusal means. */
export function houseMeaningOf(reject: RejectKind): string {
  return TEXTS[reject] ?? REJECTS[reject].meaning;
}

/** The text of a refusal: its meaning and what it was about. */
export function refusalText({ reject, detail }: Refused): string {
  const about = detailText(detail);
  return about === '' ? houseMeaningOf(reject) : `${houseMeaningOf(reject)}: ${about}`;
}
