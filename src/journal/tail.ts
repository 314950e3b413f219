/** What is checked before a journal is continued: its end. The whole chain is verify.ts's work. */
import type Database from 'better-sqlite3';
import { type ChainLink, GENESIS, linkAfter } from './chain.ts';
import { journalFile } from './database.ts';
import { JournalFault, type JournalReader } from './port.ts';
import { newestSnapshotSeq } from './snapshots.ts';
import { SqliteReader } from './sqlite-reader.ts';

/** Sequence numbers proven at the end of the journal, rounded up to whole entries. */
const TAIL_COMMANDS = 16_384;

/**
 * Proves the last entries and gives the link that the next one continues. Throws a JournalFault
 * when the end is not sound, or when a snapshot knows of commands that the journal has lost.
 */
export function checkTail(directory: string, database: Database.Database): ChainLink {
  const file = journalFile(directory);
  const link = proveTail(new SqliteReader(file, database));
  requireCovered(newestSnapshotSeq(directory), link.nextSeq - 1, file);
  return link;
}

function proveTail(reader: JournalReader): ChainLink {
  let link = GENESIS;
  for (const entry of reader.entries(Math.max(1, reader.lastSeq - TAIL_COMMANDS))) {
    link = linkAfter(entry);
  }
  return link;
}

/** A journal cut off between two entries looks sound in itself; its snapshots tell. */
export function requireCovered(snapshotSeq: number, lastSeq: number, file: string): void {
  if (snapshotSeq <= lastSeq) return;
  const reason = `the journal ends at ${lastSeq}, but there is a snapshot of ${snapshotSeq}`;
  throw new JournalFault({ kind: 'torn_tail', file, seq: lastSeq + 1, reason });
}
