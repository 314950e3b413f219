/**
 * Access: which person may do what in which account. It owns the tables `access` and
 * `access_codes`, and what ties an API key to the person who made it. A right holds in one account;
 * what operators may do at the venue is their role, and how persons prove who they are is of
 * identities.
 */
import type { AccountId, Permission } from '#domain';

/** What a person may do in an account: as a key, and besides take money out and let others in. */
export type AccessRight = Permission | 'withdraw' | 'manage';
export const ACCESS_RIGHTS: readonly AccessRight[] = [
  'read',
  'trade',
  'transfer',
  'withdraw',
  'manage',
];

/** Which account, and what may be done in it. */
export interface Access {
  readonly personId: string;
  readonly accountId: AccountId;
  readonly label: string;
  readonly rights: readonly AccessRight[];
}

/** Who may use an account. Who has managed it for the longest owns it. */
export interface AccountMember extends Access {
  readonly name: string;
  readonly isOwner: boolean;
}

/** Who has made keys, as far as they are worth anything. */
export interface ActiveMaker {
  readonly personId: string;
  /** Keys that the maker made before are worth nothing. */
  readonly keysSinceMs: number;
  readonly access: readonly Access[];
}

/** Lets whoever enters it into an account, once. */
export interface AccessCode {
  readonly codeId: string;
  readonly codeHash: string;
  readonly accountId: AccountId;
  readonly rights: readonly AccessRight[];
  readonly madeBy: string;
  readonly expiresMs: number;
}

export interface AccessCodeBound {
  readonly nowMs: number;
  /** Of one person, for all accounts. */
  readonly liveMax: number;
}

export interface AccessStore {
  /** Those of them who may sign in, with what they may do where. */
  activeMakers(personIds: readonly string[]): Promise<readonly ActiveMaker[]>;

  addAccess(access: Access, createdMs: number): Promise<void>;
  accessOf(personId: string): Promise<readonly Access[]>;
  /** Of those who have proved their address, or also what waits for others. */
  accessTo(accountId: AccountId, whose?: 'proved' | 'all'): Promise<readonly AccountMember[]>;
  changeAccess(
    personId: string,
    accountId: AccountId,
    changes: Partial<Pick<Access, 'label' | 'rights'>>,
  ): Promise<boolean>;
  removeAccess(personId: string, accountId: AccountId): Promise<boolean>;

  /** False where the person has as many that work; those that are over are deleted. */
  addAccessCode(code: AccessCode, bound: AccessCodeBound): Promise<boolean>;
  /** Those that a person has made stop working. */
  dropAccessCodes(madeBy: string): Promise<void>;
  takeAccessCode(codeHash: string, nowMs: number): Promise<AccessCode | undefined>;
  /** Of an account, those that end first. */
  accessCodes(
    accountId: AccountId,
    nowMs: number,
    limit: number,
  ): Promise<readonly Omit<AccessCode, 'codeHash'>[]>;
  dropAccessCode(accountId: AccountId, codeId: string): Promise<boolean>;
}
