/** The checksum of a book, for every book message of a recording of the real streams. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { RECORDINGS } from '../../tools/tiers.ts';
import { BookCopy, type BookRow } from './streams-book.ts';

const FILES = ['bitget_v1_ws_spot_20220407.txt.gz', 'bitget_v1_ws_mix_20220407.txt.gz'];
const BOOK_MESSAGES = 637;

test('every book message of the recordings has the checksum we compute', () => {
  const copies = new Map<string, BookCopy>();
  let checked = 0;
  for (const file of FILES) {
    for (const line of linesOf(join(RECORDINGS, file))) {
      const found = /^[0-9.]+: (\{"action".*"channel":"books".*)$/.exec(line)?.[1];
      if (found === undefined) continue;
      const { action, arg, data } = JSON.parse(found);
      const name = JSON.stringify(arg);
      const copy = copies.get(name) ?? new BookCopy();
      copies.set(name, copy);
      for (const row of data as BookRow[]) copy.apply(action, row);
      checked += data.length;
    }
  }
  assert.equal(checked, BOOK_MESSAGES);
});

function linesOf(path: string): string[] {
  return gunzipSync(readFileSync(path)).toString().split('\n');
}
