/** What is kept for a person's own affairs, and what goes when the person or an account does. */
import type { AccountId } from '#domain';

export interface PersonalStore {
  /** Accounts that anybody may use, or that take part in a competition, by id. */
  accountsWithAccess(): Promise<readonly AccountId[]>;
  /**
   * Nobody may use these accounts any more, no code lets anybody in, and they take part in no
   * competition; whoever has none left gets
   * a first one again. Gives the persons who could.
   */
  dropAccounts(accountIds: readonly AccountId[]): Promise<readonly string[]>;

  /** False when the address is taken, or the person is gone. */
  changeEmail(personId: string, email: string): Promise<boolean>;
  hasLink(personId: string, kind: 'email' | 'email_undo', nowMs: number): Promise<boolean>;
  /** Deletes a person with everything that is kept of it; gives the sessions that have ended. */
  deletePerson(personId: string): Promise<readonly string[]>;
}
