/**
 * Signs calls as clients do: base64 of HMAC-SHA256, or of Ed25519 where the secret is a private key
 * as PEM, over time, method, path and query, and body.
 */
import { createHmac, sign } from 'node:crypto';

export interface Credentials {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
}

export interface Signable {
  readonly method: string;
  /** Path and query as they go over the wire. */
  readonly target: string;
  readonly body?: string | Buffer | undefined;
  /** Without it, the system clock. */
  readonly timeMs?: number;
}

/** Of the demo's accounts, which everybody knows. */
export function demoCredentials(name: string): Credentials {
  return { key: `${name}-key`, secret: `${name}-secret`, passphrase: `${name}-pass` };
}

export function signature(secret: string, text: string, body: string | Buffer = ''): string {
  if (secret.startsWith('-----BEGIN PRIVATE KEY')) {
    const message = Buffer.concat([Buffer.from(text), Buffer.from(body)]);
    return sign(null, message, secret).toString('base64');
  }
  return createHmac('sha256', secret).update(text).update(body).digest('base64');
}

const OWN = ['x-outcry-key', 'x-outcry-signature', 'x-outcry-time', 'x-outcry-passphrase'];
const ACCESS = ['ACCESS-KEY', 'ACCESS-SIGN', 'ACCESS-TIMESTAMP', 'ACCESS-PASSPHRASE'];

/** The headers of a signed call: the house's own API has names of its own. */
export function signedHeaders(
  { key, secret, passphrase }: Credentials,
  { method, target, body, timeMs = Date.now() }: Signable,
): Record<string, string> {
  const names = target.startsWith('/v1/') ? OWN : ACCESS;
  const signed = signature(secret, `${timeMs}${method}${target}`, body);
  const values = [key, signed, String(timeMs), passphrase];
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
}
