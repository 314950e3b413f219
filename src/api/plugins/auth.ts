/**
 * Who signed a request. The signature is base64 of HMAC-SHA256 over timestamp, method, raw target
 * and raw body. The checks run in the order in which existing clients expect their errors; a
 * refusal never tells more than which check failed.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { LIMITS, type Permission, type Refused } from '#domain';
import { isRefused, refuse } from '#wire';
import type { ApiKey, KeyRegistry, PassphraseVerdict } from '../keys/port.ts';
import type { RequestHmac } from '../keys/request-hmac.ts';
import { isAllowed } from './allow-list.ts';

export interface SignedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  /** Path and query exactly as they came. */
  readonly target: string;
  readonly body: Buffer | undefined;
  /** Where it came from. */
  readonly address: string;
}

type Signed = Omit<SignedRequest, 'headers'>;

/** What a client shows, in headers or, with a timestamp in seconds, in the login of a stream. */
export interface Credentials {
  readonly key: string;
  readonly signature: string;
  readonly timestamp: string;
  readonly passphrase: string;
}

/** Whole or fractional: a clock in seconds is told that it is late, not that it is odd. */
const NUMBER = /^[0-9]{1,20}(\.[0-9]{1,20})?$/;

/** The key that signed a request and may do this, or the first check that failed. */
export type Authenticated = ApiKey | Refused;

/** Answers at once, unless this is the first sight of a passphrase. */
export function authenticate(
  request: SignedRequest,
  permission: Permission,
  keys: KeyRegistry,
  nowMs: number,
): Authenticated | Promise<Authenticated> {
  const given = readCredentials(request.headers, nowMs);
  return isRefused(given) ? given : verify(given, request, permission, keys);
}

/** What a stream's client signs to log in, as if it had called this. */
const LOGIN_METHOD = 'GET';
const LOGIN_TARGET = '/user/verify';

/** The key that signed the login of a stream and may read, or the first check that failed. */
export function authenticateLogin(
  login: Credentials,
  address: string,
  keys: KeyRegistry,
  nowMs: number,
): Authenticated | Promise<Authenticated> {
  const given = checkCredentials(login, nowMs, Number(login.timestamp) * 1_000);
  if (isRefused(given)) return given;
  const signed = { method: LOGIN_METHOD, target: LOGIN_TARGET, body: undefined, address };
  return verify(given, signed, 'read', keys);
}

function verify(
  given: Credentials,
  request: Signed,
  permission: Permission,
  keys: KeyRegistry,
): Authenticated | Promise<Authenticated> {
  const key = keys.lookup(given.key);
  if (key === undefined) return refuse('key_unknown');
  const judge = (verdict: PassphraseVerdict): Authenticated => {
    if (verdict === 'busy') return refuse('venue_busy');
    if (verdict === 'wrong') return refuse('passphrase_wrong');
    if (!isSigned(request, given, key.hmac)) return refuse('signature_wrong');
    return mayUse(key, permission, request.address) ?? key;
  };
  const verdict = key.verifyPassphrase(given.passphrase);
  return typeof verdict === 'string' ? judge(verdict) : verdict.then(judge);
}

function readCredentials(headers: IncomingHttpHeaders, nowMs: number): Credentials | Refused {
  const given = {
    key: header(headers, 'access-key'),
    signature: header(headers, 'access-sign'),
    timestamp: header(headers, 'access-timestamp'),
    passphrase: header(headers, 'access-passphrase'),
  };
  return checkCredentials(given, nowMs, Number(given.timestamp));
}

function checkCredentials(
  given: Credentials,
  nowMs: number,
  timestampMs: number,
): Credentials | Refused {
  if (given.key === '') return refuse('key_missing');
  if (given.signature === '') return refuse('signature_missing');
  if (given.timestamp === '') return refuse('timestamp_missing');
  if (given.passphrase === '') return refuse('passphrase_missing');
  if (!NUMBER.test(given.timestamp)) return refuse('timestamp_malformed');
  const ageMs = Math.abs(nowMs - timestampMs);
  if (ageMs > LIMITS.requestAgeMaxMs) return refuse('timestamp_expired');
  return given;
}

function header(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** Some clients sign a target whose empty query is gone from what they send, or the reverse. */
function isSigned(request: Signed, given: Credentials, hmac: RequestHmac): boolean {
  const { target } = request;
  if (matches(request, target, given, hmac)) return true;
  return target.endsWith('?') && matches(request, target.slice(0, -1), given, hmac);
}

function matches(
  { method, body }: Signed,
  target: string,
  { timestamp, signature }: Credentials,
  hmac: RequestHmac,
): boolean {
  const expected = Buffer.from(hmac.of(timestamp + method + target, body), 'latin1');
  const actual = Buffer.from(signature, 'latin1');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function mayUse(key: ApiKey, permission: Permission, address: string): Refused | undefined {
  if (!key.permissions.includes(permission)) return refuse('permission_missing', permission);
  if (!isAllowed(key.ipAllowList, address)) return refuse('address_not_allowed');
  if (permission !== 'read' && key.accountFrozen) return refuse('account_frozen');
  return undefined;
}
