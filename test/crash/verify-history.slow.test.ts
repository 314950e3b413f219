/** Rows that changed where no page check sees it are named by what the journal says. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { randomOf } from '../../tools/random.ts';
import { gauge } from '../support/http-trader.ts';
import { run } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { until } from '../support/until.ts';
import { DataDirectory } from './data-directory.ts';
import { Load } from './load.ts';

const ANSWERS = 100;
const data = new DataDirectory(scratchDirectory());

before(async () => {
  const { program, url, sides } = await data.start();
  const load = new Load(randomOf(3));
  for (const side of sides) load.start(side, 2);
  await until('enough answers', () => load.answersCount >= ANSWERS);
  const busy = await run('verify-history', '--data', data.directory);
  assert.equal(busy.code, 0, busy.output + busy.log);
  await load.end();
  const lag = () => gauge(url, 'outcry_projection_lag_commands');
  await until('projected', async () => (await lag()) === 0);
  program.signal('SIGTERM');
  await program.ended;
});

test('a sound history is sound', async () => {
  const { code, output, log } = await run('verify-history', '--data', data.directory);
  assert.equal(code, 0, output + log);
  assert.match(output, /^sound: every row up to command \d+ is what the journal says\n$/);
});

for (const [what, sql, says] of [
  [
    'a changed price',
    `update trades set price_ticks = price_ticks + 1
      where trade_id = (select min(trade_id) from trades)`,
    /^trades trade_id=\d+: differs in price_ticks\nFAULTY: 1 rows/,
  ],
  [
    'a changed amount and time',
    `update orders set filled_quote = '7', created_time_ms = 1
      where order_id = (select min(order_id) from orders)`,
    /^orders order_id=\d+: differs in filled_quote, created_time_ms\nFAULTY: 1 rows/,
  ],
  [
    'a row that is gone',
    'delete from balance_changes where bill_id = (select min(bill_id) from balance_changes)',
    /^balance_changes bill_id=\d+: missing\nFAULTY: 1 rows/,
  ],
  [
    'a row that never was',
    'insert into instruments values (99, 1, 2, 3, 0)',
    /^instruments instrument_id=99: not of this journal\nFAULTY: 1 rows/,
  ],
  [
    'a changed candle',
    `update candles set high_ticks = high_ticks + 1
      where period_id = (select min(period_id) from candles)`,
    /^candles instrument_id=\d+ period_id=\d+ open_time_ms=\d+: differs in high_ticks\n/,
  ],
] as const) {
  test(`${what} is named`, async (t) => {
    const directory = scratchDirectory(t);
    cpSync(data.directory, directory, { recursive: true });
    const history = new Sqlite(join(directory, 'history.sqlite'));
    history.exec(sql);
    assert.equal(history.pragma('integrity_check', { simple: true }), 'ok');
    history.close();
    const { code, output, log } = await run('verify-history', '--data', directory);
    assert.equal(code, 1, output + log);
    assert.match(output, says);
  });
}
