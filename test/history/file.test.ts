/** The file itself: restarts, kills, and files that are not this venue's history. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { HistoryUnavailable } from '#domain';
import { type HistoryReader, HistoryUnusable } from '#history';
import {
  HISTORY_SCHEMA,
  openForReading,
  openForWriting,
  rowSum,
  type Schema,
} from '#history/testing';
import { present } from '#kernel';
import { BTCUSDT } from '../support/floor.ts';
import { historyFile, historyOf, VENUE_ID } from '../support/history-files.ts';
import { CONTRACT, HistoryFloor } from './floor.ts';
import { naiveBills } from './naive.ts';

function tradingVenue(trades: number): HistoryFloor {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  for (let trade = 0; trade < trades; trade += 1) venue.spotTrade(ann, bob, 'buy');
  return venue;
}

test('a damaged page is never read as data: the reader says so and what to do', async (t) => {
  const venue = tradingVenue(2_000);
  const file = historyFile(t);
  const writer = await historyOf(file).openWriter(VENUE_ID);
  await writer.project(venue.steps);
  await writer.close();
  const { pageSize, rootPage } = tradesTable(file);
  const bytes = readFileSync(file);
  bytes.fill(0x5a, (rootPage - 1) * pageSize, rootPage * pageSize);
  writeFileSync(file, bytes);
  const reader = await historyOf(file).openReader();
  await assert.rejects(reader.recentTrades(BTCUSDT, 9), (error) => {
    assert.ok(error instanceof HistoryUnavailable);
    assert.match(error.message, /malformed; stop the venue and delete the file/);
    assert.ok(error.message.startsWith(file));
    return true;
  });
  await reader.close();
});

/** Where the rows of the trades begin. */
function tradesTable(file: string): { pageSize: number; rootPage: number } {
  const db = new Sqlite(file, { readonly: true });
  const pageSize = Number(db.pragma('page_size', { simple: true }));
  const root = db.prepare("select rootpage from sqlite_master where name = 'trades'").pluck();
  const rootPage = Number(root.get());
  db.close();
  return { pageSize, rootPage };
}

/** Projects a venue step by step for ever, telling each number once its transaction is done. */
const PROJECTS_UNTIL_KILLED = `
  const { historyAt } = await import('#history');
  const { VENUE_ID } = await import('./test/support/history-files.ts');
  const { HistoryFloor } = await import('./test/history/floor.ts');
  const history = historyAt({ kind: 'sqlite', file: process.argv[1] });
  const writer = await history.openWriter(VENUE_ID);
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  for (;;) {
    while (venue.steps.length < writer.projectedSeq + 7) venue.spotTrade(ann, bob, 'buy');
    await writer.project(venue.since(writer.projectedSeq));
    process.stdout.write(writer.projectedSeq + '\\n');
  }
`;

async function killWhileProjecting(file: string, atSeq: number): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', PROJECTS_UNTIL_KILLED, file],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let toldSeq = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    toldSeq = Number(line);
    if (toldSeq >= atSeq && !child.killed) child.kill('SIGKILL');
  }
  if (child.signalCode === null) await once(child, 'exit');
  assert.equal(child.signalCode, 'SIGKILL');
  return toldSeq;
}

test('a writer killed at any moment leaves whole transactions', async (t) => {
  const file = historyFile(t);
  for (const atSeq of [20, 400, 1_500, 4_000]) {
    const toldSeq = await killWhileProjecting(file, atSeq);
    const writer = await historyOf(file).openWriter(VENUE_ID);
    assert.ok(writer.projectedSeq >= toldSeq, `${writer.projectedSeq} of ${toldSeq}`);
    const reader = await historyOf(file).openReader();
    await matchesItsSeq(reader, writer.projectedSeq);
    await reader.close();
    await writer.close();
    const db = new Sqlite(file);
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
    db.close();
  }
});

/** The rows are exactly those of the steps up to projectedSeq. */
async function matchesItsSeq(reader: HistoryReader, seq: number): Promise<void> {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  while (venue.steps.length < seq) venue.spotTrade(ann, bob, 'buy');
  venue.steps.length = seq;
  const mine = naiveBills(venue).filter((bill) => bill.accountId === ann);
  const newest = await reader.bills({ accountId: ann, wallet: 'spot', limit: 500 });
  assert.deepEqual(newest, mine.toReversed().slice(0, 500));
  const trades = venue.steps.flatMap((one) => one.events).filter(({ kind }) => kind === 'trade');
  const month = await reader.lastCandleBefore(
    { instrumentId: BTCUSDT, period: '1M' },
    venue.timeMs,
  );
  assert.equal(month?.baseLots, trades.length * 10);
}

