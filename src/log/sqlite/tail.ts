/**
 * What is known of the end of a journal without reading it, and whether that is still there: one
 * that is cut off between two entries looks sound in itself.
 */
import { type ChainLink, endOf, type Head } from '../chain.ts';
import { type JournalEntry, JournalFault } from '../port.ts';
import { Snapshots } from '../snapshots.ts';
import { headFile, readHead } from './head.ts';

export interface KnownEnd {
  readonly directory: string;
  readonly head: Head | undefined;
  readonly snapshotSeq: number;
}

/** To be read before the journal: a venue that runs notes there what is in its journal already. */
export function knownEnd(directory: string): KnownEnd {
  const snapshotSeq = new Snapshots(directory).newestSeq();
  return { directory, head: readHead(directory), snapshotSeq };
}

/** What a journal says of itself. */
interface Ending {
  readonly file: string;
  readonly base: ChainLink;
  readonly lastSeq: number;
  /** The entry that contains the command. */
  entryWith(seq: number): JournalEntry | undefined;
}

/** Throws a JournalFault when commands are lost that the head has seen or a snapshot contains. */
export function requireEnd({ directory, head, snapshotSeq }: KnownEnd, ending: Ending): void {
  if (head !== undefined && head.lastSeq > 0) requireHead(directory, head, ending);
  const { file, lastSeq } = ending;
  if (snapshotSeq <= lastSeq) return;
  const reason = `the journal ends at ${lastSeq}, but there is a snapshot of ${snapshotSeq}`;
  throw new JournalFault({ kind: 'torn_tail', file, seq: lastSeq + 1, reason });
}

function requireHead(directory: string, head: Head, ending: Ending): void {
  const { file, lastSeq } = ending;
  if (head.lastSeq > lastSeq) {
    const reason =
      `it ends at ${lastSeq}, but ${headFile(directory)} has seen ${head.lastSeq} on disk: the ` +
      'end is damaged, most likely in journal.sqlite-wal. Restore a copy; to go on without the ' +
      'commands that are lost, remove journal.head';
    throw new JournalFault({ kind: 'torn_tail', file, seq: lastSeq + 1, reason });
  }
  // Seen before the copy began at a snapshot: nothing of it is left to compare.
  if (head.lastSeq < ending.base.nextSeq) return;
  const entry = ending.entryWith(head.lastSeq);
  if (entry?.hash === head.hash && endOf(entry) === head.lastSeq) return;
  const reason = `${headFile(directory)} has seen another entry end here`;
  throw new JournalFault({ kind: 'hash_mismatch', file, seq: head.lastSeq, reason });
}
