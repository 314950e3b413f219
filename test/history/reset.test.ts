/**
 * Random days with checkpoints and ways back to them: the history is that of a venue in which what
 * was undone never happened, whatever was written when, and it can be made again from the steps.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { accountId, type Command, type PERIODS, type Step } from '#domain';
import { openHistoryReader, openHistoryWriter } from '#history';
import { present } from '#kernel';
import { historyFile, readerOf, VENUE_ID } from '../support/history-files.ts';
import { type Move, moves, RandomDay } from '../support/random-days.ts';
import { ANN, BOB, ContractTape, LINEAR_ID } from './contracts.ts';
import { tablesOf } from './tables.ts';
import { BTC, BTCUSDT, CONTRACT, HistoryVenue, USDT } from './venue.ts';

const RUNS = 25;

/** What happens beside the trading, before the move with this number. */
const mark = fc.record({
  at: fc.nat({ max: 80 }),
  act: fc.constantFrom('save', 'save', 'reset', 'reset', 'transfer', 'project', 'reopen'),
  name: fc.constantFrom('one', 'two'),
});
type Mark = typeof mark extends fc.Arbitrary<infer M> ? M : never;
const marks = fc.array(mark, { minLength: 8, maxLength: 20 });

const TRANSFER: Command = {
  kind: 'transfer',
  accountId: accountId(1),
  assetId: USDT,
  amount: 1n,
  from: 'spot',
  to: CONTRACT,
  clientOid: '',
};

interface Played {
  readonly steps: readonly Step[];
  /** The steps again, without the events of those that were undone. */
  readonly kept: readonly Step[];
  readonly resetsCount: number;
}

/** Plays a day and writes its history in the batches that the marks ask for. */
function play(file: string, list: readonly Move[], extras: readonly Mark[]): Played {
  const day = new RandomDay();
  let writer = openHistoryWriter(file, VENUE_ID);
  const project = () => writer.project(day.steps.slice(writer.projectedSeq));
  for (const [index, one] of list.entries()) {
    for (const { act, name } of extras.filter(({ at }) => at === index)) {
      if (act === 'save') day.run({ kind: 'save_checkpoint', name });
      else if (act === 'reset') day.run({ kind: 'reset_to_checkpoint', name });
      else if (act === 'transfer') day.run(TRANSFER);
      else project();
      if (act !== 'reopen') continue;
      writer.close();
      writer = openHistoryWriter(file, VENUE_ID);
    }
    day.play(one, index);
  }
  project();
  writer.close();
  return { steps: day.steps, ...withoutUndone(day.steps) };
}

function withoutUndone(steps: readonly Step[]): Pick<Played, 'kept' | 'resetsCount'> {
  const kept = [...steps];
  let resetsCount = 0;
  for (const [index, { events, seq }] of steps.entries()) {
    const [first] = events;
    if (first?.kind !== 'venue_reset') continue;
    resetsCount += 1;
    for (let at = first.checkpoint.seq; at < seq; at += 1) {
      kept[at] = { ...present(kept[at], 'step'), events: [] };
    }
    kept[index] = { ...present(kept[index], 'step'), events: events.slice(1) };
  }
  return { kept, resetsCount };
}

function written(file: string, steps: readonly Step[]): Map<string, string[]> {
  const writer = openHistoryWriter(file, VENUE_ID);
  writer.project(steps);
  writer.close();
  return tablesOf(file);
}

test('the tables hold what was never undone, and nothing else', (t) => {
  let resets = 0;
  const rows = new Map<string, number>();
  const property = fc.property(moves, marks, (list, extras) => {
    const file = historyFile(t);
    const { steps, kept, resetsCount } = play(file, list, extras);
    const found = tablesOf(file);
    assert.deepEqual(found, written(historyFile(t), kept));
    assert.deepEqual(found, written(historyFile(t), steps), 'as made again from the steps');
    resets += resetsCount;
    for (const [name, { length }] of found) rows.set(name, (rows.get(name) ?? 0) + length);
  });
  fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  assert.ok(resets > RUNS, `${resets} resets`);
  for (const [name, count] of rows) {
    assert.ok(count > 0 || name.startsWith('sqlite_'), `no row was ever in ${name}`);
  }
});

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

