/** Every kind of damage to a stored journal is found, named, and placed at the right number. */
import assert from 'node:assert/strict';
import {
  closeSync,
  copyFileSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { JournalFault, verifyJournal } from '#log';
import { logOf, readAll } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { faultOf } from './contract.ts';
import { closedInTheEnd } from './journals.ts';

const COMMANDS_PER_ENTRY = 4;
const ENTRIES = 200;
const LAST_SEQ = ENTRIES * COMMANDS_PER_ENTRY;

/** A closed journal: entries of four commands start at 1, 5, 9 and so on. */
async function soundJournal(entriesCount = ENTRIES): Promise<string> {
  const directory = scratchDirectory();
  const journal = await logOf(directory).openWriter().then(closedInTheEnd);
  const starts = Array.from({ length: entriesCount }, (_, at) => 1 + at * COMMANDS_PER_ENTRY);
  await Promise.all(
    starts.map((seq) => journal.append(seq, COMMANDS_PER_ENTRY, `${seq} `.repeat(200))),
  );
  await journal.close();
  return directory;
}

function fileOf(directory: string): string {
  return join(directory, 'journal.sqlite');
}

function tamper(directory: string, sql: string): void {
  const database = new Database(fileOf(directory));
  database.exec(sql);
  database.close();
}

async function readFrom(directory: string, fromSeq: number): Promise<void> {
  for (const { firstSeq } of await readAll(logOf(directory), fromSeq)) assert.ok(firstSeq >= 1);
}

const SWAP = `
  UPDATE entries SET first_seq = -1 WHERE first_seq = 401;
  UPDATE entries SET first_seq = 401 WHERE first_seq = 405;
  UPDATE entries SET first_seq = 405 WHERE first_seq = -1;
`;

interface Tampering {
  readonly what: string;
  readonly sql: string;
  readonly kind: JournalFault['kind'];
  readonly seq: number;
  /** The last command that is still proven. */
  readonly sound: number;
}

const TAMPERED: readonly Tampering[] = [
  {
    what: 'one letter of a command',
    sql: "UPDATE entries SET payload = 'X' || substr(payload, 2) WHERE first_seq = 401",
    kind: 'hash_mismatch',
    seq: 401,
    sound: 400,
  },
  {
    what: 'one digit of a hash',
    sql: "UPDATE entries SET hash = 'g' || substr(hash, 2) WHERE first_seq = 401",
    kind: 'hash_mismatch',
    seq: 401,
    sound: 400,
  },
  {
    what: 'an entry deleted',
    sql: 'DELETE FROM entries WHERE first_seq = 401',
    kind: 'gap',
    seq: 401,
    sound: 400,
  },
  {
    what: 'the first entry deleted',
    sql: 'DELETE FROM entries WHERE first_seq = 1',
    kind: 'gap',
    seq: 1,
    sound: 0,
  },
  { what: 'two entries swapped', sql: SWAP, kind: 'hash_mismatch', seq: 401, sound: 400 },
  {
    what: 'an entry that claims more commands',
    sql: 'UPDATE entries SET count = 5 WHERE first_seq = 401',
    kind: 'hash_mismatch',
    seq: 401,
    sound: 400,
  },
  {
    what: 'an entry that claims fewer commands',
    sql: 'UPDATE entries SET count = 3 WHERE first_seq = 401',
    kind: 'hash_mismatch',
    seq: 401,
    sound: 400,
  },
  {
    what: 'an entry moved into the one before it',
    sql: 'UPDATE entries SET first_seq = 399 WHERE first_seq = 401',
    kind: 'out_of_order',
    seq: 399,
    sound: 400,
  },
  {
    what: 'an entry put in between',
    sql: "INSERT INTO entries VALUES (402, 1, 'slipped in', 'no hash', 2)",
    kind: 'out_of_order',
    seq: 402,
    sound: 404,
  },
  {
    what: 'an entry put in front',
    sql: "INSERT INTO entries VALUES (0, 1, 'before the start', 'no hash', 2)",
    kind: 'out_of_order',
    seq: 0,
    sound: 0,
  },
];

describe('a changed journal', () => {
  for (const { what, sql, kind, seq, sound } of TAMPERED) {
    test(`${what}: ${kind} at ${seq}`, async () => {
      const directory = await soundJournal();
      tamper(directory, sql);
      const result = await verifyJournal(logOf(directory), () => undefined);
      assert.equal(result.kind, 'faulty');
      if (result.kind !== 'faulty') return;
      assert.deepEqual([result.fault.kind, result.fault.seq], [kind, seq]);
      assert.match(result.fault.message, new RegExp(`${kind} at seq ${seq} in .*journal.sqlite`));
      assert.equal(result.soundUpToSeq, sound);
      await assert.rejects(readFrom(directory, 1), faultOf(kind));
      await assert.rejects(logOf(directory).openWriter().then(closedInTheEnd), (error) => {
        assert.ok(error instanceof JournalFault);
        assert.deepEqual([error.kind, error.seq], [kind, seq]);
        assert.match(error.message, /outcry verify-journal/);
        return true;
      });
    });
  }

  test('is sound again once it is as it was written', async () => {
    const directory = await soundJournal();
    tamper(directory, SWAP);
    tamper(directory, SWAP);
    const result = await verifyJournal(logOf(directory), () => undefined);
    assert.equal(result.kind, 'sound');
    const journal = await logOf(directory).openWriter().then(closedInTheEnd);
    assert.equal(journal.lastSeq, LAST_SEQ);
    await journal.close();
  });

  test('is not noticed by a reader that starts behind the change', async () => {
    const directory = await soundJournal();
    tamper(directory, "UPDATE entries SET payload = 'changed' WHERE first_seq = 401");
    await readFrom(directory, 409);
    await assert.rejects(readFrom(directory, 402), faultOf('hash_mismatch'));
  });
});

describe('a damaged file', () => {
  const cuts = [
    { what: 'the last page', keep: (size: number) => size - 16_384 },
    { what: 'half of it', keep: (size: number) => Math.floor(size / 2) },
    { what: 'all but its first page', keep: () => 16_384 },
  ];
  for (const { what, keep } of cuts) {
    test(`cut off, without ${what}: torn_tail`, async () => {
      const directory = await soundJournal();
      const file = fileOf(directory);
      truncateSync(file, keep(statSync(file).size));
      const result = await verifyJournal(logOf(directory), () => undefined);
      assert.equal(result.kind === 'faulty' && result.fault.kind, 'torn_tail');
      await assert.rejects(
        logOf(directory).openWriter().then(closedInTheEnd),
        faultOf('torn_tail'),
      );
    });
  }

  test('with another start: torn_tail', async () => {
    const directory = await soundJournal();
    const handle = openSync(fileOf(directory), 'r+');
    writeSync(handle, 'not a database any more', 0);
    closeSync(handle);
    await assert.rejects(logOf(directory).openWriter().then(closedInTheEnd), faultOf('torn_tail'));
    assert.equal((await verifyJournal(logOf(directory), () => undefined)).kind, 'faulty');
  });

  test('that is missing, or another database, is unreadable', async () => {
    const missing = scratchDirectory();
    assert.equal((await verifyJournal(logOf(missing), () => undefined)).kind, 'unreadable');
    await assert.rejects(logOf(missing).openReader(), faultOf('disk'));
    const other = scratchDirectory();
    tamper(other, 'CREATE TABLE notes (text TEXT)');
    assert.equal((await verifyJournal(logOf(other), () => undefined)).kind, 'unreadable');
    await assert.rejects(logOf(other).openWriter().then(closedInTheEnd), faultOf('disk'));
  });

  test('of another format is not touched, as of a checkout before 0.2.0', async () => {
    const directory = await soundJournal(1);
    tamper(directory, 'PRAGMA user_version = 3');
    const says =
      /format 3, and this program reads format 1: start the program that wrote it, or this/;
    await assert.rejects(logOf(directory).openWriter().then(closedInTheEnd), says);
    await assert.rejects(logOf(directory).openReader(), says);
  });
});

describe('a write-ahead log cut off by a power failure', () => {
  test('leaves whole entries from the first on, and the journal goes on after them', async () => {
    const directory = scratchDirectory();
    const journal = await logOf(directory).openWriter().then(closedInTheEnd);
    for (let seq = 1; seq <= 30; seq += 1) await journal.append(seq, 1, `order ${seq}`);
    const logBytes = statSync(`${fileOf(directory)}-wal`).size;
    const lengths: number[] = [];
    for (let part = 0; part <= 12; part += 1) {
      lengths.push(await continueFromCopy(directory, Math.floor((logBytes * part) / 12)));
    }
    await journal.close();
    assert.deepEqual(
      lengths,
      lengths.toSorted((left, right) => left - right),
    );
    assert.equal(lengths.at(-1), 30);
    assert.ok(new Set(lengths).size > 5, `the cuts fall into different entries: ${lengths}`);
  });
});

/** Opens a copy whose log is cut to this length, appends to it, and gives how much it had kept. */
async function continueFromCopy(directory: string, logBytes: number): Promise<number> {
  const copy = scratchDirectory();
  copyFileSync(fileOf(directory), fileOf(copy));
  copyFileSync(`${fileOf(directory)}-wal`, `${fileOf(copy)}-wal`);
  truncateSync(`${fileOf(copy)}-wal`, logBytes);
  const journal = await logOf(copy).openWriter().then(closedInTheEnd);
  const kept = journal.lastSeq;
  await journal.append(kept + 1, 1, 'life goes on');
  await journal.close();
  const result = await verifyJournal(logOf(copy), () => undefined);
  assert.equal(result.kind === 'sound' && result.lastSeq, kept + 1);
  return kept;
}

describe('snapshots and journal', () => {
  test('a journal that ends before a snapshot has lost its end', async () => {
    const directory = await soundJournal(2);
    logOf(directory).snapshots.write(8, ['state after 8']);
    assert.equal((await verifyJournal(logOf(directory), () => undefined)).kind, 'sound');
    tamper(directory, 'DELETE FROM entries WHERE first_seq = 5');
    const result = await verifyJournal(logOf(directory), () => undefined);
    assert.equal(result.kind === 'faulty' && result.fault.kind, 'torn_tail');
    await assert.rejects(
      logOf(directory).openWriter().then(closedInTheEnd),
      /ends at 4, but .*journal\.head has seen 8 on disk/,
    );
    rmSync(join(directory, 'journal.head'));
    await assert.rejects(
      logOf(directory).openWriter().then(closedInTheEnd),
      /ends at 4, but there is a snapshot of 8/,
    );
  });
});

describe('verifying', () => {
  test('a sound journal is counted, and the way there is told', async () => {
    const directory = await soundJournal(2_500);
    const told: number[] = [];
    const result = await verifyJournal(logOf(directory), (seq, lastSeq) => {
      assert.equal(lastSeq, 10_000);
      told.push(seq);
    });
    const last = (await readAll(logOf(directory), 10_000)).at(-1);
    assert.deepEqual(told, [4_000, 8_000]);
    assert.deepEqual(result, {
      kind: 'sound',
      entriesCount: 2_500,
      commandsCount: 10_000,
      firstSeq: 1,
      lastSeq: 10_000,
      lastHash: last?.hash,
      keyedFromSeq: 0,
    });
  });

  test('works while the journal is being written', async () => {
    const directory = scratchDirectory();
    const journal = await logOf(directory).openWriter().then(closedInTheEnd);
    await journal.append(1, 3, 'while it is open');
    const result = await verifyJournal(logOf(directory), () => undefined);
    assert.equal(result.kind === 'sound' && result.lastSeq, 3);
    await journal.close();
  });
});
