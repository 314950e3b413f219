/** Writing a history: what is projected when, again, out of order, by two at once. */
import assert from 'node:assert/strict';
import type { InstrumentId, Step } from '#domain';
import { BTCUSDT } from '../support/floor.ts';
import { VENUE_ID } from '../support/history-files.ts';
import { historyTest, project } from './contract.ts';
import { BTC, ETHBTC, HistoryFloor } from './floor.ts';

function tradingVenue(trades: number): HistoryFloor {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  for (let trade = 0; trade < trades; trade += 1) venue.spotTrade(ann, bob, 'buy');
  return venue;
}

historyTest(
  'a new history has projected nothing; a reopened one goes on where it was',
  async ({ newHistory }) => {
    const venue = tradingVenue(10);
    const history = newHistory();
    const first = await history.openWriter(VENUE_ID);
    assert.equal(first.projectedSeq, 0);
    await first.project(venue.steps.slice(0, 15));
    await first.project([]);
    assert.equal(first.projectedSeq, 15);
    await first.close();
    const second = await history.openWriter(VENUE_ID);
    assert.equal(second.projectedSeq, 15);
    await second.project(venue.since(15));
    const reader = await history.openReader();
    assert.equal(await reader.projectedSeq(), venue.steps.length);
    assert.equal((await reader.recentTrades(BTCUSDT, 100)).length, 10);
    await reader.close();
    await second.close();
  },
);

historyTest(
  'what is prepared is true with the next projection, and gone without one',
  async ({ newHistory }) => {
    const venue = tradingVenue(10);
    const history = newHistory();
    const leaving = await history.openWriter(VENUE_ID);
    const reader = await history.openReader();
    const tradesCount = async () => (await reader.recentTrades(BTCUSDT, 100)).length;
    await leaving.project(venue.steps.slice(0, 15));
    const before = await tradesCount();
    await leaving.prepare(venue.steps.slice(0, 18));
    await leaving.prepare(venue.steps.slice(15, 20));
    assert.deepEqual([leaving.projectedSeq, await tradesCount()], [15, before]);
    await assert.rejects(leaving.removeBefore(1), { name: 'AssertionFailed' });
    await leaving.close();
    assert.deepEqual([await reader.projectedSeq(), await tradesCount()], [15, before]);

    const writer = await history.openWriter(VENUE_ID);
    await writer.prepare(venue.steps.slice(15, 17));
    await writer.prepare(venue.steps.slice(17, 19));
    await writer.project([]);
    assert.deepEqual([writer.projectedSeq, await reader.projectedSeq()], [19, 19]);
    await writer.prepare(venue.steps.slice(19, 20));
    await writer.project(venue.steps);
    assert.deepEqual([await reader.projectedSeq(), await tradesCount()], [venue.steps.length, 10]);
    await assert.rejects(writer.prepare([{ seq: 1_000, timeMs: 1, events: [] }]));
    await writer.close();
    await reader.close();
  },
);

historyTest('a reader sees what is projected after it opened', async ({ newHistory }) => {
  const venue = new HistoryFloor();
  const history = newHistory();
  const writer = await history.openWriter(VENUE_ID);
  const reader = await history.openReader();
  assert.equal(await reader.projectedSeq(), 0);
  assert.deepEqual(await reader.recentTrades(BTCUSDT, 9), []);
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  venue.spotTrade(ann, bob, 'buy');
  await writer.project(venue.steps);
  assert.equal((await reader.recentTrades(BTCUSDT, 9)).length, 1);
  assert.equal((await reader.fills({ accountId: ann, instrumentId: BTCUSDT, limit: 9 })).length, 1);
  await reader.close();
  await writer.close();
});

historyTest(
  'a reader knows a pair that is listed after it has read of others',
  async ({ newHistory }) => {
    const venue = new HistoryFloor();
    const history = newHistory();
    const writer = await history.openWriter(VENUE_ID);
    const reader = await history.openReader();
    const [ann, bob] = [venue.open('ann'), venue.open('bob')];
    const fillsOf = (instrumentId: InstrumentId) =>
      reader.fills({ accountId: ann, instrumentId, limit: 9 });
    const firstPair = 4;
    await writer.project(venue.steps.slice(0, firstPair));
    assert.deepEqual(await fillsOf(BTCUSDT), []);
    venue.spotTrade(ann, bob, 'buy', { instrument: ETHBTC });
    await writer.project(venue.since(firstPair));
    assert.deepEqual(
      (await fillsOf(ETHBTC)).map(({ feeAssetId }) => feeAssetId),
      [BTC],
    );
    await reader.close();
    await writer.close();
  },
);

