/** The file itself: restarts, kills, and files that are not this venue's history. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { HistoryUnavailable } from '#domain';
import { type HistoryReader, HistoryUnusable, type HistoryWriter } from '#history';
import { migrationSql, SCHEMA_VERSION } from '#history/testing';
import { present } from '#kernel';
import { BTC, coinFloor, ETH } from '../support/coin-floor.ts';
import { BTCUSDT } from '../support/floor.ts';
import { historyFile, historyOf, VENUE_ID } from '../support/history-files.ts';
import { ANN, BOB, ContractTape, LINEAR_ID } from './contracts.ts';
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
    'of a newer program',
    (file) => withDatabase(file, (db) => db.pragma(`user_version = ${SCHEMA_VERSION + 1}`)),
    /has schema 15, newer than this program's 14: use the program that wrote it, or delete it/,
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
  withDatabase(file, (db) => db.pragma('user_version = 15'));
  await assert.rejects(historyOf(file).openReader(), /has schema 15, this program reads 14/);
});

/** The tables of each schema, in the order in which they came. */
const TABLES_BY_VERSION: readonly (readonly string[])[] = [
  ['meta', 'instruments', 'orders', 'trades', 'balance_changes', 'transfers', 'candles'],
  ['contract_orders', 'contract_trades', 'plan_orders', 'funding_rates', 'liquidations'],
  [],
  [],
  [],
  [],
  [],
  ['contract_ledger'],
  [],
  [],
  [],
  [],
  ['day_equities', 'day_funds'],
  [],
];

/** SHA-256 of the statements of each schema. A released one never changes. */
const STATEMENTS_BY_VERSION = [
  '8cbbccc179a1e3e86f069825c49211541fea00abe2b5786c851efb16fa159309',
  '0429c0d2d9d7de359b7389cd1eb5c132d624e5f97c3339e1156f36751d8e158d',
  '9bc11b84ea549a8879f3e4c572801aea07f95e918ea96256d7175609d8435521',
  '3fde2a80657f03387814ff0da3b463f7a3dea050936280574a2ac67e7495768f',
  'e980d05c2f14f538ba5909de8df448a6bcf5be24dcf2d036bbd22a2460eabecb',
  'd53d5aee85550ffa4c47fd0c6469c79766daf1130a9a6a6bd321a7de2104b24f',
  '74bc3fd4b5bf23a2c1f6656c26a53553b380a2e3fba7afdb3819c4b0de7f5243',
  '5e47efc11a5918b43b033f896180356fbec2105cbc62443cdef931bfd326b5f9',
  '439022e7c1feba6641a7f0069d74ff703abcea4ea1f55bca360f515a162b3825',
  'f24a6248684bba29e57a5fa76dfeb20ae608c32879f1a2cccd6ac9b1b0a06e19',
  'dc4edf824fd603a471c6a7c29ffc1507a0bb26b5c703c7e5e90008442c2df728',
  'fe907f446af2d23f74c89812982b024338a6ff8f6e9b7c5f072766b015685c7a',
  'f0fd6b3db490dc600716db9225445c0f2e710f05ff2baa0a3b7747932cbae10f',
  '307ea63d8a06d4aea622b9fa99a87a6402af2c50d2cee9ae0bcb3c89ffe57ff6',
];

/** The statements that a version added. */
function statementsOf(version: number): string[] {
  const later = migrationSql(version).length;
  const all = migrationSql(version - 1);
  return all.slice(0, all.length - later);
}

for (const [index, names] of TABLES_BY_VERSION.entries()) {
  const version = index + 1;
  test(`the tables of schema ${version} are as they were released`, () => {
    const statements = statementsOf(version);
    const tables = statements.filter((statement) => statement.startsWith('create table'));
    assert.deepEqual(
      tables.map((statement) => /"([a-z_]+)"/.exec(statement)?.[1]),
      names,
    );
    assert.ok(tables.every((statement) => / strict(, without rowid)?$/.test(statement)));
    const hash = createHash('sha256').update(statements.join('\n')).digest('hex');
    assert.equal(hash, STATEMENTS_BY_VERSION[index]);
  });
}

test('there is a test of every schema, and nothing beyond the newest', () => {
  assert.equal(TABLES_BY_VERSION.length, SCHEMA_VERSION);
  assert.deepEqual(migrationSql(SCHEMA_VERSION), []);
});

/** A file as the program of the first release left it, with everything a venue of pairs did. */
async function firstReleaseFile(file: string, venue: HistoryFloor): Promise<void> {
  const writer = await historyOf(`${file}.new`).openWriter(VENUE_ID);
  await writer.project(venue.steps);
  await writer.close();
  withDatabase(file, (db) => {
    for (const statement of statementsOf(1)) db.exec(statement);
    db.pragma('user_version = 1');
    db.prepare('attach ? as made').run(`${file}.new`);
    for (const table of TABLES_BY_VERSION[0] ?? []) {
      const names = db.prepare(`select name from pragma_table_info('${table}')`).pluck().all();
      db.exec(`insert into main.${table} select ${names} from made.${table}`);
    }
  });
}

