/**
 * The chain. What stands for an entry is a text in UTF-8, its SHA-256 in lower-case hex, or under
 * a key its HMAC-SHA256:
 *
 *   <hash of the entry before, 64 hex digits> LF <firstSeq> LF <count> LF <rules> LF <payload>
 *
 * with the numbers in plain decimal. The first entry follows GENESIS_HASH. No field before the
 * payload can contain LF, so no two entries have the same text. A keyed chain cannot be written
 * anew without the key.
 */
import { hash, hkdfSync } from 'node:crypto';
import { ChainHmac } from './chain-hmac.ts';
import { type ChainLink, type JournalEntry, JournalFault } from './port.ts';

export type { ChainLink };

/** What the first entry follows: the SHA-256 of "outcry journal 1". */
const GENESIS_HASH = hash('sha256', 'outcry journal 1');

const KEY_BYTES = 32;

export const GENESIS: ChainLink = { nextSeq: 1, hash: GENESIS_HASH };

/** The end of a journal as somebody noted it. */
export interface Head {
  readonly lastSeq: number;
  readonly hash: string;
}

/** From which command on the entries of a journal are keyed, and with what. */
export interface Keying {
  readonly fromSeq: number;
  readonly hmac: ChainHmac;
}

/** The key of one journal's chain: it reveals nothing of the master key, or of other journals. */
export function chainHmac(masterKey: Uint8Array, journalId: string): ChainHmac {
  const key = hkdfSync('sha256', masterKey, journalId, 'outcry journal chain 1', KEY_BYTES);
  return new ChainHmac(new Uint8Array(key));
}

/** Distinguishes a wrong key from a changed entry. */
export function keyCheck(hmac: ChainHmac): string {
  return hmac.of('outcry journal key');
}

/** What an entry says, without its own hash. */
export type EntryContent = Omit<JournalEntry, 'hash'>;

/** The hash of an entry that follows the entry with `previousHash`. */
export function entryHash(
  previousHash: string,
  entry: EntryContent,
  keying: Keying | undefined,
): string {
  const { firstSeq, count, rules, payload } = entry;
  const text = `${previousHash}\n${firstSeq}\n${count}\n${rules}\n${payload}`;
  if (keying === undefined || firstSeq < keying.fromSeq) return hash('sha256', text);
  return keying.hmac.of(text);
}

/** The last command that an entry covers. */
export function endOf({ firstSeq, count }: JournalEntry): number {
  return firstSeq + count - 1;
}

/** Where the chain stands after an entry, which is taken as proven. */
export function linkAfter(entry: JournalEntry): ChainLink {
  return { nextSeq: endOf(entry) + 1, hash: entry.hash };
}

/** Entries in a row: those that continue the chain, and what is wrong with the next one. */
export interface Proven<Entry extends JournalEntry> {
  readonly entries: readonly Entry[];
  readonly link: ChainLink;
  readonly fault: JournalFault | undefined;
}

/** Proves entries that were read one after the other, as far as they continue the chain. */
export function prove<Entry extends JournalEntry>(
  start: ChainLink,
  entries: readonly Entry[],
  keying: Keying | undefined,
  file: string,
): Proven<Entry> {
  let link = start;
  for (const [index, entry] of entries.entries()) {
    const fault = faultIn(link, entry, keying, file);
    if (fault !== undefined) return { entries: entries.slice(0, index), link, fault };
    link = linkAfter(entry);
  }
  return { entries, link, fault: undefined };
}

function faultIn(
  link: ChainLink,
  entry: JournalEntry,
  keying: Keying | undefined,
  file: string,
): JournalFault | undefined {
  const { firstSeq, count } = entry;
  if (firstSeq > link.nextSeq) {
    const reason = `entries are missing: the next one starts at ${firstSeq}`;
    return new JournalFault({ kind: 'gap', file, seq: link.nextSeq, reason });
  }
  if (firstSeq < link.nextSeq) {
    const reason = `the entry before it already covers ${link.nextSeq - 1}`;
    return new JournalFault({ kind: 'out_of_order', file, seq: firstSeq, reason });
  }
  if (count >= 1 && entryHash(link.hash, entry, keying) === entry.hash) return undefined;
  const reason = 'the entry or its stored hash was changed after it was written';
  return new JournalFault({ kind: 'hash_mismatch', file, seq: firstSeq, reason });
}
