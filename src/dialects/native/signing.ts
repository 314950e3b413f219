/**
 * How calls of the house's own API are signed: four headers, HMAC-SHA256 or Ed25519 over time,
 * method, target and body as they are sent, and the passphrase of the key beside it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { refuseSaying, type Signer } from '#api';
import { LIMITS, refuse } from '#domain';
import type { DocumentedDialect } from '../docs/documented.ts';

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
calls with the cookie of its session and names its account in \`X-Outcry-Account\`.`,
  securitySchemes: Object.fromEntries(
    Object.entries(HEADERS).map(([scheme, [name, description]]) => [
      `native_${scheme}`,
      { type: 'apiKey', in: 'header', name, description },
    ]),
  ),
};

const WHOLE = /^[0-9]{1,15}$/;

export const NATIVE_SIGNER: Signer = {
  keyOf: ({ headers }) => headerOf(headers, 'x-outcry-key'),
  admit: ({ headers, method, target, body, address }, { permission }, nowMs, keys) => {
    const [key, time, signature, passphrase] = [
      headerOf(headers, 'x-outcry-key'),
      headerOf(headers, 'x-outcry-time'),
      headerOf(headers, 'x-outcry-signature'),
      headerOf(headers, 'x-outcry-passphrase'),
    ];
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
      signing.isSigned(time + method + target, body, signature);
    const shown = { key, signature, timestampMs: Number(time), passphrase, isSignedBy };
    return keys.signer(shown, { permission, address, nowMs });
  },
};

function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : '';
}
