/** `venue.sandbox` of `outcry/testing`: every method once, against a real venue. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import {
  type SandboxCheckpoint,
  type SandboxClock,
  type SandboxFault,
  type SandboxState,
  startVenue,
  type TestVenue,
} from '#testing';
import { availableUsdt, restBid } from './signed.ts';

const CONTRACT = 'BTC-USDT-PERP';

async function pricesOf(venue: TestVenue): Promise<{ index: string; nextFundingTime: string }> {
  return Object(await venue.admin.call('GET', `/contracts/${CONTRACT}`)).prices;
}

test('checkpoints and money', async () => {
  await using venue = await startVenue({ participants: false });
  const { sandbox, keys, url } = venue;
  const before = await availableUsdt(venue);
  const saved: SandboxCheckpoint = await sandbox.save('fresh');
  assert.equal(saved.name, 'fresh');
  assert.ok(saved.rows > 10 && saved.seq > 10 && saved.time > 0);
  await sandbox.credit('demo', 'USDT', '7.5');
  await sandbox.credit('demo', 'USDT', '7.5', CONTRACT);
  assert.equal(Number(await availableUsdt(venue)), Number(before) + 7.5);
  await restBid(url, keys.demo);
  assert.deepEqual(await sandbox.reset('fresh'), saved);
  assert.equal(await availableUsdt(venue), before);
  const { checkpoints }: SandboxState = await sandbox.state();
  assert.deepEqual(checkpoints, [saved]);
  await assert.rejects(sandbox.reset('stale'), /Checkpoint does not exist: stale/);
});

test('clock and prices', async () => {
  await using venue = await startVenue({ participants: false });
  const { sandbox } = venue;
  assert.equal((await sandbox.state()).clock.controlled, false);
  const { time, controlled, speed }: SandboxClock = await sandbox.pause();
  assert.deepEqual([controlled, speed], [true, '0']);
  assert.equal((await sandbox.step(1_500)).time, time + 1_500);
  assert.equal((await sandbox.jump(time + 60_000)).time, time + 60_000);
  const before = await sandbox.beforeFunding(CONTRACT, 2_000);
  await sandbox.index(CONTRACT, '31000.5');
  const prices = await pricesOf(venue);
  assert.equal(prices.index, '31000.5');
  assert.equal(Number(prices.nextFundingTime), before.time + 2_000);
  await sandbox.index(CONTRACT, '0');
  assert.equal((await sandbox.run(2.5)).speed, '2.5');
  assert.equal((await sandbox.run()).speed, '1');
  await sandbox.price('BTC', '12345.6');
  const pair = await venue.admin.call('PATCH', '/spot/BTC-USDT', { status: 'online' });
  assert.match(JSON.stringify(pair), /"referencePrice":"12345\.60?"/);
});

test('the simulated market follows a price, also while the clock stands still', async () => {
  await using venue = await startVenue();
  await venue.sandbox.pause();
  await venue.sandbox.price('BTC', '20000');
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
  const down: SandboxFault = { target, effect: { kind: 'server_error', status: 503 } };
  const first = await sandbox.addFault(down);
  assert.equal(await statusNow(), 503);
  const [rule] = (await sandbox.state()).faults;
  assert.deepEqual([rule?.faultId, rule?.target], [first, target]);
  await sandbox.clearFaults(first);
  assert.equal(await statusNow(), 200);
  await sandbox.addFault({ label: 'two', target, effect: { kind: 'rate_limited' }, count: 2 });
  assert.deepEqual([await statusNow(), await statusNow(), await statusNow()], [429, 429, 200]);
  await sandbox.addFault({ effect: { kind: 'latency', ms: 1, jitterMs: 1 }, probability: '0.5' });
  assert.equal((await sandbox.state()).faults.length, 2);
  await sandbox.clearFaults();
  assert.deepEqual((await sandbox.state()).faults, []);
});
