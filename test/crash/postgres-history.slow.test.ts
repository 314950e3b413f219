/**
 * A venue whose history is in PostgreSQL: while the database is dead its pages answer 503 and
 * nothing else changes; when it is back everything is there, once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PostgresServer } from '../../tools/postgres.ts';
import { randomOf } from '../../tools/random.ts';
import { type Answer, ask, DEMO, dataOf, gauge, MAKER, Trader } from '../support/http-trader.ts';
import { newDatabase, postgresOrSkip } from '../support/postgres.ts';
import { type Program, READY_MAX_MS, run } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { until } from '../support/until.ts';
import { DataDirectory } from './data-directory.ts';
import { Load } from './load.ts';

const ANSWERS = 150;
const ORDER = { symbol: 'BTCUSDT', orderType: 'limit', force: 'normal', price: '29000' };
const CANDLES = '/api/spot/v1/market/candles?symbol=BTCUSDT_SPBL&period=1day&limit=5';

const server = await postgresOrSkip();

function postgresTest(name: string, body: (on: PostgresServer) => Promise<void>): void {
  if (server !== undefined) test(name, () => body(server));
}

function fillsOf(url: string): Promise<Answer> {
  return new Trader(url, DEMO).post('/trade/fills', { symbol: 'BTCUSDT' });
}

/** One trade between the two accounts, in whatever state the history is. */
async function trade(url: string): Promise<void> {
  const sides = [
    [new Trader(url, MAKER), 'sell'],
    [new Trader(url, DEMO), 'buy'],
  ] as const;
  for (const [trader, side] of sides) {
    dataOf(await trader.post('/trade/orders', { ...ORDER, side, quantity: '0.01' }));
  }
}

async function health(url: string): Promise<string> {
  const { status, body } = await ask(url, '/health/ready');
  assert.equal(status, 200);
  return JSON.stringify(body);
}

async function projected(url: string): Promise<void> {
  const lag = () => gauge(url, 'outcry_projection_lag_commands');
  await until('projected', async () => (await lag()) === 0);
}

async function ended(program: Program): Promise<{ readonly code: number | null; log: string }> {
  program.signal('SIGTERM');
  await program.until('end', () => program.isOver, READY_MAX_MS);
  return program.ended;
}

/** The address is given by the environment here, by the configuration to the venue. */
async function verified(data: DataDirectory, url: string): Promise<void> {
  process.env.OUTCRY_HISTORY = url;
  try {
    const { code, output, log } = await run('verify-history', '--data', data.directory);
    assert.equal(code, 0, output + log);
    assert.match(output, /^sound: every row up to command \d+ is what the journal says\n$/);
  } finally {
    delete process.env.OUTCRY_HISTORY;
  }
}

postgresTest('the database is killed under load: orders go on, and nothing is lost', async (on) => {
  const database = newDatabase(on);
  const data = new DataDirectory(scratchDirectory());
  data.keepHistoryIn(database);
  const { program, url, sides } = await data.start();
  const load = new Load(randomOf(13));
  for (const side of sides) load.start(side, 2);
  await until('enough answers', () => load.answersCount >= ANSWERS);
  dataOf(await fillsOf(url));

  await on.kill();
  const before = load.answersCount;
  await until('an outage', async () => (await gauge(url, 'outcry_history_stopped')) === 1);
  const refused = await fillsOf(url);
  assert.deepEqual([refused.status, refused.code, refused.retryAfter], [503, '40725', '1']);
  assert.match(await health(url), /"degraded".*"history_stopped"/);
  await until('answers meanwhile', () => load.answersCount >= before + ANSWERS);
  dataOf(await ask(url, '/api/spot/v1/market/depth?symbol=BTCUSDT_SPBL'));
  await trade(url);

  await on.startAgain();
  await until('a history', async () => (await gauge(url, 'outcry_history_stopped')) === 0);
  await load.end();
  await projected(url);
  dataOf(await fillsOf(url));
  assert.doesNotMatch(await health(url), /history_stopped/);
  await verified(data, database);
  const { code, log } = await ended(program);
  assert.equal(code, 0, log);
  assert.equal(log.includes(new URL(database).password), false, 'the password is in the log');
  await verified(data, database);
});

postgresTest('a start with a dead database serves all but the history', async (on) => {
  const database = newDatabase(on);
  const data = new DataDirectory(scratchDirectory());
  data.keepHistoryIn(database);
  const first = await data.start();
  await trade(first.url);
  await projected(first.url);
  assert.equal((await ended(first.program)).code, 0);

  await on.kill();
  const { program, url } = await data.start();
  await trade(url);
  assert.equal((await fillsOf(url)).status, 503);
  assert.equal((await ask(url, CANDLES)).status, 503, 'the day began before the start');
  assert.match(await health(url), /"history_stopped"/);

  await on.startAgain();
  await until('candles', async () => (await ask(url, CANDLES)).status === 200);
  await until('a history', async () => (await gauge(url, 'outcry_history_stopped')) === 0);
  const fills = dataOf(await fillsOf(url));
  assert.ok(Array.isArray(fills) && fills.length === 2, 'one fill of each life');
  await until('both trades in the day', async () =>
    /"baseVol":"0\.02/.test(JSON.stringify((await ask(url, CANDLES)).body)),
  );
  await trade(url);
  await projected(url);
  assert.equal((await ended(program)).code, 0);
  await verified(data, database);
});
