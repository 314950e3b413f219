/**
 * The keys of the venue as the door needs them, fed with released events. Records stay sealed; a
 * key is opened on its first use and kept in a bounded cache. The journal is the only store.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { AccountId, Event, KeyRecord } from '#domain';
import type { Credentials } from './credentials.ts';
import { type KeySurroundings, OpenedKey } from './opened-key.ts';
import { checkOf, type PassphraseOrigin } from './passphrase.ts';
import type { ApiKey, KeyRegistry } from './port.ts';
import { ReplayGuards, type ReplayVerdict, type SignatureUse } from './replay-guard.ts';
import { RequestEd25519 } from './request-ed25519.ts';
import { RequestHmac } from './request-hmac.ts';
import { openSecret, SealBroken, sealSecret } from './seal.ts';

/** Keys kept open. Only keys that exist are opened, so strangers cannot push others out. */
const OPENED_MAX = 50_000;
/** Between the check of a passphrase and the secret, in what is sealed. */
const SPACE = 0x20;

/** The stored keys were sealed with another master key. */
export class MasterKeyWrong extends Error {
  override readonly name = 'MasterKeyWrong';
}

interface FrozenAccount {
  readonly accountId: AccountId;
  readonly frozen: boolean;
}

export class KeyVault implements KeyRegistry {
  readonly #masterKey: KeyObject;
  readonly #records = new Map<string, KeyRecord>();
  readonly #keysByAccount = new Map<AccountId, Set<string>>();
  readonly #frozen = new Set<AccountId>();
  /** Of strict keys; they outlast the opened key. */
  readonly #replays = new ReplayGuards();
  /** In the order of their opening; the first opened makes room. */
  readonly #opened = new Map<string, OpenedKey>();
  readonly #surroundings: KeySurroundings;

  constructor(masterKey: Buffer) {
    this.#masterKey = createSecretKey(masterKey);
    this.#surroundings = {
      isFrozen: (accountId) => this.#frozen.has(accountId),
      isLive: (record) => this.#records.get(record.key) === record,
    };
  }

  /** Takes over what a recovered venue knows, with its last time. Throws MasterKeyWrong. */
  restore(
    records: Iterable<KeyRecord>,
    accounts: Iterable<FrozenAccount>,
    lastCommandMs = 0,
  ): void {
    this.#replays.takeOver(lastCommandMs);
    for (const record of records) this.#add(record);
    for (const { accountId, frozen } of accounts) this.#setFrozen(accountId, frozen);
    this.checkMasterKey();
  }

  /** Knows nothing but what a venue knows that went back to a checkpoint. */
  reset(records: Iterable<KeyRecord>, accounts: Iterable<FrozenAccount>): void {
    this.#records.clear();
    this.#keysByAccount.clear();
    this.#frozen.clear();
    this.#opened.clear();
    this.restore(records, accounts);
  }

  /** Follows the venue. Events of other kinds pass by. */
  apply(event: Event): void {
    if (event.kind === 'key_created') this.#add(event.record);
    else if (event.kind === 'key_revoked') this.#remove(event.key);
    else if (event.kind === 'account_created' || event.kind === 'account_updated') {
      this.#setFrozen(event.accountId, event.settings.frozen);
    }
  }

  /** Throws MasterKeyWrong when a stored key does not open; all are sealed with the same. */
  checkMasterKey(): void {
    const [record] = this.#records.values();
    if (record === undefined) return;
    try {
      openSecret(this.#masterKey, record.key, record.sealed);
    } catch (cause) {
      if (!(cause instanceof SealBroken)) throw cause;
      const advice =
        'give the one this data directory was made with (OUTCRY_MASTER_KEY, master.key)';
      throw new MasterKeyWrong(`the master key does not open the stored keys: ${advice}`, {
        cause,
      });
    }
  }

  lookup(key: string): ApiKey | undefined {
    const opened = this.#opened.get(key);
    if (opened !== undefined) return opened;
    const record = this.#records.get(key);
    return record === undefined ? undefined : this.#open(record);
  }

  isFrozen(accountId: AccountId): boolean {
    return this.#frozen.has(accountId);
  }

  sign(use: SignatureUse, nowMs: number): ReplayVerdict {
    return this.#replays.take(use, nowMs);
  }

  /** Signatures are remembered here from this time on: others have remembered them before. */
  takeOver(timeMs: number): void {
    this.#replays.takeOver(timeMs);
  }

  has(key: string): boolean {
    return this.#records.has(key);
  }

  record(key: string): KeyRecord | undefined {
    return this.#records.get(key);
  }

  /** The keys of one account, oldest first. */
  recordsOf(accountId: AccountId): KeyRecord[] {
    const keys = this.#keysByAccount.get(accountId) ?? [];
    return [...keys].flatMap((key) => this.#records.get(key) ?? []);
  }

  /** The stored form of a new key's secret, empty where it has none, and of its passphrase. */
  seal({ key, secret, passphrase }: Credentials, origin: PassphraseOrigin): string {
    return sealSecret(this.#masterKey, key, `${checkOf(passphrase, origin)} ${secret}`);
  }

  #open(record: KeyRecord): OpenedKey {
    const { key, publicKey, sealed } = record;
    const content = openSecret(this.#masterKey, key, sealed);
    const at = content.indexOf(SPACE);
    const check = content.toString('latin1', 0, at);
    const signing =
      publicKey === undefined
        ? new RequestHmac(content.subarray(at + 1))
        : new RequestEd25519(publicKey);
    const opened = new OpenedKey(record, { signing, check }, this.#surroundings);
    const [oldest] = this.#opened.keys();
    if (this.#opened.size >= OPENED_MAX && oldest !== undefined) this.#opened.delete(oldest);
    this.#opened.set(record.key, opened);
    return opened;
  }

  #add(record: KeyRecord): void {
    this.#records.set(record.key, record);
    const keys = this.#keysByAccount.get(record.accountId);
    if (keys === undefined) this.#keysByAccount.set(record.accountId, new Set([record.key]));
    else keys.add(record.key);
  }

  #remove(key: string): void {
    const record = this.#records.get(key);
    if (record === undefined) return;
    this.#records.delete(key);
    this.#opened.delete(key);
    this.#replays.forget(key);
    const keys = this.#keysByAccount.get(record.accountId);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysByAccount.delete(record.accountId);
  }

  #setFrozen(accountId: AccountId, frozen: boolean): void {
    if (frozen) this.#frozen.add(accountId);
    else this.#frozen.delete(accountId);
  }
}
