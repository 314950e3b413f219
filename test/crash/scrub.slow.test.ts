/** What rots in a venue's journal or history is heard of before anybody needs it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { randomOf } from '../../tools/random.ts';
import { layDownBusyPast } from '../support/busy-past.ts';
import { gauge } from '../support/http-trader.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';
import { until } from '../support/until.ts';
import { DataDirectory } from './data-directory.ts';
import { Load } from './load.ts';

const DEMO_CONFIG = resolve(import.meta.dirname, '../../config/demo.yaml');
/** More than the time in which a pass over this journal would end. */
const SCRUBS_AWAITED_MS = 2_500;
/** With rows in such a past. */
const TABLES_MIN = 8;

/** A digit in an old entry, behind the back of the venue. */
function rot(directory: string): void {
  const journal = new Sqlite(join(directory, 'journal.sqlite'));
  journal.exec("update entries set payload = payload || ' ' where first_seq = 1");
  journal.close();
}

test('the scrub finds a changed entry, and health, metrics and log say so', async (t) => {
  const directory = scratchDirectory(t);
  await layDownBusyPast(directory);
  const here = ServerHere.still(t, directory, Date.now());
  const { url } = await here.start({ sandbox: true });
  assert.equal(await gauge(url, 'outcry_journal_damaged'), 0);
  rot(directory);
  await until('found', async () => (await gauge(url, 'outcry_journal_damaged')) === 1);
  const health = await (await fetch(`${url}/health/ready`)).text();
  assert.match(health, /journal_damaged.*hash_mismatch at seq 1 in .*journal\.sqlite/);
  const told = here.lines.filter(({ msg }) => msg.includes('the scrub found: hash_mismatch'));
  assert.equal(told.length, 1);
});

test('it looks at nothing when it is turned off', async (t) => {
  const directory = scratchDirectory(t);
  await layDownBusyPast(directory);
  const file = join(directory, 'quiet.yaml');
  writeFileSync(file, `${readFileSync(DEMO_CONFIG, 'utf8')}scrub: false\n`);
  const here = ServerHere.still(t, directory, Date.now());
  const { url } = await here.start({ sandbox: true, config: file });
  rot(directory);
  const startMs = performance.now();
  await until('time to scrub', () => performance.now() - startMs > SCRUBS_AWAITED_MS);
  assert.equal(await gauge(url, 'outcry_journal_damaged'), 0);
});

interface Place {
  readonly table: string;
  /** The column, and the last one of the table but the checksum. */
  readonly name: string;
  readonly type: string;
  readonly key: string;
}

const PLACES =
  'select m.name as "table", c.name, c.type, (select k.name from pragma_table_info(m.name) k ' +
  'where k.pk = 1) as key from sqlite_master m join pragma_table_info(m.name) c ' +
  "where m.type = 'table' and m.name not like 'sqlite_%' and m.name <> 'meta' " +
  "and c.name <> 'row_sum' group by m.name having c.cid = max(c.cid)";

/** Another value in one old row of each table that has any, where no page check sees it. */
function rotRows(directory: string): string[] {
  const history = new Sqlite(join(directory, 'history.sqlite'));
  const harmed = history
    .prepare<[], Place>(PLACES)
    .all()
    .filter(({ table, name, type, key }) => {
      const value = type === 'TEXT' ? `${name} || '1'` : `${name} + 1`;
      const first = `(select * from ${table} order by ${key} limit 1)`;
      const column = history.prepare(`select name from pragma_table_info('${table}') where pk > 0`);
      const keys = column.pluck().all();
      const sql = `update ${table} set ${name} = ${value} where (${keys}) = `;
      return history.prepare(`${sql}(select ${keys} from ${first})`).run().changes === 1;
    });
  assert.equal(history.pragma('integrity_check', { simple: true }), 'ok');
  history.close();
  return harmed.map(({ table }) => table);
}

test('a changed row of any table of the history is found, and logged once', async (t) => {
  const directory = scratchDirectory(t);
  await layDownBusyPast(directory);
  const here = ServerHere.still(t, directory, Date.now());
  const { url: before } = await here.start({ sandbox: true });
  assert.equal(await gauge(before, 'outcry_history_damaged'), 0);
  await here.stop();
  const tables = rotRows(directory);
  assert.ok(tables.length >= TABLES_MIN, tables.join());
  const { url } = await here.start({ sandbox: true });
  const found = () => gauge(url, 'outcry_history_damaged');
  await until('found', async () => (await found()) === tables.length);
  const health = await (await fetch(`${url}/health/ready`)).text();
  assert.match(
    health,
    /history_damaged.*history\.sqlite: .* is not what was written, and \d+ more/,
  );
  const startMs = performance.now();
  await until('time for more passes', () => performance.now() - startMs > SCRUBS_AWAITED_MS);
  const told = here.lines.filter(({ msg }) => msg.includes('is not what was written'));
  for (const table of tables) {
    const lines = told.filter(({ msg }) => msg.includes(`history.sqlite: ${table} `));
    assert.equal(lines.length, 1, table);
  }
  assert.equal(told.length, tables.length);
});

test('a venue under load raises no alarm, until a row is changed behind its back', async (t) => {
  const data = new DataDirectory(scratchDirectory(t));
  const { url, sides } = await data.start();
  const load = new Load(randomOf(4));
  for (const side of sides) load.start(side, 2);
  const startMs = performance.now();
  await until('time to scrub', () => performance.now() - startMs > 2 * SCRUBS_AWAITED_MS);
  assert.equal(await gauge(url, 'outcry_history_damaged'), 0);
  const history = new Sqlite(join(data.directory, 'history.sqlite'));
  const first = '(select min(order_id) from orders)';
  history.exec(`update orders set size_lots = size_lots + 1 where order_id = ${first}`);
  history.close();
  await until('found', async () => (await gauge(url, 'outcry_history_damaged')) === 1);
  await load.end();
});
