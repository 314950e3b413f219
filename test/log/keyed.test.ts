/** A chain under a key: whoever writes the journal anew without it is found out. */
import assert from 'node:assert/strict';
import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { anchorText, parseAnchor, verifyJournal } from '#log';
import { logOf, readAll } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { faultOf } from './contract.ts';
import { closedInTheEnd } from './journals.ts';

const MASTER_KEY = Buffer.alloc(32, 7);
const OTHER_KEY = Buffer.alloc(32, 8);
const silent = () => undefined;

async function write(
  directory: string,
  count: number,
  masterKey?: Buffer,
): Promise<readonly string[]> {
  const options = masterKey === undefined ? {} : { masterKey };
  const journal = await logOf(directory, options).openWriter().then(closedInTheEnd);
  for (let left = count; left > 0; left -= 1) {
    await journal.append(journal.lastSeq + 1, 1, `command ${journal.lastSeq + 1}`);
  }
  await journal.close();
  return journal.notices;
}

function edit<T>(directory: string, work: (database: Database.Database) => T): T {
  const database = new Database(join(directory, 'journal.sqlite'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

interface Stored {
  readonly first_seq: number;
  readonly count: number;
  readonly rules: number;
  readonly payload: string;
}

const textOf = (previous: string, { first_seq, count, rules, payload }: Stored) =>
  `${previous}\n${first_seq}\n${count}\n${rules}\n${payload}`;

test('each entry is the documented HMAC under a key of this journal alone', async () => {
  const directory = scratchDirectory();
  await write(directory, 3, MASTER_KEY);
  const reader = await logOf(directory, { masterKey: MASTER_KEY }).openReader();
  const info = 'outcry journal chain 1';
  const key = Buffer.from(hkdfSync('sha256', MASTER_KEY, reader.id, info, 32));
  let previous = createHash('sha256').update('outcry journal 1').digest('hex');
  for (const entry of await readAll(logOf(directory, { masterKey: MASTER_KEY }))) {
    const { firstSeq, count, rules, payload, hash } = entry;
    const text = textOf(previous, { first_seq: firstSeq, count, rules, payload });
    previous = createHmac('sha256', key).update(text).digest('hex');
    assert.equal(hash, previous);
  }
  assert.equal(reader.keyedFromSeq, 1);
  await reader.close();
});

test('no key and another key are told from a changed entry', async () => {
  const directory = scratchDirectory();
  await write(directory, 3, MASTER_KEY);
  for (const key of [undefined, OTHER_KEY]) {
    const log = logOf(directory, { masterKey: key });
    await assert.rejects(log.openReader(), faultOf('key'));
    await assert.rejects(write(directory, 1, key), faultOf('key'));
    assert.equal((await verifyJournal(log, silent)).kind, 'unreadable');
  }
  const log = logOf(directory, { masterKey: MASTER_KEY });
  assert.equal((await verifyJournal(log, silent)).kind, 'sound');
});

test('a journal that was not keyed goes on keyed, and says from where', async () => {
  const directory = scratchDirectory();
  await write(directory, 5);
  const notices = await write(directory, 2, MASTER_KEY);
  assert.match(notices.join(), /up to command 5 was written without a key.* from command 6 on/);
  assert.deepEqual(await write(directory, 1, MASTER_KEY), []);
  const result = await verifyJournal(logOf(directory, { masterKey: MASTER_KEY }), silent);
  assert.ok(result.kind === 'sound');
  assert.deepEqual([result.keyedFromSeq, result.lastSeq], [6, 8]);
});

/** Changes an entry and makes every hash after it fit, as anybody can who knows the layout. */
function forge(directory: string): void {
  edit(directory, (database) => {
    const rows = database.prepare<[], Stored>('select * from entries order by first_seq').all();
    const update = database.prepare('update entries set payload = ?, hash = ? where first_seq = ?');
    let previous = createHash('sha256').update('outcry journal 1').digest('hex');
    for (const row of rows) {
      const payload = row.first_seq === 2 ? 'forged' : row.payload;
      previous = createHash('sha256')
        .update(textOf(previous, { ...row, payload }))
        .digest('hex');
      update.run(payload, previous, row.first_seq);
    }
  });
}

test('a journal that is written anew is found out under a key, and not without', async () => {
  const [plain, keyed] = [scratchDirectory(), scratchDirectory()];
  await write(plain, 4);
  await write(keyed, 4, MASTER_KEY);
  for (const directory of [plain, keyed]) forge(directory);
  const found = await verifyJournal(logOf(keyed, { masterKey: MASTER_KEY }), silent);
  assert.ok(found.kind === 'faulty' && found.fault.kind === 'hash_mismatch');
  assert.equal((await readAll(logOf(plain))).length, 4, 'the plain chain holds');
});

test('an anchor kept elsewhere tells a journal from one that was cut or exchanged', async () => {
  const directory = scratchDirectory();
  await write(directory, 4, MASTER_KEY);
  const log = logOf(directory, { masterKey: MASTER_KEY });
  const verify = async (anchor: string) => {
    const kept = parseAnchor(anchor);
    assert.ok(kept !== undefined);
    const result = await verifyJournal(log, silent, kept);
    return result.kind === 'faulty' ? result.fault.message : result.kind;
  };
  const result = await verifyJournal(logOf(directory, { masterKey: MASTER_KEY }), silent);
  assert.ok(result.kind === 'sound');
  const anchor = anchorText({ lastSeq: result.lastSeq, hash: result.lastHash });
  assert.equal(await verify(anchor), 'sound');
  await write(directory, 2, MASTER_KEY);
  assert.equal(await verify(anchor), 'sound');
  assert.match(
    await verify(`4:${'0'.repeat(64)}`),
    /hash_mismatch at seq 4 .*taken from another journal/,
  );
  assert.match(await verify(`9:${'0'.repeat(64)}`), /torn_tail at seq 7 .*ends at 6.* taken at 9/);
  for (const text of ['', '4', '4:xyz', `-1:${'0'.repeat(64)}`]) {
    assert.equal(parseAnchor(text), undefined);
  }
});
