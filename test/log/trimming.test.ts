/** A journal whose oldest entries go: what is left proves as before, and nothing damaged goes. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { type JournalFault, verifyJournal } from '#log';
import { entriesOf, logOf, readAll } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { until } from '../support/until.ts';

const MASTER_KEY = Buffer.alloc(32, 7);
/** More than one transaction takes, and than one page of a reading. */
const ENTRIES = 700;

async function filled(directory: string, masterKey?: Buffer) {
  const journal = await logOf(directory, { masterKey }).openWriter();
  const appended: Promise<void>[] = [];
  for (let at = 0; at < ENTRIES; at += 1) {
    appended.push(journal.append(1 + at * 2, 2, `from ${1 + at * 2}`));
  }
  await Promise.all(appended);
  return journal;
}

async function sound(directory: string, masterKey?: Buffer, anchor?: string) {
  const [seq = '', hash = ''] = anchor?.split(':') ?? [];
  const kept = anchor === undefined ? undefined : { lastSeq: Number(seq), hash };
  return verifyJournal(logOf(directory, { masterKey }), () => undefined, kept);
}

for (const [name, masterKey] of [
  ['without a key', undefined],
  ['under a key', MASTER_KEY],
] as const) {
  test(`what is before a command goes, and the rest is sound: ${name}`, async (context) => {
    const directory = scratchDirectory(context);
    const journal = await filled(directory, masterKey);
    const before = await readAll(logOf(directory, { masterKey }), 1_201);
    assert.equal(journal.firstSeq, 1);
    // In the middle of an entry, which stays as a whole.
    assert.equal(await journal.trim(1_202), 1_201);
    assert.equal(journal.firstSeq, 1_201);
    await journal.append(1_401, 1, 'after it');
    await journal.close();
    const result = await sound(directory, masterKey);
    assert.ok(result.kind === 'sound', JSON.stringify(result));
    const { firstSeq, lastSeq, commandsCount, entriesCount } = result;
    assert.deepEqual([firstSeq, lastSeq, commandsCount, entriesCount], [1_201, 1_401, 201, 101]);
    const after = await readAll(logOf(directory, { masterKey }), 1_201);
    assert.deepEqual(after.slice(0, -1), before);
    const again = await logOf(directory, { masterKey }).openWriter();
    assert.deepEqual([again.firstSeq, again.lastSeq, again.notices], [1_201, 1_401, []]);
    await again.close();
  });
}

test('what is before cannot be read, and an anchor of then not be found', async (context) => {
  const directory = scratchDirectory(context);
  const journal = await filled(directory);
  const [early] = await readAll(logOf(directory), 99);
  const [late] = await readAll(logOf(directory), 1_399);
  await journal.trim(1_001);
  await journal.close();
  await assert.rejects(readAll(logOf(directory), 1_000), /it begins with command 1001, after a/);
  const told = await sound(directory, undefined, `100:${early?.hash}`);
  assert.ok(told.kind === 'unreadable');
  assert.match(told.reason, /anchor was taken at command 100, and the journal begins with 1001/);
  assert.equal((await sound(directory, undefined, `1400:${late?.hash}`)).kind, 'sound');
});

test('the last entry stays, whatever is asked for', async (context) => {
  const journal = await filled(scratchDirectory(context));
  assert.equal(await journal.trim(ENTRIES * 2 + 1), ENTRIES * 2 - 1);
  assert.equal(await journal.trim(5), ENTRIES * 2 - 1, 'what is gone stays so');
  await journal.close();
});

test('entries that are appended meanwhile are as durable as ever', async (context) => {
  const directory = scratchDirectory(context);
  const journal = await filled(directory);
  const trimming = journal.trim(1_301);
  const appended = [1_401, 1_402, 1_403].map((seq) => journal.append(seq, 1, `number ${seq}`));
  await Promise.all([...appended, trimming]);
  await journal.close();
  const [entry] = await readAll(logOf(directory), 1_403);
  assert.equal(entry?.payload, 'number 1403');
  assert.equal((await sound(directory)).kind, 'sound');
});

test('a reading that is overtaken says so, and a verification goes on behind', async (context) => {
  const directory = scratchDirectory(context);
  const journal = await filled(directory);
  const reader = await logOf(directory).openReader();
  const chunks = reader.chunks(1)[Symbol.asyncIterator]();
  await chunks.next();
  await journal.trim(1_101);
  await assert.rejects(
    async () => {
      while ((await chunks.next()).done !== true);
    },
    (error: JournalFault) => error.kind === 'gap',
  );
  assert.equal(reader.base.nextSeq, 1_101);
  assert.equal((await entriesOf(reader, 1_101)).length, 150);
  await reader.close();
  await journal.close();
  const again = await logOf(directory).openWriter();
  let begun: Promise<number> | undefined;
  const log = logOf(directory);
  const { openReader } = log;
  // The journal is trimmed when the first entries of the verification have been read.
  log.openReader = async () => {
    const one = await openReader.call(log);
    const { chunks: all } = one;
    one.chunks = async function* (fromSeq) {
      for await (const chunk of all.call(one, fromSeq)) {
        yield chunk;
        begun ??= again.trim(1_381);
        await begun;
      }
    };
    return one;
  };
  const result = await verifyJournal(log, () => undefined);
  await again.close();
  assert.ok(result.kind === 'sound', JSON.stringify(result));
  assert.deepEqual([result.firstSeq, result.lastSeq], [1_381, 1_400]);
});

test('nothing of a journal goes that does not prove', async (context) => {
  const directory = scratchDirectory(context);
  const opened = await filled(directory);
  const file = new Sqlite(join(directory, 'journal.sqlite'));
  file.prepare('update entries set payload = ? where first_seq = ?').run('another', 601);
  file.close();
  await assert.rejects(opened.trim(1_001), /hash_mismatch at seq 601/);
  // What was proven before it is gone, a piece at a time; what is damaged is still there.
  assert.ok(opened.firstSeq <= 601);
  await opened.append(1_401, 1, 'it goes on');
  await opened.close();
});

test('the room that a trimming leaves is used again', async (context) => {
  const directory = scratchDirectory(context);
  const journal = await logOf(directory).openWriter();
  const payload = 'x'.repeat(20_000);
  let [nextSeq, sizes] = [1, [] as number[]];
  for (let round = 0; round < 6; round += 1) {
    const appended: Promise<void>[] = [];
    for (let at = 0; at < 200; at += 1) appended.push(journal.append(nextSeq + at, 1, payload));
    await Promise.all(appended);
    nextSeq += 200;
    await journal.trim(nextSeq - 20);
    const file = new Sqlite(join(directory, 'journal.sqlite'), { readonly: true });
    sizes = [...sizes, Number(file.pragma('page_count', { simple: true }))];
    file.close();
  }
  await journal.close();
  const [, second = 0] = sizes;
  assert.ok((sizes.at(-1) ?? 0) <= second * 1.1, `pages: ${sizes.join(', ')}`);
});

test('a trimming that a stop interrupts goes on at the next start', async (context) => {
  const directory = scratchDirectory(context);
  const journal = await filled(directory);
  const trimming = journal.trim(1_301).catch(() => undefined);
  await journal.close();
  await Promise.race([trimming, new Promise(setImmediate)]);
  const again = await logOf(directory).openWriter();
  await until('the rest is gone', async () => (await again.trim(1_301)) === 1_301);
  await again.close();
  assert.equal((await sound(directory)).kind, 'sound');
});
