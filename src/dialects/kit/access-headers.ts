/** Four headers in which callers show their credentials, read and documented. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials } from '#api';
import type { DocumentedDialect } from '../docs/documented.ts';

/** All four, or the call is refused. */
const HEADERS = {
  accessKey: ['ACCESS-KEY', 'The key'],
  accessTimestamp: ['ACCESS-TIMESTAMP', 'Unix time in milliseconds, close to the server clock'],
  accessPassphrase: ['ACCESS-PASSPHRASE', 'The passphrase of the key'],
  accessSign: [
    'ACCESS-SIGN',
    'Base64 of HMAC-SHA256 (or Ed25519) over timestamp + METHOD + path with query + body',
  ],
} as const;

/** For the documents. */
export const ACCESS_HEADERS: Pick<DocumentedDialect, 'authentication' | 'securitySchemes'> = {
  authentication: `A signed call carries four headers: \`ACCESS-KEY\`, \`ACCESS-TIMESTAMP\`
(Unix time in milliseconds), \`ACCESS-PASSPHRASE\` and \`ACCESS-SIGN\`. The signature is the base64
of HMAC-SHA256, with the key's secret, over timestamp + METHOD + path with query + body, byte for
byte as sent. A key made with a public key is signed for with Ed25519 instead: base64 of the 64
bytes over the same text, with the private key, which stays with its owner.`,
  securitySchemes: Object.fromEntries(
    Object.entries(HEADERS).map(([scheme, [name, description]]) => [
      scheme,
      { type: 'apiKey', in: 'header', name, description },
    ]),
  ),
};

export function readCredentials(headers: IncomingHttpHeaders): Credentials {
  return {
    key: header(headers, 'access-key'),
    signature: header(headers, 'access-sign'),
    timestamp: header(headers, 'access-timestamp'),
    passphrase: header(headers, 'access-passphrase'),
  };
}

function header(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : '';
}
