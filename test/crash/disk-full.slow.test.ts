/** A data directory on a small disk: what happens when it is full, and when there is room again. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { randomOf } from '../../tools/random.ts';
import {
  type Answer,
  ask,
  DEMO,
  dataOf,
  field,
  gauge,
  type Row,
  rowsOf,
  Trader,
} from '../support/http-trader.ts';
import { readyUrl, serve } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { until } from '../support/until.ts';
import { compare } from './compare.ts';
import { DataDirectory } from './data-directory.ts';
import { Load } from './load.ts';

const ROOM_LATER = 'size=64m';
const CLIENTS_PER_ACCOUNT = 4;
const STOP_MAX_MS = 5_000;
const HALTED = { status: 503, code: '40200' };
const NO_HISTORY = { status: 503, code: '40725' };
const SYMBOL = 'symbol=BTCUSDT_SPBL';
const ORDER = { symbol: 'BTCUSDT', side: 'buy', orderType: 'limit', force: 'normal' };

/** A disk of its own in memory, or undefined, with the reason told, where none can be had. */
function smallDisk(context: TestContext, size: string): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'outcry-disk-'));
  try {
    execFileSync(
      '/bin/mount',
      ['-t', 'tmpfs', '-o', `${size},mode=700`, 'outcry-test', directory],
      {
        stdio: 'pipe',
      },
    );
  } catch (error) {
    rmdirSync(directory);
    context.skip(`needs the right to mount a small disk: ${String(error).split('\n')[0]}`);
    return undefined;
  }
  context.after(() => {
    execFileSync('/bin/umount', ['--lazy', directory]);
    rmdirSync(directory);
  });
  return directory;
}

function makeRoom(directory: string): void {
  execFileSync('/bin/mount', ['-o', `remount,${ROOM_LATER}`, directory]);
}

/** Every page of the public trades, which are of no account. */
async function publicTrades(url: string): Promise<Row[]> {
  return rowsOf(await ask(url, `/api/spot/v1/market/fills?${SYMBOL}&limit=2000`));
}

function verdict({ status, code }: Answer): object {
  return { status, code };
}

function order(trader: Trader): Promise<Answer> {
  return trader.post('/trade/orders', { ...ORDER, price: '29000', quantity: '0.01' });
}

/** Every call that writes, or that reads what might not be durable. */
async function expectHalted(trader: Trader): Promise<void> {
  const transfer = { coin: 'USDT', amount: '1', fromType: 'EXCHANGE', toType: 'CONTRACT' };
  const answers = await Promise.all([
    order(trader),
    trader.post('/trade/cancel-order', { symbol: 'BTCUSDT', orderId: '1000000000000040' }),
    trader.post('/wallet/transfer', { ...transfer, toSymbol: 'cmt_btcusdt' }),
    trader.post('/trade/open-orders', { symbol: '' }),
    trader.get('/account/assets'),
  ]);
  for (const answer of answers) {
    assert.deepEqual(verdict(answer), HALTED);
    assert.match(answer.message, /halted/);
  }
}

/** Public data stays what it was when the venue halted. */
async function expectMarketData(url: string): Promise<void> {
  for (const path of [
    'public/time',
    'public/products',
    `market/depth?${SYMBOL}`,
    `market/ticker?${SYMBOL}`,
    `market/candles?${SYMBOL}&period=1min`,
    `market/fills?${SYMBOL}`,
  ]) {
    dataOf(await ask(url, `/api/spot/v1/${path}`));
  }
}

