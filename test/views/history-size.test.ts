/**
 * A page costs the same in a long history as in a short one. OUTCRY_TEST_ROWS sets the number of
 * fills of the long one (10000000 takes a minute or more).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { accountId, type InstrumentId, instrumentId } from '#domain';
import type { HistoryReader } from '../../src/views/history/port.ts';
import { openHistoryReader } from '../../src/views/history/reader.ts';
import { openHistoryWriter } from '../../src/views/history/writer.ts';
import { BTC, BTCUSDT, HistoryVenue, historyFile, USDT, VENUE_ID } from './history-venue.ts';

const FILLS_LONG = Number(process.env.OUTCRY_TEST_ROWS ?? 1_000_000);
const FILLS_SHORT = FILLS_LONG / 10;
const FILLS_PER_TRADE = 2;
const IDS_PER_TRADE = 10;
const ROUNDS = 41;
/** A page may cost this much more in a history ten times as long; a scan would cost ten times. */
const RATIO_MAX = 4;
/** Below this the clock and the machine's other work decide, not the index. */
const NOISE_MS = 1;

/** Trades numbered from..to among 40 accounts; account 99 bought once, in the very first. */
const TRADES = `
  with recursive n(i) as (select :from union all select i + 1 from n where i < :to)
  insert into trades
  select i * ${IDS_PER_TRADE} + 2, i % 3, (i % 3 = 2), 10000 + i % 100, 5, '5000000', 'buy', 0,
    case i when 0 then 99 else 1 + i % 40 end, i * ${IDS_PER_TRADE} + 1, '5', '1000000', '1000000',
    1 + (i + 7) % 40, max(0, i - 20) * ${IDS_PER_TRADE} + 1, '5', '1000000', '1000000',
    1772366400000 + i * 10
  from n`;

/** One order in two closes with its trade; every tenth carries the same client id. */
const ORDERS = `
  with recursive n(i) as (select :from union all select i + 1 from n where i < :to)
  insert into orders
  select i * ${IDS_PER_TRADE} + 1, 1 + i % 40, i % 3,
    case i % 10 when 0 then 'same' else '' end, 'buy', 'limit', 'gtc', 10000, 5, '0', 5,
    '5000000', 1772366400000 + i * 10, 'filled', i, 1772366400000 + i * 10
  from n where i % 2 = 0`;

/** Grows the file, and fast: a history is rebuilt if the machine stops now. */
function grow(file: string, fromFill: number, toFill: number): void {
  const db = new Sqlite(file);
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -262144');
  const range = { from: fromFill / FILLS_PER_TRADE, to: toFill / FILLS_PER_TRADE - 1 };
  db.transaction(() => {
    db.prepare(TRADES).run(range);
    db.prepare(ORDERS).run(range);
  })();
  db.close();
}

type Question = (reader: HistoryReader) => Promise<readonly unknown[]>;

const limit = 100;
const ann = accountId(7);
const pair: { instrumentId: InstrumentId; limit: number } = { instrumentId: BTCUSDT, limit };
const old = { afterId: 300 * IDS_PER_TRADE };
const bills = { accountId: ann, wallet: 'spot', limit } as const;

/** What is asked, and how many rows it must bring. */
const QUESTIONS: readonly [name: string, rows: number, ask: Question][] = [
  ['the newest fills', 100, (reader) => reader.fills({ accountId: ann, ...pair })],
  ['the oldest fills', 100, (reader) => reader.fills({ accountId: ann, ...pair, beforeId: 0 })],
  [
    'one fill, the oldest of all',
    1,
    (reader) => reader.fills({ accountId: accountId(99), ...pair }),
  ],
  [
    'fills of a pair never traded',
    0,
    (reader) => reader.fills({ accountId: accountId(99), instrumentId: instrumentId(1), limit }),
  ],
  ['the newest orders', 100, (reader) => reader.orders({ accountId: ann, ...pair })],
  ['old orders', 8, (reader) => reader.orders({ accountId: ann, ...old, limit })],
  ['the newest bills', 100, (reader) => reader.bills(bills)],
  ['old bills', 33, (reader) => reader.bills({ ...bills, ...old })],
  ['sells of a coin', 100, (reader) => reader.bills({ ...bills, assetId: BTC, biz: 'sell' })],
  [
    'sells of an account that only bought',
    0,
    (reader) => reader.bills({ ...bills, accountId: accountId(99), assetId: USDT, biz: 'sell' }),
  ],
  ['deposits among trades', 3, (reader) => reader.bills({ ...bills, group: 'deposit' })],
  ['recent trades', 100, (reader) => reader.recentTrades(BTCUSDT, 100)],
];

async function medianMs(reader: HistoryReader, ask: Question, rows: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startMs = performance.now();
    const found = await ask(reader);
    times.push(performance.now() - startMs);
    assert.equal(found.length, rows);
  }
  return times.toSorted((one, other) => one - other)[ROUNDS >> 1] ?? Number.NaN;
}

async function measure(file: string): Promise<number[]> {
  const reader = openHistoryReader(file);
  const times: number[] = [];
  for (const [, rows, ask] of QUESTIONS) times.push(await medianMs(reader, ask, rows));
  await reader.close();
  return times;
}

test(`a page of ${FILLS_LONG} fills costs what a page of ${FILLS_SHORT} costs`, async (t) => {
  const file = historyFile(t);
  const writer = openHistoryWriter(file, VENUE_ID);
  const venue = new HistoryVenue();
  for (let account = 1; account <= 7; account += 1) venue.open(`trader-${account}`);
  writer.project(venue.steps);
  writer.close();
  grow(file, 0, FILLS_SHORT);
  const short = await measure(file);
  grow(file, FILLS_SHORT, FILLS_LONG);
  const long = await measure(file);
  for (const [index, [name]] of QUESTIONS.entries()) {
    const [before, after] = [short[index] ?? 0, long[index] ?? Number.NaN];
    t.diagnostic(`${name}: ${before.toFixed(2)} ms, then ${after.toFixed(2)} ms`);
    assert.ok(after < RATIO_MAX * before + NOISE_MS, `${name}: ${before} ms, then ${after} ms`);
  }
});
