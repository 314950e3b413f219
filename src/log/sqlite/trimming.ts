/**
 * Trimming: the oldest entries of a journal go, a few in one transaction together with the mark of
 * where it then begins. Each is proven before it goes, and so is the one that follows: a journal
 * that is damaged is kept as it is. The room is used again by what is appended.
 */
import type Database from 'better-sqlite3';
import { endOf, type Keying, linkAfter, prove } from '../chain.ts';
import type { JournalEntry } from '../port.ts';
import { baseOf, ENTRY_COLUMNS, trimTo } from './database.ts';

/** A transaction with so much in it takes milliseconds: appends wait for no more. */
const ENTRIES_AT_ONCE = 256;
const CHARACTERS_AT_ONCE = 4 * 1024 * 1024;

export interface TrimmedSome {
  readonly firstSeq: number;
  /** Nothing more of it may go. */
  readonly isDone: boolean;
}

/** Removes some of the entries that end before a command. Throws the JournalFault it has found. */
export function trimSome(
  database: Database.Database,
  keying: Keying | undefined,
  beforeSeq: number,
): TrimmedSome {
  const base = baseOf(database);
  const oldest = oldestEntries(database);
  const proven = prove(base, oldest, keying, database.name);
  if (proven.fault !== undefined) throw proven.fault;
  // What follows the last of them proves its hash, so that one stays.
  const going = oldest.slice(0, -1).filter((entry) => endOf(entry) < beforeSeq);
  const last = going.at(-1);
  if (last === undefined) return { firstSeq: base.nextSeq, isDone: true };
  const next = linkAfter(last);
  trimTo(database, next);
  return { firstSeq: next.nextSeq, isDone: going.length < oldest.length - 1 };
}

function oldestEntries(database: Database.Database): JournalEntry[] {
  const entries: JournalEntry[] = [];
  let characters = 0;
  const statement = database.prepare<[], JournalEntry>(
    `SELECT ${ENTRY_COLUMNS} FROM entries ORDER BY first_seq LIMIT ${ENTRIES_AT_ONCE + 1}`,
  );
  for (const entry of statement.iterate()) {
    entries.push(entry);
    characters += entry.payload.length;
    if (characters > CHARACTERS_AT_ONCE && entries.length > 1) break;
  }
  return entries;
}
