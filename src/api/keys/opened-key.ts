/**
 * A key in use: its secret opened, its passphrase remembered as a digest once it was right. Made by
 * the vault on first use and dropped with the cache; nothing in it is ever written anywhere.
 */
import { createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { AccountId, KeyRecord, Permission } from '#domain';
import type { Guesses } from './guesses.ts';
import type { ApiKey, PassphraseVerdict } from './port.ts';

/** Longer text is no passphrase; it is not even hashed. */
const PASSPHRASE_LENGTH_MAX = 128;
/** Wrong guesses of one key that are remembered, so that repeating one costs nothing. */
const WRONG_DIGESTS_MAX = 16;

export interface KeySurroundings {
  readonly guesses: Guesses;
  /** Random text of this process that keys the digests below. */
  readonly digestKey: string;
  readonly isFrozen: (accountId: AccountId) => boolean;
}

export class OpenedKey implements ApiKey {
  readonly key: string;
  readonly accountId: AccountId;
  readonly permissions: readonly Permission[];
  readonly ipAllowList: readonly string[];
  readonly secret: KeyObject;
  readonly #passphraseHash: string;
  readonly #surroundings: KeySurroundings;
  readonly #pending = new Map<string, Promise<PassphraseVerdict>>();
  readonly #wrong = new Set<string>();
  #right: Buffer | undefined;

  constructor(record: KeyRecord, secret: Buffer, surroundings: KeySurroundings) {
    this.key = record.key;
    this.accountId = record.accountId;
    this.permissions = record.permissions;
    this.ipAllowList = record.ipAllowList;
    this.secret = createSecretKey(secret);
    this.#passphraseHash = record.passphraseHash;
    this.#surroundings = surroundings;
  }

  get accountFrozen(): boolean {
    return this.#surroundings.isFrozen(this.accountId);
  }

  verifyPassphrase(text: string): PassphraseVerdict | Promise<PassphraseVerdict> {
    if (text.length > PASSPHRASE_LENGTH_MAX) return 'wrong';
    const digest = hash('sha256', this.#surroundings.digestKey + text, 'buffer');
    // Once the right one is known, a wrong one is wrong without any slow hash.
    if (this.#right !== undefined) return timingSafeEqual(digest, this.#right) ? 'right' : 'wrong';
    const name = digest.toString('base64');
    if (this.#wrong.has(name)) return 'wrong';
    return this.#pending.get(name) ?? this.#guess(text, digest, name);
  }

  #guess(text: string, digest: Buffer, name: string): 'busy' | Promise<PassphraseVerdict> {
    const check = this.#surroundings.guesses.check(this.key, text, this.#passphraseHash);
    if (check === 'busy') return check;
    const verdict = this.#remember(check, digest, name);
    // The first requests of a client come together: they share one slow hash.
    this.#pending.set(name, verdict);
    return verdict;
  }

  async #remember(
    check: Promise<PassphraseVerdict>,
    digest: Buffer,
    name: string,
  ): Promise<PassphraseVerdict> {
    try {
      const verdict = await check;
      if (verdict === 'right') this.#right = digest;
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
