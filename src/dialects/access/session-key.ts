/** A session in use for one account: what stands for a key where a person has signed in. */

import type { KeyRegistry, Principal } from '#api';
import { type AccountId, PERMISSIONS, type Permission } from '#domain';
import type { LiveSession, SessionEnd } from '#people';

/** No key has a space in it. */
function nameOf(sessionId: string, accountId: AccountId | ''): string {
  return `session ${sessionId} ${accountId}`;
}

/** Whether a login is by a session, or for an account of it, that has ended. */
export function isEndedBy(key: string, { sessionId, accountId }: SessionEnd): boolean {
  if (accountId === undefined) return key.startsWith(nameOf(sessionId, ''));
  return key === nameOf(sessionId, accountId);
}

export class SessionKey implements Principal {
  readonly key: string;
  readonly accountId: AccountId;
  /** Sessions end by their own rules, and say so. */
  readonly expiresMs = Number.POSITIVE_INFINITY;
  readonly #session: LiveSession;
  readonly #permission: Permission;
  readonly #keys: KeyRegistry;

  constructor(
    session: LiveSession,
    accountId: AccountId,
    permission: Permission,
    keys: KeyRegistry,
  ) {
    this.key = nameOf(session.sessionId, accountId);
    this.accountId = accountId;
    this.#session = session;
    this.#permission = permission;
    this.#keys = keys;
  }

  get isLive(): boolean {
    return this.#session.rightsOf(this.accountId)?.includes(this.#permission) === true;
  }

  get permissions(): readonly Permission[] {
    const rights = this.#session.rightsOf(this.accountId) ?? [];
    return PERMISSIONS.filter((permission) => rights.includes(permission));
  }

  get accountFrozen(): boolean {
    return this.#keys.isFrozen(this.accountId);
  }
}
