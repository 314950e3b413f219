/** The journal's SQLite file: where it is, how it is opened, and what its errors mean. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type ChainLink, GENESIS } from '../chain.ts';
import { createPrivate, fileFault, syncDirectory } from '../files.ts';
import { JournalFault, type JournalFaultKind } from '../port.ts';

const LOCK = 'venue.lock';
/** "Outc" in ASCII: marks this database as a journal, also for file(1). */
const APPLICATION_ID = 0x4f757463;

/** Entries of 64 orders (5 kB) then need no overflow pages: measured, they read twice as fast. */
const PAGE_BYTES = 16_384;
/** The write-ahead log shrinks back to this after a burst. */
const LOG_BYTES_KEPT = 64 * 1024 * 1024;
/** How long a reader waits while another connection recovers the log after a crash. */
const READ_WAIT_MS = 5_000;

export interface JournalFormat {
  /** Makes the tables of the newest format in an empty file. */
  readonly created: string;
  /** What leads from format 1 to 2, from 2 to 3, and so on. A released one is never edited. */
  readonly upgrades: readonly string[];
}

/** What this program reads and writes. */
export const JOURNAL_FORMAT: JournalFormat = {
  created: `
    CREATE TABLE entries (
      first_seq INTEGER PRIMARY KEY,
      count INTEGER NOT NULL,
      payload TEXT NOT NULL,
      hash TEXT NOT NULL,
      rules INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE meta (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      journal_id TEXT NOT NULL,
      base_seq INTEGER NOT NULL,
      base_hash TEXT NOT NULL,
      keyed_from_seq INTEGER NOT NULL DEFAULT 0,
      key_check TEXT NOT NULL DEFAULT ''
    ) STRICT;
  `,
  upgrades: [],
};

/** Without a key and without what was before. */
const EMPTIED = `
  DELETE FROM entries;
  UPDATE meta SET keyed_from_seq = 0, key_check = '';
`;

export const ENTRY_COLUMNS = 'first_seq AS firstSeq, count, rules, payload, hash';

export function journalFile(directory: string): string {
  return join(directory, 'journal.sqlite');
}

/**
 * Takes sole ownership of a data directory until the returned connection closes or its process
 * dies, in whatever way. Throws a JournalFault 'in_use' at once when it is taken.
 */
export function lockDirectory(directory: string): Database.Database {
  const file = join(directory, LOCK);
  const lock = withFaults(file, () => {
    createPrivate(file);
    return new Database(file, { timeout: 0 });
  });
  try {
    // An open transaction that writes nothing: the operating system drops its lock with us.
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw lockFault(file, error);
  }
}

/**
 * Throws the JournalFault 'in_use' when a process has the directory; creates nothing. What else is
 * wrong with the lock is reported by the caller that opens the directory.
 */
export function refuseInUse(directory: string): void {
  if (!existsSync(join(directory, LOCK))) return;
  try {
    lockDirectory(directory).close();
  } catch (error) {
    if (error instanceof JournalFault && error.kind === 'in_use') throw error;
  }
}

/** Whether no process has the directory; false where that cannot be found out. */
export function isUnused(directory: string): boolean {
  if (!existsSync(join(directory, LOCK))) return true;
  try {
    lockDirectory(directory).close();
    return true;
  } catch {
    return false;
  }
}

function lockFault(file: string, error: unknown): unknown {
  if (isBusy(error)) {
    const reason = 'another outcry process is running on this data directory';
    return new JournalFault({ kind: 'in_use', file, reason }, { cause: error });
  }
  if (!isDamage(error)) return asFault(file, error);
  const reason =
    'this file is no lock of outcry: remove it, if no other outcry process has this directory open';
  return new JournalFault({ kind: 'disk', file, reason }, { cause: error });
}

export interface OpenedForWriting {
  readonly database: Database.Database;
  /** Whether it was made by this opening, so that nothing lies beside it yet. */
  readonly isNew: boolean;
}

/** Opens the journal for appending, creating it when missing. The directory must be locked. */
export function openForWriting(
  directory: string,
  synced: boolean,
  format: JournalFormat = JOURNAL_FORMAT,
): OpenedForWriting {
  const file = journalFile(directory);
  createPrivate(file);
  const database = new Database(file);
  const isNew = pragmaOf(database, 'schema_version') === 0;
  if (isNew) database.pragma(`page_size = ${PAGE_BYTES}`);
  database.pragma('journal_mode = WAL');
  // FULL: a commit returns only once the log is on disk. The other two matter on macOS alone.
  database.pragma(`synchronous = ${synced ? 'FULL' : 'OFF'}`);
  database.pragma('fullfsync = ON');
  database.pragma('checkpoint_fullfsync = ON');
  database.pragma(`journal_size_limit = ${LOG_BYTES_KEPT}`);
  try {
    if (isNew) database.transaction(() => create(database, format)).immediate();
    requireFormat(database, file, format, 1);
    database.transaction(() => upgrade(database, format)).immediate();
  } catch (error) {
    database.close();
    throw error;
  }
  if (isNew) syncDirectory(directory);
  return { database, isNew };
}

/** What the chain of a journal is keyed with, by its own word. */
export interface KeyMark {
  readonly keyedFromSeq: number;
  readonly keyCheck: string;
}

