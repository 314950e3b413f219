/** What every implementation of the journal port must do, whatever it stores its entries in. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AssertionFailed } from '#kernel';
import { type Journal, type JournalEntry, JournalFault, type JournalReader } from '#log';
import { scratchDirectory } from '../support/scratch.ts';
import { closedInTheEnd } from './journals.ts';

export interface JournalOpener {
  readonly name: string;
  open(directory: string): Promise<Journal>;
  openReader(directory: string): JournalReader;
}

/** An entry as a test writes it: how many commands it covers, and its text. */
type Row = readonly [count: number, payload: string];

const ROWS: readonly Row[] = [
  [1, 'one'],
  [3, 'two to four'],
  [1, ''],
  [10, '{"six":"to fifteen"}'],
];
const LAST_SEQ = 15;

export function journalSuite({ name, open, openReader }: JournalOpener): void {
  const opener: JournalOpener = {
    name,
    open: async (directory) => closedInTheEnd(await open(directory)),
    openReader,
  };
  describe(`journal contract: ${name}`, () => {
    storing(opener);
    preserving(opener);
    reading(opener);
    owning(opener);
    misuse(opener);
  });
}

function storing(opener: JournalOpener): void {
  test('a new journal is empty', async () => {
    const directory = scratchDirectory();
    const journal = await opener.open(directory);
    assert.equal(journal.lastSeq, 0);
    await journal.close();
    assert.deepEqual(readAll(opener, directory), []);
    assert.equal(lastSeqOf(opener, directory), 0);
  });

  test('what was appended is there after reopening, and the journal goes on', async () => {
    const directory = scratchDirectory();
    await write(opener, directory, ROWS);
    const journal = await opener.open(directory);
    assert.equal(journal.lastSeq, LAST_SEQ);
    await journal.append(LAST_SEQ + 1, 2, 'more');
    assert.equal(journal.lastSeq, LAST_SEQ + 2);
    await journal.close();
    assert.deepEqual(contentOf(readAll(opener, directory)), [
      [1, 1, 'one'],
      [2, 3, 'two to four'],
      [5, 1, ''],
      [6, 10, '{"six":"to fifteen"}'],
      [16, 2, 'more'],
    ]);
  });
}

function preserving(opener: JournalOpener): void {
  test('any text in any grouping survives byte for byte', async () => {
    const payload = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.nat({ max: 100_000 }).map((length) => 'é'.repeat(length)),
    );
    const groups = fc.array(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 5_000 }), payload), { maxLength: 5 }),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(groups, async (sessions) => {
        const directory = scratchDirectory();
        for (const rows of sessions) await write(opener, directory, rows);
        const entries = readAll(opener, directory);
        assert.deepEqual(
          entries.map(({ count, payload }) => [count, payload]),
          sessions.flat(),
        );
        assert.deepEqual(
          entries.map(({ hash }) => hash),
          documentedHashes(entries),
        );
      }),
      { numRuns: 15 },
    );
  });

  test('entries queued together become durable in the order of the calls', async () => {
    const journal = await opener.open(scratchDirectory());
    const order: number[] = [];
    const appends = Array.from({ length: 500 }, async (_, at) => {
      await journal.append(at + 1, 1, `entry ${at + 1}`);
      assert.ok(journal.lastSeq >= at + 1, 'durable when its promise says so');
      order.push(at + 1);
    });
    assert.equal(journal.lastSeq, 0, 'nothing is durable before the thread has spoken');
    await Promise.all(appends);
    assert.deepEqual(
      order,
      Array.from({ length: 500 }, (_, at) => at + 1),
    );
    await journal.close();
  });

  test('a journal keeps its id, and no two have the same', async () => {
    const [one, other] = [scratchDirectory(), scratchDirectory()];
    const ids: string[] = [];
    for (const directory of [one, one, other]) {
      const journal = await opener.open(directory);
      ids.push(journal.id);
      await journal.close();
    }
    const reader = opener.openReader(one);
    assert.deepEqual([ids[1], reader.id], [ids[0], ids[0]]);
    assert.notEqual(ids[2], ids[0]);
    reader.close();
  });
}

function reading(opener: JournalOpener): void {
  const firstSeen = [
    { from: 1, starts: 1 },
    { from: 2, starts: 2 },
    { from: 3, starts: 2 },
    { from: 4, starts: 2 },
    { from: 5, starts: 5 },
    { from: 6, starts: 6 },
    { from: LAST_SEQ, starts: 6 },
    { from: LAST_SEQ + 1, starts: undefined },
    { from: LAST_SEQ + 100, starts: undefined },
  ];

  test('reading starts at the entry that contains the number asked for', async () => {
    const directory = scratchDirectory();
    await write(opener, directory, ROWS);
    for (const { from, starts } of firstSeen) {
      const entries = readAll(opener, directory, from);
      assert.equal(entries[0]?.firstSeq, starts, `from ${from}`);
      assert.equal(entries.at(-1)?.firstSeq, starts === undefined ? undefined : 6);
    }
  });

  test('an open reader sees what becomes durable, also in the middle of a reading', async () => {
    const directory = scratchDirectory();
    const journal = await opener.open(directory);
    const reader = opener.openReader(directory);
    assert.equal(reader.lastSeq, 0);
    await fill(journal, 1, 300);
    const seen: number[] = [];
    for (const { firstSeq } of reader.entries(1)) {
      assert.equal(reader.lastSeq, firstSeq === 1 ? 300 : 600);
      if (firstSeq === 1) await fill(journal, 301, 300);
      seen.push(firstSeq);
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 600 }, (_, at) => at + 1),
    );
    reader.close();
    await journal.close();
  });

  test('reading with another reader, or stopping halfway, disturbs nobody', async () => {
    const directory = scratchDirectory();
    const journal = await opener.open(directory);
    await fill(journal, 1, 200);
    const [one, two] = [opener.openReader(directory), opener.openReader(directory)];
    for (const { firstSeq } of one.entries(1)) if (firstSeq === 100) break;
    assert.equal([...one.entries(150)].length, 51);
    assert.equal([...two.entries(1)].length, 200);
    one.close();
    await journal.append(201, 1, 'after the first reader left');
    assert.equal(two.lastSeq, 201);
    two.close();
    await journal.close();
  });
}

