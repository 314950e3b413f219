/**
 * Who may use a key. A dialect reads what a caller shows and what was signed; here the key is
 * looked up, its signature checked before its passphrase, so that only the owner of a secret can
 * make the venue stretch one, and failures are counted over all dialects.
 */

import { randomBytes } from 'node:crypto';
import { type Permission, type Refused, type RejectKind, refuse } from '#domain';
import { keyWithin } from '../keys/key-within.ts';
import type { ApiKey, KeyMaker, KeyMakers, KeyRegistry, Principal, Signing } from '../keys/port.ts';
import type { ReplayVerdict } from '../keys/replay-guard.ts';
import { RequestHmac } from '../keys/request-hmac.ts';
import { refuseSaying } from '../refusal.ts';
import { isAllowed } from './allow-list.ts';
import { FailedChecks } from './failed-checks.ts';
import { networkOf } from './network.ts';

/** What a caller shows of a key, read by its dialect. */
export interface ShownKey {
  readonly key: string;
  /** Tells a call of a strict key from its others. */
  readonly signature: string;
  readonly timestampMs: number;
  /** Empty text for none; undefined in a dialect that knows no passphrases. */
  readonly passphrase: string | undefined;
  /** Whether what this key signs with has signed the call. */
  isSignedBy(signing: Signing): boolean;
}

/** What is asked of a key that has shown whose it is. */
export type UseCheck = 'permission' | 'address' | 'account';

/** What a key is asked to allow. */
export interface KeyUse {
  readonly permission: Permission;
  readonly address: string;
  readonly nowMs: number;
  /** The first check that fails is answered; USUAL_CHECKS without it. */
  readonly order?: readonly UseCheck[];
}

const USUAL_CHECKS: readonly UseCheck[] = ['permission', 'address', 'account'];

/** A use of a key that was signed for. */
interface Use extends KeyUse {
  readonly signature: string;
  readonly timestampMs: number;
}

/** Who may do this, or the first check that failed. */
export type Authenticated = Principal | Refused;

/** What dialects ask about keys; answered at once, unless somebody else has to be asked. */
export interface KeyDoor {
  /** The key that has signed, where it may do this. */
  signer(shown: ShownKey, use: KeyUse): Authenticated | Promise<Authenticated>;
  /** The key of this text, where it may do this: for what an API gives without a signature. */
  holder(key: string, use: KeyUse): Authenticated | Promise<Authenticated>;
}

/** Failed checks that are answered as such, of one network and of one key there. */
const FAILURES_PER_NETWORK = { limit: 50, windowMs: 1_000 };
const FAILURES_PER_KEY = { limit: 10, windowMs: 1_000 };

export class Authenticator implements KeyDoor {
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

  /**
   * A right signature is not limited: failures of others do not keep the owner out. One that costs
   * much to look at is, where the failures come from the owner's own network, and so is whoever has
   * signed rightly and guesses for the passphrase.
   */
  signer(shown: ShownKey, use: KeyUse): Authenticated | Promise<Authenticated> {
    const { address, nowMs } = use;
    const key = this.#keys.lookup(shown.key);
    const signing = key?.signing ?? this.#decoy;
    if (signing.isCostly && this.#isHeldOff(shown.key, address)) return refuseGuesses();
    const isSigned = shown.isSignedBy(signing);
    // An expired key is answered as one that was revoked.
    if (key === undefined || nowMs >= key.expiresMs) {
      return this.#fail('key_unknown', shown.key, address);
    }
    if (!isSigned) return this.#fail('signature_wrong', shown.key, address);
    const { passphrase, signature, timestampMs } = shown;
    const refused =
      passphrase === undefined ? undefined : this.#refusePassphrase(key, passphrase, address);
    return refused ?? this.#judge(key, { ...use, signature, timestampMs });
  }

  holder(shown: string, use: KeyUse): Authenticated | Promise<Authenticated> {
    const key = this.#keys.lookup(shown);
    if (key !== undefined && use.nowMs < key.expiresMs) return this.#judge(key, use);
    return this.#fail('key_unknown', shown, use.address);
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

  #judge(key: ApiKey, use: KeyUse | Use): Authenticated | Promise<Authenticated> {
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
    use: KeyUse | Use,
  ): Authenticated | Promise<Authenticated> {
    const rights = maker && rightsIn(key, maker);
    if (rights === undefined || !key.isLive) {
      return this.#fail('key_unknown', key.key, use.address);
    }
    const { permission } = use;
    if (!rights.includes(permission)) return refuseSaying('permission_missing', permission);
    return mayUse(key, use) ?? this.#checkReplay(key, use, keyWithin(key, rights));
  }

  /** The last check, because it uses the signature up. Reading again does no harm. */
  #checkReplay(
    apiKey: ApiKey,
    use: KeyUse | Use,
    principal: Principal = apiKey,
  ): Authenticated | Promise<Authenticated> {
    const { key, strictSinceMs: createdMs } = apiKey;
    const isOnce = createdMs !== undefined && use.permission !== 'read';
    if (!isOnce || !('signature' in use)) return principal;
    const { signature, timestampMs, nowMs } = use;
    const verdict = this.#keys.sign({ key, createdMs, signature, timestampMs }, nowMs);
    const judge = (judged: ReplayVerdict) => refuseReplay(judged) ?? principal;
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

function refuseGuesses(): Refused {
  return refuseSaying('rate_exceeded', 'failed checks of credentials');
}

const USE_CHECKS: Readonly<Record<UseCheck, (key: ApiKey, use: KeyUse) => Refused | undefined>> = {
  permission: ({ permissions }, { permission }) =>
    permissions.includes(permission) ? undefined : refuseSaying('permission_missing', permission),
  address: ({ ipAllowList }, { address }) =>
    isAllowed(ipAllowList, address) ? undefined : refuse('address_not_allowed'),
  account: ({ accountFrozen }, { permission }) =>
    permission !== 'read' && accountFrozen ? refuse('account_frozen') : undefined,
};

function mayUse(key: ApiKey, use: KeyUse): Refused | undefined {
  for (const check of use.order ?? USUAL_CHECKS) {
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
