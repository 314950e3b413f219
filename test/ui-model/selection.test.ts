/** What is chosen of long lists: found however rare, bounded in time, merged, read to the end. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { allRows, merged, type RowReader, selected } from '../../ui/src/model/selection.ts';

/** Pages of so many rows of a list of numbers, newest (highest) first. */
function pagesOf(rows: readonly number[], pageRows: number): RowReader<number> & { calls: number } {
  const read = async (cursor: string | undefined) => {
    reader.calls += 1;
    const from = Number(cursor ?? '0');
    const page = rows.slice(from, from + pageRows);
    const next = page.length < pageRows ? undefined : String(from + pageRows);
    return { rows: page, next };
  };
  const reader = Object.assign(read, { calls: 0 });
  return reader;
}

function downFrom(first: number): number[] {
  return Array.from({ length: first }, (_, index) => first - index);
}

const ANY = { has: () => true, fromMs: 0, isByTime: true, timeOf: (row: number) => row };

test('a rare row is found some pages on, and the next page goes on from there', async () => {
  const rare = selected(pagesOf(downFrom(100), 10), { ...ANY, has: (row) => row % 33 === 0 });
  const first = await rare(undefined);
  assert.deepEqual(first, { rows: [99, 66, 33], next: '100' });
  assert.deepEqual(await rare(first.next), { rows: [], next: undefined });
});

test('a page ends after some reads, however little was found', async () => {
  const source = pagesOf(downFrom(1_000), 10);
  const none = selected(source, { ...ANY, has: () => false });
  assert.deepEqual(await none(undefined), { rows: [], next: '100' });
  assert.equal(source.calls, 10);
});

test('nothing is read beyond the time that is asked for', async () => {
  const source = pagesOf(downFrom(1_000), 10);
  const late = selected(source, { ...ANY, fromMs: 985 });
  assert.deepEqual(await late(undefined), { rows: downFrom(1_000).slice(0, 16), next: undefined });
  assert.equal(source.calls, 2);
});

test('where later rows may be newer again, a time leaves out and does not end', async () => {
  const late = selected(pagesOf([9, 2, 8, 1, 7], 2), { ...ANY, fromMs: 5, isByTime: false });
  assert.deepEqual(await late(undefined), { rows: [9, 8, 7], next: undefined });
});

test('all rows are read with their count, up to the bound and not beyond', async () => {
  const counts: number[] = [];
  const whole = await allRows(pagesOf(downFrom(25), 10), 100, (count) => counts.push(count));
  assert.deepEqual(whole, { rows: downFrom(25), isCut: false });
  assert.deepEqual(counts, [10, 20, 25]);
  const cut = await allRows(pagesOf(downFrom(25), 10), 20, () => undefined);
  assert.deepEqual(cut, { rows: downFrom(25).slice(0, 20), isCut: true });
  const even = await allRows(pagesOf(downFrom(19), 10), 19, () => undefined);
  assert.equal(even.isCut, false);
});

test('several lists are one, newest first, read as far as it is asked for', async () => {
  const [odd, even] = [downFrom(40).filter((row) => row % 2 === 1), [30, 20, 10]];
  const sources = [pagesOf(odd, 4), pagesOf(even, 4), pagesOf([], 4)];
  const all = merged(sources, (one, other) => one > other, 8);
  const first = await all(undefined);
  assert.deepEqual(first.rows, [39, 37, 35, 33, 31, 30, 29, 27]);
  assert.ok(sources[0] !== undefined && sources[0].calls <= 3, 'no further than needed');
  const everything = await allRows(all, 100, () => undefined);
  assert.deepEqual(
    everything.rows,
    [...odd, ...even].sort((one, other) => other - one),
  );
});
