/**
 * A key in use: what it signs with opened, its passphrase remembered once it was right, because
 * every call repeats it. Made by the vault on first use and dropped with the cache; nothing in it
 * is ever written anywhere.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import type { AccountId, KeyRecord, Permission } from '#domain';
import type { Guesses } from './guesses.ts';
import type { ApiKey, PassphraseVerdict, Signing } from './port.ts';

/** Longer text is no passphrase; it is not even hashed. */
const PASSPHRASE_LENGTH_MAX = 128;
/** Wrong guesses of one key that are remembered, so that repeating one costs nothing. */
const WRONG_DIGESTS_MAX = 16;

export interface KeySurroundings {
  readonly guesses: Guesses;
  /** Random text of this process that keys the digests of guesses. */
  readonly digestKey: string;
  readonly isFrozen: (accountId: AccountId) => boolean;
  /** Whether this very record is still in force. */
  readonly isLive: (record: KeyRecord) => boolean;
}

export class OpenedKey implements ApiKey {
  readonly key: string;
  readonly accountId: AccountId;
  readonly permissions: readonly Permission[];
  readonly ipAllowList: readonly string[];
  readonly signing: Signing;
  readonly expiresMs: number;
  readonly strictSinceMs: number | undefined;
  readonly madeBy: string | undefined;
  readonly createdMs: number;
  readonly #record: KeyRecord;
  readonly #surroundings: KeySurroundings;
  readonly #pending = new Map<string, Promise<PassphraseVerdict>>();
  readonly #wrong = new Set<string>();
  #right: Buffer | undefined;

  constructor(record: KeyRecord, signing: Signing, surroundings: KeySurroundings) {
    this.key = record.key;
    this.accountId = record.accountId;
    this.permissions = record.permissions;
    this.ipAllowList = record.ipAllowList;
    this.signing = signing;
    this.expiresMs = record.expiresTimeMs ?? Number.POSITIVE_INFINITY;
    this.madeBy = record.madeBy;
    this.createdMs = record.createdTimeMs;
    this.strictSinceMs = record.strictReplay === true ? record.createdTimeMs : undefined;
    this.#record = record;
    this.#surroundings = surroundings;
  }

  get accountFrozen(): boolean {
    return this.#surroundings.isFrozen(this.accountId);
  }

  get isLive(): boolean {
    return this.#surroundings.isLive(this.#record);
  }

  verifyPassphrase(text: string): PassphraseVerdict | Promise<PassphraseVerdict> {
    if (text.length > PASSPHRASE_LENGTH_MAX) return 'wrong';
    // Once the right one is known, a wrong one is wrong without any slow hash.
    if (this.#right !== undefined) return isSame(text, this.#right) ? 'right' : 'wrong';
    const name = hash('sha256', this.#surroundings.digestKey + text, 'base64');
    if (this.#wrong.has(name)) return 'wrong';
    return this.#pending.get(name) ?? this.#guess(text, name);
  }

  #guess(text: string, name: string): 'busy' | Promise<PassphraseVerdict> {
    const check = this.#surroundings.guesses.check(this.key, text, this.#record.passphraseHash);
    if (check === 'busy') return check;
    const verdict = this.#remember(check, text, name);
    // The first requests of a client come together: they share one slow hash.
    this.#pending.set(name, verdict);
    return verdict;
  }

  async #remember(
    check: Promise<PassphraseVerdict>,
    text: string,
    name: string,
  ): Promise<PassphraseVerdict> {
    try {
      const verdict = await check;
      if (verdict === 'right') this.#right = Buffer.from(text);
      else this.#rememberWrong(name);
      return verdict;
    } finally {
      this.#pending.delete(name);
    }
  }

  #rememberWrong(name: string): void {
    const [oldest] = this.#wrong;
    if (this.#wrong.size >= WRONG_DIGESTS_MAX && oldest !== undefined) this.#wrong.delete(oldest);
    this.#wrong.add(name);
  }
}

/** Compares in constant time; only a difference in length shows. */
function isSame(text: string, right: Buffer): boolean {
  const given = Buffer.from(text);
  return given.length === right.length && timingSafeEqual(given, right);
}
