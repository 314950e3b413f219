/** The proof of a whole journal, from its first entry to its last. It repairs nothing. */
import { GENESIS_HASH, linkAfter } from './chain.ts';
import { journalFile } from './database.ts';
import { type Head, readHead } from './head.ts';
import { JournalFault, type JournalReader } from './port.ts';
import { newestSnapshotSeq } from './snapshots.ts';
import { openJournalReader } from './sqlite-reader.ts';
import { requireCovered, requireHead } from './tail.ts';

export type VerifyResult =
  | {
      readonly kind: 'sound';
      readonly entriesCount: number;
      readonly commandsCount: number;
      readonly lastSeq: number;
      readonly lastHash: string;
      /** The first command that the chain is keyed from; 0 when it is not. */
      readonly keyedFromSeq: number;
    }
  | { readonly kind: 'faulty'; readonly fault: JournalFault; readonly soundUpToSeq: number }
  | { readonly kind: 'unreadable'; readonly reason: string };

export interface VerifyOptions {
  readonly masterKey?: Uint8Array | undefined;
  /** A head that was kept elsewhere: the journal must still have it, word for word. */
  readonly anchor?: Head | undefined;
}

/** The text of a head to be kept elsewhere, as in 1234:9f86d0... */
export function anchorText({ lastSeq, hash }: Head): string {
  return `${lastSeq}:${hash}`;
}

/** Undefined unless the text is one of anchorText. */
export function parseAnchor(text: string): Head | undefined {
  const [, seq, hash] = /^([0-9]{1,16}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return seq === undefined || hash === undefined ? undefined : { lastSeq: Number(seq), hash };
}

/** Called now and then with the progress. */
export type VerifyProgress = (seq: number, lastSeq: number) => void;

const PROGRESS_EVERY_ENTRIES = 1_000;

/** What has been proven so far. */
interface Proof {
  entriesCount: number;
  lastSeq: number;
  lastHash: string;
  keyedFromSeq: number;
}

/**
 * Reads the whole journal of a directory and proves its chain; the venue may run meanwhile.
 * 'faulty' names the first thing that is wrong, 'unreadable' why nothing can be proven.
 */
export function verifyJournal(
  directory: string,
  onProgress: VerifyProgress,
  options: VerifyOptions = {},
): VerifyResult {
  const proof: Proof = { entriesCount: 0, lastSeq: 0, lastHash: GENESIS_HASH, keyedFromSeq: 0 };
  try {
    proveAll(directory, proof, onProgress, options);
    return { kind: 'sound', commandsCount: proof.lastSeq, ...proof };
  } catch (error) {
    if (!(error instanceof JournalFault)) throw error;
    if (error.kind === 'disk' || error.kind === 'key')
      return { kind: 'unreadable', reason: error.message };
    return { kind: 'faulty', fault: error, soundUpToSeq: proof.lastSeq };
  }
}

function proveAll(
  directory: string,
  proof: Proof,
  onProgress: VerifyProgress,
  { masterKey, anchor }: VerifyOptions,
): void {
  // Before the journal is read: a running venue writes snapshots of what is already in it.
  const snapshotSeq = newestSnapshotSeq(directory);
  const head = readHead(directory);
  const reader = openJournalReader(directory, masterKey);
  proof.keyedFromSeq = reader.keyedFromSeq;
  try {
    proveEntries(reader, proof, onProgress);
    requireHead(directory, head, reader);
    if (anchor !== undefined) requireAnchor(anchor, reader);
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

/** A whole journal that was rewritten, or cut off, has another hash there, or no entry. */
function requireAnchor({ lastSeq, hash }: Head, reader: JournalReader): void {
  const { file } = reader;
  if (lastSeq > reader.lastSeq) {
    const reason = `the journal ends at ${reader.lastSeq}, but the anchor was taken at ${lastSeq}`;
    throw new JournalFault({ kind: 'torn_tail', file, seq: reader.lastSeq + 1, reason });
  }
  const [entry] = lastSeq === 0 ? [] : reader.entries(lastSeq);
  const found = entry === undefined ? GENESIS_HASH : entry.hash;
  const foundSeq = entry === undefined ? 0 : linkAfter(entry).nextSeq - 1;
  if (found === hash && foundSeq === lastSeq) return;
  const reason = 'the anchor was taken from another journal than this, or this was written anew';
  throw new JournalFault({ kind: 'hash_mismatch', file, seq: lastSeq, reason });
}
