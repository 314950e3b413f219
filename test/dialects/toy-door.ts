/**
 * How the toy dialect is asked: parameters in the query, in a form body or in both, and with them
 * key, time and mark, which is the HMAC in hex of query and body without the mark itself.
 */
import {
  type ApiRequest,
  type Authenticated,
  comesTwice,
  type JsonObject,
  type KeyDoor,
  type KeyUse,
  refuseSaying,
  type Signer,
} from '#api';
import { type Refused, refuse } from '#domain';

/** What signs, and is no parameter of any endpoint. */
const SIGNING_NAMES: ReadonlySet<string> = new Set(['key', 'time', 'mark', 'window']);
const WINDOW_MS = 5_000;
const WINDOW_MAX_MS = 60_000;

export const QUERY_SIGNER: Signer = {
  keyOf: ({ target }) => new URLSearchParams(queryOf(target)).get('key') ?? '',
  admit: (request, { permission }, nowMs, keys) => {
    const query = queryOf(request.target);
    const text = withoutMark(query) + withoutMark(request.body?.toString('latin1') ?? '');
    const given = Object.fromEntries(new URLSearchParams(query));
    return signerOf(given, text, { permission, nowMs, address: request.address }, keys);
  },
};

/** Whose mark is on a text, in time. */
export function signerOf(
  { key, time, mark, window }: Readonly<Record<string, string | undefined>>,
  text: string,
  use: KeyUse,
  keys: KeyDoor,
): Authenticated | Promise<Authenticated> {
  if (key === undefined) return refuse('key_missing');
  if (mark === undefined || time === undefined) return refuse('signature_missing');
  const windowMs = Math.min(Number(window ?? WINDOW_MS), WINDOW_MAX_MS);
  if (!(Math.abs(use.nowMs - Number(time)) <= windowMs)) return refuse('timestamp_expired');
  return keys.signer(
    {
      key,
      signature: mark,
      timestampMs: Number(time),
      passphrase: undefined,
      isSignedBy: (signing) => signing.isSigned(text, undefined, mark, 'hex'),
    },
    use,
  );
}

/** Query and form together; a name stands in one of them, once. */
export function queryAndForm({ query, body }: ApiRequest): JsonObject | Refused {
  const found: Record<string, unknown> = {};
  const form = new URLSearchParams(body?.toString('utf8') ?? '');
  for (const [name, value] of [...Object.entries(query), ...form]) {
    if (SIGNING_NAMES.has(name)) continue;
    if (name in found || Array.isArray(value)) {
      return refuseSaying('parameter_invalid', comesTwice(name));
    }
    found[name] = value;
  }
  return found;
}

function queryOf(target: string): string {
  return target.split('?', 2)[1] ?? '';
}

function withoutMark(text: string): string {
  return text
    .split('&')
    .filter((pair) => !pair.startsWith('mark='))
    .join('&');
}