test('a file of the first schema is upgraded and keeps all it had', async (t) => {
  const venue = tradingVenue(10);
  const [ann] = venue.engine.accounts();
  const accountId = present(ann, 'account').accountId;
  venue.transfer(accountId, 'spot', CONTRACT, 'mine');
  const file = historyFile(t);
  await firstReleaseFile(file, venue);
  await assert.rejects(
    historyOf(file).openReader(),
    /has schema 1.*start the venue once to upgrade it/,
  );
  const writer = await historyOf(file).openWriter(VENUE_ID);
  assert.equal(writer.projectedSeq, venue.steps.length);
  const reader = await historyOf(file).openReader();
  const bills = await reader.bills({ accountId, wallet: 'spot', limit: 500 });
  const mine = naiveBills(venue).filter((bill) => bill.accountId === accountId);
  assert.deepEqual(
    bills.toReversed(),
    mine.filter(({ wallet }) => wallet === 'spot'),
  );
  assert.equal((await reader.recentTrades(BTCUSDT, 500)).length, 10);
  assert.equal((await reader.orders({ accountId, limit: 500 })).length, 10);
  assert.equal((await reader.transfers({ accountId, limit: 500 })).length, 1);
  const week = await reader.lastCandleBefore(
    { instrumentId: BTCUSDT, period: '1w' },
    venue.timeMs + 1,
  );
  assert.equal(week?.baseLots, 100);
  await takesContracts(writer, reader);
  await writer.close();
});

/** The upgraded file goes on with pairs and contracts alike. */
async function takesContracts(writer: HistoryWriter, reader: HistoryReader): Promise<void> {
  const tape = new ContractTape();
  tape.trade({ taker: { accountId: ANN }, maker: { accountId: BOB } });
  tape.close(tape.order(ANN), 'filled');
  const steps = tape.steps.slice(-2);
  const { projectedSeq } = writer;
  await writer.project(steps.map((one, index) => ({ ...one, seq: projectedSeq + 1 + index })));
  const own = { accountId: ANN, instrumentId: LINEAR_ID, limit: 9 };
  assert.equal((await reader.contractFills(own)).length, 1);
  assert.equal((await reader.contractOrders({ ...own, fromMs: 0, offset: 0 })).length, 1);
  assert.equal((await reader.recentTrades(LINEAR_ID, 9)).length, 1);
  await reader.close();
}

test('money in several wallets is added up where rows of before do not say it', async (t) => {
  const file = historyFile(t);
  const floor = coinFloor();
  const perContract = { wallets: 'contract' } as const;
  const [ann, bob] = ['ann', 'bob'].map((name) => floor.open(name, '3000', perContract));
  const owner = present(ann, 'ann');
  for (const who of ['ann', 'bob']) floor.fund(who, '3000', ETH.symbol);
  const trade = (size: number, price: number, on: string): void => {
    floor.order(present(bob, 'bob'), 'open_short', price, size, { on });
    floor.order(owner, 'open_long', price, size, { on });
  };
  const write = async (): Promise<void> => {
    const writer = await historyOf(file).openWriter(VENUE_ID);
    await writer.project(floor.steps.slice(writer.projectedSeq));
    await writer.close();
  };
  trade(10, 300_000, BTC.symbol);
  await write();
  withDatabase(file, (db) => db.exec("update contract_ledger set coin_balance = ''"));
  trade(1, 20_000, ETH.symbol);
  await write();
  const reader = await historyOf(file).openReader();
  const { assetId } = floor.contract.margin;
  const [newest, older] = await reader.ledger({ accountId: owner, assetId, limit: 2 });
  assert.equal(newest?.kind, 'open_long');
  assert.equal(newest?.coinBalance, floor.engine.marginFunds(owner, assetId)?.balance);
  assert.equal(older?.coinBalance, undefined);
  await reader.close();
});

test('an upgraded file is the same as a new one, to what the planner expects', async (t) => {
  const file = historyFile(t);
  await firstReleaseFile(file, tradingVenue(3));
  await (await historyOf(file).openWriter(VENUE_ID)).close();
  const schemaOf = (name: string) => {
    const db = new Sqlite(name, { readonly: true });
    const tables = db.prepare('select type, name, sql from sqlite_master order by name').all();
    const expected = db.prepare('select * from sqlite_stat1 order by tbl, idx').all();
    db.close();
    return { tables, expected };
  };
  assert.deepEqual(schemaOf(file), schemaOf(`${file}.new`));
});
