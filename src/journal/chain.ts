/**
 * The hash chain. The hash of an entry is the SHA-256 of this text in UTF-8, in lower-case hex:
 *
 *   <hash of the entry before, 64 hex digits> LF <firstSeq> LF <count> LF <payload>
 *
 * with both numbers in plain decimal. The first entry follows GENESIS_HASH. No field before the
 * payload can contain LF, so no two entries have the same text.
 */
import { hash } from 'node:crypto';
import { type JournalEntry, JournalFault } from './port.ts';

/** What the first entry follows: the SHA-256 of "outcry journal 1". */
export const GENESIS_HASH = hash('sha256', 'outcry journal 1');

export interface ChainLink {
  /** The sequence number that the next entry starts with. */
  readonly nextSeq: number;
  readonly hash: string;
}

export const GENESIS: ChainLink = { nextSeq: 1, hash: GENESIS_HASH };

/** The hash of an entry that follows the entry with `previousHash`. */
export function entryHash(
  previousHash: string,
  firstSeq: number,
  count: number,
  payload: string,
): string {
  return hash('sha256', `${previousHash}\n${firstSeq}\n${count}\n${payload}`);
}

/** Where the chain stands after an entry, which is taken as proven. */
export function linkAfter(entry: JournalEntry): ChainLink {
  return { nextSeq: entry.firstSeq + entry.count, hash: entry.hash };
}

/** Throws a JournalFault unless the entry continues the chain at `link`. */
export function checkEntry(link: ChainLink, entry: JournalEntry, file: string): void {
  const { firstSeq, count, payload } = entry;
  if (firstSeq > link.nextSeq) {
    const reason = `entries are missing: the next one starts at ${firstSeq}`;
    throw new JournalFault({ kind: 'gap', file, seq: link.nextSeq, reason });
  }
  if (firstSeq < link.nextSeq) {
    const reason = `the entry before it already covers ${link.nextSeq - 1}`;
    throw new JournalFault({ kind: 'out_of_order', file, seq: firstSeq, reason });
  }
  if (count < 1 || entryHash(link.hash, firstSeq, count, payload) !== entry.hash) {
    const reason = 'the entry or its stored hash was changed after it was written';
    throw new JournalFault({ kind: 'hash_mismatch', file, seq: firstSeq, reason });
  }
}
