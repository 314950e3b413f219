/**
 * How each refusal looks on the wire: an integer code that clients map to a class of errors, and
 * the text that belongs to it. The number stays with the domain's table; docs/REJECTS.md shows both
 * and a test compares them. Pairs and contracts have some codes of their own.
 */
import { REJECTS, type Refused, type RejectClass, type RejectKind } from '#domain';
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

/** What has no code of its own: the state of the account or of the market forbids it. */
function precondition(meaning: string, status = BAD_REQUEST): WireReject {
  return { code: -1054, status, text: `FAILED_PRECONDITION: ${meaning}` };
}

/** What cannot be served now: the answer is tried again. */
function unavailable(meaning: string): WireReject {
  return precondition(meaning, 503);
}

/** A parameter that is always the same one. */
function invalid(parameter: string, contract?: Worded): WireReject {
  return refused(-1142, `Parameter '${parameter}' is invalid.`, contract);
}

function validation(meaning: string): WireReject {
  return refused(-1140, `Parameter validation failed: ${meaning}`);
}

const NO_ORDER = { code: -3200, text: 'Order does not exist' };
const NO_POSITION = { code: -1054, text: 'FAILED_PRECONDITION: There is no position' };
const TOO_LARGE = { code: -3007, text: 'Maximum contract order quantity exceeded' };
const CLIENT_ID_IN_USE = refused(-1180, 'client_oid is already in use');

/** A class that is not here is a precondition. */
const CLASSES: Partial<Record<RejectClass, (meaning: string) => WireReject>> = {
  range: validation,
  // Alike: a stranger does not learn which keys exist.
  credentials: () => refused(-1047, 'API authentication failed'),
  price: () => invalid('price'),
  quantity: () => invalid('quantity'),
  amount: () => invalid('amount'),
  // Beside the price that it does not fit the text says which rule it breaks.
  direction: (meaning) => refused(-1128, `Combination of optional parameters invalid: ${meaning}`),
  order: () => refused(-2200, NO_ORDER.text, NO_ORDER),
  insufficient: () => precondition('available amount not enough.'),
  pair_closed: () => refused(-1058, 'No permission for this trading pair'),
  contract_closed: () => refused(-3235, 'No permission for this trading pair'),
  unavailable,
  // Of sessions, with which the terminal calls this interface, too.
  signed_out: (meaning) => precondition(meaning, 401),
  forbidden: (meaning) => precondition(meaning, 403),
};

/** What differs from the rest of its class. */
const OWN: Partial<Record<RejectKind, WireReject>> = {
  path_unknown: { code: 404, status: 404, text: 'Not Found' },
  method_not_allowed: worded(-1150, 'Request method not supported', (detail) => {
    const [method = '', ...others] = detail.split(', ');
    return [`Request method '${method}' not supported`, ...others].join(', ');
  }),
  body_too_large: { ...validation(REJECTS.body_too_large.meaning), status: 413 },
  body_not_json: refused(-1135, 'Invalid JSON request'),
  content_type_wrong: refused(-1045, 'Invalid Content-Type, please use application/json'),
  rate_exceeded: { code: -1003, status: 429, text: 'Too many requests' },
  venue_busy: unavailable('The venue is overloaded'),
  venue_halted: unavailable('The venue has halted'),
  internal_fault: { code: -1000, status: 500, text: 'An unknown error occurred' },
  history_unavailable: unavailable('The history is unavailable'),
  host_unknown: precondition(REJECTS.host_unknown.meaning, 421),

  key_missing: refused(-1040, 'ACCESS_KEY header is required'),
  signature_missing: refused(-1041, 'ACCESS_SIGN header is required'),
  timestamp_missing: refused(-1042, 'ACCESS_TIMESTAMP header is required'),
  passphrase_missing: refused(-1049, 'API key or passphrase incorrect'),
  timestamp_malformed: refused(-1043, 'Invalid ACCESS_TIMESTAMP'),
  timestamp_expired: refused(-1046, 'Request timestamp expired'),
  request_repeated: refused(-1046, 'Request timestamp expired: a strict key signs each call anew'),
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
  client_order_id_in_use: CLIENT_ID_IN_USE,
  contract_client_id_in_use: CLIENT_ID_IN_USE,
  precision_exceeded: refused(-1160, 'Decimal precision error'),
  days_exceeded: worded(
    -1170,
    'Time range cannot exceed so many days',
    (days) => `Time range cannot exceed ${days} days`,
  ),
  time_range_reversed: refused(-1171, 'startTime cannot be greater than endTime'),

  symbol_unknown: refused(-2007, 'Symbol does not exist'),
  contract_unknown: refused(-1121, 'Invalid symbol'),
  coin_unknown: invalid('coinId'),
  quantity_above_maximum: invalid('quantity', TOO_LARGE),
  leverage_out_of_range: refused(-3313, 'Leverage exceeds maximum limit'),
  close_exceeds_position: refused(TOO_LARGE.code, TOO_LARGE.text),
};

export function currentReject(reject: RejectKind): WireReject {
  const { class: of, meaning } = REJECTS[reject];
  return OWN[reject] ?? (CLASSES[of] ?? precondition)(meaning);
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
    return currentReject('precision_exceeded');
  }
  if (reject === 'openable_exceeded' && detail.is === 'tier') return TOO_LARGE;
  if (reject === 'close_exceeds_position' && detail.is === 'obstacle') return NO_POSITION;
  const row = currentReject(reject);
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
