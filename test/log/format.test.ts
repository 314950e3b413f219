/** A planted format 2 of the journal: 1 is upgraded in one transaction, and 2 is refused by 1. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { verifyJournal } from '#log';
import { JOURNAL_FORMAT, type JournalFormat, openForReading, openForWriting } from '#log/testing';
import { logOf } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';

const NOTE = "ALTER TABLE entries ADD COLUMN note TEXT NOT NULL DEFAULT '';";
const FORMAT_2: JournalFormat = { created: JOURNAL_FORMAT.created + NOTE, upgrades: [NOTE] };

async function journalOf(directory: string): Promise<void> {
  const journal = await logOf(directory).openWriter();
  await journal.append(1, 2, 'of format 1');
  await journal.close();
}

function notesOf(directory: string): unknown[] {
  const database = openForReading(directory, FORMAT_2);
  const found = database.prepare('SELECT payload, note FROM entries').all();
  database.close();
  return found;
}

test('a journal of format 1 is upgraded once by the program that writes format 2', async (t) => {
  const directory = scratchDirectory(t);
  await journalOf(directory);
  assert.throws(() => openForReading(directory, FORMAT_2), /format 1, .* 2: start the venue once/);
  for (const _ of [1, 2]) openForWriting(directory, true, FORMAT_2).database.close();
  assert.deepEqual(notesOf(directory), [{ payload: 'of format 1', note: '' }]);
  const fresh = scratchDirectory(t);
  openForWriting(fresh, true, FORMAT_2).database.close();
  assert.deepEqual(notesOf(fresh), []);
  const says = /it has format 2, and this program reads format 1: start the program that wrote it/;
  await assert.rejects(logOf(directory).openWriter(), says);
  const read = await verifyJournal(logOf(directory), () => undefined);
  assert.match(read.kind === 'unreadable' ? read.reason : read.kind, says);
});

test('an upgrade that fails leaves the journal as it was', async (t) => {
  const directory = scratchDirectory(t);
  await journalOf(directory);
  const failing = { ...FORMAT_2, upgrades: [`${NOTE} UPDATE nowhere SET note = '';`] };
  assert.throws(() => openForWriting(directory, true, failing), /no such table: nowhere/);
  const { kind } = await verifyJournal(logOf(directory), () => undefined);
  assert.equal(kind, 'sound');
});
