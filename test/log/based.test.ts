/** A journal that begins in the middle of a log: at a snapshot, with what came after it. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { GENESIS, JournalFault, verifyJournal } from '#log';
import { logOf, readAll } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';

const BASE = { nextSeq: 101, hash: 'a'.repeat(64) };

async function write(directory: string, firstSeq: number, counts: readonly number[]) {
  const journal = await logOf(directory).openWriter();
  let seq = firstSeq;
  for (const count of counts) {
    await journal.append(seq, count, `from ${seq}`);
    seq += count;
  }
  await journal.close();
}

async function ends(directory: string) {
  const reader = await logOf(directory).openReader();
  const found = { base: reader.base, end: await reader.end(), id: reader.id };
  await reader.proveEnd();
  await reader.close();
  return found;
}

test('it goes on after its base, and is sound from there on', async (context) => {
  const directory = scratchDirectory(context);
  assert.equal(logOf(directory).exists(), false);
  await logOf(directory).beginAt(BASE);
  assert.equal(logOf(directory).exists(), true);
  const empty = await ends(directory);
  assert.deepEqual([empty.base, empty.end], [BASE, BASE]);
  await write(directory, 101, [3, 1, 6]);
  const filled = await ends(directory);
  assert.deepEqual([filled.base, filled.end.nextSeq], [BASE, 111]);
  assert.deepEqual(
    (await readAll(logOf(directory), 103)).map(({ firstSeq }) => firstSeq),
    [101, 104, 105],
  );
  const result = await verifyJournal(logOf(directory), () => undefined);
  assert.ok(result.kind === 'sound');
  const { firstSeq, commandsCount, lastSeq } = result;
  assert.deepEqual([firstSeq, commandsCount, lastSeq], [101, 10, 110]);
});

test('what is before its base is asked for in vain', async (context) => {
  const directory = scratchDirectory(context);
  await logOf(directory).beginAt(BASE);
  await write(directory, 101, [1]);
  for (const seq of [1, 100]) {
    await assert.rejects(
      readAll(logOf(directory), seq),
      (error) => error instanceof JournalFault && error.kind === 'gap' && error.seq === seq,
    );
  }
});

test('its first entry is proven against its base', async (context) => {
  const [directory, other] = [scratchDirectory(context), scratchDirectory(context)];
  await logOf(directory).beginAt(BASE);
  await logOf(other).beginAt({ ...BASE, hash: 'b'.repeat(64) });
  for (const one of [directory, other]) await write(one, 101, [1]);
  const [one, two] = await Promise.all([ends(directory), ends(other)]);
  assert.notEqual(one.end.hash, two.end.hash);
});

test('a journal that begins anew keeps its id and nothing else', async (context) => {
  const directory = scratchDirectory(context);
  const masterKey = Buffer.alloc(32, 7);
  const keyed = await logOf(directory, { masterKey }).openWriter();
  await keyed.append(1, 100, 'under a key');
  const { id } = keyed;
  await assert.rejects(logOf(directory).beginAt(BASE), /another outcry process/);
  await keyed.close();
  await logOf(directory).beginAt(BASE);
  assert.deepEqual(await ends(directory), { base: BASE, end: BASE, id });
  await write(directory, 101, [2]);
  await logOf(directory).beginAt({ nextSeq: 500, hash: 'c'.repeat(64) });
  assert.equal((await ends(directory)).end.nextSeq, 500);
});

test('a journal of its own starts at the genesis', async (context) => {
  const directory = scratchDirectory(context);
  await write(directory, 1, [1]);
  assert.deepEqual((await ends(directory)).base, GENESIS);
});
