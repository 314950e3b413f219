/** The server under a clock that jumps: time in the venue never goes back, trading goes on. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { loadConfig } from '#config';
import { ManualClock } from '#kernel';
import { type Server, startServer } from '#server';
import {
  type Answer,
  ask,
  asRow,
  DEMO,
  dataOf,
  field,
  MAKER,
  type Row,
  rowsOf,
  Trader,
} from '../support/http-trader.ts';
import { ADMIN_TOKEN, run, until } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';

const NOON_MS = Date.UTC(2026, 5, 1, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SECOND_MS = 1_000;

class Market {
  readonly clock = new ManualClock(NOON_MS);
  readonly #directory: string;
  log = '';
  #server: Server | undefined;
  #tradesCount = 0;
  /** What the venue says: the system clock may be off by more than a signature allows. */
  #venueMs = 0;

  constructor(context: TestContext) {
    this.#directory = scratchDirectory();
    context.after(() => this.stop());
  }

  get directory(): string {
    return this.#directory;
  }

  get url(): string {
    assert(this.#server !== undefined);
    return this.#server.url;
  }

  async start(): Promise<void> {
    const place = { data: this.#directory, port: '0', adminToken: ADMIN_TOKEN };
    const config = loadConfig({ ...place, participants: false, rateLimits: 'off' }, {});
    const write = (text: string): void => {
      this.log += text;
    };
    this.#server = await startServer(config, pino({ level: 'info' }, { write }), this.clock);
  }

  async stop(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }

  trader(credential = DEMO): Trader {
    return new Trader(this.url, credential, () => this.#venueMs);
  }

  async health(): Promise<Record<string, unknown>> {
    return Object((await ask(this.url, '/health/ready')).body);
  }

  async skewMs(): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    return Number(/^outcry_clock_skew_ms (-?[0-9]+)$/m.exec(text)?.[1]);
  }

  async confirm(): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${ADMIN_TOKEN}`,
      'content-type': 'application/json',
    };
    const call = { method: 'POST', headers, body: '{}' };
    const reply = await fetch(`${this.url}/admin/v1/clock/confirm`, call);
    const answer = JSON.parse(await reply.text());
    return { ...answer, status: reply.status, message: answer.msg, body: answer };
  }

  /** Two orders that meet, by which the demo account buys; resolves with its fill's time. */
  async trade(): Promise<number> {
    this.#tradesCount += 1;
    this.#venueMs = Number(dataOf(await ask(this.url, '/api/spot/v1/public/time')));
    const terms = { symbol: 'BTCUSDT', orderType: 'limit', price: '30000', quantity: '0.01' };
    const sell = { ...terms, side: 'sell', force: 'normal' };
    dataOf(await this.trader(MAKER).post('/trade/orders', sell));
    dataOf(await this.trader().post('/trade/orders', { ...sell, side: 'buy' }));
    const fills = await this.fills();
    assert.equal(fills.length, this.#tradesCount);
    return Number(fills[0]?.cTime);
  }

  /** Newest first. */
  async fills(): Promise<Row[]> {
    return rowsOf(await this.trader().post('/trade/fills', { symbol: 'BTCUSDT' }));
  }

  async candleTimes(): Promise<number[]> {
    const path = '/api/spot/v1/market/candles?symbol=BTCUSDT&period=1min&limit=1000';
    return rowsOf(await ask(this.url, path)).map((candle) => Number(field(candle, 'ts')));
  }

  async isBalanced(): Promise<boolean> {
    return asRow(dataOf(await ask(this.url, '/admin/v1/audit'))).balanced === 'true';
  }
}

test('the clock goes back an hour: time stands still and trading goes on', async (t) => {
  const market = new Market(t);
  await market.start();
  assert.equal(await market.trade(), NOON_MS);
  market.clock.step(-HOUR_MS);
  assert.equal(await market.trade(), NOON_MS, 'time does not go back');
  await market.stop();
  await market.start();
  assert.equal(await market.skewMs(), -HOUR_MS);
  assert.equal(await market.trade(), NOON_MS, 'nor after a restart');
  await until('a warning', () => /"level":40.*3600000 ms behind/.test(market.log));
  market.clock.advance(HOUR_MS + SECOND_MS);
  assert.equal(await market.trade(), NOON_MS + SECOND_MS, 'the clock has caught up');
  assert.ok(await market.isBalanced());
  await market.stop();
  const verified = await run('verify-journal', '--data', market.directory);
  assert.equal(verified.code, 0, verified.output);
});

test('a day ahead for 4 s: the venue runs on by the time that passes', async (t) => {
  const market = new Market(t);
  await market.start();
  assert.equal(await market.trade(), NOON_MS);
  market.clock.step(DAY_MS);
  market.clock.advance(4 * SECOND_MS);
  assert.equal(await market.trade(), NOON_MS + 4 * SECOND_MS, 'the step is not believed');
  const { status, reasons } = await market.health();
  assert.equal(status, 'degraded');
  assert.match(JSON.stringify(reasons), /"clock_skew".*86400000 ms ahead.*clock\/confirm/);
  assert.equal(await market.skewMs(), DAY_MS);
  await until('a warning', () => /"level":40.*86400000 ms ahead/.test(market.log));
  market.clock.step(-DAY_MS);
  market.clock.advance(SECOND_MS);
  assert.equal(await market.trade(), NOON_MS + 5 * SECOND_MS, 'no stamp stays ahead');
  assert.deepEqual(await market.health(), { status: 'ready' });
  await until('the end of it', () => /follows the system clock again/.test(market.log));

  const times = (await market.fills()).map((fill) => Number(field(fill, 'cTime')));
  assert.deepEqual(
    times,
    times.toSorted((left, right) => right - left),
  );
  const candles = await market.candleTimes();
  assert.deepEqual(candles, [...new Set(candles)].sort(), 'each minute once, in order');
  assert.equal(candles.at(-1), NOON_MS);
  assert.ok(await market.isBalanced());
});

test('a step that the operator confirms is the time; so is a long downtime', async (t) => {
  const market = new Market(t);
  await market.start();
  assert.equal(await market.trade(), NOON_MS);
  market.clock.step(DAY_MS);
  assert.equal(await market.trade(), NOON_MS);
  const confirmed = dataOf(await market.confirm());
  assert.deepEqual(confirmed, { time: String(NOON_MS + DAY_MS), stepMs: DAY_MS });
  assert.equal(await market.trade(), NOON_MS + DAY_MS);
  assert.deepEqual(await market.health(), { status: 'ready' });
  await market.stop();
  market.clock.step(30 * DAY_MS);
  await market.start();
  assert.equal(await market.trade(), NOON_MS + 31 * DAY_MS, 'nobody was there to see it pass');
  assert.deepEqual(await market.health(), { status: 'ready' });
});
