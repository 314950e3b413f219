/** What the append loop writes: every entry follows from its number, so that it can be checked. */
import assert from 'node:assert/strict';
import { verifyJournal } from '#log';
import { logOf, readAll } from '../support/logs.ts';

export const IN_FLIGHT_MAX = 8;

/** Sizes from nothing to several pages of the file. */
export function entryAt(seq: number): { count: number; payload: string } {
  const size = seq % 31 === 0 ? 40_000 : (seq * 37) % 900;
  return { count: 1 + (seq % 7), payload: `${seq}:`.padEnd(size, 'abcdefghij') };
}

/** Checks that the journal is sound and holds what the loop wrote; gives its last number. */
export async function checkContent(directory: string): Promise<number> {
  const result = await verifyJournal(logOf(directory), () => undefined);
  assert.equal(result.kind, 'sound', JSON.stringify(result));
  let seq = 1;
  for (const { firstSeq, count, payload } of await readAll(logOf(directory))) {
    assert.deepEqual({ firstSeq, count, payload }, { firstSeq: seq, ...entryAt(seq) });
    seq += count;
  }
  return seq - 1;
}
