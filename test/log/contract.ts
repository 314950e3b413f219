/** What every log must do, wherever it keeps its entries: one list for every adapter. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AssertionFailed } from '#kernel';
import {
  type CommandLog,
  type Journal,
  type JournalEntry,
  JournalFault,
  verifyJournal,
} from '#log';
import { entriesOf, readAll } from '../support/logs.ts';
import { closedInTheEnd } from './journals.ts';

/** A log that nothing has been written to, each time another one. */
type NewLog = () => CommandLog;

/** An entry as a test writes it: how many commands it covers, and its text. */
type Row = readonly [count: number, payload: string];

const ROWS: readonly Row[] = [
  [1, 'one'],
  [3, 'two to four'],
  [1, ''],
  [10, '{"six":"to fifteen"}'],
];
const LAST_SEQ = 15;
/** More are more than a reader should have to hold. */
const CHUNK_ENTRIES_MAX = 1_024;

export function logContract(name: string, newLog: NewLog): void {
  describe(`log contract: ${name}`, () => {
    storing(newLog);
    preserving(newLog);
    reading(newLog);
    readingMore(newLog);
    proving(newLog);
    owning(newLog);
    misuse(newLog);
  });
}

async function opened(log: CommandLog): Promise<Journal> {
  return closedInTheEnd(await log.openWriter());
}

function storing(newLog: NewLog): void {
  test('a new journal is empty', async () => {
    const log = newLog();
    const journal = await opened(log);
    assert.equal(journal.lastSeq, 0);
    await journal.close();
    assert.deepEqual(await readAll(log), []);
    assert.equal(await lastSeqOf(log), 0);
  });

  test('what was appended is there after reopening, and the journal goes on', async () => {
    const log = newLog();
    await write(log, ROWS);
    const journal = await opened(log);
    assert.equal(journal.lastSeq, LAST_SEQ);
    await journal.append(LAST_SEQ + 1, 2, 'more');
    assert.equal(journal.lastSeq, LAST_SEQ + 2);
    await journal.close();
    assert.deepEqual(contentOf(await readAll(log)), [
      [1, 1, 'one'],
      [2, 3, 'two to four'],
      [5, 1, ''],
      [6, 10, '{"six":"to fifteen"}'],
      [16, 2, 'more'],
    ]);
  });
}

function preserving(newLog: NewLog): void {
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
        const log = newLog();
        for (const rows of sessions) await write(log, rows);
        const entries = await readAll(log);
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
    const journal = await opened(newLog());
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
    const [one, other] = [newLog(), newLog()];
    const ids: string[] = [];
    for (const log of [one, one, other]) {
      const journal = await opened(log);
      ids.push(journal.id);
      await journal.close();
    }
    const reader = await one.openReader();
    assert.deepEqual([ids[1], reader.id], [ids[0], ids[0]]);
    assert.notEqual(ids[2], ids[0]);
    await reader.close();
  });
}

function reading(newLog: NewLog): void {
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
    const log = newLog();
    await write(log, ROWS);
    for (const { from, starts } of firstSeen) {
      const entries = await readAll(log, from);
      assert.equal(entries[0]?.firstSeq, starts, `from ${from}`);
      assert.equal(entries.at(-1)?.firstSeq, starts === undefined ? undefined : 6);
    }
  });

  test('an open reader sees what becomes durable, also in the middle of a reading', async () => {
    const log = newLog();
    const journal = await opened(log);
    const reader = await log.openReader();
    assert.equal(await reader.lastSeq(), 0);
    await fill(journal, 1, 300);
    const seen: number[] = [];
    for await (const chunk of reader.chunks(1)) {
      if (seen.length === 0) {
        assert.equal(await reader.lastSeq(), 300);
        await fill(journal, 301, 300);
      }
      seen.push(...chunk.map(({ firstSeq }) => firstSeq));
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 600 }, (_, at) => at + 1),
    );
    await reader.close();
    await journal.close();
  });
}

