/**
 * Imports: accounts that come in by file, and go out as one that comes in again. They own the table
 * `account_imports`: what is still to be done, and how far it has got. Persons, access and money
 * that a line brings are made by those who own them.
 */

/** Stopped: a line could not be carried out; the reason is kept, what was done stays. */
export const IMPORT_STATES = ['waiting', 'done', 'stopped'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

export interface AccountImport {
  /** The operator's own name for it: the same name is never carried out twice. */
  readonly reference: string;
  /** Of its text, which is forgotten when it is over. */
  readonly digest: string;
  readonly content: string;
  readonly state: ImportState;
  readonly fault: string;
  readonly linesCount: number;
  readonly doneCount: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface ImportsStore {
  /** False when the reference is taken. */
  addImport(one: AccountImport): Promise<boolean>;
  accountImport(reference: string): Promise<AccountImport | undefined>;
  /** Newest first, without their text; those listed behind this reference. */
  imports(limit: number, before?: string): Promise<readonly AccountImport[]>;
  /** The one that has waited longest. */
  nextImport(): Promise<AccountImport | undefined>;
  waitingImportsCount(): Promise<number>;
  moveImport(
    reference: string,
    changes: Pick<AccountImport, 'state' | 'fault' | 'doneCount' | 'content' | 'updatedMs'>,
  ): Promise<void>;
  pruneImports(beforeMs: number): Promise<void>;
}
