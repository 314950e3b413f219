/** What a history removes for its age: no more than that, and nothing that anything still needs. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type AccountId, LIMITS, PERIODS } from '#domain';
import type { ExportMark, ExportTable, History, HistoryReader, HistoryWriter } from '#history';
import { BTCUSDT } from '../support/floor.ts';
import { VENUE_ID } from '../support/history-files.ts';
import { historyTest } from './contract.ts';
import { CONTRACT, HistoryFloor, USDT } from './floor.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const TABLES = [
  'orders',
  'trades',
  'balance_changes',
  'transfers',
  'contract_orders',
  'contract_trades',
  'contract_ledger',
  'liquidations',
] as const satisfies readonly ExportTable[];
/** What a row says of when it was written. */
const TIMES = ['closedTimeMs', 'timeMs'] as const;

type Row = Readonly<Record<string, unknown>>;

function timeOf(row: Row): number {
  const [timeMs] = TIMES.flatMap((name) => (typeof row[name] === 'number' ? [row[name]] : []));
  assert(timeMs !== undefined);
  return timeMs;
}

async function rowsOf(reader: HistoryReader, table: ExportTable, mark: ExportMark) {
  const found: Row[] = [];
  for (let afterKey = 0; ; ) {
    const page = await reader.exportRows({ table, mark, afterKey, limit: 1_000 });
    if (page.rows.length === 0) return found;
    found.push(...page.rows.map((row) => ({ ...row })));
    afterKey = page.lastKey;
  }
}

/** Everything that a reader can say, by table. */
async function everything(history: History): Promise<Map<string, Row[]>> {
  const reader = await history.openReader();
  try {
    const mark = await reader.exportMark();
    const all = new Map<string, Row[]>();
    for (const table of TABLES) all.set(table, await rowsOf(reader, table, mark));
    for (const { period } of PERIODS) {
      const window = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, limit: 1_000 } as const;
      const query = { instrumentId: BTCUSDT, period, ...window, keep: 'oldest' } as const;
      const candles: Row[] = [];
      for (let fromMs = 0; ; ) {
        const page = await reader.candles({ ...query, fromMs });
        candles.push(...page.map((candle) => ({ ...candle })));
        const last = page.at(-1);
        if (last === undefined || page.length < 1_000) break;
        fromMs = last.openTimeMs + 1;
      }
      all.set(period, candles);
    }
    return all;
  } finally {
    await reader.close();
  }
}

async function removeAll(writer: HistoryWriter, timeMs: number): Promise<number> {
  let rows = 0;
  for (;;) {
    const { rowsCount, isDone } = await writer.removeBefore(timeMs);
    // A bound on what one step holds the writer for.
    assert(rowsCount <= 500, String(rowsCount));
    rows += rowsCount;
    if (isDone) return rows;
  }
}

async function differences(history: History, venue: HistoryFloor) {
  const proof = await history.openProof();
  try {
    await proof.writer.project(venue.steps);
    return await proof.differences();
  } finally {
    await proof.close();
  }
}

interface Crowd {
  readonly venue: HistoryFloor;
  readonly ann: AccountId;
  readonly bob: AccountId;
  readonly idle: readonly [AccountId, AccountId];
}

/** Two that trade every minute, so often that trades and candles are more than always stay. */
function crowd(): Crowd {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  const idle = [venue.open('cay'), venue.open('dan')] as const;
  venue.spotTrade(idle[0], idle[1], 'buy');
  venue.transfer(idle[0], 'spot', CONTRACT);
  for (let minute = 0; minute < LIMITS.recentTradesMax + 60; minute += 1) {
    venue.timeMs += MINUTE_MS;
    venue.spotTrade(ann, bob, minute % 3 === 0 ? 'sell' : 'buy');
  }
  return { venue, ann, bob, idle };
}

type Act = 'trade' | 'resting' | 'cancel' | 'in' | 'out' | 'wait' | 'project' | 'reopen' | 'remove';
const ACTS: readonly Act[] = [
  'trade',
  'resting',
  'cancel',
  'in',
  'out',
  'wait',
  'project',
  'reopen',
  'remove',
];