function owning(opener: JournalOpener): void {
  test('a directory has one writer at a time', async () => {
    const directory = scratchDirectory();
    const first = await opener.open(directory);
    await assert.rejects(opener.open(directory), faultOf('in_use'));
    await first.append(1, 1, 'the first one goes on');
    await first.close();
    const second = await opener.open(directory);
    assert.equal(second.lastSeq, 1);
    await second.close();
  });

  test('close waits for what is queued, and may be called twice', async () => {
    const directory = scratchDirectory();
    const journal = await opener.open(directory);
    const appends = Array.from({ length: 50 }, (_, at) => journal.append(at + 1, 1, 'queued'));
    await Promise.all([journal.close(), journal.close()]);
    await Promise.all(appends);
    assert.equal(readAll(opener, directory).length, 50);
  });
}

function misuse(opener: JournalOpener): void {
  const refused: readonly { what: string; entry: [number, number, string] }[] = [
    { what: 'a number left out', entry: [3, 1, ''] },
    { what: 'a number used twice', entry: [1, 1, ''] },
    { what: 'no command', entry: [2, 0, ''] },
    { what: 'part of a command', entry: [2, 1.5, ''] },
    { what: 'more than a number can count', entry: [2, Number.MAX_SAFE_INTEGER, ''] },
    { what: 'text that UTF-8 cannot store', entry: [2, 1, '\ud800'] },
  ];

  test('an entry that does not continue the journal is a bug of the caller', async () => {
    const journal = await opener.open(scratchDirectory());
    await journal.append(1, 1, 'first');
    for (const { what, entry } of refused) {
      assert.throws(() => journal.append(...entry), AssertionFailed, what);
    }
    await journal.append(2, 1, 'a refused entry has used no number');
    await journal.close();
    assert.throws(() => journal.append(3, 1, 'too late'), AssertionFailed);
  });

  for (const { of, payload } of [
    { of: 'entries', payload: '' },
    { of: 'text', payload: 'x'.repeat(16 * 1024 * 1024) },
  ]) {
    test(`the queue has an end: full of ${of}`, async () => {
      const journal = await opener.open(scratchDirectory());
      const appends: Promise<void>[] = [];
      const overfill = (): void => {
        for (let seq = 1; seq <= 1_000_000; seq += 1) appends.push(journal.append(seq, 1, payload));
      };
      assert.throws(overfill, AssertionFailed);
      assert.ok(appends.length > 0, 'what fits is taken');
      await Promise.all(appends);
      assert.equal(journal.lastSeq, appends.length);
      await journal.append(appends.length + 1, 1, 'there is room again');
      await journal.close();
    });
  }
}

/** Matches a JournalFault of this kind. */
export function faultOf(kind: JournalFault['kind']): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof JournalFault, String(error));
    assert.equal(error.kind, kind, error.message);
    return true;
  };
}

async function write(
  opener: JournalOpener,
  directory: string,
  rows: readonly Row[],
): Promise<void> {
  const journal = await opener.open(directory);
  let seq = journal.lastSeq + 1;
  const appends: Promise<void>[] = [];
  for (const [count, payload] of rows) {
    appends.push(journal.append(seq, count, payload));
    seq += count;
  }
  await Promise.all(appends);
  await journal.close();
}

async function fill(journal: Journal, firstSeq: number, entriesCount: number): Promise<void> {
  const seqs = Array.from({ length: entriesCount }, (_, at) => firstSeq + at);
  await Promise.all(seqs.map((seq) => journal.append(seq, 1, `entry ${seq}`)));
}

function readAll(opener: JournalOpener, directory: string, fromSeq = 1): JournalEntry[] {
  const reader = opener.openReader(directory);
  const entries = [...reader.entries(fromSeq)];
  reader.close();
  return entries;
}

function lastSeqOf(opener: JournalOpener, directory: string): number {
  const reader = opener.openReader(directory);
  const { lastSeq } = reader;
  reader.close();
  return lastSeq;
}

function contentOf(entries: readonly JournalEntry[]): unknown[] {
  return entries.map(({ firstSeq, count, payload }) => [firstSeq, count, payload]);
}

/** The hashes as the documentation of the chain defines them, computed without its code. */
function documentedHashes(entries: readonly JournalEntry[]): string[] {
  let previous = createHash('sha256').update('outcry journal 1').digest('hex');
  return entries.map(({ firstSeq, count, rules, payload }) => {
    const head = Buffer.from(`${previous}\n${firstSeq}\n${count}\n${rules}\n`);
    previous = createHash('sha256').update(head).update(Buffer.from(payload)).digest('hex');
    return previous;
  });
}
