/**
 * Who signed a request. The signature is base64 of HMAC-SHA256 over timestamp, method, raw target
 * and raw body. The checks run in the order in which existing clients expect their errors; a
 * refusal never tells more than which check failed.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { LIMITS, type Permission, type Refused } from '#domain';
import { isRefused, refuse } from '#wire';
import type { ApiKey, KeyRegistry } from '../keys/port.ts';
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

interface Credentials {
  readonly key: string;
  readonly signature: string;
  readonly timestamp: string;
  readonly passphrase: string;
}

/** Whole or fractional: a clock in seconds is told that it is late, not that it is odd. */
const NUMBER = /^[0-9]{1,20}(\.[0-9]{1,20})?$/;

/** The key that signed the request and may do this, or the first check that failed. */
export async function authenticate(
  request: SignedRequest,
  permission: Permission,
  keys: KeyRegistry,
  nowMs: number,
): Promise<ApiKey | Refused> {
  const given = readCredentials(request.headers, nowMs);
  if (isRefused(given)) return given;
  const key = keys.lookup(given.key);
  if (key === undefined) return refuse('key_unknown');
  const verdict = await key.verifyPassphrase(given.passphrase);
  if (verdict === 'busy') return refuse('venue_busy');
  if (verdict === 'wrong') return refuse('passphrase_wrong');
  if (!isSigned(request, given, key.secret)) return refuse('signature_wrong');
  return mayUse(key, permission, request.address) ?? key;
}

function readCredentials(headers: IncomingHttpHeaders, nowMs: number): Credentials | Refused {
  const key = header(headers, 'access-key');
  if (key === '') return refuse('key_missing');
  const signature = header(headers, 'access-sign');
  if (signature === '') return refuse('signature_missing');
  const timestamp = header(headers, 'access-timestamp');
  if (timestamp === '') return refuse('timestamp_missing');
  const passphrase = header(headers, 'access-passphrase');
  if (passphrase === '') return refuse('passphrase_missing');
  if (!NUMBER.test(timestamp)) return refuse('timestamp_malformed');
  const ageMs = Math.abs(nowMs - Number(timestamp));
  if (ageMs > LIMITS.requestAgeMaxMs) return refuse('timestamp_expired');
  return { key, signature, timestamp, passphrase };
}

function header(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** Some clients sign a target whose empty query is gone from what they send, or the reverse. */
function isSigned(request: SignedRequest, given: Credentials, secret: KeyObject): boolean {
  const { target } = request;
  if (matches(request, target, given, secret)) return true;
  return target.endsWith('?') && matches(request, target.slice(0, -1), given, secret);
}

function matches(
  request: SignedRequest,
  target: string,
  given: Credentials,
  secret: KeyObject,
): boolean {
  const hmac = createHmac('sha256', secret).update(given.timestamp + request.method + target);
  if (request.body !== undefined) hmac.update(request.body);
  const expected = Buffer.from(hmac.digest('base64'), 'latin1');
  const actual = Buffer.from(given.signature, 'latin1');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function mayUse(key: ApiKey, permission: Permission, address: string): Refused | undefined {
  if (!key.permissions.includes(permission)) return refuse('permission_missing', permission);
  if (!isAllowed(key.ipAllowList, address)) return refuse('address_not_allowed');
  if (permission !== 'read' && key.accountFrozen) return refuse('account_frozen');
  return undefined;
}
