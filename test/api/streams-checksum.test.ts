/** The checksum of a book: by hand, and along the changes of a recorded market. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { crc32, gunzipSync } from 'node:zlib';
import { bookChecksum } from '#api/testing';
import { BookCopy } from './streams-book.ts';

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

test('a copy of a recorded book has the checksum of each of its changes', () => {
  const file = resolve(import.meta.dirname, '../support/market/book-updates.ndjson.gz');
  const copy = new BookCopy();
  for (const line of gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')) {
    const { action, ...row } = JSON.parse(line);
    copy.apply(action, row);
  }
  assert.deepEqual([copy.snapshots, copy.updates], [1, 399]);
  assert.deepEqual([copy.asks.length, copy.bids.length], [14, 120]);
});
