/**
 * A process that no longer hears of the log, though everybody hears it: a gateway shows nothing
 * that may be old, and says so; a leader is replaced.
 */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { WebSocket } from 'ws';
import { present } from '#kernel';
import { DEMO, gauge, Trader } from '../support/http-trader.ts';
import { StreamClient } from '../support/streams-client.ts';
import { until } from '../support/until.ts';
import { ServerCluster } from './server-cluster.ts';

const PUBLIC = [
  '/api/spot/v1/market/ticker?symbol=BTCUSDT_SPBL',
  '/api/spot/v1/market/depth?symbol=BTCUSDT_SPBL',
  '/api/swap/v3/market/ticker?symbol=cmt_btcusdt',
  '/api/v3/market/depth?symbol=BTCUSDT',
  '/capi/v3/market/depth?symbol=BTCUSDT',
];

const cluster = await ServerCluster.start({ after }, ['member', 'member', 'gateway']);
const leader = present(cluster.processes[0], 'leader');
const other = present(cluster.processes[1], 'other member');
const gateway = present(cluster.processes[2], 'gateway');

async function statuses(url = gateway.url): Promise<number[]> {
  const replies = await Promise.all(PUBLIC.map((path) => fetch(url + path)));
  await Promise.all(replies.map((reply) => reply.text()));
  return replies.map(({ status }) => status);
}

async function roleOf(url: string): Promise<unknown> {
  const { role } = JSON.parse(await (await fetch(`${url}/health/ready`)).text());
  return role;
}

const all = (status: number) => PUBLIC.map(() => status);

test('a stream waits for a gateway that has not heard of the log for a moment', async () => {
  assert.deepEqual(await statuses(), all(200));
  gateway.isCutOff = true;
  const age = () => gauge(gateway.url, 'outcry_cluster_contact_age_ms');
  await until('what it knows is old', async () => (await age()) > 700);
  const stream = StreamClient.connect(gateway.url);
  await until('it is waiting', async () => (await age()) > 1_000);
  gateway.isCutOff = false;
  await (await stream).close();
});

test('a gateway that is cut off refuses public reads and lets its streams go', async () => {
  assert.deepEqual(await statuses(), all(200));
  const stream = await StreamClient.connect(gateway.url);
  stream.subscribe({ instType: 'SP', channel: 'ticker', instId: 'BTCUSDT' });
  await stream.push('ticker');
  gateway.isCutOff = true;
  const cutMs = performance.now();
  const gone = stream.gone.then((goodbye) => ({ ...goodbye, afterMs: performance.now() - cutMs }));
  await until('what it knows is old', async () => (await statuses()).every((one) => one === 503));
  assert.ok(performance.now() - cutMs < 5_000, 'after it has asked for two seconds');
  const refused = new WebSocket(`${gateway.url.replace('http', 'ws')}/spot/v1/stream`);
  const [error] = await once(refused, 'error');
  assert.match(String(error), /503/);
  const { code, reason, afterMs } = await gone;
  assert.deepEqual([code, reason], [1013, 'cut off from the cluster']);
  assert.ok(afterMs > 2_000, 'servers of the log that elect a leader cost no streams');
  assert.equal((await fetch(`${gateway.url}/health/live`)).status, 200);
  gateway.isCutOff = false;
  await until('it serves again', async () => (await statuses()).every((one) => one === 200));
  const again = await StreamClient.connect(gateway.url);
  again.subscribe({ instType: 'SP', channel: 'ticker', instId: 'BTCUSDT' });
  await again.push('ticker');
  await again.close();
});

test('a leader that is cut off shows nothing that may be old, and another one leads', async () => {
  const cutMs = performance.now();
  leader.isCutOff = true;
  const shown = until('its reads are refused', async () =>
    (await statuses(leader.url)).every((one) => one === 503),
  );
  const trader = new Trader(gateway.url, DEMO);
  const terms = { side: 'buy', orderType: 'limit', force: 'normal', price: '100', quantity: '0.1' };
  let placedMs = 0;
  await until('an order is acknowledged', async () => {
    const { status } = await trader.post('/trade/orders', { symbol: 'BTCUSDT_SPBL', ...terms });
    placedMs = performance.now() - cutMs;
    return status === 200 && (await roleOf(other.url)) === 'leader';
  });
  assert.ok(placedMs < 10_000, `after ${placedMs} ms: it was not waited for`);
  await shown;
  assert.equal(await roleOf(leader.url), 'leader', 'it does not know');
  leader.isCutOff = false;
  assert.match(String(await leader.here.ended), /deposed/);
});
