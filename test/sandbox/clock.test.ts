/** The clock of the venue: what stands still, what passes, and who follows it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Event } from '#domain';
import { ManualClock } from '#kernel';
import { VenueClock } from '#venue';
import { DemoHere } from '../support/demo-here.ts';
import { ask, dataOf, field, rowsOf } from '../support/http-trader.ts';
import { until } from '../support/until.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const CONTRACT = 'BTC-USDT-PERP';
const CANDLES = '/api/spot/v1/market/candles?symbol=BTCUSDT&period=1min&limit=1000';
const RATES = `/api/swap/v3/market/historyFundRate?symbol=cmt_btcusdt&pageIndex=1&pageSize=20`;

/** Remembers the events of a kind from now on. */
function watch<K extends Event['kind']>(house: DemoHere, kind: K) {
  const seen: { readonly timeMs: number; readonly event: Extract<Event, { kind: K }> }[] = [];
  const isKind = (event: Event): event is Extract<Event, { kind: K }> => event.kind === kind;
  house.venue.onApplied(({ timeMs, events }) => {
    for (const event of events) if (isKind(event)) seen.push({ timeMs, event });
  });
  return seen;
}

test('follows the system until it is set, and stands still once it is paused', async (t) => {
  const system = new ManualClock(Date.UTC(2026, 5, 1, 12));
  const house = new DemoHere(t, system);
  await house.start({ sandbox: true });
  system.advance(5_000);
  assert.equal(await house.lookAtClock(), system.nowMs());
  assert.deepEqual((await house.sandbox.state()).clock, {
    time: system.nowMs(),
    controlled: false,
    speed: '1',
  });
  const stoodMs = system.nowMs();
  assert.deepEqual(await house.sandbox.pauseClock(), {
    time: stoodMs,
    controlled: true,
    speed: '0',
  });
  system.advance(HOUR_MS);
  assert.equal(await house.lookAtClock(), stoodMs);
  await house.trade('30000');
  const [fill = {}] = await house.fills();
  assert.equal(Number(field(fill, 'cTime')), stoodMs, 'orders are taken all the same');

  assert.deepEqual(await house.sandbox.runClock({ speed: 60 }), {
    time: stoodMs,
    controlled: true,
    speed: '60',
  });
  system.advance(1_000);
  assert.equal(await house.lookAtClock(), stoodMs + MINUTE_MS);
  assert.equal((await house.sandbox.runClock({ speed: 0.5 })).time, stoodMs + MINUTE_MS);
  system.advance(1_000);
  assert.equal(await house.lookAtClock(), stoodMs + MINUTE_MS + 500);
  system.advance(-HOUR_MS);
  assert.equal((await house.sandbox.runClock()).speed, '1');
  const now = await house.lookAtClock();
  assert.ok(now >= stoodMs + MINUTE_MS, 'a system clock that goes back takes no time away');
});

test('signatures follow it: what was signed an hour ago is refused', async (t) => {
  const house = new DemoHere(t);
  await house.start({ sandbox: true });
  const { time } = await house.sandbox.pauseClock();
  const systemMs = () => time;
  const assets = '/account/assets?coin=USDT';
  dataOf(await house.trader(undefined, systemMs).get(assets));
  await house.sandbox.jumpClock({ time: time + HOUR_MS });
  const late = await house.trader(undefined, systemMs).get(assets);
  assert.deepEqual([late.status, late.code], [400, '40008']);
  assert.equal(await house.lookAtClock(), time + HOUR_MS);
  dataOf(await house.trader().get(assets));
});

test('a step passes every second, and candles come of what trades in between', async (t) => {
  const house = new DemoHere(t);
  await house.start({ sandbox: true });
  const { time } = await house.sandbox.pauseClock();
  await house.sandbox.jumpClock({ time: time - (time % MINUTE_MS) + MINUTE_MS });
  const ticks = watch(house, 'ticked');
  const firstMs = await house.lookAtClock();
  for (const price of ['30000', '30100', '29900']) {
    await house.trade(price);
    await house.sandbox.stepClock({ ms: MINUTE_MS });
  }
  await house.sandbox.stepClock({ ms: 1_500 });
  assert.deepEqual(
    ticks.map(({ timeMs }) => timeMs - firstMs),
    [...Array.from({ length: 180 }, (_, at) => (at + 1) * 1_000), 181_000, 181_500],
  );
  const rows = rowsOf(await ask(house.url, CANDLES));
  assert.deepEqual(
    rows.map((row) => [Number(row.ts) - firstMs, row.open, row.close, row.baseVol]),
    [
      [0, '30000', '30000', '0.01'],
      [MINUTE_MS, '30100', '30100', '0.01'],
      [2 * MINUTE_MS, '29900', '29900', '0.01'],
      [3 * MINUTE_MS, '29900', '29900', '0'],
    ],
  );
});

