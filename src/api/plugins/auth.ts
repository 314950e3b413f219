/**
 * Who signed a request. The signature is base64 of HMAC-SHA256 or Ed25519 over timestamp, method,
 * raw target and raw body. It is checked before the passphrase, so only the owner of a secret can
 * make the venue stretch one: of a wrong signature the passphrase is not looked at.
 */

import { randomBytes } from 'node:crypto';
import { isRefused, LIMITS, type Permission, type Refused, type RejectKind, refuse } from '#domain';
import type { ApiKey, KeyMaker, KeyMakers, KeyRegistry, Principal, Signing } from '../keys/port.ts';
import type { ReplayVerdict } from '../keys/replay-guard.ts';
import { RequestHmac } from '../keys/request-hmac.ts';
import { refuseSaying } from '../refusal.ts';
import { isAllowed } from './allow-list.ts';
import { FailedChecks } from './failed-checks.ts';
import { networkOf } from './network.ts';

export interface SignedRequest {
  readonly method: string;
  /** Path and query exactly as they came. */
  readonly target: string;
  readonly body: Buffer | undefined;
  /** Where it came from. */
  readonly address: string;
}

/** What a key is asked to allow, once it is known whose it is. */
interface Use {
  readonly order: SigningRules['uses'];
  readonly permission: Permission;
  readonly address: string;
  readonly signature: string;
  readonly timestampMs: number;
  readonly nowMs: number;
}

/** What a client shows, in headers or in the login of a stream: empty text for what is missing. */
export interface Credentials {
  readonly key: string;
  readonly signature: string;
  readonly timestamp: string;
  readonly passphrase: string;
}

/** What is asked of a key that has shown whose it is. */
type UseCheck = 'permission' | 'address' | 'account';

/** What dialects differ in. */
export interface SigningRules {
  /** How far a timestamp may lie ahead of the venue's time. */
  readonly aheadMaxMs: number;
  /** In which order a key is asked: the first check that fails is answered. */
  readonly uses: readonly UseCheck[];
}

const USUAL_RULES: SigningRules = {
  aheadMaxMs: LIMITS.requestAheadMaxMs,
  uses: ['permission', 'address', 'account'],
};

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

/** Whole or fractional: a clock in seconds is refused as late, not as malformed. */
const NUMBER = /^[0-9]{1,20}(\.[0-9]{1,20})?$/;

/** Who may do this, or the first check that failed. */
export type Authenticated = Principal | Refused;

const DAY_MS = 86_400_000;

/** Failed checks that are answered as such, of one network and of one key there. */
const FAILURES_PER_NETWORK = { limit: 50, windowMs: 1_000 };
const FAILURES_PER_KEY = { limit: 10, windowMs: 1_000 };

export class Authenticator {
  readonly #keys: KeyRegistry;
  readonly #isLimiting: boolean;
  /** Undefined where nobody signs in: keys of persons are worth nothing there. */
  readonly #makers: KeyMakers | undefined;
  readonly #ofNetwork = new FailedChecks(FAILURES_PER_NETWORK);
  readonly #ofKey = new FailedChecks(FAILURES_PER_KEY);
  /** Of a key there, by who has signed with it: its passphrase may be what is guessed for. */
  readonly #ofPassphrase = new FailedChecks(FAILURES_PER_KEY);
  /** Signs for keys that do not exist, so that they take as long as keys that do. */
  readonly #decoy = new RequestHmac(randomBytes(32));

  constructor(keys: KeyRegistry, rateLimits: boolean, makers?: KeyMakers) {
    this.#keys = keys;
    this.#makers = makers;
    this.#isLimiting = rateLimits;
  }

  /** The person who has made the key, if one did. */
  makerOf(key: string): string | undefined {
    return this.#keys.lookup(key)?.madeBy;
  }

  /** Whether what is known of the person who made the key says that it may read no more. */
  isReadingOver(key: string): boolean {
    const known = this.#keys.lookup(key);
    if (known?.madeBy === undefined) return false;
    const maker = this.#makers?.find(known.madeBy);
    if (maker instanceof Promise) {
      // Asked for in vain or forgotten meanwhile: the next look finds out.
      maker.catch(() => undefined);
      return false;
    }
    return maker === undefined || rightsIn(known, maker)?.includes('read') !== true;
  }

