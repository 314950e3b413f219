/** Data directories of earlier releases open with this one, and nothing of them is lost. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pastRows, scratch } from './house.ts';
import { KEPT_LAST_SEQ, layDown, saidTo } from './kept.ts';
import { ServerHere } from './server-here.ts';
import { DEMO, dataOf, MAKER, type Row, rowsOf, Trader } from './trader.ts';

const SYMBOLS = ['BTCUSDT_SPBL', 'ETHUSDT_SPBL'] as const;

/** Rows said then and rows said now, each by the fields that say what the owner has. */
function pick(rows: unknown, names: readonly string[]): unknown[] {
  assert(Array.isArray(rows));
  // Fills of those days came by their own ids; they now come by those of their orders.
  return rows.map((row: Row) => names.map((name) => String(row[name]))).sort();
}

const ASSET = ['coinName', 'available', 'frozen', 'lock'];
const ORDER = ['orderId', 'clientOrderId', 'price', 'quantity', 'fillQuantity', 'status', 'cTime'];
const FILL = ['fillId', 'orderId', 'fillPrice', 'fillQuantity', 'fees', 'cTime'];

test('the directory of a clean stop under rules 1 opens and serves all it had', async (t) => {
  const directory = scratch(t);
  layDown('stopped', directory);
  const before = pastRows(join(directory, 'history.sqlite'));
  const here = new ServerHere(directory);
  t.after(() => here.stop());
  const { url, venue } = await here.start();
  assert.ok(venue.releasedSeq >= KEPT_LAST_SEQ.stopped);
  for (const credential of [DEMO, MAKER]) {
    const trader = new Trader(url, credential, () => here.clock.nowMs());
    const said = (call: string) => saidTo(`${credential.key} ${call}`);
    const assets = dataOf(await trader.get('/account/assets'));
    assert.deepEqual(pick(assets, ASSET), pick(said('GET /account/assets'), ASSET));
    for (const symbol of SYMBOLS) {
      for (const [path, body, names] of [
        ['/trade/open-orders', { symbol }, ORDER],
        ['/trade/history', { symbol, limit: 500 }, ORDER],
        ['/trade/fills', { symbol, limit: 500 }, FILL],
      ] as const) {
        const now = rowsOf(await trader.post(path, body));
        const then = said(`POST ${path} ${JSON.stringify(body)}`);
        assert.deepEqual(pick(now, names), pick(then, names), `${path} ${symbol}`);
      }
    }
  }
  await here.stop();
  const after = pastRows(join(directory, 'history.sqlite'));
  for (const [table, rows] of before) {
    if (table.startsWith('sqlite_')) continue;
    assert.equal(after.get(table)?.length, rows.length, table);
  }
});
