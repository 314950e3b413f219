/** The proof of a whole journal, from its first entry to its last. It repairs nothing. */
import { GENESIS_HASH, linkAfter } from './chain.ts';
import { journalFile } from './database.ts';
import { JournalFault, type JournalReader } from './port.ts';
import { newestSnapshotSeq } from './snapshots.ts';
import { openJournalReader } from './sqlite-reader.ts';
import { requireCovered } from './tail.ts';

export type VerifyResult =
  | {
      readonly kind: 'sound';
      readonly entriesCount: number;
      readonly commandsCount: number;
      readonly lastSeq: number;
      readonly lastHash: string;
    }
  | { readonly kind: 'faulty'; readonly fault: JournalFault; readonly soundUpToSeq: number }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Told now and then how far the proof has come. */
export type VerifyProgress = (seq: number, lastSeq: number) => void;

const PROGRESS_EVERY_ENTRIES = 1_000;

/** What has been proven so far. */
interface Proof {
  entriesCount: number;
  lastSeq: number;
  lastHash: string;
}

/**
 * Reads the whole journal of a directory and proves its chain; the venue may run meanwhile.
 * 'faulty' tells the first thing that is wrong, 'unreadable' why nothing can be proven.
 */
export function verifyJournal(directory: string, onProgress: VerifyProgress): VerifyResult {
  const proof: Proof = { entriesCount: 0, lastSeq: 0, lastHash: GENESIS_HASH };
  try {
    proveAll(directory, proof, onProgress);
    return { kind: 'sound', commandsCount: proof.lastSeq, ...proof };
  } catch (error) {
    if (!(error instanceof JournalFault)) throw error;
    if (error.kind === 'disk') return { kind: 'unreadable', reason: error.message };
    return { kind: 'faulty', fault: error, soundUpToSeq: proof.lastSeq };
  }
}

function proveAll(directory: string, proof: Proof, onProgress: VerifyProgress): void {
  // Before the journal is read: a running venue writes snapshots of what is already in it.
  const snapshotSeq = newestSnapshotSeq(directory);
  const reader = openJournalReader(directory);
  try {
    proveEntries(reader, proof, onProgress);
  } finally {
    reader.close();
  }
  requireCovered(snapshotSeq, proof.lastSeq, journalFile(directory));
}

function proveEntries(reader: JournalReader, proof: Proof, onProgress: VerifyProgress): void {
  for (const entry of reader.entries(1)) {
    proof.entriesCount += 1;
    proof.lastSeq = linkAfter(entry).nextSeq - 1;
    proof.lastHash = entry.hash;
    if (proof.entriesCount % PROGRESS_EVERY_ENTRIES === 0) {
      onProgress(proof.lastSeq, reader.lastSeq);
    }
  }
}
