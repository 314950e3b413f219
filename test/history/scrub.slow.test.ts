/** A changed value in any column of any table is found by its row's checksum, nothing else is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { accountId } from '#domain';
import type { HistoryScrub } from '#history';
import { present } from '#kernel';
import { BTCUSDT } from '../support/floor.ts';
import { historyFile, historyOf, VENUE_ID } from '../support/history-files.ts';
import { moves, RandomDay } from '../support/random-days.ts';
import { withDays } from './day-openings.ts';
import { CONTRACT, HistoryFloor, USDT } from './floor.ts';

const RUNS = 12;
/** More than any of these files needs for a pass. */
const STEPS = 60;
/** With the one row that says whose the history is. */
const TABLES_COUNT = 15;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** Of its table. */
  readonly keys: readonly string[];
}

async function passOf(file: string): Promise<string[]> {
  const scrub = await historyOf(file).openScrub();
  try {
    return [...(await findingsOf(scrub))];
  } finally {
    await scrub.close();
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

async function findingsOf(scrub: HistoryScrub): Promise<Set<string>> {
  const found = new Set<string>();
  for (let steps = 0; steps < STEPS; steps += 1) {
    for (const text of await scrub.step()) found.add(text);
  }
  return found;
}

/** What the first step finds that finds anything. */
async function firstFindings(scrub: HistoryScrub): Promise<readonly string[]> {
  for (let steps = 0; steps < STEPS; steps += 1) {
    const found = await scrub.step();
    if (found.length > 0) return found;
  }
  return [];
}

/** A day that leaves rows in every table. */
async function fullDay(file: string): Promise<void> {
  const day = new RandomDay();
  for (const seed of [7, 8, 9, 10]) {
    const [list = []] = fc.sample(moves, { numRuns: 1, seed });
    for (const [index, one] of list.entries()) day.play(one, index);
  }
  const way = { from: 'spot', to: CONTRACT } as const;
  day.run({ kind: 'transfer', accountId: accountId(1), assetId: USDT, amount: 1n, ...way });
  const writer = await historyOf(file).openWriter(VENUE_ID);
  await writer.project(withDays(day.steps));
  await writer.close();
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

test('a value that changes in any column is found, and its row named', async (t) => {
  const file = historyFile(t);
  await fullDay(file);
  assert.deepEqual(await passOf(file), []);
  const scrub = await historyOf(file).openScrub();
  const db = new Sqlite(file);
  t.after(() => db.close());
  const columns = columnsOf(db);
  assert.equal(new Set(columns.map(({ table }) => table)).size, TABLES_COUNT);
  for (const column of columns) {
    alter(db, column, 'harm');
    const { table, name, keys } = column;
    const [text, ...more] = await firstFindings(scrub);
    assert.deepEqual(more, [], `${table}.${name}`);
    const row = new RegExp(` ${table} ${keys[0]}=.* is not what was written$`);
    assert.match(present(text, `${table}.${name}`), row);
    alter(db, column, 'mend');
  }
  await scrub.close();
  assert.deepEqual(await passOf(file), []);
});

test('what is written, rewritten and undone beside the scrub is sound', async (t) => {
  const marks = fc.array(fc.constantFrom('save', 'reset', 'project', 'none'), { maxLength: 80 });
  let resets = 0;
  const property = fc.asyncProperty(moves, marks, async (list, acts) => {
    const file = historyFile(t);
    const day = new RandomDay();
    day.run({ kind: 'save_checkpoint', name: 'one' });
    const writer = await historyOf(file).openWriter(VENUE_ID);
    const scrub = await historyOf(file).openScrub();
    for (const [index, one] of list.entries()) {
      day.play(one, index);
      const act = acts[index];
      if (act === 'save') day.run({ kind: 'save_checkpoint', name: 'one' });
      if (act === 'reset') {
        const { events } = day.run({ kind: 'reset_to_checkpoint', name: 'one' });
        if (events[0]?.kind === 'venue_reset') resets += 1;
      }
      if (act !== 'project') continue;
      await writer.project(day.steps.slice(writer.projectedSeq));
      assert.deepEqual(await scrub.step(), []);
    }
    await writer.project(day.steps.slice(writer.projectedSeq));
    await scrub.close();
    await writer.close();
    assert.deepEqual(await passOf(file), []);
  });
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  assert.ok(resets > 0);
});

test('a long table is walked to its end, and its first row again', async (t) => {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  for (let count = 0; count < 700; count += 1) {
    venue.limit(ann, 'sell', 100, 1);
    venue.limit(bob, 'buy', 100, 1);
  }
  const file = historyFile(t);
  const writer = await historyOf(file).openWriter(VENUE_ID);
  await writer.project(venue.steps);
  await writer.close();
  const scrub = await historyOf(file).openScrub();
  for (const which of ['max', 'min']) {
    const id = change(file, (db) => {
      const found = db.prepare(`select ${which}(trade_id) from trades`).pluck().get();
      db.prepare('update trades set price_ticks = price_ticks + 1 where trade_id = ?').run(found);
      return String(found);
    });
    const found = await findingsOf(scrub);
    assert.ok(
      [...found].some((text) => text.includes(`trades trade_id=${id} is not`)),
      which,
    );
  }
  await scrub.close();
});

test('a candle that goes on from a changed row does not look sound again', async (t) => {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  const trade = () => {
    venue.limit(ann, 'sell', 100, 1);
    venue.limit(bob, 'buy', 100, 1);
  };
  trade();
  const file = historyFile(t);
  const project = async () => {
    const writer = await historyOf(file).openWriter(VENUE_ID);
    await writer.project(venue.since(writer.projectedSeq));
    await writer.close();
  };
  await project();
  change(file, (db) => db.exec('update candles set high_ticks = 101 where period_id = 1'));
  assert.equal((await passOf(file)).length, 1);
  trade();
  await project();
  const [found = '', ...more] = await passOf(file);
  assert.deepEqual(more, []);
  assert.match(found, new RegExp(`candles instrument_id=${BTCUSDT} period_id=1 open_time_ms=`));
});
