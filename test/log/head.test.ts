/** The head beside the journal: an end that is missing is told from one that was never written. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { type Journal, verifyJournal } from '#log';
import { logOf } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { faultOf } from './contract.ts';
import { closedInTheEnd } from './journals.ts';

const COMMANDS = 40;
const FRAME_HEADER_BYTES = 24;
const PAGE_BYTES = 16_384;

/** As SIGKILL leaves it: the end of the journal is in its log. */
const killed = scratchDirectory();

before(async () => {
  const running = scratchDirectory();
  const journal = await logOf(running).openWriter().then(closedInTheEnd);
  for (let seq = 1; seq <= COMMANDS; seq += 1) await journal.append(seq, 1, `order ${seq}`);
  cpSync(running, killed, { recursive: true });
  await journal.close();
});

function copy(): string {
  const directory = scratchDirectory();
  cpSync(killed, directory, { recursive: true });
  return directory;
}

const log = (directory: string) => join(directory, 'journal.sqlite-wal');
const head = (directory: string) => join(directory, 'journal.head');
const open = (directory: string): Promise<Journal> =>
  logOf(directory).openWriter().then(closedInTheEnd);

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 0x10;
  writeFileSync(file, bytes);
}

test('a flipped bit in any of the last frames of the log is an end that is missing', async () => {
  const { size } = statSync(log(killed));
  const frameBytes = FRAME_HEADER_BYTES + PAGE_BYTES;
  for (let back = 1; back <= 12; back += 1) {
    const directory = copy();
    flip(log(directory), size - back * frameBytes + ((back * 1_237) % frameBytes));
    const says = /torn_tail at seq \d+ in .*journal\.sqlite: it ends at \d+, but .*journal\.head/;
    await assert.rejects(open(directory), says, `frame ${back} from the end`);
    const result = await verifyJournal(logOf(directory), () => undefined);
    assert.equal(result.kind === 'faulty' && result.fault.kind, 'torn_tail');
  }
});

test('a log that is cut, emptied or gone is an end that is missing', async () => {
  for (const harm of [
    (file: string) => truncateSync(file, statSync(file).size - 1),
    (file: string) => truncateSync(file, 0),
    (file: string) => rmSync(file),
  ]) {
    const directory = copy();
    harm(log(directory));
    await assert.rejects(open(directory), faultOf('torn_tail'));
  }
});

test('without its head a journal opens, and says what it cannot tell', async () => {
  for (const harm of [
    (file: string) => rmSync(file),
    (file: string) => truncateSync(file, 0),
    (file: string) => writeFileSync(file, 'garbage '.repeat(32)),
  ]) {
    const directory = copy();
    harm(head(directory));
    const journal = await open(directory);
    assert.match(journal.notices.join(), /journal\.head is missing or damaged/);
    assert.equal(journal.lastSeq, COMMANDS);
    await journal.close();
    const again = await open(directory);
    assert.deepEqual(again.notices, []);
  }
});

test('a head in the middle of being written is whole in its other line', async () => {
  for (const at of [10, 138]) {
    const directory = copy();
    flip(head(directory), at);
    const journal = await open(directory);
    assert.deepEqual([journal.lastSeq, journal.notices], [COMMANDS, []]);
  }
});

test('a head that knows another entry is a journal that was exchanged', async () => {
  const directory = copy();
  const other = scratchDirectory();
  const journal = await open(other);
  for (let seq = 1; seq <= COMMANDS; seq += 1) await journal.append(seq, 1, `another ${seq}`);
  await journal.close();
  cpSync(head(other), head(directory));
  await assert.rejects(open(directory), faultOf('hash_mismatch'));
});
