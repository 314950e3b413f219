/** The proof of a whole journal, from its first entry to its last. It repairs nothing. */
import { GENESIS, linkAfter } from './chain.ts';
import { journalFile } from './database.ts';
import { JournalFault } from './port.ts';
import { newestSnapshotSeq } from './snapshots.ts';
import { openJournalReader } from './sqlite-reader.ts';
import { requireCovered } from './tail.ts';

export interface VerifyProgress {
  readonly seq: number;
  readonly lastSeq: number;
}

export type VerifyResult =
  | {
      readonly kind: 'sound';
      readonly entries: number;
      readonly commands: number;
      readonly lastSeq: number;
      readonly lastHash: string;
    }
  | { readonly kind: 'faulty'; readonly fault: JournalFault }
  | { readonly kind: 'unreadable'; readonly reason: string };

const PROGRESS_EVERY_ENTRIES = 1_000;

/**
 * Reads the whole journal of a directory and proves its chain; the venue may run meanwhile.
 * 'faulty' names the first entry that is wrong, 'unreadable' says why nothing can be proven.
 */
export function verifyJournal(
  directory: string,
  onProgress: (progress: VerifyProgress) => void,
): VerifyResult {
  try {
    return proveAll(directory, onProgress);
  } catch (error) {
    if (!(error instanceof JournalFault)) throw error;
    if (error.kind === 'disk') return { kind: 'unreadable', reason: error.message };
    return { kind: 'faulty', fault: error };
  }
}

function proveAll(directory: string, onProgress: (progress: VerifyProgress) => void): VerifyResult {
  const reader = openJournalReader(directory);
  try {
    // In this order: a running venue writes snapshots of what the journal already has.
    const snapshotSeq = newestSnapshotSeq(directory);
    const lastSeqAtStart = reader.lastSeq;
    requireCovered(snapshotSeq, lastSeqAtStart, journalFile(directory));
    let entries = 0;
    let link = GENESIS;
    for (const entry of reader.entries(1)) {
      entries += 1;
      link = linkAfter(entry);
      if (entries % PROGRESS_EVERY_ENTRIES === 0) {
        onProgress({ seq: link.nextSeq - 1, lastSeq: Math.max(lastSeqAtStart, link.nextSeq - 1) });
      }
    }
    const lastSeq = link.nextSeq - 1;
    return { kind: 'sound', entries, commands: lastSeq, lastSeq, lastHash: link.hash };
  } finally {
    reader.close();
  }
}
