/** Reads the SQLite journal and proves its chain on the way. It never writes and never repairs. */
import type Database from 'better-sqlite3';
import { assert, present } from '#kernel';
import { type ChainLink, endOf, type Keying, linkAfter, prove } from '../chain.ts';
import { type JournalEntry, JournalFault, type JournalReader } from '../port.ts';
import {
  baseOf,
  ENTRY_COLUMNS,
  journalFile,
  journalId,
  openForReading,
  withFaults,
} from './database.ts';
import { keyingOf } from './keying.ts';
import { type KnownEnd, knownEnd, requireEnd } from './tail.ts';

/**
 * Entries fetched at a time. Between two pages no statement is open, so a slow reader neither
 * blocks its own connection nor keeps the write-ahead log from being emptied.
 */
const PAGE_ENTRIES = 64;
/** Sequence numbers proven at the end of the journal, rounded up to whole entries. */
const TAIL_COMMANDS = 16_384;

/**
 * Opens the journal of a directory for reading. Throws a JournalFault when there is none, and when
 * it is keyed and this is not its master key.
 */
export function openSqliteReader(directory: string, masterKey?: Uint8Array): SqliteReader {
  const known = knownEnd(directory);
  return withFaults(journalFile(directory), () => {
    const database = openForReading(directory);
    try {
      return new SqliteReader(known, database, keyingOf(database, masterKey));
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Reads through a connection that it is given, and closes it in the end. */
export class SqliteReader implements JournalReader {
  readonly id: string;
  readonly file: string;
  readonly #known: KnownEnd;
  readonly #keying: Keying | undefined;
  readonly #database: Database.Database;
  readonly #after: Database.Statement<[number], JournalEntry>;
  readonly #before: Database.Statement<[number], JournalEntry>;

  constructor(known: KnownEnd, database: Database.Database, keying: Keying | undefined) {
    this.id = journalId(database);
    this.file = journalFile(known.directory);
    this.#known = known;
    this.#keying = keying;
    this.#database = database;
    this.#after = database.prepare(
      `SELECT ${ENTRY_COLUMNS} FROM entries WHERE first_seq > ? ` +
        `ORDER BY first_seq LIMIT ${PAGE_ENTRIES}`,
    );
    this.#before = database.prepare(
      `SELECT ${ENTRY_COLUMNS} FROM entries WHERE first_seq < ? ORDER BY first_seq DESC LIMIT 1`,
    );
  }

  get base(): ChainLink {
    return withFaults(this.file, () => baseOf(this.#database));
  }

  get keyedFromSeq(): number {
    return this.#keying?.fromSeq ?? 0;
  }

  async lastSeq(): Promise<number> {
    return this.link().nextSeq - 1;
  }

  async *chunks(fromSeq: number): AsyncGenerator<readonly JournalEntry[], void> {
    yield* this.#pages(fromSeq);
  }

  async end(): Promise<ChainLink> {
    return this.link();
  }

  async proveEnd(): Promise<void> {
    this.#requireEnd();
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /** Where the chain stands after the last entry, which is taken as proven. */
  link(): ChainLink {
    const last = this.#entryBefore(Number.MAX_SAFE_INTEGER);
    return last === undefined ? this.base : linkAfter(last);
  }

  /** Proves the last entries, and that none are missing. Gives what the next one continues. */
  proveTail(): ChainLink {
    let link = this.base;
    for (const page of this.#pages(
      Math.max(link.nextSeq, this.link().nextSeq - 1 - TAIL_COMMANDS),
    )) {
      link = linkAfter(present(page.at(-1), 'entry of a page'));
    }
    this.#requireEnd();
    return link;
  }

  #requireEnd(): void {
    requireEnd(this.#known, {
      file: this.file,
      base: this.base,
      lastSeq: this.link().nextSeq - 1,
      entryWith: (seq) => this.#pages(seq).next().value?.[0],
    });
  }

  *#pages(fromSeq: number): Generator<readonly JournalEntry[], undefined> {
    assert(Number.isSafeInteger(fromSeq) && fromSeq >= 1, 'sequence numbers start at 1');
    const { base } = this;
    if (fromSeq < base.nextSeq) throw this.#startsLater(fromSeq, base);
    const known = this.#entryKnownBefore(fromSeq, base);
    let link = known === undefined ? base : linkAfter(known);
    let after = known?.firstSeq ?? Number.MIN_SAFE_INTEGER;
    for (;;) {
      const page = withFaults(this.file, () => this.#after.all(after));
      const proven = prove(link, page, this.#keying, this.file);
      const entries = proven.entries.filter((entry) => endOf(entry) >= fromSeq);
      if (entries.length > 0) yield entries;
      if (proven.fault !== undefined) throw proven.fault;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_ENTRIES) return;
      link = proven.link;
      after = last.firstSeq;
    }
  }

  /** The entry before the one that contains `fromSeq`: it is taken as proven. */
  #entryKnownBefore(fromSeq: number, base: ChainLink): JournalEntry | undefined {
    const first = this.#entryBefore(fromSeq + 1);
    return first === undefined || first.firstSeq <= base.nextSeq
      ? undefined
      : this.#entryBefore(first.firstSeq);
  }

  #startsLater(seq: number, { nextSeq }: ChainLink): JournalFault {
    const reason =
      `it begins with command ${nextSeq}, after a snapshot of everything before: it was trimmed, ` +
      'or is a copy that began there';
    return new JournalFault({ kind: 'gap', file: this.file, seq, reason });
  }

  #entryBefore(seq: number): JournalEntry | undefined {
    return withFaults(this.file, () => this.#before.get(seq));
  }
}