test('funding happens at its time, once, however time gets there', async (t) => {
  const house = new DemoHere(t);
  await house.start({ sandbox: true });
  await house.sandbox.pauseClock();
  await house.sandbox.setIndex({ symbol: CONTRACT, price: '30000' });
  await house.swapTrade('30000');
  const settled = watch(house, 'funding_settled');
  const bills = watch(house, 'balance_changed');

  const before = await house.sandbox.jumpToFunding({ symbol: CONTRACT });
  assert.deepEqual([before.controlled, before.speed], [true, '0']);
  assert.equal((before.time + 1_000) % HOUR_MS, 0);
  assert.equal(settled.filter(({ event }) => event.collected > 0n).length, 0);
  await house.sandbox.stepClock({ ms: 999 });
  assert.equal(bills.length, 0, 'a millisecond before, nobody has paid');
  await house.sandbox.stepClock({ ms: 1 });
  const paid = () => settled.filter(({ event }) => event.collected > 0n);
  assert.deepEqual(
    paid().map(({ timeMs, event }) => [timeMs, event.fundingTimeMs]),
    [[before.time + 1_000, before.time + 1_000]],
  );
  assert.deepEqual(
    bills.map(({ event }) => event.reason),
    ['funding', 'funding'],
  );
  await house.sandbox.stepClock({ ms: MINUTE_MS });
  assert.equal(paid().length, 1, 'and not again');
  const rows = (await ask(house.url, RATES)).body;
  assert.ok(Array.isArray(rows) && rows.length === 1, JSON.stringify(rows));

  const next = await house.sandbox.jumpToFunding({ symbol: CONTRACT, beforeMs: 5_000 });
  await house.sandbox.jumpClock({ time: next.time + 3 * 8 * HOUR_MS });
  assert.deepEqual(
    paid()
      .slice(1)
      .map(({ timeMs, event }) => [timeMs, event.fundingTimeMs]),
    [0, 8, 16].map((hours) => next.time + 5_000 + hours * HOUR_MS).map((ms) => [ms, ms]),
    'each settlement that a leap passes, at its own time',
  );
  const all = (await ask(house.url, RATES)).body;
  assert.ok(Array.isArray(all) && all.length === 4, JSON.stringify(all));
  assert.equal((await house.sandbox.jumpToFunding({ symbol: CONTRACT })).speed, '0');
});

test('runs at sixty times the time: a minute of ticks passes in a second', async (t) => {
  const house = new DemoHere(t);
  await house.start({ sandbox: true });
  const { time } = await house.sandbox.runClock({ speed: 60 });
  const ticks = watch(house, 'ticked');
  await until('a minute of ticks', () => (ticks.at(-1)?.timeMs ?? 0) > time + MINUTE_MS);
  assert.ok(ticks.length >= 10, `${ticks.length} ticks`);
  await house.sandbox.pauseClock();
  const count = ticks.length;
  await delay(200);
  assert.ok(ticks.length <= count + 1, 'a clock that stands still has no tick');
});

test('the fastest clock can be stepped, jumped and stopped', async (t) => {
  const house = new DemoHere(t);
  await house.start({ sandbox: true });
  await house.sandbox.runClock({ speed: 1_000 });
  for (let round = 0; round < 20; round += 1) {
    await house.sandbox.stepClock({ ms: 1 + round * 100 });
    const { time } = await house.sandbox.state();
    // An hour is 3.6 s of this clock: a busy machine does not get there before the jump does.
    await house.sandbox.jumpClock({ time: time + 3_600_000 + round });
  }
  assert.equal((await house.sandbox.pauseClock()).speed, '0');
});

test('what no clock does is refused with the reason', async (t) => {
  const house = new DemoHere(t);
  await house.start({ sandbox: true });
  const { time } = await house.sandbox.pauseClock();
  const { sandbox } = house;
  await assert.rejects(sandbox.runClock({ speed: 0 }), /speed goes from 0.001 to 1000/);
  await assert.rejects(sandbox.runClock({ speed: 1_001 }), /speed goes from 0.001 to 1000/);
  await assert.rejects(sandbox.stepClock({ ms: 0 }), /ms goes from 1 to 86400000/);
  await assert.rejects(sandbox.stepClock({ ms: 24 * HOUR_MS + 1 }), /ms goes from 1 to 86400000/);
  await assert.rejects(sandbox.jumpClock({ time }), /already/);
  await assert.rejects(
    sandbox.jumpClock({ time: time + 367 * 24 * HOUR_MS }),
    /more than 366 days/,
  );
  await assert.rejects(sandbox.jumpToFunding({ symbol: 'cmt_nothing' }), /cmt_nothing/);
  assert.equal((await sandbox.state()).time, time);
});

/** Time that passes with every look at it. */
class HurriedClock {
  #timeMs = 1_000_000;

  nowMs(): number {
    return this.monotonicMs();
  }

  monotonicMs(): number {
    this.#timeMs += 1;
    return this.#timeMs;
  }
}

test('a leap to a time that has passed meanwhile is a leap to now', () => {
  const clock = new VenueClock(new HurriedClock());
  clock.set({ speedPermille: 1_000_000 }, 5_000_000);
  const beforeMs = clock.nowMs();
  // A millisecond of the system is a second here: the leap finds that much has passed.
  clock.leapTo(beforeMs + 1);
  assert.ok(clock.nowMs() >= beforeMs + 2_000);
  clock.leapTo(beforeMs + 60_000_000);
  assert.ok(clock.nowMs() >= beforeMs + 60_000_000);
});
