/**
 * Four headers in which callers show their credentials, read, checked and documented; and logins of
 * streams, which show the same four and sign as if a call were made.
 */
import type { IncomingHttpHeaders } from 'node:http';
import {
  type ApiRequest,
  type Authenticated,
  type KeyDoor,
  type KeyUse,
  type LoginAttempt,
  refuseSaying,
  type Signer,
  type Signing,
  type UseCheck,
} from '#api';
import { LIMITS, type Refused, refuse } from '#domain';
import type { DocumentedDialect } from '../docs/documented.ts';

/** What a caller shows: empty text for what is missing. */
export interface Credentials {
  readonly key: string;
  readonly signature: string;
  readonly timestamp: string;
  readonly passphrase: string;
}

/** What dialects with these headers differ in. */
export interface SigningRules {
  /** How far a timestamp may lie ahead of the venue's time. */
  readonly aheadMaxMs: number;
  /** In which order a key is asked; as usual without it. */
  readonly order?: readonly UseCheck[];
}

/** What the login of a stream signs besides its timestamp, as if it were a request. */
export interface SignedLogin {
  /** Empty where no method is signed. */
  readonly method: string;
  readonly target: string;
  readonly unit: Unit;
  /** As usual without it. */
  readonly rules?: SigningRules;
}

/** What a timestamp counts in. */
type Unit = keyof typeof UNIT_MS;
const UNIT_MS = { seconds: 1_000, milliseconds: 1 } as const;
const OTHER_UNIT: Readonly<Record<Unit, Unit>> = {
  seconds: 'milliseconds',
  milliseconds: 'seconds',
};
const DAY_MS = 86_400_000;

/** Whole or fractional: a clock in seconds is refused as late, not as malformed. */
const NUMBER = /^[0-9]{1,20}(\.[0-9]{1,20})?$/;

const USUAL_RULES: SigningRules = { aheadMaxMs: LIMITS.requestAheadMaxMs };

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

/** One for all signers of these headers: who asks each of them only once knows it by that. */
const keyShown: Signer['keyOf'] = ({ headers }) => header(headers, 'access-key');

/** Calls signed in the four headers. */
export function headerSigner(
  rules: SigningRules = USUAL_RULES,
  read: (headers: IncomingHttpHeaders) => Credentials = readCredentials,
): Signer {
  const order = orderOf(rules);
  return {
    keyOf: read === readCredentials ? keyShown : ({ headers }) => read(headers).key,
    admit: (request, { permission }, nowMs, keys) => {
      const given = read(request.headers);
      const use = { permission, address: request.address, nowMs, ...order };
      return signerOf(given, request, 'milliseconds', rules, use, keys);
    },
  };
}

/** The login of a stream: its key may read, or it is refused. */
export function loginOf(given: Credentials, signed: SignedLogin): LoginAttempt {
  const { method, target, unit, rules = USUAL_RULES } = signed;
  return {
    key: given.key,
    check: (caller, keys) => {
      const use: KeyUse = { permission: 'read', ...caller, ...orderOf(rules) };
      return signerOf(given, { method, target, body: undefined }, unit, rules, use, keys);
    },
  };
}

function orderOf({ order }: SigningRules): Pick<KeyUse, 'order'> {
  return order === undefined ? {} : { order };
}

type SignedText = Pick<ApiRequest, 'method' | 'target' | 'body'>;

function signerOf(
  given: Credentials,
  signed: SignedText,
  unit: Unit,
  rules: SigningRules,
  use: KeyUse,
  keys: KeyDoor,
): Authenticated | Promise<Authenticated> {
  const refused = faultOf(given, use.nowMs, unit, rules);
  if (refused !== undefined) return refused;
  const { key, signature, timestamp, passphrase } = given;
  const isSignedBy = (signing: Signing) => isSigned(signed, given, signing);
  const timestampMs = Number(timestamp) * UNIT_MS[unit];
  return keys.signer({ key, signature, timestampMs, passphrase, isSignedBy }, use);
}

/** What is wrong with credentials before anything is looked up. */
function faultOf(
  given: Credentials,
  nowMs: number,
  unit: Unit,
  { aheadMaxMs }: SigningRules,
): Refused | undefined {
  if (given.key === '') return refuse('key_missing');
  if (given.signature === '') return refuse('signature_missing');
  if (given.timestamp === '') return refuse('timestamp_missing');
  if (given.passphrase === '') return refuse('passphrase_missing');
  if (!NUMBER.test(given.timestamp)) return refuse('timestamp_malformed');
  const ageMs = nowMs - Number(given.timestamp) * UNIT_MS[unit];
  if (ageMs <= LIMITS.requestAgeMaxMs && ageMs >= -aheadMaxMs) return undefined;
  return refuseSaying('timestamp_expired', wrongUnit(given.timestamp, nowMs, unit));
}

/** What is wrong with a timestamp whose unit is; nothing for one that is only old. */
function wrongUnit(timestamp: string, nowMs: number, unit: Unit): string {
  const other = OTHER_UNIT[unit];
  const isOther = Math.abs(Number(timestamp) * UNIT_MS[other] - nowMs) < DAY_MS;
  return isOther ? `${timestamp} looks like ${other}, it takes ${unit}` : '';
}

/** Some clients sign a target whose empty query is gone from what they send, or the reverse. */
function isSigned(
  { method, target, body }: SignedText,
  { timestamp, signature }: Credentials,
  signing: Signing,
): boolean {
  if (signing.isSigned(timestamp + method + target, body, signature)) return true;
  if (!target.endsWith('?')) return false;
  return signing.isSigned(timestamp + method + target.slice(0, -1), body, signature);
}

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
