/**
 * How calls of the house's own API are signed: four headers, HMAC-SHA256 or Ed25519 over time,
 * method, target and body as they are sent, and the passphrase of the key beside it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import {
  type Authenticated,
  type KeyDoor,
  type KeyUse,
  type LoginAttempt,
  refuseSaying,
  type Signer,
} from '#api';
import { LIMITS, refuse } from '#domain';
import type { DocumentedDialect } from '../docs/documented.ts';
import { STREAM_PATH } from './terms.ts';

const HEADERS = {
  key: ['X-Outcry-Key', 'The key'],
  time: ['X-Outcry-Time', 'Unix time in milliseconds, close to the clock of the venue'],
  signature: [
    'X-Outcry-Signature',
    'Base64 of HMAC-SHA256 (or Ed25519) over time + METHOD + path with query + body',
  ],
  passphrase: ['X-Outcry-Passphrase', 'The passphrase of the key'],
} as const;

export const NATIVE_HEADERS: Pick<DocumentedDialect, 'authentication' | 'securitySchemes'> = {
  authentication: `A signed call carries \`X-Outcry-Key\`, \`X-Outcry-Passphrase\`,
\`X-Outcry-Time\` (Unix time in milliseconds) and \`X-Outcry-Signature\`: the base64 of
HMAC-SHA256, with the key's secret, over time + METHOD + path with query + body, byte for byte as
sent; with a key that has a public key, the base64 of an Ed25519 signature of the same text. A page
calls with the cookie of its session and names its account in \`X-Outcry-Account\`.

Calls go over a socket, too, beside market data and what happens in the account: \`${STREAM_PATH}\`.
Its login signs time + LOGIN + ${STREAM_PATH}.`,
  securitySchemes: Object.fromEntries(
    Object.entries(HEADERS).map(([scheme, [name, description]]) => [
      `native_${scheme}`,
      { type: 'apiKey', in: 'header', name, description },
    ]),
  ),
};

const WHOLE = /^[0-9]{1,15}$/;

/** What a caller shows: empty text for what is missing. */
export interface Shown {
  readonly key: string;
  readonly time: string;
  readonly signature: string;
  readonly passphrase: string;
}

export const NATIVE_SIGNER: Signer = {
  keyOf: ({ headers }) => headerOf(headers, 'x-outcry-key'),
  admit: ({ headers, method, target, body, address }, { permission }, nowMs, keys) => {
    const shown = {
      key: headerOf(headers, 'x-outcry-key'),
      time: headerOf(headers, 'x-outcry-time'),
      signature: headerOf(headers, 'x-outcry-signature'),
      passphrase: headerOf(headers, 'x-outcry-passphrase'),
    };
    return signerOf(shown, { text: method + target, body }, { permission, address, nowMs }, keys);
  },
};

/** A login of the stream: its key may read, or it is refused. */
export function loginOf(shown: Shown): LoginAttempt {
  const signed = { text: `LOGIN${STREAM_PATH}`, body: undefined };
  return {
    key: shown.key,
    check: (caller, keys) => signerOf(shown, signed, { permission: 'read', ...caller }, keys),
  };
}

/** Whose key has signed this text behind the time, with the body behind it. */
function signerOf(
  { key, time, signature, passphrase }: Shown,
  { text, body }: { readonly text: string; readonly body: Buffer | undefined },
  use: KeyUse,
  keys: KeyDoor,
): Authenticated | Promise<Authenticated> {
  const { nowMs } = use;
  if (key === '') return refuse('key_missing');
  if (time === '') return refuse('timestamp_missing');
  if (signature === '') return refuse('signature_missing');
  if (passphrase === '') return refuse('passphrase_missing');
  if (!WHOLE.test(time)) return refuse('timestamp_malformed');
  const ageMs = nowMs - Number(time);
  if (ageMs > LIMITS.requestAgeMaxMs || ageMs < -LIMITS.requestAheadMaxMs) {
    return refuseSaying('timestamp_expired', `the venue has ${nowMs}`);
  }
  const isSignedBy: Parameters<typeof keys.signer>[0]['isSignedBy'] = (signing) =>
    signing.isSigned(time + text, body, signature);
  const shown = { key, signature, timestampMs: Number(time), passphrase, isSignedBy };
  return keys.signer(shown, use);
}

function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : '';
}
