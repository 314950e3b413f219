/**
 * The SQLite file of a journal: its place, schema and settings. WAL lets readers in while the
 * writer works; a commit is synced before it counts.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { JournalFault } from './port.ts';

export const JOURNAL_FILE = 'journal.sqlite';
const FORMAT_VERSION = 1;

const SCHEMA = `
  create table if not exists entries (
    first_seq integer primary key,
    count integer not null,
    hash text not null,
    payload text not null
  ) strict;
  create table if not exists meta (
    one integer primary key check (one = 1),
    journal_id text not null
  ) strict;
`;

export interface EntryRow {
  readonly first_seq: number;
  readonly count: number;
  readonly hash: string;
  readonly payload: string;
}

/** Opens the journal of a directory for writing; a new one is made. */
export function openForWriting(directory: string): Database.Database {
  const db = open(directory, false);
  db.pragma('journal_mode = wal');
  db.pragma('synchronous = full');
  db.pragma('fullfsync = on');
  db.exec(SCHEMA);
  const made = db.prepare('insert into meta values (1, ?) on conflict do nothing');
  made.run(randomUUID());
  if (Number(db.pragma('user_version', { simple: true })) === 0) {
    db.pragma(`user_version = ${FORMAT_VERSION}`);
  }
  checkVersion(db);
  return db;
}

/** Opens the journal of a directory for reading, beside a writer or without one. */
export function openForReading(directory: string): Database.Database {
  const db = open(directory, true);
  checkVersion(db);
  return db;
}

export function journalId(db: Database.Database): string {
  return String(db.prepare('select journal_id from meta').pluck().get());
}

function open(directory: string, readonly: boolean): Database.Database {
  const file = join(directory, JOURNAL_FILE);
  return withDiskFault(file, () => new Database(file, { readonly, fileMustExist: readonly }));
}

function checkVersion(db: Database.Database): void {
  const version = Number(withDiskFault(db.name, () => db.pragma('user_version', { simple: true })));
  if (version === FORMAT_VERSION) return;
  const text = `${db.name} has format ${version}; this program reads format ${FORMAT_VERSION}`;
  throw new JournalFault('disk', text);
}

/** Runs work on the file; what SQLite throws comes out as a JournalFault that names the file. */
export function withDiskFault<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof JournalFault) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new JournalFault('disk', `${file}: ${why}`, { cause });
  }
}
