/**
 * An unmodified ccxt client reads candles in every timeframe it knows. The venue has traded once an
 * hour for ten days, on a clock that the test moves, so every candle can be worked out by hand.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { type InstrumentId, lots, type Side, ticks } from '#domain';
import { ManualClock, present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { spotOrder } from '../support/orders.ts';
import { connect } from '../support/server-ccxt.ts';
import { startHere } from '../support/server-here.ts';

const PAIR = 'BTC/USDT';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const HOURS = 240;
/** A Wednesday at midnight, so that ten days touch two weeks and a bit. */
const FIRST_MS = Date.UTC(2026, 3, 1);
/** Half an hour after the last trade. */
const NOW_MS = FIRST_MS + (HOURS - 1) * HOUR_MS + 30 * MINUTE_MS;

const clock = new ManualClock(FIRST_MS);

const server = closedAtEnd(await startHere({ clock }));
const visitor = connect(server.url);
await tradeHourly();
clock.set(NOW_MS);

/** The price of hour 0, 1, 2...: 30000, 30001, ... in whole dollars; the size is always 0.01. */
function priceOf(hour: number): number {
  return 30_000 + hour;
}

async function tradeHourly(): Promise<void> {
  const pair = await server.venue.read(({ listings }) => {
    return present(listings.spotBySymbol('BTC-USDT'), 'pair').instrumentId;
  });
  for (let hour = 0; hour < HOURS; hour += 1) {
    clock.set(FIRST_MS + hour * HOUR_MS);
    await place('maker', 'sell', pair, hour);
    await place('demo', 'buy', pair, hour);
  }
}

async function place(name: string, side: Side, instrumentId: InstrumentId, hour: number) {
  const { venue } = server;
  const account = await venue.read((state) => present(state.accountByName(name), name).accountId);
  const [first] = await venue.submit(
    spotOrder({
      accountId: account,
      instrumentId,
      side,
      priceTicks: ticks(priceOf(hour) * 100),
      sizeLots: lots(100),
    }),
  );
  assert.equal(first?.kind, 'order_accepted');
}

interface Timeframe {
  readonly name: string;
  readonly lengthMs: number;
}

const TIMEFRAMES: readonly Timeframe[] = [
  { name: '1m', lengthMs: MINUTE_MS },
  { name: '5m', lengthMs: 5 * MINUTE_MS },
  { name: '15m', lengthMs: 15 * MINUTE_MS },
  { name: '30m', lengthMs: 30 * MINUTE_MS },
  { name: '1h', lengthMs: HOUR_MS },
  { name: '4h', lengthMs: 4 * HOUR_MS },
  { name: '12h', lengthMs: 12 * HOUR_MS },
  { name: '1d', lengthMs: DAY_MS },
  { name: '1w', lengthMs: 7 * DAY_MS },
];

type Row = readonly [
  timeMs: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
];

/** When the candle with this instant began; weeks begin on Monday. */
function openOf({ name, lengthMs }: Timeframe, timeMs: number): number {
  const shiftMs = name === '1w' ? 4 * DAY_MS : 0;
  return timeMs - ((timeMs - shiftMs) % lengthMs);
}

/** The candle that begins at this instant, from the trades by their definition. */
function candleFrom(openMs: number, lengthMs: number): Row {
  const hours = Array.from({ length: HOURS }, (_, hour) => hour);
  const within = hours.filter((hour) => {
    const timeMs = FIRST_MS + hour * HOUR_MS;
    return timeMs >= openMs && timeMs < openMs + lengthMs;
  });
  const earlier = hours.filter((hour) => FIRST_MS + hour * HOUR_MS < openMs).at(-1);
  const first = within[0] ?? earlier ?? assert.fail('a candle before any trade');
  const last = within.at(-1) ?? first;
  const volume = Number((within.length * 0.01).toFixed(4));
  return [openMs, priceOf(first), priceOf(last), priceOf(first), priceOf(last), volume];
}

function candles(timeframe: Timeframe, fromMs: number, toMs: number): Row[] {
  const rows: Row[] = [];
  const { lengthMs } = timeframe;
  for (let openMs = fromMs; openMs <= toMs; openMs += lengthMs) {
    rows.push(candleFrom(openMs, lengthMs));
  }
  return rows;
}

test('the table above has every timeframe of the client', () => {
  const { timeframes } = visitor;
  assert.deepEqual(
    TIMEFRAMES.map(({ name }) => name).toSorted(),
    Object.keys(Object(timeframes.spot)).toSorted(),
  );
});

for (const timeframe of TIMEFRAMES) {
  const { name, lengthMs } = timeframe;

  test(`${name}: without a start, the newest hundred up to the one still open`, async () => {
    const currentMs = openOf(timeframe, NOW_MS);
    const oldestMs = Math.max(currentMs - 99 * lengthMs, openOf(timeframe, FIRST_MS));
    assert.deepEqual(await visitor.fetchOHLCV(PAIR, name), candles(timeframe, oldestMs, currentMs));
  });

  test(`${name}: a limit takes the newest ones`, async () => {
    const currentMs = openOf(timeframe, NOW_MS);
    const found = await visitor.fetchOHLCV(PAIR, name, undefined, 2);
    assert.deepEqual(found, candles(timeframe, currentMs - lengthMs, currentMs));
  });

  test(`${name}: a start takes the first hundred from there, a limit fewer`, async () => {
    const sinceMs = openOf(timeframe, FIRST_MS + DAY_MS);
    const currentMs = openOf(timeframe, NOW_MS);
    const lastMs = Math.min(sinceMs + 99 * lengthMs, currentMs);
    const found = await visitor.fetchOHLCV(PAIR, name, sinceMs);
    assert.deepEqual(found, candles(timeframe, sinceMs, lastMs));
    const [first, ...others] = await visitor.fetchOHLCV(PAIR, name, sinceMs, 1);
    assert.deepEqual([first, others], [candleFrom(sinceMs, lengthMs), []]);
  });
}

test('a start and an end bound the candles on both sides', async () => {
  const sinceMs = FIRST_MS + 10 * HOUR_MS;
  const until = FIRST_MS + 13 * HOUR_MS;
  const found = await visitor.fetchOHLCV(PAIR, '1h', sinceMs, undefined, { until });
  assert.deepEqual(
    found.map(([timeMs]) => (timeMs - FIRST_MS) / HOUR_MS),
    [10, 11, 12, 13],
  );
});

test('a start after everything, and a pair that never traded, have no candles', async () => {
  assert.deepEqual(await visitor.fetchOHLCV(PAIR, '1h', NOW_MS + DAY_MS), []);
  assert.deepEqual(await visitor.fetchOHLCV('ETH/BTC', '1h'), []);
});

test('a start long ago reaches candles that only the history has', async () => {
  const sinceMs = FIRST_MS + HOUR_MS;
  const found = await visitor.fetchOHLCV(PAIR, '1m', sinceMs, 61);
  assert.deepEqual(found, candles({ name: '1m', lengthMs: MINUTE_MS }, sinceMs, sinceMs + HOUR_MS));
});
