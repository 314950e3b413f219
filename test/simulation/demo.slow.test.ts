/** The demo as a visitor meets it: the real program for twenty seconds, seen through its API. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { closedAtEnd } from '../support/at-end.ts';
import { startVenueProcess } from '../support/venue-process.ts';

const SPOT = ['BTCUSDT_SPBL', 'ETHUSDT_SPBL', 'ETHBTC_SPBL'];
const SWAP = ['cmt_btcusdt', 'cmt_ethusdt', 'cmt_btcusd'];
const LEVELS_MIN = 50;
const READY_MAX_MS = 2_000;
const WATCHED_SECONDS = 20;
const TRADES_PER_SECOND_MIN = 2;
/** 15 % is what a quiet machine shows; other tests run beside this one. */
const CPU_PERCENT_MAX = 30;

interface Sight {
  /** Smaller side of every book. */
  readonly levels: Readonly<Record<string, number>>;
  readonly trades: number;
  readonly candles: readonly string[];
  readonly cpuSeconds: number;
}

let first: Sight;
const marksSeen = new Map<string, Set<string>>(SWAP.map((symbol) => [symbol, new Set()]));

const server = closedAtEnd(await startVenueProcess());
const startMs = performance.now();
first = await look();
while (Math.min(...Object.values(first.levels)) < LEVELS_MIN || first.trades === 0) {
  assert.ok(performance.now() - startMs < READY_MAX_MS, JSON.stringify(first.levels));
  await delay(100);
  first = await look();
}
for (let second = 0; second < WATCHED_SECONDS; second += 1) {
  await delay(1_000);
  for (const symbol of SWAP) await noticeMark(symbol);
}
const last = await look();

async function get(path: string): Promise<unknown> {
  const answer = await fetch(server.url + path);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text);
}

function field(value: unknown, name: string): unknown {
  assert.ok(typeof value === 'object' && value !== null, `${name} of ${value}`);
  return Reflect.get(value, name);
}

function list(value: unknown): readonly unknown[] {
  assert.ok(Array.isArray(value));
  return value;
}

function smallerSide(depth: unknown): number {
  return Math.min(list(field(depth, 'bids')).length, list(field(depth, 'asks')).length);
}

/** What visitors see of all markets. */
async function look(): Promise<Sight> {
  const levels: Record<string, number> = {};
  const candles: string[] = [];
  let trades = 0;
  for (const symbol of SPOT) {
    const path = '/api/spot/v1/market';
    const depth = field(await get(`${path}/depth?symbol=${symbol}&limit=200`), 'data');
    levels[symbol] = smallerSide(depth);
    const fills = list(field(await get(`${path}/fills?symbol=${symbol}&limit=500`), 'data'));
    trades += fills.length;
    const rows = await get(`${path}/candles?symbol=${symbol}&period=1min&limit=1`);
    candles.push(JSON.stringify(list(field(rows, 'data'))));
  }
  for (const symbol of SWAP) {
    const path = '/api/swap/v3/market';
    levels[symbol] = smallerSide(await get(`${path}/depth?symbol=${symbol}&limit=200`));
    trades += list(await get(`${path}/trades?symbol=${symbol}&limit=100`)).length;
    candles.push(JSON.stringify(await get(`${path}/candles?symbol=${symbol}&granularity=60`)));
  }
  return { levels, trades, candles, cpuSeconds: await cpuSeconds() };
}

async function noticeMark(symbol: string): Promise<void> {
  const told = await get(`/api/swap/v3/market/mark_price?symbol=${symbol}`);
  marksSeen.get(symbol)?.add(String(field(told, 'mark_price')));
}

/** User and system time of the server, all threads. */
async function cpuSeconds(): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const found = /^process_cpu_seconds_total ([0-9.e+-]+)/m.exec(metrics);
  assert.ok(found, 'the metrics tell the processor time');
  return Number(found[1]);
}

test('every market has fifty levels on both sides, at once and later', () => {
  for (const { levels } of [first, last]) {
    for (const [symbol, count] of Object.entries(levels)) {
      assert.ok(count >= LEVELS_MIN, `${symbol} is ${count} levels deep`);
    }
  }
});

test('several trades a second', () => {
  const perSecond = (last.trades - first.trades) / WATCHED_SECONDS;
  assert.ok(perSecond >= TRADES_PER_SECOND_MIN, `${perSecond.toFixed(1)} trades a second`);
});

test('candles grow and mark prices move in every market', () => {
  for (const [at, symbol] of [...SPOT, ...SWAP].entries()) {
    assert.notEqual(last.candles[at], first.candles[at], `candles of ${symbol}`);
  }
  for (const [symbol, marks] of marksSeen) {
    assert.ok(marks.size > 2, `mark prices of ${symbol}: ${[...marks].join(', ')}`);
  }
});

test('it needs a small part of one processor', () => {
  const percent = ((last.cpuSeconds - first.cpuSeconds) * 100) / WATCHED_SECONDS;
  assert.ok(percent < CPU_PERCENT_MAX, `${percent.toFixed(1)} %`);
});

test('the money adds up', async () => {
  const audit = await server.admin.audit();
  assert.equal(audit.balanced, true);
});