const REFUSED: [name: string, make: (file: string) => unknown, says: RegExp][] = [
  [
    'of another venue',
    async (file) => (await historyOf(file).openWriter('another venue')).close(),
    /belongs to venue another venue, the journal to a venue.*delete it/,
  ],
  [
    'of a newer program, or of a checkout before 0.2.0',
    (file) => withDatabase(file, (db) => db.pragma('user_version = 14')),
    /has schema 14, this program reads 1: use the program that wrote it, or delete it/,
  ],
  [
    'that is a database of something else',
    (file) => withDatabase(file, (db) => db.exec('create table chickens (name text)')),
    /is a database of something else, not a history/,
  ],
  [
    'that is no database',
    (file) => writeFileSync(file, 'chickens '.repeat(1_000)),
    /file is not a database \(SQLITE_NOTADB\); delete it/,
  ],
];

function withDatabase(file: string, change: (db: Sqlite.Database) => void): void {
  const db = new Sqlite(file);
  change(db);
  db.close();
}

for (const [name, make, says] of REFUSED) {
  test(`a file ${name} is refused and left as it is`, async (t) => {
    const file = historyFile(t);
    await make(file);
    const refused = (error: unknown) =>
      error instanceof HistoryUnusable && says.test(error.message);
    await assert.rejects(historyOf(file).openWriter(VENUE_ID), refused);
    await assert.rejects(historyOf(file).openWriter(VENUE_ID), refused);
  });
}

test('a reader refuses a missing file and one of another schema', async (t) => {
  const file = historyFile(t);
  await assert.rejects(historyOf(file).openReader(), { name: 'HistoryUnusable' });
  withDatabase(file, (db) => db.pragma('user_version = 14'));
  await assert.rejects(historyOf(file).openReader(), /has schema 14, this program reads 1:/);
});

/** What version 2 has besides: a column of rows that are there, and a table. */
const [NOTE, NOTES] = [
  "alter table transfers add column note text not null default ''",
  'create table notes (note_id integer primary key, text text not null) strict',
];
const COLUMNS =
  'transfer_id, account_id, asset_id, amount, from_wallet, from_kind, to_wallet, from_named, ' +
  'to_named, client_oid, time_ms';
const VERSION_2: Schema = {
  created: [...HISTORY_SCHEMA.created, NOTE, NOTES],
  upgrades: [
    [
      NOTE,
      `update transfers set row_sum = case row_sum when row_sum(${COLUMNS}) ` +
        `then row_sum(${COLUMNS}, note) else -1 end`,
      NOTES,
    ],
  ],
};

async function transferred(file: string): Promise<void> {
  const venue = tradingVenue(2);
  const ann = present(venue.engine.accountByName('ann'), 'ann').accountId;
  for (const id of ['one', 'two']) venue.transfer(ann, 'spot', CONTRACT, id);
  const writer = await historyOf(file).openWriter(VENUE_ID);
  await writer.project(venue.steps);
  await writer.close();
}

test('a file of version 1 is upgraded in one transaction, and is then as a new one', async (t) => {
  const [file, fresh] = [historyFile(t), historyFile(t)];
  await transferred(file);
  withDatabase(file, (db) => db.exec("update transfers set amount = '9' where client_oid = 'one'"));
  assert.throws(() => openForReading(file, VERSION_2), /schema 1, .* 2: start the venue once/);
  openForWriting(file, VENUE_ID, VERSION_2).close();
  openForWriting(fresh, VENUE_ID, VERSION_2).close();
  assert.deepEqual(schemaOf(file), schemaOf(fresh));
  const db = openForReading(file, VERSION_2);
  const rows = db.prepare(`select row_sum, ${COLUMNS}, note from transfers`).raw().all();
  db.close();
  const [damaged = [], sound = []] = rows.map((row) => Object.values(Object(row)));
  assert.deepEqual([damaged[0], sound[0]], [-1, rowSum(sound.slice(1))]);
  const refused = /has schema 2, this program reads 1: use the program that wrote it, or delete it/;
  await assert.rejects(historyOf(file).openWriter(VENUE_ID), refused);
  await assert.rejects(historyOf(file).openReader(), refused);
});

test('an upgrade that fails leaves the file as it was', async (t) => {
  const file = historyFile(t);
  await transferred(file);
  const before = schemaOf(file);
  const failing = { ...VERSION_2, upgrades: [[NOTES, 'insert into notes values (1, null)']] };
  assert.throws(() => openForWriting(file, VENUE_ID, failing), /NOT NULL constraint failed/);
  assert.deepEqual(schemaOf(file), before);
  const writer = await historyOf(file).openWriter(VENUE_ID);
  assert.ok(writer.projectedSeq > 0);
  await writer.close();
});

/** Its tables and what the planner expects of them. */
function schemaOf(name: string) {
  const db = new Sqlite(name, { readonly: true });
  const version = db.pragma('user_version', { simple: true });
  const tables = db.prepare('select type, name from sqlite_master order by name').all();
  const columns = db.prepare("select name from pragma_table_info('transfers') order by name").all();
  const expected = db.prepare('select * from sqlite_stat1 order by tbl, idx').all();
  db.close();
  return { version, tables, columns, expected };
}
