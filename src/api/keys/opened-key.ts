/**
 * A key in use: what it signs with opened, its passphrase remembered once it was right, because
 * every call repeats it. Made by the vault on first use and dropped with the cache; nothing in it
 * is ever written anywhere.
 */
import type { AccountId, KeyRecord, Permission } from '#domain';
import { isPassphraseOf, isSame } from './passphrase.ts';
import type { ApiKey, Signing } from './port.ts';

/** Longer text is no passphrase; it is not even hashed. */
const PASSPHRASE_LENGTH_MAX = 128;

export interface KeySurroundings {
  readonly isFrozen: (accountId: AccountId) => boolean;
  /** Whether this very record is still in force. */
  readonly isLive: (record: KeyRecord) => boolean;
}

/** What the sealed part of a record holds, opened. */
interface Unsealed {
  readonly signing: Signing;
  /** What its passphrase is checked by. */
  readonly check: string;
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
  readonly #check: string;
  readonly #record: KeyRecord;
  readonly #surroundings: KeySurroundings;
  #right: string | undefined;

  constructor(record: KeyRecord, { signing, check }: Unsealed, surroundings: KeySurroundings) {
    this.key = record.key;
    this.accountId = record.accountId;
    this.permissions = record.permissions;
    this.ipAllowList = record.ipAllowList;
    this.signing = signing;
    this.expiresMs = record.expiresTimeMs ?? Number.POSITIVE_INFINITY;
    this.madeBy = record.madeBy;
    this.createdMs = record.createdTimeMs;
    this.strictSinceMs = record.strictReplay === true ? record.createdTimeMs : undefined;
    this.#check = check;
    this.#record = record;
    this.#surroundings = surroundings;
  }

  get accountFrozen(): boolean {
    return this.#surroundings.isFrozen(this.accountId);
  }

  get isLive(): boolean {
    return this.#surroundings.isLive(this.#record);
  }

  isPassphrase(text: string): boolean {
    if (text.length > PASSPHRASE_LENGTH_MAX) return false;
    if (this.#right !== undefined) return isSame(text, this.#right);
    const isRight = isPassphraseOf(text, this.#check);
    if (isRight) this.#right = text;
    return isRight;
  }
}
