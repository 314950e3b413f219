/** The reader's copy of a book: against a naive one and the venue's checksum; on a screen. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bookChecksum as checksumOfVenue } from '#api/testing';
import type { BookData, StreamMessage } from '#client';
import { formatTrimmed } from '#kernel';
import { Book } from '../../ui/src/model/book.ts';
import {
  bookLines,
  depthCurve,
  groupSteps,
  middleOf,
  spreadOf,
} from '../../ui/src/model/book-view.ts';
import { bookChecksum } from '../../ui/src/model/checksum.ts';

const SCALES = { priceScale: 2, quantityScale: 4 };

type LevelRow = BookData['asks'][number];
type Message = StreamMessage<BookData>;

function message(type: Message['type'], data: BookData): Message {
  return { type, data, seq: 1, time: 1_795_235_652_453 };
}

/** Sizes by price in ticks and lots. */
type Naive = Map<number, number>;

function texts(side: Naive, sign: 1 | -1): LevelRow[] {
  return [...side]
    .filter(([, lots]) => lots > 0)
    .sort(([one], [other]) => (one - other) * sign)
    .map(([priceTicks, lots]) => [formatTrimmed(priceTicks, 2), formatTrimmed(lots, 4)]);
}

const NAMED = { symbol: 'BTC-USDT', version: 1 };

/** A row as the venue would send it: these changes of a book that looks like this afterwards. */
function rowOf(asks: LevelRow[], bids: LevelRow[], after: { asks: Naive; bids: Naive }): BookData {
  const checksum = checksumOfVenue(texts(after.asks, 1), texts(after.bids, -1));
  return { ...NAMED, asks, bids, checksum };
}

const change = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 3 }));
const update = fc.record({ asks: fc.array(change), bids: fc.array(change) });

function levelRows(changes: readonly (readonly [number, number])[]): LevelRow[] {
  return changes.map(([price, lots]) => [formatTrimmed(price, 2), formatTrimmed(lots, 4)]);
}

test('after any updates the copy is what a naive one says, and its checksum the venue’s', () => {
  const property = fc.property(fc.array(update, { minLength: 1, maxLength: 20 }), (updates) => {
    const naive = { asks: new Map<number, number>(), bids: new Map<number, number>() };
    const book = new Book(SCALES);
    updates.forEach(({ asks, bids }, at) => {
      for (const [price, lots] of asks) naive.asks.set(price, lots);
      for (const [price, lots] of bids) naive.bids.set(price, lots);
      const isWhole = at === 0;
      const sent = isWhole
        ? rowOf(texts(naive.asks, 1), texts(naive.bids, -1), naive)
        : rowOf(levelRows(asks), levelRows(bids), naive);
      assert.equal(book.apply(message(isWhole ? 'snapshot' : 'update', sent)), 'ok');
    });
    const shown = (side: typeof book.asks) =>
      side.map(({ priceText, sizeText }) => [priceText, sizeText]);
    assert.deepEqual(shown(book.asks), texts(naive.asks, 1));
    assert.deepEqual(shown(book.bids), texts(naive.bids, -1));
    assert.equal(book.timeMs, 1_795_235_652_453);
  });
  fc.assert(property);
});

test('both checksums agree on books of every depth', () => {
  const level = fc
    .tuple(fc.nat(), fc.nat())
    .map(([one, other]) => [`${one}.5`, `${other}`] as const);
  const side = fc.array(level, { maxLength: 40 });
  const property = fc.property(side, side, (asks, bids) => {
    const read = (levels: typeof asks) =>
      levels.map(([priceText, sizeText]) => ({ priceText, sizeText }));
    assert.equal(bookChecksum(read(asks), read(bids)), checksumOfVenue(asks, bids));
  });
  fc.assert(property);
});

const ASKS: LevelRow[] = [
  ['100.01', '2'],
  ['100.07', '1.5'],
];
const BIDS: LevelRow[] = [['99.99', '4']];
const CHECKSUM = checksumOfVenue(ASKS, BIDS);
const WHOLE: BookData = { ...NAMED, asks: ASKS, bids: BIDS, checksum: CHECKSUM };

function wholeBook(): Book {
  const book = new Book(SCALES);
  assert.equal(book.apply(message('snapshot', WHOLE)), 'ok');
  return book;
}

/** Changes nothing, so that the checksum stays right. */
const NOTHING: BookData = { ...NAMED, asks: [], bids: [], checksum: CHECKSUM };

test('a wrong checksum asks for a new snapshot once, and updates wait for it', () => {
  const book = wholeBook();
  assert.equal(book.apply(message('update', NOTHING)), 'ok');
  const wrong: BookData = { ...NOTHING, asks: [['100.01', '3']] };
  assert.equal(book.apply(message('update', wrong)), 'resync');
  assert.equal(book.isReady, false);
  assert.equal(book.apply(message('update', NOTHING)), 'waiting');
  assert.equal(book.apply(message('snapshot', WHOLE)), 'ok');
  assert.equal(book.isReady, true);
  book.clear();
  assert.deepEqual([book.asks, book.bids, book.isReady], [[], [], false]);
});

test('grouped prices never promise more than the levels have', () => {
  const levels = [
    { priceTicks: 1_001, lots: 2 },
    { priceTicks: 1_009, lots: 3 },
    { priceTicks: 1_010, lots: 5 },
    { priceTicks: 1_011, lots: 7 },
  ];
  assert.deepEqual(bookLines(levels, 'asks', 10, 5), [
    { priceTicks: 1_010, lots: 10, cumulatedLots: 10 },
    { priceTicks: 1_020, lots: 7, cumulatedLots: 17 },
  ]);
  assert.deepEqual(bookLines(levels.toReversed(), 'bids', 10, 5), [
    { priceTicks: 1_010, lots: 12, cumulatedLots: 12 },
    { priceTicks: 1_000, lots: 5, cumulatedLots: 17 },
  ]);
  const [best, ...others] = bookLines(levels, 'asks', 1, 1);
  assert.deepEqual(best, { priceTicks: 1_001, lots: 2, cumulatedLots: 2 });
  assert.deepEqual(others, []);
});

test('groups go up by 5 and 10 and stay small against the price', () => {
  assert.deepEqual(groupSteps(5, 300_000), [5, 25, 50, 250, 500]);
  assert.deepEqual(groupSteps(1, 3_000_000), [1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000]);
  assert.deepEqual(groupSteps(1, 0), [1]);
});

test('spread, middle and depth', () => {
  const { asks, bids } = wholeBook();
  assert.deepEqual(spreadOf(asks, bids), { ticks: 2, ppm: 200 });
  assert.equal(middleOf(asks, bids), 10_000);
  assert.equal(spreadOf(asks, []), undefined);
  assert.deepEqual(depthCurve(asks, 'asks', 10_000, 500), [
    { priceTicks: 10_001, lots: 20_000, cumulatedLots: 20_000 },
  ]);
});
