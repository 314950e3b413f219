/** Faults of history and snapshots that pass: the market trades, and both come back alone. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { type Answer, ask, DEMO, dataOf, gauge, MAKER, Trader } from '../support/http-trader.ts';
import { type Program, READY_MAX_MS } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { eventually, until } from '../support/until.ts';
import { DataDirectory } from './data-directory.ts';

const ORDERS_COUNT = 1_200;
const ORDER = { symbol: 'BTCUSDT', side: 'buy', orderType: 'limit', force: 'normal' };

function order(trader: Trader): Promise<Answer> {
  return trader.post('/trade/orders', { ...ORDER, price: '29000', quantity: '0.01' });
}

async function health(url: string): Promise<string> {
  const { status, body } = await ask(url, '/health/ready');
  assert.equal(status, 200);
  return JSON.stringify(body);
}

async function ended(program: Program): Promise<{ readonly code: number | null; log: string }> {
  program.signal('SIGTERM');
  await program.until('end', () => program.isOver, READY_MAX_MS);
  return program.ended;
}

test('a snapshot that cannot be written stops nothing; the last one is missed aloud', async (t) => {
  const data = new DataDirectory(scratchDirectory(t));
  const { program, url } = await data.start();
  writeFileSync(data.file('snapshots'), '');
  const trader = new Trader(url, DEMO);
  for (let count = 0; count < ORDERS_COUNT; count += 50) {
    const orders = await Promise.all(Array.from({ length: 50 }, () => order(trader)));
    for (const answer of orders) dataOf(answer);
  }
  await until('a miss', async () => (await gauge(url, 'outcry_snapshot_failures')) > 0);
  dataOf(await trader.post('/trade/fills', { symbol: 'BTCUSDT' }));
  assert.match(await health(url), /"degraded".*"snapshot_failed".*snapshots/);
  assert.match(program.log, /"level":40.*no snapshot: .*snapshots.*next try is in 1000 ms/);
  assert.equal(await gauge(url, 'outcry_projector_restarts'), 0);

  rmSync(data.file('snapshots'));
  await until('a snapshot', async () => {
    dataOf(await order(trader));
    return !(await health(url)).includes('snapshot_failed');
  });
  assert.ok(readdirSync(data.file('snapshots')).length > 0);

  data.removeSnapshots();
  writeFileSync(data.file('snapshots'), '');
  for (let count = 0; count < ORDERS_COUNT; count += 50) {
    await Promise.all(Array.from({ length: 50 }, () => order(trader)));
  }
  const { code, log } = await ended(program);
  assert.notEqual(code, 0);
  assert.match(log, /no snapshot at the end: .*snapshots/);
  rmSync(data.file('snapshots'));
  const again = await data.start();
  assert.equal((await ended(again.program)).code, 0, 'the next start makes up for it');
  assert.ok(readdirSync(data.file('snapshots')).length > 0);
});

test('the history stops while somebody else holds it, and goes on by itself', async (t) => {
  const data = new DataDirectory(scratchDirectory(t));
  const { program, url } = await data.start();
  const trader = new Trader(url, DEMO);
  const fills = () => trader.post('/trade/fills', { symbol: 'BTCUSDT' });
  const other = new Sqlite(data.file('history.sqlite'));
  t.after(() => other.close());
  other.exec('begin immediate');
  const maker = new Trader(url, MAKER);
  dataOf(await order(trader));
  const sell = { ...ORDER, side: 'sell', price: '29000', quantity: '0.01' };
  dataOf(await maker.post('/trade/orders', sell));
  const refused = await fills();
  assert.deepEqual([refused.status, refused.code], [503, '40725']);
  assert.match(await health(url), /"degraded".*"history_stopped".*locked/);
  dataOf(await order(trader));
  other.exec('rollback');
  // What it has caught up with is answered a moment before it says that it has caught up, and what
  // has come since is refused in between: the answer that was waited for is the one to look at.
  await eventually(
    async () => dataOf(await fills()),
    (rows) => {
      assert.equal(Array.isArray(rows) && rows.length, 1);
    },
  );
  await until('no complaint', async () => (await health(url)) === '{"status":"ready"}');
  assert.ok((await gauge(url, 'outcry_projector_restarts')) > 0);
  assert.equal((await ended(program)).code, 0, program.log);
});
