/** What the append loop writes: every entry follows from its number, so that it can be checked. */
import assert from 'node:assert/strict';
import { openJournalReader, verifyJournal } from '#log';

export const IN_FLIGHT_MAX = 8;

/** Sizes from nothing to several pages of the file. */
export function entryAt(seq: number): { count: number; payload: string } {
  const size = seq % 31 === 0 ? 40_000 : (seq * 37) % 900;
  return { count: 1 + (seq % 7), payload: `${seq}:`.padEnd(size, 'abcdefghij') };
}

/** Checks that the journal is sound and holds what the loop wrote; gives its last number. */
export function checkContent(directory: string): number {
  const result = verifyJournal(directory, () => undefined);
  assert.equal(result.kind, 'sound', JSON.stringify(result));
  const reader = openJournalReader(directory);
  let seq = 1;
  for (const { firstSeq, count, payload } of reader.entries(1)) {
    assert.deepEqual({ firstSeq, count, payload }, { firstSeq: seq, ...entryAt(seq) });
    seq += count;
  }
  reader.close();
  return seq - 1;
}
