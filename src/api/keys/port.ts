/**
 * What the door needs to know about an API key. The key vault implements it; authentication asks
 * it once per signed request. It is not the place where keys are created, sealed or revoked.
 */
import type { AccountId, Permission } from '#domain';
import type { ReplayVerdict, SignatureUse } from './replay-guard.ts';

/** What requests of a key are signed with. */
export interface Signing {
  /** Whether looking at a signature costs so much that callers who fail are held off before. */
  readonly isCostly: boolean;
  /**
   * Whether it has signed this text, whose characters are the bytes that came, and this body. The
   * signature is in base64, or in the encoding of the API where that writes an HMAC otherwise.
   */
  isSigned(
    text: string,
    body: Buffer | undefined,
    signature: string,
    hmacAs?: 'base64' | 'hex',
  ): boolean;
}

/** Who calls for an account: a key, or a session of a person. */
export interface Principal {
  readonly key: string;
  readonly accountId: AccountId;
  /** False once it is worth nothing any more, also for callers that looked it up before. */
  readonly isLive: boolean;
  /** By the venue's clock; infinite where it stays. */
  readonly expiresMs: number;
  /** True while the operator keeps the account from writing; reads still work. */
  readonly accountFrozen: boolean;
  /** What it may do for the account now. */
  readonly permissions: readonly Permission[];
}

export interface ApiKey extends Principal {
  /**
   * Addresses or CIDR blocks that may use the key; empty for any. The same array as long as the
   * list does not change: the compiled form is remembered by its identity.
   */
  readonly ipAllowList: readonly string[];
  /** When the key was made, if each of its signatures is executed once. */
  readonly strictSinceMs: number | undefined;
  readonly signing: Signing;
  /** The person within whose rights it stays, and since when it is there; of none without. */
  readonly madeBy: string | undefined;
  readonly createdMs: number;
  /**
   * Whether this is its passphrase, compared in constant time. Until the right one was seen a
   * chosen one costs about as much as a signed read, so only those who have signed are looked at.
   */
  isPassphrase(text: string): boolean;
}

/** What a person who has made keys may do where; nothing while it may not sign in. */
export interface KeyMaker {
  readonly rights: ReadonlyMap<AccountId, readonly string[]>;
  /** Keys made before are worth nothing. */
  readonly keysSinceMs: number;
}

/** Persons who have made keys, as they may act now; at once where that is known. */
export interface KeyMakers {
  find(personId: string): KeyMaker | undefined | Promise<KeyMaker>;
}

export interface KeyRegistry {
  /**
   * The live key with this text; undefined when unknown or revoked. Never throws on odd text.
   * Key texts are looked up exactly, so this must not scan or hash slowly.
   */
  lookup(key: string): ApiKey | undefined;
  /** Whether the operator keeps an account from writing. */
  isFrozen(accountId: AccountId): boolean;
  /** Uses a signature of a strict key up, and says whether it was new. */
  sign(use: SignatureUse, nowMs: number): ReplayVerdict | Promise<ReplayVerdict>;
}
