/** Interim. */
import { hash } from 'node:crypto';
import { type JournalEntry, JournalFault } from './port.ts';
export const GENESIS_HASH = '0'.repeat(64);
export function entryHash(p: string, f: number, c: number, payload: string): string {
  return hash('sha256', `${p}\n${f}\n${c}\n${payload}`, 'hex');
}
export function checkFollows(entry: JournalEntry, nextSeq: number, previousHash: string): void {
  const { firstSeq, count, payload } = entry;
  if (firstSeq > nextSeq) throw new JournalFault('gap', `commands ${nextSeq} to ${firstSeq - 1} are missing`);
  if (firstSeq < nextSeq || count < 1) throw new JournalFault('out_of_order', `entry ${firstSeq} does not follow ${nextSeq - 1}`);
  if (entryHash(previousHash, firstSeq, count, payload) === entry.hash) return;
  throw new JournalFault('hash_mismatch', `entry ${firstSeq} is not what was written`);
}
