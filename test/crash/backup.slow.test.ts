/** A copy of a busy venue, made without stopping it, is a whole venue of one moment. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { before, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { pack } from 'tar-stream';
import { randomOf } from '../../tools/random.ts';
import { run } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';
import { until } from '../support/until.ts';
import { DataDirectory } from './data-directory.ts';
import { Load } from './load.ts';

const CLIENTS_PER_ACCOUNT = 4;
const ANSWERS_BEFORE = 100;

const [withKeys, withoutKeys] = [
  join(scratchDirectory(), 'copy'),
  join(scratchDirectory(), 'copy'),
];
const data = new DataDirectory(scratchDirectory());
/** Last commands known just before the copies were begun, and when they were done. */
const span = { from: 0, to: 0 };

function lastSeq(directory: string): number {
  const journal = new Sqlite(join(directory, 'journal.sqlite'), { readonly: true });
  const last = journal.prepare('select max(first_seq + count - 1) from entries').pluck().get();
  journal.close();
  return Number(last);
}

before(async () => {
  const { program, sides } = await data.start();
  const load = new Load(randomOf(5));
  for (const side of sides) load.start(side, CLIENTS_PER_ACCOUNT);
  await until('enough answers', () => load.answersCount >= ANSWERS_BEFORE);
  span.from = lastSeq(data.directory);
  const place = ['--data', data.directory];
  const one = await run('backup', withKeys, '--with-keys', ...place);
  const other = await run('backup', withoutKeys, ...place);
  span.to = lastSeq(data.directory);
  await load.end();
  program.signal('SIGTERM');
  await program.ended;
  assert.deepEqual([one.code, other.code], [0, 0], one.log + other.log);
  assert.match(
    one.output,
    /^sound: \d+ entries, \d+ commands\nanchor: \d+:[0-9a-f]{64}\nmaster.key/,
  );
  assert.match(other.output, /master\.key and admin\.token are not in it: keep the master key/);
  assert.match(one.log, /copying \d+ snapshots\ncopying the history, .* MB\ncopying the journal/);
});

test('orders flowed while the copies were made, and each is of a moment in between', () => {
  assert.ok(span.to > span.from, 'the venue was busy');
  for (const directory of [withKeys, withoutKeys]) {
    const seq = lastSeq(directory);
    assert.ok(seq >= span.from && seq <= span.to, `${span.from} <= ${seq} <= ${span.to}`);
  }
});

test("a copy is its owner's alone and has keys only when asked", () => {
  for (const directory of [withKeys, withoutKeys]) {
    assert.equal(statSync(directory).mode & 0o077, 0);
    for (const name of readdirSync(directory, { recursive: true }).map(String)) {
      assert.equal(statSync(join(directory, name)).mode & 0o077, 0, name);
    }
  }
  assert.ok(existsSync(join(withKeys, 'master.key')));
  assert.ok(!existsSync(join(withoutKeys, 'master.key')));
});

test('a backup is restored, opens and balances', async (t) => {
  const directory = join(scratchDirectory(t), 'data');
  const restored = await run('restore', withKeys, '--data', directory);
  assert.equal(restored.code, 0, restored.log);
  const audited = await run('audit', '--data', directory);
  assert.match(audited.output, /balanced/);
  const here = ServerHere.still(t, directory, Date.now());
  const { venue } = await here.start();
  assert.ok(venue.releasedSeq >= lastSeq(withKeys));
});

test('the journal of the copy is the beginning of the one it was taken from', () => {
  const rowsOf = (directory: string, limit: number) => {
    const journal = new Sqlite(join(directory, 'journal.sqlite'), { readonly: true });
    const rows = journal.prepare('select * from entries order by first_seq limit ?').raw();
    const found = rows.all(limit);
    journal.close();
    return found;
  };
  const copied = rowsOf(withKeys, -1);
  assert.deepEqual(copied, rowsOf(data.directory, copied.length));
});

test('without its key a backup is not restored; with it from elsewhere it is', async (t) => {
  const directory = join(scratchDirectory(t), 'data');
  const refused = await run('restore', withoutKeys, '--data', directory);
  assert.equal(refused.code, 2);
  assert.match(refused.log, /its chain is keyed: give the master key .*\n.*is empty again/);
  process.env.OUTCRY_MASTER_KEY = readFileSync(data.file('master.key'), 'utf8').trim();
  t.after(() => {
    delete process.env.OUTCRY_MASTER_KEY;
  });
  const restored = await run('restore', withoutKeys, '--data', directory);
  assert.equal(restored.code, 0, restored.log);
});

