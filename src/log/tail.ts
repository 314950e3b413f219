/** What is checked before a journal is continued: its end. The whole chain is verify.ts's work. */
import type Database from 'better-sqlite3';
import { type ChainLink, GENESIS, type Keying, linkAfter } from './chain.ts';
import { journalFile } from './database.ts';
import { type Head, headFile, readHead } from './head.ts';
import { JournalFault, type JournalReader } from './port.ts';
import { newestSnapshotSeq } from './snapshots.ts';
import { SqliteReader } from './sqlite-reader.ts';

/** Sequence numbers proven at the end of the journal, rounded up to whole entries. */
const TAIL_COMMANDS = 16_384;

/**
 * Proves the last entries and gives the link that the next one continues. Throws a JournalFault
 * when the end is not sound, or when a snapshot knows of commands that the journal has lost.
 */
export function checkTail(
  directory: string,
  database: Database.Database,
  keying: Keying | undefined,
): ChainLink {
  const file = journalFile(directory);
  const reader = new SqliteReader(file, database, keying);
  const link = proveTail(reader);
  requireHead(directory, readHead(directory), reader);
  requireCovered(newestSnapshotSeq(directory), link.nextSeq - 1, file);
  return link;
}

/** What the head has seen on disk is there. The head must have been read before the journal. */
export function requireHead(
  directory: string,
  head: Head | undefined,
  reader: JournalReader,
): void {
  if (head === undefined || head.lastSeq === 0) return;
  const { file, lastSeq } = reader;
  if (head.lastSeq > lastSeq) {
    const reason =
      `it ends at ${lastSeq}, but ${headFile(directory)} has seen ${head.lastSeq} on disk: the ` +
      'end is damaged, most likely in journal.sqlite-wal. Restore a copy; to go on without the ' +
      'commands that are lost, remove journal.head';
    throw new JournalFault({ kind: 'torn_tail', file, seq: lastSeq + 1, reason });
  }
  const [entry] = reader.entries(head.lastSeq);
  const isSame = entry?.hash === head.hash && linkAfter(entry).nextSeq - 1 === head.lastSeq;
  if (isSame) return;
  const reason = `${headFile(directory)} has seen another entry end here`;
  throw new JournalFault({ kind: 'hash_mismatch', file, seq: head.lastSeq, reason });
}

function proveTail(reader: JournalReader): ChainLink {
  let link = GENESIS;
  for (const entry of reader.entries(Math.max(1, reader.lastSeq - TAIL_COMMANDS))) {
    link = linkAfter(entry);
  }
  return link;
}

/** A journal cut off between two entries looks sound in itself; its snapshots show it. */
export function requireCovered(snapshotSeq: number, lastSeq: number, file: string): void {
  if (snapshotSeq <= lastSeq) return;
  const reason = `the journal ends at ${lastSeq}, but there is a snapshot of ${snapshotSeq}`;
  throw new JournalFault({ kind: 'torn_tail', file, seq: lastSeq + 1, reason });
}
