/** A changed value in any column of any table is found by its row's checksum, nothing else is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { accountId } from '#domain';
import { HistoryScrub, openHistoryWriter } from '#history';
import { present } from '#kernel';
import { historyFile, VENUE_ID } from '../support/history-files.ts';
import { moves, RandomDay } from '../support/random-days.ts';
import { BTCUSDT, CONTRACT, HistoryVenue, USDT } from './venue.ts';

const RUNS = 5;
/** More than any of these files needs for a pass. */
const STEPS = 20;
/** With the one row that says whose the history is. */
const TABLES_COUNT = 12;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** Of its table. */
  readonly keys: readonly string[];
}

function passOf(file: string): string[] {
  const scrub = new HistoryScrub(file);
  try {
    return [...new Set(Array.from({ length: STEPS }, () => scrub.step()).flat())];
  } finally {
    scrub.close();
  }
}

function change<Result>(file: string, act: (db: Sqlite.Database) => Result): Result {
  const db = new Sqlite(file);
  try {
    return act(db);
  } finally {
    db.close();
  }
}

/** What the first step finds that finds anything. */
function firstFindings(scrub: HistoryScrub): string[] {
  for (let steps = 0; steps < STEPS; steps += 1) {
    const found = scrub.step();
    if (found.length > 0) return found;
  }
  return [];
}

/** A day that leaves rows in every table. */
function fullDay(file: string): void {
  const day = new RandomDay();
  for (const seed of [7, 8, 9, 10]) {
    const [list = []] = fc.sample(moves, { numRuns: 1, seed });
    for (const [index, one] of list.entries()) day.play(one, index);
  }
  const way = { from: 'spot', to: CONTRACT, clientOid: '' } as const;
  day.run({ kind: 'transfer', accountId: accountId(1), assetId: USDT, amount: 1n, ...way });
  const writer = openHistoryWriter(file, VENUE_ID);
  writer.project(day.steps);
  writer.close();
}

function columnsOf(db: Sqlite.Database): Column[] {
  const found = db
    .prepare<[], Omit<Column, 'keys'> & { readonly pk: number }>(
      'select m.name as "table", c.name, c.type, c.pk from sqlite_master m ' +
        "join pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite_%'",
    )
    .all();
  return found.map((column) => {
    const keys = found.filter(({ table, pk }) => table === column.table && pk > 0);
    return { ...column, keys: keys.map(({ name }) => name) };
  });
}

/** Changes the value in the last row of the table, or changes it back. */
function alter(db: Sqlite.Database, column: Column, change: 'harm' | 'mend'): void {
  const { table, name, keys } = column;
  const number = change === 'harm' ? `${name} + 4294967296` : `${name} - 4294967296`;
  const text = change === 'harm' ? `${name} || '1'` : `substr(${name}, 1, length(${name}) - 1)`;
  const last = keys.map((key) => `${key} desc`);
  const { changes } = db
    .prepare(
      `update ${table} set ${name} = ${column.type === 'TEXT' ? text : number} ` +
        `where (${keys}) = (select ${keys} from ${table} order by ${last} limit 1)`,
    )
    .run();
  assert.equal(changes, 1, `a row in ${table}`);
  assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
}

test('a value that changes in any column is found, and its row named', (t) => {
  const file = historyFile(t);
  fullDay(file);
  assert.deepEqual(passOf(file), []);
  const scrub = new HistoryScrub(file);
  change(file, (db) => {
    const columns = columnsOf(db);
    assert.equal(new Set(columns.map(({ table }) => table)).size, TABLES_COUNT);
    for (const column of columns) {
      alter(db, column, 'harm');
      const { table, name, keys } = column;
      const found = firstFindings(scrub);
      const [text, ...more] = found;
      assert.deepEqual(more, [], `${table}.${name}`);
      const row = new RegExp(` ${table} ${keys[0]}=.* is not what was written$`);
      assert.match(present(text, `${table}.${name}`), row);
      alter(db, column, 'mend');
    }
  });
  scrub.close();
  assert.deepEqual(passOf(file), []);
});

test('what is written, rewritten and undone beside the scrub is sound', (t) => {
  const marks = fc.array(fc.constantFrom('save', 'reset', 'project', 'none'), { maxLength: 80 });
  let resets = 0;
  const property = fc.property(moves, marks, (list, acts) => {
    const file = historyFile(t);
    const day = new RandomDay();
    const writer = openHistoryWriter(file, VENUE_ID);
    const scrub = new HistoryScrub(file);
    for (const [index, one] of list.entries()) {
      day.play(one, index);
      const act = acts[index];
      if (act === 'save') day.run({ kind: 'save_checkpoint', name: 'one' });
      if (act === 'reset') {
        const { events } = day.run({ kind: 'reset_to_checkpoint', name: 'one' });
        if (events[0]?.kind === 'venue_reset') resets += 1;
      }
      if (act !== 'project') continue;
      writer.project(day.steps.slice(writer.projectedSeq));
      assert.deepEqual(scrub.step(), []);
    }
    writer.project(day.steps.slice(writer.projectedSeq));
    scrub.close();
    writer.close();
    assert.deepEqual(passOf(file), []);
  });
  fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  assert.ok(resets > 0);
});

test('a long table is walked to its end, and its first row again', (t) => {
  const venue = new HistoryVenue();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  for (let count = 0; count < 700; count += 1) {
    venue.limit(ann, 'sell', 100, 1);
    venue.limit(bob, 'buy', 100, 1);
  }
  const file = historyFile(t);
  const writer = openHistoryWriter(file, VENUE_ID);
  writer.project(venue.steps);
  writer.close();
  const scrub = new HistoryScrub(file);
  for (const which of ['max', 'min']) {
    const id = change(file, (db) => {
      const found = db.prepare(`select ${which}(trade_id) from trades`).pluck().get();
      db.prepare('update trades set price_ticks = price_ticks + 1 where trade_id = ?').run(found);
      return String(found);
    });
    const found = new Set(Array.from({ length: STEPS }, () => scrub.step()).flat());
    assert.ok(
      [...found].some((text) => text.includes(`trades trade_id=${id} is not`)),
      which,
    );
  }
  scrub.close();
});

test('a candle that goes on from a changed row does not look sound again', (t) => {
  const venue = new HistoryVenue();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  const trade = () => {
    venue.limit(ann, 'sell', 100, 1);
    venue.limit(bob, 'buy', 100, 1);
  };
  trade();
  const file = historyFile(t);
  const project = () => {
    const writer = openHistoryWriter(file, VENUE_ID);
    writer.project(venue.since(writer.projectedSeq));
    writer.close();
  };
  project();
  change(file, (db) => db.exec('update candles set high_ticks = 101 where period_id = 1'));
  assert.equal(passOf(file).length, 1);
  trade();
  project();
  const [found = '', ...more] = passOf(file);
  assert.deepEqual(more, []);
  assert.match(found, new RegExp(`candles instrument_id=${BTCUSDT} period_id=1 open_time_ms=`));
});
