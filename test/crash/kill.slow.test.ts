/** The server is killed again and again in the middle of its work: what it said stays true. */
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { type Random, randomOf } from '../../tools/random.ts';
import { DEMO, dataOf, field, Trader } from '../support/http-trader.ts';
import { pastRows } from '../support/past-rows.ts';
import {
  type Ended,
  type Program,
  READY_MAX_MS,
  readyUrl,
  run,
  serve,
} from '../support/program.ts';
import { ROUNDS } from '../support/rounds.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { readAccount } from './account.ts';
import { compare } from './compare.ts';
import { DataDirectory } from './data-directory.ts';
import { Load } from './load.ts';

/** Starts and kills of one data directory. */
const LIVES = 20;
/** Of one story in CI; in a long run nobody waits for it. */
const STORY_MAX_MS = ROUNDS === 1 ? 500_000 : 3_600_000;
const CLIENTS_PER_ACCOUNT = 6;
const FILLED_TABLES = [
  'orders',
  'trades',
  'balance_changes',
  'transfers',
  'candles',
  'contract_orders',
  'contract_trades',
  'trigger_orders',
];
const LOAD_MIN_MS = 50;
const LOAD_MAX_MS = 400;

/** What else happens before which life. */
const MISHAPS: ReadonlyMap<number, typeof snapshotsLost> = new Map([
  [5, killedWhileStarting],
  [9, snapshotsLost],
  [13, historyLost],
  [17, snapshotsAndHistoryLost],
  [19, killedWhileStarting],
]);

for (let story = 1; story <= ROUNDS; story += 1) {
  const name = `after kill -9 everything acknowledged is there, once (story ${story})`;
  test(name, { timeout: STORY_MAX_MS }, async (t) => {
    const seed = Date.now() % 1_000_000;
    t.diagnostic(`seed ${seed}`);
    const random = randomOf(seed);
    const data = new DataDirectory(scratchDirectory(t));
    for (let life = 1; life <= LIVES; life += 1) {
      await MISHAPS.get(life)?.(data, random);
      await oneLife(data, random);
    }
    await lastLook(data);
    report(t, data);
    t.diagnostic(`${killsCount} kills so far`);
  });
}

/** Start, compare with all that was said in earlier lives, work, die. */
async function oneLife(data: DataDirectory, random: Random): Promise<void> {
  const { program, url, sides } = await data.start();
  await compare(url, sides);
  const load = new Load(random);
  for (const side of sides) load.start(side, CLIENTS_PER_ACCOUNT);
  await delay(LOAD_MIN_MS + random() * (LOAD_MAX_MS - LOAD_MIN_MS));
  await kill(program);
  await load.ended();
  assert.equal(load.haltedCount, 0, program.log);
}

/** At several moments of a start, at least one of them before it could serve. */
async function killedWhileStarting(data: DataDirectory): Promise<void> {
  let earlyCount = 0;
  for (const part of [0.3, 0.5, 0.7, 0.9]) {
    const program = data.spawn();
    await delay(data.startMs * part);
    const { output } = await kill(program);
    if (output === '') earlyCount += 1;
  }
  assert.notEqual(earlyCount, 0, 'no start was killed before it was ready');
}

/** On a slow machine it can take some lives until there is a snapshot to lose. */
async function snapshotsLost(data: DataDirectory, random: Random): Promise<void> {
  while (!existsSync(data.file('snapshots'))) await oneLife(data, random);
  data.removeSnapshots();
}

/** A server that is ready has projected all: then the history made anew has the same rows. */
async function historyLost(data: DataDirectory): Promise<void> {
  await startAndKill(data);
  const before = pastRows(data.file('history.sqlite'));
  data.removeHistory();
  await startAndKill(data);
  assert.deepEqual(pastRows(data.file('history.sqlite')), before);
  for (const table of FILLED_TABLES) {
    assert.notEqual(before.get(table)?.length ?? 0, 0, `${table} is empty`);
  }
}

