/** The server under a clock that jumps: time in the venue never goes back, trading goes on. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ManualClock } from '#kernel';
import { DemoHere } from '../support/demo-here.ts';
import { ask, field, gauge, rowsOf } from '../support/http-trader.ts';
import { run } from '../support/program.ts';
import type { LogLine } from '../support/server-here.ts';
import { until } from '../support/until.ts';

const NOON_MS = Date.UTC(2026, 5, 1, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SECOND_MS = 1_000;

class Market extends DemoHere {
  override readonly clock: ManualClock;
  #tradesCount = 0;

  constructor(context: TestContext) {
    const clock = new ManualClock(NOON_MS);
    super(context, clock);
    this.clock = clock;
  }

  async health(): Promise<Record<string, unknown>> {
    return Object((await ask(this.url, '/health/ready')).body);
  }

  async skewMs(): Promise<number> {
    return gauge(this.url, 'outcry_clock_skew_ms');
  }

  /** The demo account buys once more; resolves with the time of its fill. */
  async buy(): Promise<number> {
    this.#tradesCount += 1;
    await this.trade('30000');
    const fills = await this.fills();
    assert.equal(fills.length, this.#tradesCount);
    return Number(fills[0]?.cTime);
  }

  async candleTimes(): Promise<number[]> {
    const path = '/api/spot/v1/market/candles?symbol=BTCUSDT&period=1min&limit=1000';
    return rowsOf(await ask(this.url, path)).map((candle) => Number(field(candle, 'ts')));
  }

  /** Waits for a warning that says so. */
  async warned(of: RegExp): Promise<void> {
    const says = ({ level, msg }: LogLine) => level === 40 && of.test(msg);
    await until(`a warning of ${of}`, () => this.lines.some(says));
  }
}

test('the clock goes back an hour: time stands still and trading goes on', async (t) => {
  const market = new Market(t);
  await market.start();
  assert.equal(await market.buy(), NOON_MS);
  market.clock.step(-HOUR_MS);
  assert.equal(await market.buy(), NOON_MS, 'time does not go back');
  await market.stop();
  await market.start();
  assert.equal(await market.skewMs(), -HOUR_MS);
  assert.equal(await market.buy(), NOON_MS, 'nor after a restart');
  await market.warned(/3600000 ms behind/);
  market.clock.advance(HOUR_MS + SECOND_MS);
  assert.equal(await market.buy(), NOON_MS + SECOND_MS, 'the clock has caught up');
  await market.audit();
  await market.stop();
  const verified = await run('verify-journal', '--data', market.directory);
  assert.equal(verified.code, 0, verified.output);
});

test('a day ahead for 4 s: the venue runs on by the time that passes', async (t) => {
  const market = new Market(t);
  await market.start();
  assert.equal(await market.buy(), NOON_MS);
  market.clock.step(DAY_MS);
  market.clock.advance(4 * SECOND_MS);
  assert.equal(await market.buy(), NOON_MS + 4 * SECOND_MS, 'the step is not believed');
  const { status, reasons } = await market.health();
  assert.equal(status, 'degraded');
  assert.match(JSON.stringify(reasons), /"clock_skew".*86400000 ms ahead.*clock\/confirm/);
  assert.equal(await market.skewMs(), DAY_MS);
  await market.warned(/86400000 ms ahead/);
  market.clock.step(-DAY_MS);
  market.clock.advance(SECOND_MS);
  assert.equal(await market.buy(), NOON_MS + 5 * SECOND_MS, 'no stamp stays ahead');
  assert.deepEqual(await market.health(), { status: 'ready' });
  await until('the end of it', () =>
    market.lines.some(({ msg }) => msg.includes('follows the system clock again')),
  );

  const times = (await market.fills()).map((fill) => Number(field(fill, 'cTime')));
  assert.deepEqual(
    times,
    times.toSorted((left, right) => right - left),
  );
  const candles = await market.candleTimes();
  assert.deepEqual(candles, [...new Set(candles)].sort(), 'each minute once, in order');
  assert.equal(candles.at(-1), NOON_MS);
  await market.audit();
});

test('a step that the operator confirms is the time; so is a long downtime', async (t) => {
  const market = new Market(t);
  await market.start();
  assert.equal(await market.buy(), NOON_MS);
  market.clock.step(DAY_MS);
  assert.equal(await market.buy(), NOON_MS);
  const confirmed = await market.operator.confirmClock();
  assert.deepEqual(confirmed, { time: String(NOON_MS + DAY_MS), stepMs: DAY_MS });
  assert.equal(await market.buy(), NOON_MS + DAY_MS);
  assert.deepEqual(await market.health(), { status: 'ready' });
  await market.stop();
  market.clock.step(30 * DAY_MS);
  await market.start();
  assert.equal(await market.buy(), NOON_MS + 31 * DAY_MS, 'nobody was there to see it pass');
  assert.deepEqual(await market.health(), { status: 'ready' });
});
