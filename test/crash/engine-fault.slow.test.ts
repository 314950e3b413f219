/** Bugs planted in the engine of a real server: they end it twice, and the third start trades. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readMasterKey } from '#config';
import { recoverEngine, stateHash } from '#venue';
import { dies, FaultyVenue, PLANTED } from '../support/faulty-venue.ts';
import { type Answer, ask, DEMO, dataOf, gauge, Trader } from '../support/http-trader.ts';
import { logOf } from '../support/logs.ts';
import { run } from '../support/program.ts';

const SUSPENDED = { status: 400, code: '40308' };

function verdict({ status, code }: Answer): object {
  return { status, code };
}

async function readiness(url: string): Promise<Record<string, unknown>> {
  const { status, body } = await ask(url, '/health/ready');
  assert.equal(status, 200);
  return Object.fromEntries(Object.entries(Object(body)));
}

async function contractOf(url: string): Promise<Record<string, unknown>> {
  return Object(dataOf(await ask(url, '/admin/v1/contracts/BTC-USD-PERP')));
}

test('a contract in which the engine fails twice is suspended; the others trade', async (t) => {
  const venue = new FaultyVenue(t);
  const program = await venue.twiceDead();
  const { url } = venue;
  assert.match(program.log, /"level":50.*"symbol":"BTC-USD-PERP".*planted.*suspended/);
  const { status, reasons } = await readiness(url);
  assert.equal(status, 'degraded');
  const [reason] = Array.isArray(reasons) ? reasons : [];
  assert.deepEqual([reason.kind, reason.subject], ['instrument_suspended', 'BTC-USD-PERP']);
  assert.match(reason.text, PLANTED);
  assert.equal(await gauge(url, 'outcry_suspended_instruments'), 1);
  const contract = await contractOf(url);
  assert.equal(contract.status, 'suspended');
  assert.match(String(contract.suspendedReason), PLANTED);

  dataOf(await venue.trade('cmt_btcusdt'));
  assert.deepEqual(verdict(await venue.trade('cmt_btcusd')), SUSPENDED);
  const demo = new Trader(url, DEMO);
  const leverage = { symbol: 'cmt_btcusd', leverage: '10', side: '1' };
  const set = await demo.swapPost('/account/leverage', leverage);
  assert.deepEqual(verdict(set), SUSPENDED);
  const out = { coin: 'BTC', amount: '1', fromType: 'CONTRACT', toType: 'EXCHANGE' };
  const moved = await demo.post('/wallet/transfer', { ...out, fromSymbol: 'cmt_btcusd' });
  assert.deepEqual(verdict(moved), SUSPENDED);
  const depth = await demo.swapGet('/market/depth?symbol=cmt_btcusd');
  assert.equal(depth.status, 200, 'market data are readable');
  await venue.stop(program);
  assert.equal((await run('replay', '--data', venue.directory)).code, 0);
});

test('the operator mends and resumes; a third failure suspends at once', async (t) => {
  const venue = new FaultyVenue(t);
  const program = await venue.twiceDead();
  const money = { wallet: 'BTC-USD-PERP', coin: 'BTC', amount: '1' };
  dataOf(await venue.operator('POST', '/accounts/demo/deposits', money));
  dataOf(await venue.operator('POST', '/accounts/demo/cancel-orders', {}));
  await venue.index('30000');
  dataOf(await venue.operator('PATCH', '/contracts/BTC-USD-PERP', { status: 'online' }));
  const { status, suspendedReason } = await contractOf(venue.url);
  assert.deepEqual([status, suspendedReason], ['online', '']);
  assert.deepEqual(await readiness(venue.url), { status: 'ready' });
  dataOf(await venue.trade('cmt_btcusd'));
  await venue.stop(program);

  const resumed = await venue.start();
  assert.equal((await contractOf(venue.url)).status, 'online', 'a start alone suspends nothing');
  await venue.fatalIndex();
  await dies(resumed);
  const third = await venue.start();
  assert.equal((await contractOf(venue.url)).status, 'suspended');
  await venue.stop(third);

  const directory = venue.directory;
  const masterKey = readMasterKey({ dataDirectory: directory, masterKeyText: undefined });
  const from = (snapshotSeqMax: number) =>
    recoverEngine({ log: logOf(directory, { masterKey }), snapshotSeqMax });
  const replayed = await from(0);
  const restored = await from(Number.MAX_SAFE_INTEGER);
  assert.equal(stateHash(replayed), stateHash(restored));
  assert.ok(replayed.audit().balanced);
  assert.equal(statSync(join(directory, 'engine-faults.json')).mode & 0o777, 0o600);
});

test('a command of no market that ends the venue twice is refused from then on', async (t) => {
  const venue = new FaultyVenue(t);
  const credit = (amount: string) =>
    venue.operator('POST', '/accounts/demo/deposits', { coin: 'USDT', amount });
  for (let life = 1; life <= 2; life += 1) {
    const program = await venue.start();
    // Whether the caller still gets an answer is a matter of luck.
    await credit('13.13').catch(() => undefined);
    await dies(program, /planted: the books balance/);
  }
  const program = await venue.start();
  assert.deepEqual(verdict(await credit('13.13')), { status: 503, code: '40200' });
  dataOf(await credit('13.14'));
  const { status, reasons } = await readiness(venue.url);
  assert.equal(status, 'degraded');
  const [reason] = Array.isArray(reasons) ? reasons : [];
  assert.deepEqual([reason.kind, reason.subject], ['command_withheld', 'deposit']);
  assert.equal(await gauge(venue.url, 'outcry_withheld_commands'), 1);
  assert.equal(await gauge(venue.url, 'outcry_suspended_instruments'), 0);
  await venue.stop(program);
});
