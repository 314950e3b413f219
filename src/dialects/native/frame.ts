/**
 * How the house's own API answers: the data of a success is the whole body; a refusal is one object
 * with what failed, in words and in figures, and what to do about it.
 */
import type { Frame, RefusalForm } from '#api';
import {
  type Detail,
  type Figure,
  REJECTS,
  type Refused,
  type RejectClass,
  type RejectKind,
} from '#domain';
import { formatTrimmed } from '#kernel';
import { detailText } from '../kit/english.ts';

/** What a class of refusals is to an HTTP client, and what the caller can do. */
interface Form {
  readonly status: number;
  readonly hint: string;
}

const REREAD = 'Correct the request: /docs has every field with its bounds.';
const SIGN = 'Sign with a key that is live: /docs says which text is signed and how.';
const LATER = 'Try again after the seconds in Retry-After.';
const LOOK = 'Read the market and the account again, and ask for what they allow.';

const CLASSES: Readonly<Record<RejectClass, Form>> = {
  parameter: { status: 400, hint: REREAD },
  range: { status: 400, hint: 'Ask for less in one call: the bound is in the message.' },
  credentials: { status: 401, hint: SIGN },
  signed_out: { status: 401, hint: SIGN },
  forbidden: { status: 403, hint: 'Use a key with this permission, from an address on its list.' },
  role: { status: 403, hint: 'Have an operator with the role do it.' },
  unknown: { status: 404, hint: 'Check the name or id; what has ended is found in the lists.' },
  order: { status: 409, hint: 'Read the order: it has ended, or it is not one of this account.' },
  conflict: { status: 409, hint: 'Read what is there, or choose another id.' },
  price: { status: 422, hint: LOOK },
  quantity: { status: 422, hint: LOOK },
  amount: { status: 422, hint: LOOK },
  direction: { status: 422, hint: 'Place the trigger on the other side of the price.' },
  insufficient: { status: 422, hint: 'Ask for less, add funds, or cancel what reserves them.' },
  pair_closed: { status: 422, hint: 'Wait until the market trades: its status is in /v1/markets.' },
  contract_closed: {
    status: 422,
    hint: 'Wait until the market trades: its status is in /v1/markets.',
  },
  unmet: { status: 422, hint: LOOK },
  unavailable: { status: 503, hint: LATER },
};

const KINDS: Partial<Record<RejectKind, Partial<Form>>> = {
  method_not_allowed: { status: 405 },
  body_too_large: { status: 413 },
  host_unknown: { status: 421, hint: 'Use a name of the venue in Host.' },
  rate_exceeded: { status: 429 },
  internal_fault: { status: 500, hint: 'Tell the operator the X-Request-Id of this answer.' },
  order_unknown: { status: 404 },
  outcome_unknown: { hint: 'Read the order by its client id before asking again.' },
  symbol_unknown: { status: 404, hint: 'Use a symbol of /v1/markets, as in BTC-USDT.' },
  coin_unknown: { status: 404, hint: 'Use a coin of /v1/coins, as in USDT.' },
  contract_unknown: { status: 404, hint: 'Use a symbol of /v1/markets, as in BTC-USDT-PERP.' },
  timestamp_expired: { hint: 'Set the clock by /v1/time, or sign with its time.' },
};

/** Of a key, a passphrase and a signature alike: no answer reveals which keys exist. */
const CREDENTIALS: ReadonlySet<RejectKind> = new Set([
  'key_unknown',
  'signature_wrong',
  'passphrase_wrong',
]);

export const FRAME: Frame = { around: () => ['', ''], refusal };

/** The one error that every refusal is, whole calls' and single rows' alike. */
export interface Failure {
  readonly kind: string;
  readonly message: string;
  readonly figures: Readonly<Record<string, string>>;
  readonly hint: string;
}

function refusal(refused: Refused): RefusalForm {
  const { status, error } = formOf(refused);
  return { status, body: JSON.stringify({ error }) };
}

/** As a call that is refused for it would say. */
export function failureOf(refused: Refused): Failure {
  return formOf(refused).error;
}

function formOf(refused: Refused): { readonly status: number; readonly error: Failure } {
  const reject = CREDENTIALS.has(refused.reject) ? 'credentials_wrong' : refused.reject;
  const { class: of, meaning } = REJECTS[reject];
  const { status, hint } = { ...CLASSES[of], ...KINDS[reject] };
  const about = detailText(refused.detail);
  const message = about === '' ? meaning : `${meaning}: ${about}`;
  const error = { kind: reject, message, figures: figuresOf(refused.detail), hint };
  return { status, error };
}

/** The figures of a refusal by name, as exact text: what was needed, what is there, the bounds. */
function figuresOf(detail: Detail): Readonly<Record<string, string>> {
  switch (detail.is) {
    case 'figure':
      return { [detail.role]: numberOf(detail.figure), ...coinOf(detail.figure) };
    case 'needs':
      return {
        needed: numberOf(detail.needed),
        has: numberOf(detail.has),
        ...coinOf(detail.needed),
      };
    case 'range': {
      const { min, max, scale } = detail;
      return { min: formatTrimmed(min, scale), max: formatTrimmed(max, scale) };
    }
    case 'tier':
      return { size: numberOf(detail.size), leverageMax: String(detail.leverageMax) };
    case 'field':
      return { field: detail.field };
    case 'obstacle':
      return { obstacle: detail.obstacle };
    case 'market':
      return { symbol: detail.symbol };
    case 'wallet_coin':
      return { wallet: detail.wallet, coin: detail.code };
    case 'coin':
      return { coin: detail.code };
    case 'id':
      return { id: detail.id };
    case 'missing':
      return { field: detail.parameter };
    case 'nothing':
    case 'text':
      return {};
  }
}

function numberOf({ value, scale }: Figure): string {
  return formatTrimmed(value, scale);
}

function coinOf(figure: Figure): Readonly<Record<string, string>> {
  return figure.of === 'coin' ? { coin: figure.code } : {};
}