async function snapshotsAndHistoryLost(data: DataDirectory, random: Random): Promise<void> {
  await snapshotsLost(data, random);
  await historyLost(data);
}

async function startAndKill(data: DataDirectory): Promise<void> {
  const { program } = await data.start();
  await kill(program);
}

/** Over all stories. */
let killsCount = 0;

function kill(program: Program): Promise<Ended> {
  killsCount += 1;
  return program.kill();
}

async function lastLook(data: DataDirectory): Promise<void> {
  const { program, url, sides } = await data.start();
  await compare(url, sides);
  program.signal('SIGTERM');
  assert.equal((await program.ended).code, 0, program.log);

  const words = ['--data', data.directory];
  const [verified, first, second, audited] = [
    await run('verify-journal', ...words),
    await run('replay', ...words),
    await run('replay', ...words),
    await run('audit', ...words),
  ];
  assert.equal(verified.code, 0, verified.output + verified.log);
  assert.match(verified.output, /^sound: /);
  assert.equal(first.code, 0, first.output + first.log);
  assert.match(first.output, /^snapshot {2}matches$/m);
  assert.equal(stateOf(first), stateOf(second));
  assert.equal(audited.code, 0, audited.output + audited.log);
  assert.match(audited.output, /^balanced: /m);
}

function stateOf({ output }: Ended): string {
  const found = /^state +([0-9a-f]{64})$/m.exec(output)?.[1];
  assert(found !== undefined, output);
  return found;
}

/** The test proves nothing about what did not happen. */
function report(context: TestContext, { demo, maker }: DataDirectory): void {
  for (const record of [demo, maker]) {
    const counts = {
      ordersPlaced: record.countFates('placed'),
      ordersAbsent: record.countFates('absent'),
      cancels: record.cancelled.size,
      transfers: [...record.transfers.values()].filter((fate) => fate === 'made').length,
      fillsShown: record.shownFills.size,
      ordersShown: record.shownOrders.size,
      answersLost: record.unknownCount,
      contractOrdersPlaced: record.contracts.countFates('placed'),
      contractOrdersAbsent: record.contracts.countFates('absent'),
      contractCancels: record.contracts.cancelled.size,
      contractOrdersShown: record.contracts.shownOrders.size,
      plansPlaced: record.contracts.plans.countFates('placed'),
      planCancels: record.contracts.plans.cancelled.size,
      plansEnded: record.contracts.plans.final.size,
    };
    context.diagnostic(JSON.stringify(counts));
    for (const [name, count] of Object.entries(counts)) {
      assert.notEqual(count, 0, `there were no ${name}`);
    }
  }
}

/** The journal grows as the first start lists and funds; each size is another moment of it. */
const FIRST_START_BYTES = [1, 60_000, 250_000];

for (const bytes of FIRST_START_BYTES) {
  test(`the very first start, killed with ${bytes} bytes of journal, is made up for`, async (t) => {
    const directory = scratchDirectory(t);
    const first = serve({ directory });
    const log = join(directory, 'journal.sqlite-wal');
    const size = () => (existsSync(log) ? statSync(log).size : 0);
    const giveUpMs = performance.now() + READY_MAX_MS;
    while (size() < bytes && first.output === '' && performance.now() < giveUpMs) await turn();
    await kill(first);
    assert.notEqual(size(), 0, 'the journal was begun');

    const second = serve({ directory });
    const trader = new Trader(await readyUrl(second), DEMO);
    const { assets, bills } = await readAccount(trader);
    const funds = assets.map((asset) => `${field(asset, 'coinName')} ${field(asset, 'available')}`);
    assert.deepEqual(funds.sort(), [
      'BTC 100.00000000',
      'ETH 1000.00000000',
      'USDT 1000000.00000000',
    ]);
    assert.equal(bills.length, 3, 'every deposit was made once');
    const order = { symbol: 'BTCUSDT', side: 'buy', orderType: 'limit', force: 'normal' };
    dataOf(await trader.post('/trade/orders', { ...order, price: '29000', quantity: '1' }));
    await kill(second);
  });
}