historyTest(
  'whatever is removed when, the rest is what was written, and later rows go on from it',
  async ({ newHistory, runs }) => {
    const made = fc.record({
      acts: fc.array(fc.constantFrom(...ACTS), { minLength: 10, maxLength: 40 }),
      keepMs: fc.constantFrom(30 * MINUTE_MS, DAY_MS, 20 * DAY_MS),
    });
    const run = fc.asyncProperty(made, async ({ acts, keepMs }) => {
      const { venue, ann, bob, idle } = crowd();
      const [history, whole] = [newHistory(), newHistory()];
      let writer = await history.openWriter(VENUE_ID);
      await writer.project(venue.steps);
      let keptFromMs = 0;
      for (const act of acts) {
        if (act === 'trade') venue.spotTrade(ann, bob, 'buy');
        else if (act === 'resting') venue.limit(ann, 'buy', 9_000, 1);
        else if (act === 'cancel') {
          venue.run({ kind: 'cancel_all_spot_orders', accountId: ann });
        } else if (act === 'in') venue.transfer(ann, 'spot', CONTRACT);
        else if (act === 'out') {
          if (venue.inWallet(ann, CONTRACT, USDT) > 0n) venue.transfer(ann, CONTRACT, 'spot');
        } else if (act === 'wait') venue.timeMs += 7 * 3_600_000;
        else if (act === 'project') await writer.project(venue.since(writer.projectedSeq));
        else if (act === 'reopen') {
          await writer.close();
          writer = await history.openWriter(VENUE_ID);
        } else {
          await writer.project(venue.since(writer.projectedSeq));
          keptFromMs = venue.timeMs - keepMs;
          await removeAll(writer, keptFromMs);
        }
      }
      await writer.project(venue.since(writer.projectedSeq));
      await writer.close();
      await writeAll(whole, venue);
      requireSame(await everything(history), await everything(whole), keptFromMs);
      await requireBalances(history, venue, [ann, bob, ...idle]);
      assert.deepEqual(await differences(history, venue), []);
    });
    await fc.assert(run, { numRuns: runs(2) });
  },
);

async function writeAll(history: History, venue: HistoryFloor): Promise<void> {
  const writer = await history.openWriter(VENUE_ID);
  await writer.project(venue.steps);
  await writer.close();
}

/** Nothing is there that was not written, and what is missing is old enough. */
function requireSame(
  kept: ReadonlyMap<string, Row[]>,
  whole: ReadonlyMap<string, Row[]>,
  keptFromMs: number,
): void {
  for (const [table, rows] of whole) {
    const left = new Set((kept.get(table) ?? []).map(text));
    const missing = rows.filter((row) => !left.has(text(row)));
    assert.equal(left.size, rows.length - missing.length, `${table} has rows of its own`);
    for (const row of missing) {
      const timeMs = 'openTimeMs' in row ? Number(row.openTimeMs) : timeOf(row);
      assert(timeMs < keptFromMs, `${table}: ${text(row)}`);
    }
  }
}

function text(row: Row): string {
  return JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** The newest bill of each coin leads to what the account has, however long ago that was. */
async function requireBalances(
  history: History,
  venue: HistoryFloor,
  accounts: readonly AccountId[],
): Promise<void> {
  const reader = await history.openReader();
  for (const accountId of accounts) {
    const query = { accountId, wallet: 'spot', assetId: USDT, limit: 1 } as const;
    const [bill] = await reader.bills(query);
    assert(bill !== undefined);
    const balance = bill.balanceBefore + bill.delta - bill.fee;
    assert.equal(balance, venue.inWallet(accountId, 'spot', USDT));
  }
  await reader.close();
}

historyTest('a removal takes what is old, in small steps, and leaves what lives', async (stage) => {
  const { venue, ann, bob, idle } = crowd();
  const resting = venue.limit(ann, 'buy', 9_000, 1);
  assert.equal(resting.length > 0, true);
  venue.timeMs += 3 * DAY_MS;
  venue.spotTrade(ann, bob, 'buy');
  const history = stage.newHistory();
  const writer = await history.openWriter(VENUE_ID);
  await writer.project(venue.steps);
  const removed = await removeAll(writer, venue.timeMs - DAY_MS);
  assert(removed > 4_000, `${removed} rows`);
  assert.equal(await removeAll(writer, venue.timeMs - DAY_MS), 0, 'all of it went the first time');
  await writer.close();
  const reader = await history.openReader();
  const trades = await reader.recentTrades(BTCUSDT, LIMITS.recentTradesMax);
  assert.equal(trades.length, LIMITS.recentTradesMax);
  const orders = await reader.orders({ accountId: ann, limit: 1_000 });
  assert.equal(orders.length, 1, 'one order closed within the last day');
  const window = { instrumentId: BTCUSDT, fromMs: 0, toMs: venue.timeMs, limit: 1_000 } as const;
  const days = await reader.candles({ ...window, period: '1d', keep: 'oldest' });
  assert.equal(days.length, 3, 'candles of days stay');
  const [first] = await reader.candles({ ...window, period: '1min', keep: 'oldest' });
  assert(first !== undefined && days[0] !== undefined && first.openTimeMs > days[0].openTimeMs);
  const fills = await reader.newestFills({ accountId: idle[0], limit: 10 });
  assert.equal(fills.length, 1, 'the last balance of who no longer trades');
  await reader.close();
});
