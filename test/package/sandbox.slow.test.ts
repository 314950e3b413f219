/** `venue.sandbox` of `outcry/testing`: every method once, against a real venue. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '#kernel';
import { startVenue, type TestVenue } from '#testing';
import { availableUsdt, restBid } from './signed.ts';

const CONTRACT = 'BTC-USDT-PERP';

async function pricesOf({ admin }: TestVenue) {
  const { prices } = await admin.contract({ symbol: CONTRACT });
  return present(prices, 'prices');
}

test('checkpoints and money', async () => {
  await using venue = await startVenue({ participants: false });
  const { sandbox, keys, url } = venue;
  const before = await availableUsdt(venue);
  const saved = await sandbox.saveCheckpoint({ name: 'fresh' });
  assert.equal(saved.name, 'fresh');
  assert.ok(saved.rows > 10 && saved.seq > 10 && saved.time > 0);
  await sandbox.credit({ account: 'demo', coin: 'USDT', amount: '7.5' });
  await sandbox.credit({ account: 'demo', coin: 'USDT', amount: '7.5', wallet: CONTRACT });
  assert.equal(Number(await availableUsdt(venue)), Number(before) + 7.5);
  await restBid(url, keys.demo);
  assert.deepEqual(await sandbox.resetToCheckpoint({ name: 'fresh' }), saved);
  assert.equal(await availableUsdt(venue), before);
  const { checkpoints } = await sandbox.state();
  assert.deepEqual(checkpoints, [saved]);
  await assert.rejects(
    sandbox.resetToCheckpoint({ name: 'stale' }),
    /Checkpoint does not exist: stale/,
  );
});

test('clock and prices', async () => {
  await using venue = await startVenue({ participants: false });
  const { sandbox } = venue;
  assert.equal((await sandbox.state()).clock.controlled, false);
  const { time, controlled, speed } = await sandbox.pauseClock();
  assert.deepEqual([controlled, speed], [true, '0']);
  assert.equal((await sandbox.stepClock({ ms: 1_500 })).time, time + 1_500);
  assert.equal((await sandbox.jumpClock({ time: time + 60_000 })).time, time + 60_000);
  const before = await sandbox.jumpToFunding({ symbol: CONTRACT, beforeMs: 2_000 });
  await sandbox.setIndex({ symbol: CONTRACT, price: '31000.5' });
  const prices = await pricesOf(venue);
  assert.equal(prices.index, '31000.5');
  assert.equal(Number(prices.nextFundingTime), before.time + 2_000);
  await sandbox.setIndex({ symbol: CONTRACT, price: '0' });
  assert.equal((await sandbox.runClock({ speed: 2.5 })).speed, '2.5');
  assert.equal((await sandbox.runClock()).speed, '1');
  await sandbox.movePrice({ coin: 'BTC', price: '12345.6' });
  const pair = await venue.admin.updateSpot({ symbol: 'BTC-USDT', status: 'online' });
  assert.match(JSON.stringify(pair), /"referencePrice":"12345\.60?"/);
});

test('the simulated market follows a price, also while the clock stands still', async () => {
  await using venue = await startVenue();
  await venue.sandbox.pauseClock();
  await venue.sandbox.movePrice({ coin: 'BTC', price: '20000' });
  const path = '/api/spot/v1/market/depth?symbol=BTCUSDT&limit=1';
  const isThere = async (): Promise<boolean> => {
    const { data } = Object(await (await fetch(venue.url + path)).json());
    const best = Number(data.bids[0]?.[0] ?? 0);
    return best > 19_000 && best < 21_000;
  };
  const giveUpMs = performance.now() + 20_000;
  while (!(await isThere())) assert.ok(performance.now() < giveUpMs, 'the book does not follow');
});

test('faults', async () => {
  await using venue = await startVenue({ participants: false });
  const { sandbox } = venue;
  const target = 'GET /api/spot/v1/public/time';
  const statusNow = async () => (await fetch(`${venue.url}/api/spot/v1/public/time`)).status;
  const first = await sandbox.addFault({
    target,
    effect: { kind: 'server_error', status: 503 },
  });
  assert.equal(await statusNow(), 503);
  const [rule] = (await sandbox.state()).faults;
  assert.deepEqual([rule?.faultId, rule?.target], [first.faultId, target]);
  await sandbox.removeFault({ faultId: first.faultId });
  assert.equal(await statusNow(), 200);
  await sandbox.addFault({ label: 'two', target, effect: { kind: 'rate_limited' }, count: 2 });
  assert.deepEqual([await statusNow(), await statusNow(), await statusNow()], [429, 429, 200]);
  await sandbox.addFault({ effect: { kind: 'latency', ms: 1, jitterMs: 1 }, probability: '0.5' });
  assert.equal((await sandbox.state()).faults.length, 2);
  await sandbox.removeFaults();
  assert.deepEqual((await sandbox.state()).faults, []);
});
