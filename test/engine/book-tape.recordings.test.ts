/** An hour of a real exchange through every book: see tape-market.ts. The counts are pinned. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BOOKS } from './book-desk.ts';
import { readTape } from './book-tape.ts';
import { playTape } from './tape-market.ts';

const tape = readTape();

for (const { name, create } of BOOKS) {
  it(`${name} trades an hour of AAPL as the exchange did`, () => {
    const { counts, book } = playTape(create(), tape);
    assert.deepEqual(counts, {
      opening: 229,
      added: 44_027,
      matched: 4_046,
      sweeps: 561,
      jumped: 9,
      unknown: 84,
    });
    assert.equal(book.ordersCount, 380);
  });
}