function readingMore(newLog: NewLog): void {
  test('chunks hold something, and not much', async () => {
    const log = newLog();
    const journal = await opened(log);
    for (let seq = 1; seq <= 2_501; seq += 500) await fill(journal, seq, 500);
    await journal.close();
    const reader = await log.openReader();
    let count = 0;
    for await (const { length } of reader.chunks(1)) {
      assert.ok(length > 0 && length <= CHUNK_ENTRIES_MAX, `${length} entries at a time`);
      count += length;
    }
    assert.equal(count, 3_000);
    await reader.close();
  });

  test('several readings at once, or one that stops halfway, do not disturb', async () => {
    const log = newLog();
    const journal = await opened(log);
    await fill(journal, 1, 200);
    const [one, two] = [await log.openReader(), await log.openReader()];
    for await (const [first] of one.chunks(1)) if (first?.firstSeq === 1) break;
    const counts = await Promise.all([150, 1, 200].map((from) => entriesOf(one, from)));
    assert.deepEqual(
      counts.map(({ length }) => length),
      [51, 200, 1],
    );
    assert.equal((await entriesOf(two, 1)).length, 200);
    await one.close();
    await journal.append(201, 1, 'after the first reader left');
    assert.equal(await two.lastSeq(), 201);
    await two.close();
    await journal.close();
  });

  test('a log that was never written cannot be read', async () => {
    await assert.rejects(newLog().openReader(), faultOf('disk'));
  });
}

function proving(newLog: NewLog): void {
  test('what is acknowledged is there after every reopening', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
    const run = fc.asyncProperty(sizes, async (sessions) => {
      const log = newLog();
      let acknowledged = 0;
      for (const count of sessions) {
        const journal = await opened(log);
        assert.equal(journal.lastSeq, acknowledged);
        await fill(journal, acknowledged + 1, count);
        acknowledged += count;
        assert.equal(await lastSeqOf(log), acknowledged, 'seen by others when acknowledged');
        await journal.close();
      }
      assert.equal((await readAll(log)).length, acknowledged);
      const result = await verifyJournal(log, () => undefined);
      assert.equal(result.kind === 'sound' && result.lastSeq, acknowledged);
    });
    await fc.assert(run, { numRuns: 15 });
  });

  test('a log that ends before its snapshot has lost its end', async () => {
    const log = newLog();
    await write(log, ROWS);
    const reader = await log.openReader();
    await reader.proveEnd();
    await reader.close();
    log.snapshots.write(LAST_SEQ + 1, ['a state of later']);
    const later = await log.openReader();
    await assert.rejects(later.proveEnd(), faultOf('torn_tail'));
    await later.close();
    await assert.rejects(log.openWriter(), faultOf('torn_tail'));
    assert.equal((await verifyJournal(log, () => undefined)).kind, 'faulty');
  });
}

function owning(newLog: NewLog): void {
  test('a log has one writer at a time', async () => {
    const log = newLog();
    const first = await opened(log);
    await assert.rejects(opened(log), faultOf('in_use'));
    await first.append(1, 1, 'the first one goes on');
    await first.close();
    const second = await opened(log);
    assert.equal(second.lastSeq, 1);
    await second.close();
  });

  test('close waits for what is queued, and may be called twice', async () => {
    const log = newLog();
    const journal = await opened(log);
    const appends = Array.from({ length: 50 }, (_, at) => journal.append(at + 1, 1, 'queued'));
    await Promise.all([journal.close(), journal.close()]);
    await Promise.all(appends);
    assert.equal((await readAll(log)).length, 50);
  });
}

function misuse(newLog: NewLog): void {
  const refused: readonly { what: string; entry: [number, number, string] }[] = [
    { what: 'a number left out', entry: [3, 1, ''] },
    { what: 'a number used twice', entry: [1, 1, ''] },
    { what: 'no command', entry: [2, 0, ''] },
    { what: 'part of a command', entry: [2, 1.5, ''] },
    { what: 'more than a number can count', entry: [2, Number.MAX_SAFE_INTEGER, ''] },
    { what: 'text that UTF-8 cannot store', entry: [2, 1, '\ud800'] },
  ];

  test('an entry that does not continue the journal is a bug of the caller', async () => {
    const journal = await opened(newLog());
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
      const journal = await opened(newLog());
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

async function write(log: CommandLog, rows: readonly Row[]): Promise<void> {
  const journal = await opened(log);
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

async function lastSeqOf(log: CommandLog): Promise<number> {
  const reader = await log.openReader();
  const lastSeq = await reader.lastSeq();
  await reader.close();
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