test('a candle that a checkpoint cuts in two goes on from its first part', async (t) => {
  const venue = new HistoryVenue();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  const trade = (price: number, size: number) => {
    venue.limit(ann, 'sell', price, size);
    venue.limit(bob, 'buy', price, size);
  };
  trade(100, 1);
  venue.timeMs += MINUTE_MS + 20_000;
  trade(101, 2);
  trade(99, 3);
  venue.run({ kind: 'save_checkpoint', name: 'half' });
  trade(200, 50);
  venue.timeMs += 20_000;
  trade(1, 60);
  const file = historyFile(t);
  const writer = openHistoryWriter(file, VENUE_ID);
  writer.project(venue.steps);
  venue.timeMs += DAY_MS;
  venue.run({ kind: 'reset_to_checkpoint', name: 'half' });
  trade(98, 4);
  writer.project(venue.since(writer.projectedSeq));
  writer.close();
  const reader = openHistoryReader(file);
  t.after(() => reader.close());
  const candlesOf = async (period: (typeof PERIODS)[number]['period']) => {
    const window = { instrumentId: BTCUSDT, period, fromMs: 0, toMs: venue.timeMs };
    const found = await reader.candles({ ...window, limit: 100, keep: 'newest' });
    return found.map(({ open, high, low, close, baseLots }) => [open, high, low, close, baseLots]);
  };
  assert.deepEqual(await candlesOf('1min'), [
    [100, 100, 100, 100, 1],
    [101, 101, 99, 99, 5],
    [98, 98, 98, 98, 4],
  ]);
  assert.deepEqual(await candlesOf('1d'), [
    [100, 101, 99, 99, 6],
    [98, 98, 98, 98, 4],
  ]);
  assert.deepEqual(await candlesOf('1w'), [
    [100, 101, 99, 99, 6],
    [98, 98, 98, 98, 4],
  ]);
});

test('what was not in the book is in no candle that is made again', async (t) => {
  const tape = new ContractTape();
  const who = { taker: { accountId: ANN }, maker: { accountId: BOB } };
  tape.trade({ ...who, price: 300_000 });
  const { tradeId: lastId } = tape.trade({ ...who, price: 100_000, inBook: false });
  const [seq, { timeMs }] = [tape.steps.length, tape];
  const checkpoint = { name: 'kept', seq, timeMs, rowsCount: 1 };
  tape.trade({ ...who, price: 400_000 });
  tape.step({ kind: 'venue_reset', checkpoint, lastId, instrumentsCount: 99 });
  const reader = readerOf(t, tape);
  const window = { instrumentId: LINEAR_ID, period: '1d', fromMs: 0, toMs: timeMs } as const;
  const [candle, ...others] = await reader.candles({ ...window, limit: 9, keep: 'newest' });
  assert.deepEqual([candle?.high, candle?.low, candle?.baseLots], [300_000, 300_000, 10]);
  assert.deepEqual(others, []);
});

test('a pair listed after the checkpoint is unknown, and its number another pair', async (t) => {
  const venue = new HistoryVenue();
  venue.run({ kind: 'save_checkpoint', name: 'before' });
  const listAndTrade = (code: string) => {
    const instrument = venue.listQuote(code);
    venue.trade(venue.open('ann'), venue.open('bob'), 'buy', { instrument });
    return instrument;
  };
  const undone = listAndTrade('EUR');
  const file = historyFile(t);
  const writer = openHistoryWriter(file, VENUE_ID);
  writer.project(venue.steps);
  const reader = openHistoryReader(file);
  t.after(() => reader.close());
  const bob = present(venue.engine.accountByName('bob'), 'bob').accountId;
  const fills = () => reader.fills({ accountId: bob, instrumentId: undone, limit: 9 });
  assert.equal((await fills())[0]?.feeAssetId, BTC);
  venue.run({ kind: 'reset_to_checkpoint', name: 'before' });
  writer.project(venue.since(writer.projectedSeq));
  reader.forget();
  assert.deepEqual(tablesOf(file).get('trades'), []);
  assert.equal(listAndTrade('GBP'), undone);
  writer.project(venue.since(writer.projectedSeq));
  writer.close();
  assert.equal((await fills()).length, 1);
  const bills = await reader.bills({ accountId: bob, wallet: 'spot', assetId: USDT, limit: 9 });
  assert.equal(bills.length, 1, 'only the deposit');
});

/** As the program before there were checkpoints left it. */
function withoutCommandNumbers(file: string): void {
  const db = new Sqlite(file);
  db.exec('alter table plan_orders drop column closed_seq');
  db.exec('alter table funding_rates drop column settled_seq');
  db.exec('alter table contract_orders drop column filled_per_tick');
  const tables = db.prepare("select name from sqlite_master where type = 'table'").pluck().all();
  for (const table of tables.map(String).filter((name) => !name.startsWith('sqlite_'))) {
    db.exec(`alter table ${table} drop column row_sum`);
  }
  for (const party of ['buyer', 'seller']) db.exec(`drop index trades_by_${party}_fill`);
  db.pragma('user_version = 2');
  db.close();
}

test('what a file of schema 2 holds is before every checkpoint', (t) => {
  const file = historyFile(t);
  const day = new RandomDay();
  const [list = []] = fc.sample(moves, { numRuns: 1, seed: 7 });
  const play = (): void => list.forEach((one, index) => void day.play(one, index));
  play();
  const before = written(file, day.steps);
  withoutCommandNumbers(file);
  const writer = openHistoryWriter(file, VENUE_ID);
  day.run({ kind: 'save_checkpoint', name: 'upgraded' });
  play();
  day.run({ kind: 'reset_to_checkpoint', name: 'upgraded' });
  writer.project(day.steps.slice(writer.projectedSeq));
  writer.close();
  const found = tablesOf(file);
  for (const name of ['plan_orders', 'funding_rates', 'contract_orders', 'trades', 'candles']) {
    const rows = present(before.get(name), name);
    assert.ok(rows.length > 0, name);
    assert.equal(found.get(name)?.length, rows.length, name);
  }
});