historyTest('what was projected may come again and changes nothing', async ({ newHistory }) => {
  const venue = tradingVenue(10);
  const history = newHistory();
  const writer = await history.openWriter(VENUE_ID);
  await writer.project(venue.steps.slice(0, 12));
  await writer.project(venue.steps.slice(0, 12));
  await writer.project(venue.steps);
  await writer.close();
  const again = await history.openWriter(VENUE_ID);
  await again.project(venue.steps);
  assert.equal(again.projectedSeq, venue.steps.length);
  await again.close();
  const reader = await history.openReader();
  assert.equal((await reader.recentTrades(BTCUSDT, 100)).length, 10);
  const month = await reader.lastCandleBefore(
    { instrumentId: BTCUSDT, period: '1M' },
    venue.timeMs,
  );
  assert.equal(month?.baseLots, 100);
  await reader.close();
});

historyTest('of two writers at once the later one writes nothing', async ({ newHistory }) => {
  const venue = tradingVenue(3);
  const history = newHistory();
  const [one, two] = [await history.openWriter(VENUE_ID), await history.openWriter(VENUE_ID)];
  const opening = venue.steps.slice(0, 5);
  await one.project(opening);
  await assert.rejects(two.project(opening), { name: /^History(Unusable|Damaged)$/ });
  await one.project(venue.steps);
  await Promise.all([one.close(), two.close()]);
  const reader = await history.openReader();
  assert.equal(await reader.projectedSeq(), venue.steps.length);
  assert.equal((await reader.recentTrades(BTCUSDT, 100)).length, 3);
  await reader.close();
});

historyTest(
  'a history belongs to one venue, and is not read before it is written',
  async (stage) => {
    const history = stage.newHistory();
    await assert.rejects(history.openReader(), { name: 'HistoryUnusable' });
    await (await history.openWriter('another venue')).close();
    await assert.rejects(history.openWriter(VENUE_ID), { name: 'HistoryUnusable' });
  },
);

historyTest('one that was set aside is begun anew', async ({ newHistory }) => {
  const history = newHistory();
  const venue = tradingVenue(2);
  await project(history, venue.steps);
  assert.notEqual(await history.setAside(), history.place);
  const writer = await history.openWriter(VENUE_ID);
  assert.equal(writer.projectedSeq, 0);
  await writer.project(venue.steps);
  await writer.close();
});

historyTest(
  'its proof names no row of a sound history, and the row that differs',
  async (stage) => {
    const history = stage.newHistory();
    const { steps } = tradingVenue(4);
    await project(history, steps);
    const proof = await history.openProof();
    assert.equal(proof.projectedSeq, steps.length);
    await proof.writer.project(steps.slice(0, -2));
    const differences = await proof.differences();
    assert.ok(differences.some(({ what }) => what === 'not of this journal'));
    await proof.writer.project(steps);
    assert.deepEqual(await proof.differences(), []);
    await proof.close();
    const scrub = await history.openScrub();
    for (let step = 0; step < 20; step += 1) assert.deepEqual(await scrub.step(), []);
    await scrub.close();
  },
);

const step = (seq: number): Step => ({ seq, timeMs: 1, events: [] });

for (const [name, steps] of [
  ['beyond a gap', [step(4)]],
  ['twice', [step(3), step(3)]],
  ['out of order', [step(4), step(3)]],
] as const) {
  historyTest(
    `steps ${name} are a fault, leave no row and spend the writer`,
    async ({ newHistory }) => {
      const history = newHistory();
      const writer = await history.openWriter(VENUE_ID);
      await writer.project([step(1), step(2)]);
      await assert.rejects(writer.project(steps), { name: 'AssertionFailed' });
      assert.equal(writer.projectedSeq, 2);
      await assert.rejects(writer.project([step(3)]), { name: 'AssertionFailed' });
      await writer.close();
      const again = await history.openWriter(VENUE_ID);
      assert.equal(again.projectedSeq, 2);
      await again.close();
    },
  );
}

historyTest(
  'a transaction that fails leaves nothing, and its steps can follow later',
  async ({ newHistory }) => {
    const venue = tradingVenue(400);
    const history = newHistory();
    const small = await history.openWriter(VENUE_ID);
    await small.project(venue.steps.slice(0, 50));
    await small.close();
    const big = { seq: 51, timeMs: 1, events: venue.steps.slice(50).flatMap((one) => one.events) };
    const failing = await history.openWriter(VENUE_ID);
    const clash = { ...big, events: [...big.events, ...big.events] };
    await assert.rejects(failing.project([clash]), {
      name: 'HistoryDamaged',
    });
    await failing.close();
    const again = await history.openWriter(VENUE_ID);
    assert.equal(again.projectedSeq, 50);
    await again.project(venue.since(50));
    await again.close();
    const reader = await history.openReader();
    const last = await reader.lastCandleBefore(
      { instrumentId: BTCUSDT, period: '1M' },
      venue.timeMs,
    );
    assert.equal(last?.baseLots, 4_000, 'no trade of the failed transaction is in a candle');
    await reader.close();
  },
);
