/** The checksum of a book, by hand. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { bookChecksum } from '../../src/api/streams/checksum.ts';

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
