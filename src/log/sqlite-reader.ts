/** Reads the SQLite journal and proves its chain on the way. It never writes and never repairs. */
import type Database from 'better-sqlite3';
import { assert } from '#kernel';
import { checkEntry, GENESIS, type Keying, linkAfter } from './chain.ts';
import { entryColumns, journalFile, journalId, openForReading, withFaults } from './database.ts';
import { keyingOf } from './keying.ts';
import type { JournalEntry, JournalReader } from './port.ts';

/**
 * Entries fetched at a time. Between two pages no statement is open, so a slow reader neither
 * blocks its own connection nor keeps the write-ahead log from being emptied.
 */
const PAGE_ENTRIES = 64;

/**
 * Opens the journal of a directory for reading. Throws a JournalFault when there is none, and when
 * it is keyed and this is not its master key.
 */
export function openJournalReader(directory: string, masterKey?: Uint8Array): JournalReader {
  const file = journalFile(directory);
  return withFaults(file, () => {
    const database = openForReading(directory);
    try {
      return new SqliteReader(file, database, keyingOf(database, masterKey));
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Reads through a connection that it is given, and closes it in the end. */
export class SqliteReader implements JournalReader {
  readonly file: string;
  readonly #keying: Keying | undefined;
  readonly #database: Database.Database;
  readonly #after: Database.Statement<[number], JournalEntry>;
  readonly #before: Database.Statement<[number], JournalEntry>;

  constructor(file: string, database: Database.Database, keying: Keying | undefined) {
    this.file = file;
    this.#keying = keying;
    this.#database = database;
    const columns = entryColumns(database);
    this.#after = database.prepare(
      `SELECT ${columns} FROM entries WHERE first_seq > ? ` +
        `ORDER BY first_seq LIMIT ${PAGE_ENTRIES}`,
    );
    this.#before = database.prepare(
      `SELECT ${columns} FROM entries WHERE first_seq < ? ORDER BY first_seq DESC LIMIT 1`,
    );
  }

  get id(): string {
    return withFaults(this.file, () => journalId(this.#database));
  }

  get keyedFromSeq(): number {
    return this.#keying?.fromSeq ?? 0;
  }

  get lastSeq(): number {
    const last = this.#entryBefore(Number.MAX_SAFE_INTEGER);
    return last === undefined ? 0 : linkAfter(last).nextSeq - 1;
  }

  *entries(fromSeq: number): Generator<JournalEntry, void> {
    assert(Number.isSafeInteger(fromSeq) && fromSeq >= 1, 'sequence numbers start at 1');
    const known = this.#entryKnownBefore(fromSeq);
    let link = known === undefined ? GENESIS : linkAfter(known);
    for (const entry of this.#rowsAfter(known?.firstSeq ?? Number.MIN_SAFE_INTEGER)) {
      checkEntry(link, entry, this.#keying, this.file);
      link = linkAfter(entry);
      if (link.nextSeq > fromSeq) yield entry;
    }
  }

  close(): void {
    this.#database.close();
  }

  *#rowsAfter(firstSeq: number): Generator<JournalEntry, void> {
    let last = firstSeq;
    for (;;) {
      const page = withFaults(this.file, () => this.#after.all(last));
      yield* page;
      const end = page.at(-1);
      if (end === undefined || page.length < PAGE_ENTRIES) return;
      last = end.firstSeq;
    }
  }

  /** The entry before the one that contains `fromSeq`: it is taken as proven. */
  #entryKnownBefore(fromSeq: number): JournalEntry | undefined {
    const first = this.#entryBefore(fromSeq + 1);
    return first === undefined || first.firstSeq <= 1
      ? undefined
      : this.#entryBefore(first.firstSeq);
  }

  #entryBefore(seq: number): JournalEntry | undefined {
    return withFaults(this.file, () => this.#before.get(seq));
  }
}
