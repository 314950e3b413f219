/** The checksum of a book: by hand, and for every book message of a real recording. */
import { strict as assert } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32, gunzipSync } from 'node:zlib';
import { bookChecksum } from '../../src/api/streams/checksum.ts';
import { BookCopy, type BookRow } from './streams-book.ts';

const RECORDINGS = join(import.meta.dirname, '../../../shared/data');
const FILES = ['bitget_v1_ws_spot_20220407.txt.gz', 'bitget_v1_ws_mix_20220407.txt.gz'];
const BOOK_MESSAGES = 637;

test('bid and ask alternate, best first, and the longer side goes on alone', () => {
  const asks = [['30000.5', '1.2']] as const;
  const bids = [
    ['30000', '0.5'],
    ['29999', '3'],
  ] as const;
  const text = '30000:0.5:30000.5:1.2:29999:3';
  assert.equal(bookChecksum(asks, bids), crc32(text) | 0);
  assert.equal(bookChecksum([], []), 0);
});

test('the checksum is signed and covers 25 levels of each side', () => {
  const levels = Array.from({ length: 26 }, (_, at) => [String(100 + at), '1'] as const);
  const first = levels.slice(0, 25);
  assert.equal(bookChecksum(levels, []), bookChecksum(first, []));
  assert.notEqual(bookChecksum(first, []), bookChecksum(first.slice(0, 24), []));
  const sums = levels.map((level) => bookChecksum([level], []));
  assert.ok(sums.some((sum) => sum < 0) && sums.every((sum) => sum === (sum | 0)));
});

const isMissing = !FILES.every((file) => existsSync(join(RECORDINGS, file)));
const skip = isMissing ? 'the recordings are not on this machine' : false;

test('every book message of the recordings has the checksum we compute', { skip }, () => {
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
