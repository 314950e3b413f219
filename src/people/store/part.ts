/**
 * What another room keeps in the same database: tables of its own, made with those of people, and
 * what is asked of them. Whoever opens the store names the part. It reads and writes no table of
 * people; what ends with an account or a person there ends here in the same transaction.
 */
import type { Kysely } from 'kysely';
import type { Described } from './table.ts';
import type { PeopleDatabase } from './tables.ts';

type Database = Kysely<PeopleDatabase>;

export interface StorePart<Added extends object> {
  readonly tables: Readonly<Record<string, Described>>;
  /** `dropCodesOf` deletes the codes of something that ends, in the transaction that ends it. */
  rows(db: Database, dropCodesOf: DropCodesOf): Added;
  /** Accounts of which it keeps anything. */
  accountsKept(db: Database): Promise<readonly number[]>;
  /** The accounts in what it keeps under this id. */
  accountsIn(db: Database, id: string): Promise<readonly number[]>;
  /** These accounts are no more, and their ids may be given again. */
  dropAccounts(within: Database, accountIds: readonly number[]): Promise<void>;
  /** Whoever had these accounts alone is deleted: nothing tells any more who it was. */
  forgetOwner(within: Database, accountIds: readonly number[]): Promise<void>;
}

export type DropCodesOf = (within: Database, belongsTo: string) => Promise<void>;

/** What the rows of people themselves need of a part, whatever it adds. */
export type EndingPart = Omit<StorePart<object>, 'tables' | 'rows'>;