test('a changed backup is not restored', async (t) => {
  const copy = join(scratchDirectory(t), 'copy');
  await run('backup', copy, '--with-keys', '--data', withKeys);
  const journal = new Sqlite(join(copy, 'journal.sqlite'));
  journal.exec("update entries set payload = replace(payload, 'demo-1', 'demo-9')");
  journal.close();
  const directory = join(scratchDirectory(t), 'data');
  const refused = await run('restore', copy, '--data', directory);
  assert.equal(refused.code, 1, refused.log);
  assert.match(refused.output, /FAULTY: hash_mismatch/);
  assert.deepEqual(readdirSync(directory), []);
});

test('what is not sound leaves no backup behind, nor what looks like one', async (t) => {
  const copy = join(scratchDirectory(t), 'copy');
  assert.equal((await run('backup', copy, '--with-keys', '--data', withKeys)).code, 0);
  const sick = (file: string, sql: string): void => {
    const database = new Sqlite(join(copy, file));
    database.exec(sql);
    database.close();
  };
  const place = scratchDirectory(t);
  const there = scratchDirectory(t);
  const failing = async (code: number, targets: readonly string[]): Promise<void> => {
    for (const target of targets) {
      const made = await run('backup', target, '--with-keys', '--data', copy);
      assert.equal(made.code, code, made.log);
    }
    assert.deepEqual([...readdirSync(place), ...readdirSync(there)], []);
  };
  // The check of a history throws, the one of a journal says so.
  sick('history.sqlite', 'update meta set projected_seq = projected_seq + 1000000');
  await failing(2, [join(place, 'monday'), there]);
  const target = join(place, 'data');
  assert.equal((await run('restore', copy, '--data', target)).code, 2);
  assert.deepEqual(readdirSync(target), []);
  rmSync(target, { recursive: true });
  sick('journal.sqlite', "update entries set payload = replace(payload, 'demo-1', 'demo-9')");
  await failing(1, [join(place, 'monday.tar.gz')]);
});

test('a backup in a directory that was there is whole', async (t) => {
  const there = scratchDirectory(t);
  assert.equal((await run('backup', there, '--with-keys', '--data', withKeys)).code, 0);
  assert.deepEqual(readdirSync(there).toSorted(), readdirSync(withKeys).toSorted());
});

test('neither way writes into a directory that has something in it', async (t) => {
  const filled = scratchDirectory(t);
  writeFileSync(join(filled, 'precious'), 'chickens');
  for (const words of [
    ['backup', filled, '--data', withKeys],
    ['restore', withKeys, '--data', filled],
  ]) {
    const { code, log } = await run(...words);
    assert.equal(code, 2);
    assert.match(log, /is not empty: name a directory that is empty or missing/);
    assert.deepEqual(readdirSync(filled), ['precious']);
  }
});

for (const form of ['tar', 'tar.gz']) {
  test(`a backup in one file, .${form}, is restored and balances`, async (t) => {
    const place = scratchDirectory(t);
    const file = join(place, `monday.${form}`);
    const made = await run('backup', file, '--with-keys', '--data', withKeys);
    assert.equal(made.code, 0, made.log);
    assert.match(made.output, /^sound: .*\nin \S+monday\.tar(\.gz)?, [0-9.]+ MB\n$/s);
    assert.deepEqual(readdirSync(place), [`monday.${form}`], 'nothing else is left');
    assert.equal(statSync(file).mode & 0o077, 0);
    const again = await run('backup', file, '--data', withKeys);
    assert.equal(again.code, 2);
    assert.match(again.log, /is there already: name another file/);
    const directory = join(place, 'data');
    const restored = await run('restore', file, '--data', directory);
    assert.equal(restored.code, 0, restored.log);
    assert.deepEqual(
      readdirSync(directory, { recursive: true }).toSorted(),
      readdirSync(withKeys, { recursive: true }).toSorted(),
    );
    const audited = await run('audit', '--data', directory);
    assert.match(audited.output, /balanced/);
  });
}

test('a file that is no backup, or is cut off, leaves nothing behind', async (t) => {
  const place = scratchDirectory(t);
  const whole = join(place, 'whole.tar');
  assert.equal((await run('backup', whole, '--with-keys', '--data', withKeys)).code, 0);
  const cut = join(place, 'cut.tar');
  writeFileSync(cut, readFileSync(whole).subarray(0, 100_000));
  const climbing = join(place, 'climbing.tar');
  const packed = pack();
  packed.entry({ name: '../climbed' }, 'out');
  packed.finalize();
  writeFileSync(climbing, await buffer(packed));
  for (const [file, said] of [
    [cut, /nothing was restored/],
    [climbing, /is no backup: it has "\.\.\/climbed" in it/],
  ] as const) {
    const directory = join(place, 'data');
    const { code, log } = await run('restore', file, '--data', directory);
    assert.notEqual(code, 0, log);
    assert.match(log, said);
    assert.deepEqual(
      readdirSync(place).filter((name) => !name.endsWith('.tar')),
      existsSync(directory) ? ['data'] : [],
    );
    assert.ok(!existsSync(directory) || readdirSync(directory).length === 0);
  }
});