test('a full disk halts the venue and loses nothing; with room it trades again', async (t) => {
  const directory = smallDisk(t, 'size=4m');
  if (directory === undefined) return;
  const data = new DataDirectory(directory);
  const { program, url, sides } = await data.start();
  const load = new Load(randomOf(1));
  for (const side of sides) load.start(side, CLIENTS_PER_ACCOUNT);
  await load.ended();

  assert.notEqual(load.haltedCount, 0, 'the disk was large enough');
  const ready = await ask(url, '/health/ready');
  assert.equal(ready.status, 503);
  assert.match(ready.message, /journal\.sqlite.* full/);
  assert.equal((await ask(url, '/health/live')).status, 200);
  assert.match(program.log, /"level":60.*journal\.sqlite.* full.*mend the cause, then start it/);
  await expectHalted(new Trader(url, DEMO));
  await expectMarketData(url);
  const shownTrades = await publicTrades(url);
  program.signal('SIGTERM');
  await program.until('end', () => program.isOver, STOP_MAX_MS);
  const { code, log } = await program.ended;
  assert.equal(code, 2, 'the history is not whole');
  assert.match(log, /the history is not written: .*full/);

  makeRoom(directory);
  const again = await data.start();
  await compare(again.url, again.sides);
  const trades = new Set((await publicTrades(again.url)).map((trade) => field(trade, 'tradeId')));
  for (const trade of shownTrades) assert.ok(trades.has(field(trade, 'tradeId')), 'a lost trade');
  assert.equal((await ask(again.url, '/health/ready')).status, 200);
  dataOf(await order(new Trader(again.url, DEMO)));
  await again.program.kill();
});

test('when only the history has no room left, the market goes on and says so', async (t) => {
  const disk = smallDisk(t, 'size=1m');
  if (disk === undefined) return;
  const data = new DataDirectory(scratchDirectory(t));
  writeFileSync(join(disk, 'history.sqlite'), '', { mode: 0o600 });
  symlinkSync(join(disk, 'history.sqlite'), data.file('history.sqlite'));
  const { program, url, sides } = await data.start();
  const load = new Load(randomOf(2));
  for (const side of sides) load.start(side, CLIENTS_PER_ACCOUNT);
  const degraded = async () => JSON.stringify((await ask(url, '/health/ready')).body);
  await until('degraded', async () => /history_stopped/.test(await degraded()));
  await load.end();

  assert.equal((await ask(url, '/health/ready')).status, 200, 'the market goes on');
  assert.match(await degraded(), /history\.sqlite.* full/);
  assert.match(program.log, /"level":50.*history\.sqlite.* full.*is started again/);
  const trader = new Trader(url, DEMO);
  dataOf(await order(trader));
  dataOf(await trader.post('/trade/open-orders', { symbol: '' }));
  const fills = () => trader.post('/trade/fills', { symbol: 'BTCUSDT' });
  assert.deepEqual(verdict(await fills()), NO_HISTORY);

  makeRoom(disk);
  await until('history', async () => (await fills()).status === 200);
  await until('its line in the log', () => /the history is written again/.test(program.log));
  await program.kill();
});

test('a disk that is nearly full is told before it is', async (t) => {
  const directory = smallDisk(t, 'size=64m');
  if (directory === undefined) return;
  const { program, url } = await new DataDirectory(directory).start();
  const health = async () => JSON.stringify((await ask(url, '/health/ready')).body);
  assert.equal(await health(), '{"status":"ready"}');
  const free = await gauge(url, 'outcry_disk_free_bytes');
  const ballast = join(directory, 'ballast');
  writeFileSync(ballast, Buffer.alloc(free - 5_000_000));
  assert.match(await health(), /"degraded".*"disk_low".*4 MiB are left on the disk/);
  assert.ok((await gauge(url, 'outcry_disk_free_bytes')) <= 5_000_000);
  assert.ok((await gauge(url, 'outcry_journal_bytes')) > 0);
  assert.ok((await gauge(url, 'outcry_history_bytes')) > 0);
  await until('a warning', () => /"level":40.*MiB are left/.test(program.log));
  rmSync(ballast);
  assert.equal(await health(), '{"status":"ready"}');
  await program.kill();
});

test('a first start on a full disk leaves nothing behind that is in its way later', async (t) => {
  const directory = smallDisk(t, 'size=2m');
  if (directory === undefined) return;
  const { bavail, bsize } = statfsSync(directory);
  const ballast = join(directory, 'ballast');
  writeFileSync(ballast, Buffer.alloc(bavail * bsize));
  const refused = await serve({ directory }).ended;
  assert.equal(refused.code, 2, refused.log);
  assert.match(refused.log, /no space left|full/i);

  rmSync(ballast);
  const program = serve({ directory });
  dataOf(await order(new Trader(await readyUrl(program), DEMO)));
  await program.kill();
});
