/** What ends in several subjects at once: accounts, persons, and what is over. */
import type { AccountId } from '#domain';

/** What is over: sessions, links and codes at their end, and what is older than this. */
export interface PruneTimes {
  readonly nowMs: number;
  readonly eventsBeforeMs: number;
  readonly failuresBeforeMs: number;
  /** Persons of before who have not proved their address, and no link is left that does. */
  readonly unprovedBeforeMs: number;
}

export interface EndingStore {
  /** Accounts that anybody may use, or of which the part of another room keeps something, by id. */
  accountsWithAccess(): Promise<readonly AccountId[]>;
  /**
   * Nobody may use these accounts any more, no code lets anybody in, and nothing of another
   * room has them; whoever has none left gets a first one again. Gives the persons who could.
   */
  dropAccounts(accountIds: readonly AccountId[]): Promise<readonly string[]>;
  /** The accounts in what another room keeps under this id. */
  accountsIn(id: string): Promise<readonly AccountId[]>;
  /** Deletes a person with everything that is kept of it; gives the sessions that have ended. */
  deletePerson(personId: string): Promise<readonly string[]>;
  /** Deletes what is over; see PruneTimes. */
  prune(times: PruneTimes): Promise<void>;
}
