/**
 * Random days with checkpoints and ways back to them: the history is that of a venue in which what
 * was undone never happened, whatever was written when, and it can be made again from the steps.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { accountId, type Command, type PERIODS } from '#domain';
import type { ProjectedStep } from '#history';
import { present } from '#kernel';
import { BTCUSDT } from '../support/floor.ts';
import { historyFile, historyOf, VENUE_ID } from '../support/history-files.ts';
import { type Move, moves, RandomDay } from '../support/random-days.ts';
import { fileTest, historyTest, project } from './contract.ts';
import { ANN, BOB, ContractTape, LINEAR_ID } from './contracts.ts';
import { withDays } from './day-openings.ts';
import { BTC, CONTRACT, HistoryFloor, USDT } from './floor.ts';
import { tablesOf } from './tables.ts';

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
  clientOid: undefined,
};

interface Played {
  readonly steps: readonly ProjectedStep[];
  /** The steps again, without the events of those that were undone. */
  readonly kept: readonly ProjectedStep[];
  readonly resetsCount: number;
}

/** Plays a day and writes its history in the batches that the marks ask for. */
async function play(file: string, list: readonly Move[], extras: readonly Mark[]): Promise<Played> {
  const day = new RandomDay();
  let writer = await historyOf(file).openWriter(VENUE_ID);
  const projectAll = () => writer.project(withDays(day.steps).slice(writer.projectedSeq));
  for (const [index, one] of list.entries()) {
    for (const { act, name } of extras.filter(({ at }) => at === index)) {
      if (act === 'save') day.run({ kind: 'save_checkpoint', name });
      else if (act === 'reset') day.run({ kind: 'reset_to_checkpoint', name });
      else if (act === 'transfer') day.run(TRANSFER);
      else await projectAll();
      if (act !== 'reopen') continue;
      await writer.close();
      writer = await historyOf(file).openWriter(VENUE_ID);
    }
    day.play(one, index);
  }
  await projectAll();
  await writer.close();
  const steps = withDays(day.steps);
  return { steps, ...withoutUndone(steps) };
}

function withoutUndone(steps: readonly ProjectedStep[]): Pick<Played, 'kept' | 'resetsCount'> {
  const kept = [...steps];
  let resetsCount = 0;
  for (const [index, { events, seq }] of steps.entries()) {
    const [first] = events;
    if (first?.kind !== 'venue_reset') continue;
    resetsCount += 1;
    for (let at = first.checkpoint.seq; at < seq; at += 1) {
      kept[at] = { ...present(kept[at], 'step'), events: [], dayOpening: undefined };
    }
    const step = present(kept[index], 'step');
    kept[index] = { ...step, events: events.slice(1), dayOpening: undefined };
  }
  return { kept, resetsCount };
}

async function written(
  file: string,
  steps: readonly ProjectedStep[],
): Promise<Map<string, string[]>> {
  await project(historyOf(file), steps);
  return tablesOf(file);
}

fileTest('the tables hold what was never undone, and nothing else', async (t) => {
  let resets = 0;
  const rows = new Map<string, number>();
  const property = fc.asyncProperty(moves, marks, async (list, extras) => {
    const file = historyFile(t);
    const { steps, kept, resetsCount } = await play(file, list, extras);
    const found = tablesOf(file);
    const never = await written(historyFile(t), kept);
    assert.deepEqual(withoutPublished(found), withoutPublished(never));
    assert.deepEqual(found, await written(historyFile(t), steps), 'as made again from the steps');
    resets += resetsCount;
    for (const [name, { length }] of found) rows.set(name, (rows.get(name) ?? 0) + length);
  });
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  assert.ok(resets > RUNS, `${resets} resets`);
  for (const [name, count] of rows) {
    assert.ok(count > 0 || name.startsWith('sqlite_'), `no row was ever in ${name}`);
  }
});

/**
 * Without candles of mark and index prices: of the minute of a checkpoint, what was published
 * before it is forgotten, as no row is finer than a minute.
 */
function withoutPublished(tables: ReadonlyMap<string, string[]>): Map<string, string[]> {
  const candles = present(tables.get('candles'), 'candles');
  const periodIdOf = (row: string): number => Number(JSON.parse(row)[1]);
  return new Map([...tables, ['candles', candles.filter((row) => periodIdOf(row) < 100)]]);
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

historyTest('a candle cut in two by a checkpoint goes on from its first part', async (stage) => {
  const venue = new HistoryFloor();
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
  const history = stage.newHistory();
  const writer = await history.openWriter(VENUE_ID);
  await writer.project(venue.steps);
  venue.timeMs += DAY_MS;
  venue.run({ kind: 'reset_to_checkpoint', name: 'half' });
  trade(98, 4);
  await writer.project(venue.since(writer.projectedSeq));
  await writer.close();
  const reader = await history.openReader();
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
  await reader.close();
});

historyTest('what was not in the book is in no candle that is made again', async ({ readerOf }) => {
  const tape = new ContractTape();
  const who = { taker: { accountId: ANN }, maker: { accountId: BOB } };
  tape.trade({ ...who, price: 300_000 });
  const { tradeId: lastId } = tape.trade({ ...who, price: 100_000, inBook: false });
  const [seq, { timeMs }] = [tape.steps.length, tape];
  const checkpoint = { name: 'kept', seq, timeMs, rowsCount: 1 };
  tape.trade({ ...who, price: 400_000 });
  tape.step({ kind: 'venue_reset', checkpoint, lastId, instrumentsCount: 99 });
  const reader = await readerOf(tape);
  const window = { instrumentId: LINEAR_ID, period: '1d', fromMs: 0, toMs: timeMs } as const;
  const [candle, ...others] = await reader.candles({ ...window, limit: 9, keep: 'newest' });
  assert.deepEqual([candle?.high, candle?.low, candle?.baseLots], [300_000, 300_000, 10]);
  assert.deepEqual(others, []);
});

fileTest(
  'a pair listed after the checkpoint is unknown, and its number another pair',
  async (t) => {
    const venue = new HistoryFloor();
    venue.run({ kind: 'save_checkpoint', name: 'before' });
    const listAndTrade = (code: string) => {
      const instrument = venue.listQuote(code);
      venue.spotTrade(venue.open('ann'), venue.open('bob'), 'buy', { instrument });
      return instrument;
    };
    const undone = listAndTrade('EUR');
    const file = historyFile(t);
    const writer = await historyOf(file).openWriter(VENUE_ID);
    await writer.project(venue.steps);
    const reader = await historyOf(file).openReader();
    t.after(() => reader.close());
    const bob = present(venue.engine.accountByName('bob'), 'bob').accountId;
    const fills = () => reader.fills({ accountId: bob, instrumentId: undone, limit: 9 });
    assert.equal((await fills())[0]?.feeAssetId, BTC);
    venue.run({ kind: 'reset_to_checkpoint', name: 'before' });
    await writer.project(venue.since(writer.projectedSeq));
    reader.forget();
    assert.deepEqual(tablesOf(file).get('trades'), []);
    assert.equal(listAndTrade('GBP'), undone);
    await writer.project(venue.since(writer.projectedSeq));
    await writer.close();
    assert.equal((await fills()).length, 1);
    const bills = await reader.bills({ accountId: bob, wallet: 'spot', assetId: USDT, limit: 9 });
    assert.equal(bills.length, 1, 'only the deposit');
  },
);
