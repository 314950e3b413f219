/** A key whose maker may do less than it was made for: it may do what both may. */
import type { AccountId, Permission } from '#domain';
import type { ApiKey, Principal } from './port.ts';

class KeyWithin implements Principal {
  readonly key: string;
  readonly accountId: AccountId;
  readonly expiresMs: number;
  readonly permissions: readonly Permission[];
  readonly #whole: ApiKey;

  constructor(whole: ApiKey, permissions: readonly Permission[]) {
    this.key = whole.key;
    this.accountId = whole.accountId;
    this.expiresMs = whole.expiresMs;
    this.permissions = permissions;
    this.#whole = whole;
  }

  get isLive(): boolean {
    return this.#whole.isLive;
  }

  get accountFrozen(): boolean {
    return this.#whole.accountFrozen;
  }
}

/** The key itself where its maker may do all that it was made for. */
export function keyWithin(key: ApiKey, rights: readonly string[]): Principal {
  const permissions = key.permissions.filter((permission) => rights.includes(permission));
  return permissions.length === key.permissions.length ? key : new KeyWithin(key, permissions);
}
