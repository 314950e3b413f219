/** Data directories of earlier releases open with this one, and nothing of them is lost. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compactSymbol, readTagged, type UncoveredWallet, writeTagged } from '#domain';
import { Engine } from '#engine';
import { formatDecimal, present } from '#kernel';
import { verifyJournal } from '#log';
import { historyOf } from '../support/history-files.ts';
import { DEMO, dataOf, MAKER, type Row, rowsOf, Trader } from '../support/http-trader.ts';
import { KEPT_LAST_SEQ, layDown, saidTo } from '../support/kept.ts';
import { logOf } from '../support/logs.ts';
import { Operator } from '../support/operator.ts';
import { pastRows } from '../support/past-rows.ts';
import { ADMIN_TOKEN, run, serve } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';

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
/** Tables that have another name since. */
const TABLES_RENAMED = new Map([['plan_orders', 'trigger_orders']]);

test('the directory of a clean stop under rules 1 opens and serves all it had', async (t) => {
  const directory = scratchDirectory(t);
  layDown('stopped', directory);
  const before = pastRows(join(directory, 'history.sqlite'));
  const here = ServerHere.still(t, directory);
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
  const scrub = await historyOf(join(directory, 'history.sqlite')).openScrub();
  assert.deepEqual(await scrub.step(), [], 'checksums were added to the rows that were there');
  await scrub.close();
  const after = pastRows(join(directory, 'history.sqlite'));
  for (const [table, rows] of before) {
    if (table.startsWith('sqlite_')) continue;
    assert.equal(after.get(TABLES_RENAMED.get(table) ?? table)?.length, rows.length, table);
  }
});

test('commands of rules 1 beyond the last snapshot are refused with the way out', async (t) => {
  const directory = scratchDirectory(t);
  layDown('behind', directory);
  const { code, output, log } = await serve({ directory }).ended;
  assert.equal(output, '');
  assert.equal(code, 2, log);
  const [line = '', ...more] = log.split('\n').filter((one) => !one.includes('"level":'));
  assert.deepEqual(more, ['']);
  assert.match(
    line,
    /^not_understood at seq 1224 in .*journal\.sqlite: it was written under rules 1/,
  );
  assert.match(line, /start the release that wrote it .* stop it with SIGTERM/);
  // It was left as it was: the earlier release has yet to open it.
  const { log: again } = await serve({ directory }).ended;
  assert.match(again, /rules 1/);
});

test('verify-journal and audit read what was written under rules 1', async (t) => {
  const directory = scratchDirectory(t);
  layDown('stopped', directory);
  const verified = await run('verify-journal', '--data', directory);
  assert.equal(verified.code, 0, verified.log);
  assert.match(verified.output, /^sound: 270 entries, 1223 commands, hash [0-9a-f]{64}\n/);
  assert.match(verified.output, /the chain is not keyed/);
  const audited = await run('audit', '--data', directory);
  assert.equal(audited.code, 0, audited.log);
  assert.match(audited.output, /at command 1223\nbalanced/);
});

test('an unkeyed journal goes on under a key, and the place is told', async (t) => {
  const directory = scratchDirectory(t);
  layDown('stopped', directory);
  const here = ServerHere.still(t, directory);
  await here.start();
  await here.stop();
  const told = here.lines.map(({ msg }) => msg).join('\n');
  assert.match(told, /the journal up to command 1223 was written without a key/);
  const masterKey = Buffer.from(readFileSync(join(directory, 'master.key'), 'utf8'), 'base64');
  const result = await verifyJournal(logOf(directory, { masterKey }), () => undefined);
  assert.equal(result.kind === 'sound' && result.keyedFromSeq, KEPT_LAST_SEQ.stopped + 1);
});

/** The snapshot of a directory with a contract wallet emptied that has margin set aside. */
function emptyWallet(directory: string): UncoveredWallet {
  const found = present(
    logOf(directory).snapshots.newest(KEPT_LAST_SEQ.stopped, assert.fail),
    'snapshot',
  );
  const rows = [...found.rows];
  for (const [at, row] of rows.entries()) {
    const fields = readTagged<(string | number | bigint)[]>(row);
    if (fields[0] !== 'balance' || !String(fields[2]).startsWith('cmt_')) continue;
    const emptied = rows.with(at, writeTagged(fields.with(4, 0n)));
    const engine = Engine.restore(emptied);
    const [missing] = engine.audit().uncoveredWallets;
    if (missing === undefined) continue;
    logOf(directory).snapshots.write(found.seq, emptied);
    return missing;
  }
  return assert.fail('no wallet has margin set aside');
}

test('a wallet that does not cover its margin is named by the audit over HTTP', async (t) => {
  const directory = scratchDirectory(t);
  layDown('stopped', directory);
  const { accountId, wallet, assetId, missing } = emptyWallet(directory);
  const here = ServerHere.still(t, directory);
  const { url, venue } = await here.start();
  const { code, scale } = await venue.read(({ listings }) =>
    present(listings.assets[assetId], 'coin'),
  );
  const { data } = await new Operator(url, ADMIN_TOKEN).done('audit', '/audit');
  assert.equal(data.balanced, false);
  assert.deepEqual(data.uncoveredWallets, [
    {
      accountId: String(accountId),
      wallet: `cmt_${compactSymbol(wallet).toLowerCase()}`,
      coin: code,
      missing: formatDecimal(missing, scale),
    },
  ]);
});
