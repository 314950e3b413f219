/** The classic dialect for the documents. */
import type { DocumentedDialect } from '../docs/documented.ts';
import { DOCUMENTED_FRAME } from './documented-frame.ts';
import { SPOT_ENDPOINTS, SWAP_ENDPOINTS } from './endpoints.ts';

/** Headers of a signed call: all four, or the call is refused. */
const SIGNATURE_HEADERS = {
  accessKey: ['ACCESS-KEY', 'The key'],
  accessTimestamp: ['ACCESS-TIMESTAMP', 'Unix time in milliseconds, close to the server clock'],
  accessPassphrase: ['ACCESS-PASSPHRASE', 'The passphrase of the key'],
  accessSign: [
    'ACCESS-SIGN',
    'Base64 of HMAC-SHA256 over timestamp + METHOD + path with query + body',
  ],
} as const;

export const DOCUMENTED_CLASSIC: DocumentedDialect = {
  tables: { spot: SPOT_ENDPOINTS, swap: SWAP_ENDPOINTS },
  authentication: `A signed call carries four headers: \`ACCESS-KEY\`, \`ACCESS-TIMESTAMP\`
(Unix time in milliseconds), \`ACCESS-PASSPHRASE\` and \`ACCESS-SIGN\`. The signature is the base64
of HMAC-SHA256, with the key's secret, over timestamp + METHOD + path with query + body, byte for
byte as sent.`,
  securitySchemes: Object.fromEntries(
    Object.entries(SIGNATURE_HEADERS).map(([scheme, [name, description]]) => [
      scheme,
      { type: 'apiKey', in: 'header', name, description },
    ]),
  ),
  // /api/spot/v1/market/depth is listed under "spot market".
  chapter: (path) => {
    const [, , area, , group] = path.split('/');
    return `${area} ${group}`;
  },
  frame: DOCUMENTED_FRAME,
};