export function keyMark(database: Database.Database): KeyMark {
  return (
    database
      .prepare<[], KeyMark>(
        'SELECT keyed_from_seq AS keyedFromSeq, key_check AS keyCheck FROM meta',
      )
      .get() ?? { keyedFromSeq: 0, keyCheck: '' }
  );
}

/** From this command on the chain is keyed, for good. */
export function markKeyed(database: Database.Database, { keyedFromSeq, keyCheck }: KeyMark): void {
  database.prepare('UPDATE meta SET keyed_from_seq = ?, key_check = ?').run(keyedFromSeq, keyCheck);
}

/** What the first entry of a journal follows. */
export function baseOf(database: Database.Database): ChainLink {
  const base = database
    .prepare<[], ChainLink>('SELECT base_seq AS nextSeq, base_hash AS hash FROM meta')
    .get();
  if (base !== undefined) return base;
  const reason = 'the row that says where this journal starts is missing';
  throw new JournalFault({ kind: 'torn_tail', file: database.name, reason });
}

/** Forgets every entry: the journal goes on after `base`. All or nothing. */
export function rebase(database: Database.Database, base: ChainLink): void {
  const run = (): void => {
    setBase(database, base);
    database.exec(EMPTIED);
  };
  database.transaction(run).immediate();
}

/** Forgets the entries before `base`, which the rest follows. All or nothing. */
export function trimTo(database: Database.Database, base: ChainLink): void {
  const run = (): void => {
    setBase(database, base);
    database.prepare('DELETE FROM entries WHERE first_seq < ?').run(base.nextSeq);
  };
  database.transaction(run).immediate();
}

function setBase(database: Database.Database, { nextSeq, hash }: ChainLink): void {
  database.prepare('UPDATE meta SET base_seq = ?, base_hash = ?').run(nextSeq, hash);
}

function create(database: Database.Database, format: JournalFormat): void {
  database.pragma(`application_id = ${APPLICATION_ID}`);
  database.pragma(`user_version = ${newestOf(format)}`);
  database.exec(format.created);
  database
    .prepare('INSERT INTO meta (one, journal_id, base_seq, base_hash) VALUES (1, ?, ?, ?)')
    .run(randomUUID(), GENESIS.nextSeq, GENESIS.hash);
}

function upgrade(database: Database.Database, format: JournalFormat): void {
  const due = format.upgrades.slice(formatOf(database) - 1);
  if (due.length === 0) return;
  for (const statements of due) database.exec(statements);
  database.pragma(`user_version = ${newestOf(format)}`);
}

function newestOf({ upgrades }: JournalFormat): number {
  return 1 + upgrades.length;
}

/** The random name that a journal got when it was created; its copies share it. */
export function journalId(database: Database.Database): string {
  const id: unknown = database.prepare('SELECT journal_id FROM meta').pluck().get();
  if (typeof id === 'string') return id;
  const reason = 'the row that names this journal is missing';
  throw new JournalFault({ kind: 'torn_tail', file: database.name, reason });
}

/** Opens the journal for reading only, whether or not it is being written. */
export function openForReading(
  directory: string,
  format: JournalFormat = JOURNAL_FORMAT,
): Database.Database {
  const file = journalFile(directory);
  if (!existsSync(file)) {
    // SQLite would not name the directory, which most likely is a wrong one.
    throw new JournalFault({ kind: 'disk', file, reason: 'there is no journal here' });
  }
  const database = new Database(file, {
    readonly: true,
    fileMustExist: true,
    timeout: READ_WAIT_MS,
  });
  try {
    requireFormat(database, file, format, newestOf(format));
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

function pragmaOf(database: Database.Database, name: string): unknown {
  return database.pragma(name, { simple: true });
}

function formatOf(database: Database.Database): number {
  return Number(pragmaOf(database, 'user_version'));
}

/** Before anything was released the numbers were higher, too. */
function requireFormat(
  database: Database.Database,
  file: string,
  format: JournalFormat,
  oldest: number,
): void {
  const [found, newest] = [formatOf(database), newestOf(format)];
  const isJournal = pragmaOf(database, 'application_id') === APPLICATION_ID;
  if (isJournal && found >= oldest && found <= newest) return;
  const advice =
    found < newest
      ? 'start the venue once to upgrade it'
      : 'start the program that wrote it, or this one on another data directory';
  const reason = isJournal
    ? `it has format ${found}, and this program reads format ${newest}: ${advice}`
    : 'this SQLite file is not an outcry journal';
  throw new JournalFault({ kind: 'disk', file, reason });
}

/** Runs work on the file and turns what SQLite or the file system throws into a JournalFault. */
export function withFaults<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asFault(file, error);
  }
}

/** The fault that an SQLite or file system error means; any other error comes back as it is. */
export function asFault(file: string, error: unknown): unknown {
  if (error instanceof Database.SqliteError) {
    const reason = `${error.message} (${error.code})`;
    return new JournalFault({ kind: kindOf(error), file, reason }, { cause: error });
  }
  return fileFault(file, error);
}

function kindOf(error: InstanceType<typeof Database.SqliteError>): JournalFaultKind {
  return isDamage(error) ? 'torn_tail' : 'disk';
}

function isDamage(error: unknown): boolean {
  const damage = /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ|IOERR_CORRUPTFS)/;
  return error instanceof Database.SqliteError && damage.test(error.code);
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}
