/** The proof of a whole journal, from its first entry to its last. It repairs nothing. */
import { endOf, GENESIS, type Head } from './chain.ts';
import type { CommandLog } from './command-log.ts';
import { type JournalEntry, JournalFault, type JournalReader } from './port.ts';

export type VerifyResult =
  | {
      readonly kind: 'sound';
      readonly entriesCount: number;
      readonly commandsCount: number;
      /** 1, or where it was trimmed, or a copy of a shared log begins. */
      readonly firstSeq: number;
      readonly lastSeq: number;
      readonly lastHash: string;
      /** The first command that the chain is keyed from; 0 when it is not. */
      readonly keyedFromSeq: number;
    }
  | { readonly kind: 'faulty'; readonly fault: JournalFault; readonly soundUpToSeq: number }
  | { readonly kind: 'unreadable'; readonly reason: string };

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
  firstSeq: number;
  lastSeq: number;
  lastHash: string;
  keyedFromSeq: number;
}

/**
 * Reads a whole journal and proves its chain; the venue may run meanwhile. 'faulty' names the first
 * thing that is wrong, 'unreadable' why nothing can be proven. An anchor is a head that was kept
 * elsewhere: the journal must still have it, word for word.
 */
export async function verifyJournal(
  log: CommandLog,
  onProgress: VerifyProgress,
  anchor?: Head,
): Promise<VerifyResult> {
  const proof: Proof = {
    entriesCount: 0,
    firstSeq: 1,
    lastSeq: 0,
    lastHash: GENESIS.hash,
    keyedFromSeq: 0,
  };
  try {
    await using opened = new AsyncDisposableStack();
    const reader = opened.adopt(await log.openReader(), (one) => one.close());
    proof.keyedFromSeq = reader.keyedFromSeq;
    const { nextSeq, hash } = reader.base;
    Object.assign(proof, { firstSeq: nextSeq, lastSeq: nextSeq - 1, lastHash: hash });
    await proveEntries(reader, proof, onProgress);
    await reader.proveEnd();
    const firstSeq = reader.base.nextSeq;
    if (anchor !== undefined && anchor.lastSeq < firstSeq - 1) {
      return { kind: 'unreadable', reason: anchorTooOld(anchor, firstSeq) };
    }
    if (anchor !== undefined) await requireAnchor(anchor, reader);
    return { kind: 'sound', ...proof, firstSeq, commandsCount: proof.lastSeq - firstSeq + 1 };
  } catch (error) {
    if (!(error instanceof JournalFault)) throw error;
    if (error.kind === 'disk' || error.kind === 'key')
      return { kind: 'unreadable', reason: error.message };
    return { kind: 'faulty', fault: error, soundUpToSeq: proof.lastSeq };
  }
}

async function proveEntries(
  reader: JournalReader,
  proof: Proof,
  onProgress: VerifyProgress,
): Promise<void> {
  for (;;) {
    try {
      return await proveFrom(proof.lastSeq + 1, reader, proof, onProgress);
    } catch (error) {
      if (!wasTrimmed(error, reader, proof)) throw error;
      const { nextSeq, hash } = reader.base;
      Object.assign(proof, { lastSeq: nextSeq - 1, lastHash: hash });
    }
  }
}

/** A venue that runs may have removed what was about to be read. */
function wasTrimmed(error: unknown, reader: JournalReader, { lastSeq }: Proof): boolean {
  const isGap = error instanceof JournalFault && error.kind === 'gap';
  return isGap && reader.base.nextSeq > lastSeq + 1;
}

async function proveFrom(
  fromSeq: number,
  reader: JournalReader,
  proof: Proof,
  onProgress: VerifyProgress,
): Promise<void> {
  for await (const chunk of reader.chunks(fromSeq)) {
    for (const entry of chunk) {
      proof.entriesCount += 1;
      proof.lastSeq = endOf(entry);
      proof.lastHash = entry.hash;
      if (proof.entriesCount % PROGRESS_EVERY_ENTRIES === 0) {
        onProgress(proof.lastSeq, await reader.lastSeq());
      }
    }
  }
}

function anchorTooOld({ lastSeq }: Head, firstSeq: number): string {
  return (
    `the anchor was taken at command ${lastSeq}, and the journal begins with ${firstSeq}: what ` +
    'is before was trimmed, so only a later anchor can be found in it'
  );
}

/** A whole journal that was rewritten, or cut off, has another hash there, or no entry. */
async function requireAnchor(anchor: Head, reader: JournalReader): Promise<void> {
  const [{ file }, lastSeq] = [reader, await reader.lastSeq()];
  if (anchor.lastSeq > lastSeq) {
    const reason = `the journal ends at ${lastSeq}, but the anchor was taken at ${anchor.lastSeq}`;
    throw new JournalFault({ kind: 'torn_tail', file, seq: lastSeq + 1, reason });
  }
  const entry = await entryWith(reader, anchor.lastSeq);
  const found = entry === undefined ? reader.base.hash : entry.hash;
  const foundSeq = entry === undefined ? reader.base.nextSeq - 1 : endOf(entry);
  if (found === anchor.hash && foundSeq === anchor.lastSeq) return;
  const reason = 'the anchor was taken from another journal than this, or this was written anew';
  throw new JournalFault({ kind: 'hash_mismatch', file, seq: anchor.lastSeq, reason });
}

async function entryWith(reader: JournalReader, seq: number): Promise<JournalEntry | undefined> {
  if (seq === reader.base.nextSeq - 1) return undefined;
  for await (const [entry] of reader.chunks(seq)) return entry;
  return undefined;
}