  /** Answers at once, unless the key's maker is looked up or its signature used up elsewhere. */
  request(
    shown: Credentials,
    request: SignedRequest,
    permission: Permission,
    nowMs: number,
    rules: SigningRules = USUAL_RULES,
  ): Authenticated | Promise<Authenticated> {
    const given = checkCredentials(shown, nowMs, 'milliseconds', rules);
    if (isRefused(given)) return given;
    return this.#verify(given, request, { permission, nowMs, order: rules.uses });
  }

  /** The key that signed the login of a stream, and may read; or the first check that failed. */
  login(
    login: Credentials,
    { method, target, unit, rules = USUAL_RULES }: SignedLogin,
    address: string,
    nowMs: number,
  ): Authenticated | Promise<Authenticated> {
    const given = checkCredentials(login, nowMs, unit, rules);
    if (isRefused(given)) return given;
    const request = { method, target, body: undefined, address };
    return this.#verify(given, request, { permission: 'read', nowMs, order: rules.uses });
  }

  /**
   * A right signature is not limited: failures of others do not keep the owner out. One that costs
   * much to look at is, where the failures come from the owner's own network, and so is whoever has
   * signed rightly and guesses for the passphrase.
   */
  #verify(
    given: Credentials,
    request: SignedRequest,
    asked: Pick<Use, 'permission' | 'nowMs' | 'order'>,
  ): Authenticated | Promise<Authenticated> {
    const { address } = request;
    const key = this.#keys.lookup(given.key);
    const signing = key?.signing ?? this.#decoy;
    if (signing.isCostly && this.#isHeldOff(given.key, address)) return refuseGuesses();
    const signed = isSigned(request, given, signing);
    // An expired key is answered as one that was revoked.
    if (key === undefined || asked.nowMs >= key.expiresMs) {
      return this.#fail('key_unknown', given.key, address);
    }
    if (!signed) return this.#fail('signature_wrong', given.key, address);
    const refused = this.#refusePassphrase(key, given.passphrase, address);
    if (refused !== undefined) return refused;
    const { signature, timestamp } = given;
    return this.#judge(key, { ...asked, address, signature, timestampMs: Number(timestamp) });
  }

  #refusePassphrase(key: ApiKey, passphrase: string, address: string): Refused | undefined {
    const isGuessed = !this.#ofPassphrase.isQuiet;
    if (isGuessed && this.#ofPassphrase.waitMs(callerOf(key.key, address)) > 0) {
      return refuseGuesses();
    }
    if (key.isPassphrase(passphrase)) return undefined;
    if (this.#isLimiting) this.#ofPassphrase.note(callerOf(key.key, address));
    return this.#fail('passphrase_wrong', key.key, address);
  }

  #judge(key: ApiKey, use: Use): Authenticated | Promise<Authenticated> {
    const { madeBy } = key;
    if (madeBy === undefined) return mayUse(key, use) ?? this.#checkReplay(key, use);
    const judge = (maker: KeyMaker | undefined) => this.#judgeMade(key, maker, use);
    const maker = this.#makers?.find(madeBy);
    return maker instanceof Promise ? maker.then(judge) : judge(maker);
  }

  /** A key of a person does what its maker may do now, and ends with the person. */
  #judgeMade(
    key: ApiKey,
    maker: KeyMaker | undefined,
    use: Use,
  ): Authenticated | Promise<Authenticated> {
    const rights = maker && rightsIn(key, maker);
    if (rights === undefined || !key.isLive) {
      return this.#fail('key_unknown', key.key, use.address);
    }
    const { permission } = use;
    if (!rights.includes(permission)) return refuseSaying('permission_missing', permission);
    return mayUse(key, use) ?? this.#checkReplay(key, use);
  }

  /** The last check, because it uses the signature up. Reading again does no harm. */
  #checkReplay(apiKey: ApiKey, use: Use): Authenticated | Promise<Authenticated> {
    const { key, strictSinceMs: createdMs } = apiKey;
    if (createdMs === undefined || use.permission === 'read') return apiKey;
    const { signature, timestampMs, nowMs } = use;
    const verdict = this.#keys.sign({ key, createdMs, signature, timestampMs }, nowMs);
    const judge = (judged: ReplayVerdict) => refuseReplay(judged) ?? apiKey;
    return typeof verdict === 'string' ? judge(verdict) : verdict.then(judge);
  }

  #fail(reject: RejectKind, key: string, address: string): Refused {
    if (!this.#isLimiting) return refuse(reject);
    if (this.#isHeldOff(key, address)) return refuseGuesses();
    this.#ofNetwork.note(networkOf(address));
    this.#ofKey.note(callerOf(key, address));
    return refuse(reject);
  }

  /** Whether too many checks have failed lately: of this network, or of this key from there. */
  #isHeldOff(key: string, address: string): boolean {
    if (!this.#isLimiting) return false;
    if (this.#ofNetwork.waitMs(networkOf(address)) > 0) return true;
    return this.#ofKey.waitMs(callerOf(key, address)) > 0;
  }
}

/** Whoever uses a key from one network. */
function callerOf(key: string, address: string): string {
  return `${networkOf(address)} ${key}`;
}

/** What a key may do by its maker; undefined when it is worth nothing any more. */
function rightsIn({ accountId, createdMs }: ApiKey, { rights, keysSinceMs }: KeyMaker) {
  return createdMs < keysSinceMs ? undefined : rights.get(accountId);
}

function checkCredentials(
  given: Credentials,
  nowMs: number,
  unit: Unit,
  { aheadMaxMs }: SigningRules,
): Credentials | Refused {
  if (given.key === '') return refuse('key_missing');
  if (given.signature === '') return refuse('signature_missing');
  if (given.timestamp === '') return refuse('timestamp_missing');
  if (given.passphrase === '') return refuse('passphrase_missing');
  if (!NUMBER.test(given.timestamp)) return refuse('timestamp_malformed');
  const ageMs = nowMs - Number(given.timestamp) * UNIT_MS[unit];
  if (ageMs > LIMITS.requestAgeMaxMs || ageMs < -aheadMaxMs) {
    return refuseSaying('timestamp_expired', wrongUnit(given.timestamp, nowMs, unit));
  }
  return given;
}

/** What is wrong with a timestamp whose unit is; nothing for one that is only old. */
function wrongUnit(timestamp: string, nowMs: number, unit: Unit): string {
  const other = OTHER_UNIT[unit];
  const isOther = Math.abs(Number(timestamp) * UNIT_MS[other] - nowMs) < DAY_MS;
  return isOther ? `${timestamp} looks like ${other}, it takes ${unit}` : '';
}

function refuseGuesses(): Refused {
  return refuseSaying('rate_exceeded', 'failed checks of credentials');
}

/** Some clients sign a target whose empty query is gone from what they send, or the reverse. */
function isSigned(
  { method, target, body }: SignedRequest,
  { timestamp, signature }: Credentials,
  signing: Signing,
): boolean {
  if (signing.isSigned(timestamp + method + target, body, signature)) return true;
  if (!target.endsWith('?')) return false;
  return signing.isSigned(timestamp + method + target.slice(0, -1), body, signature);
}

const USE_CHECKS: Readonly<Record<UseCheck, (key: ApiKey, use: Use) => Refused | undefined>> = {
  permission: ({ permissions }, { permission }) =>
    permissions.includes(permission) ? undefined : refuseSaying('permission_missing', permission),
  address: ({ ipAllowList }, { address }) =>
    isAllowed(ipAllowList, address) ? undefined : refuse('address_not_allowed'),
  account: ({ accountFrozen }, { permission }) =>
    permission !== 'read' && accountFrozen ? refuse('account_frozen') : undefined,
};

function mayUse(key: ApiKey, use: Use): Refused | undefined {
  for (const check of use.order) {
    const refused = USE_CHECKS[check](key, use);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function refuseReplay(verdict: ReplayVerdict): Refused | undefined {
  switch (verdict) {
    case 'new':
      return undefined;
    case 'repeated':
      return refuse('request_repeated');
    case 'too_early':
      return refuseSaying('request_repeated', 'this one was signed before the venue started');
    case 'too_late':
      return refuseSaying('timestamp_expired', 'a strict key signs at most 5 s ahead');
    case 'full':
      return refuseSaying('rate_exceeded', 'signatures that a strict key has to remember');
    case 'unknown':
      return refuse('venue_halted');
  }
}
