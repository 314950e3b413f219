/** Checks a whole journal, entry by entry, and repairs nothing. */
import { GENESIS_HASH } from './chain.ts';
import { JournalFault } from './port.ts';
import { openJournalReader } from './reader.ts';

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

/** Told after every so many entries. */
export type VerifyProgress = (seq: number, lastSeq: number) => void;

const PROGRESS_EVERY_ENTRIES = 10_000;

/** Walks the journal of a directory from its first entry to its last. */
export function verifyJournal(directory: string, onProgress: VerifyProgress): VerifyResult {
  let soundUpToSeq = 0;
  let entriesCount = 0;
  let lastHash = GENESIS_HASH;
  try {
    const reader = openJournalReader(directory);
    try {
      for (const entry of reader.entries(1)) {
        soundUpToSeq = entry.firstSeq + entry.count - 1;
        lastHash = entry.hash;
        entriesCount += 1;
        if (entriesCount % PROGRESS_EVERY_ENTRIES === 0) onProgress(soundUpToSeq, reader.lastSeq);
      }
    } finally {
      reader.close();
    }
  } catch (error) {
    if (!(error instanceof JournalFault)) throw error;
    if (error.kind === 'disk') return { kind: 'unreadable', reason: error.message };
    return { kind: 'faulty', fault: error, soundUpToSeq };
  }
  const commandsCount = soundUpToSeq;
  return { kind: 'sound', entriesCount, commandsCount, lastSeq: soundUpToSeq, lastHash };
}
