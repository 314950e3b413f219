/**
 * What bounds an account wherever it asks: two members and two gateways, whole servers over a log
 * in memory, under clients that use all of them; then the leader stops.
 */
import { strict as assert } from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { present } from '#kernel';
import { DEMO, Trader } from '../support/http-trader.ts';
import { Operator } from '../support/operator.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { type Credentials, signedHeaders } from '../support/signer.ts';
import { loginMessage, StreamClient } from '../support/streams-client.ts';
import { until } from '../support/until.ts';
import { ServerCluster } from './server-cluster.ts';

const CONNECTIONS_MAX = 3;
const SYSTEM = { clock: { nowMs: () => Date.now() } };
const ORDERS = '/api/spot/v1/trade/orders';
const WEIGHED = '/api/v3/account';
const RATE_WINDOW_MS = 1_050;

const cluster = await ServerCluster.start({ after }, ['member', 'member', 'gateway', 'gateway'], {
  rateLimits: true,
  server: { streams: { connectionsPerCaller: CONNECTIONS_MAX } },
});
const urls = cluster.processes.map(({ url }) => url);
const traders = urls.map((url) => new Trader(url, DEMO));
// The first call of a process pays for the slow hash of the passphrase.
await Promise.all(traders.map((trader) => trader.get('/account/transferRecords')));

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function burst(count: number, from: readonly Trader[]): Promise<number[]> {
  const calls = Array.from({ length: count }, (_, at) => present(from[at % from.length], 'trader'));
  const answers = await Promise.all(calls.map((trader) => trader.get('/account/assets')));
  return answers.map(({ status }) => status);
}

function countOf(statuses: readonly number[], status: number): number {
  return statuses.filter((one) => one === status).length;
}

async function signedGet(url: string, who: Credentials, target: string): Promise<Response> {
  return fetch(url + target, { headers: signedHeaders(who, { method: 'GET', target }) });
}

/** A key of the demo's account that has each signature executed once. */
async function strictKey(): Promise<Credentials> {
  const operator = new Operator(urls[0] ?? '', ADMIN_TOKEN);
  const fields = { label: 'strict', permissions: ['read', 'trade'], strictReplay: true };
  const { data } = await operator.call('POST', '/accounts/demo/keys', fields);
  const { key, secret, passphrase } = data;
  const made = { key: String(key), secret: String(secret), passphrase: String(passphrase) };
  await until('all processes know it', async () => {
    const replies = await Promise.all(urls.map((url) => signedGet(url, made, WEIGHED)));
    return replies.every(({ status }) => status === 200);
  });
  return made;
}

interface SignedOrder {
  readonly method: 'POST';
  readonly body: string;
  readonly headers: Record<string, string>;
}

function signedOrder(who: Credentials): SignedOrder {
  const fields = { symbol: 'BTCUSDT_SPBL', side: 'buy', orderType: 'limit', force: 'normal' };
  const body = JSON.stringify({ ...fields, price: '100', quantity: '0.1' });
  const headers = signedHeaders(who, { method: 'POST', target: ORDERS, body });
  return { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
}

async function send(url: string, order: SignedOrder): Promise<string> {
  const reply = await fetch(url + ORDERS, order);
  const { code }: { code?: string } = JSON.parse(await reply.text());
  return String(code);
}

describe('an account that uses several processes', () => {
  test('has the calls of one', async () => {
    const statuses = await burst(24, traders);
    assert.deepEqual([countOf(statuses, 200), countOf(statuses, 429)], [10, 14]);
  });

  test('reads everywhere what it has left of its quota', async () => {
    const used: number[] = [];
    for (const url of urls) {
      const { headers } = await signedGet(url, DEMO, WEIGHED);
      const [taken, left] = ['x-used-weight-10s', 'x-remaining-weight-10s'].map((name) =>
        Number(headers.get(name)),
      );
      used.push(taken ?? 0);
      assert.equal((taken ?? 0) + (left ?? 0), 500);
    }
    const [first = 0, second = 0] = used;
    const cost = second - first;
    assert.ok(cost > 0);
    assert.deepEqual(
      used,
      urls.map((_, at) => first + at * cost),
    );
  });

  test('executes a request of a strict key once, wherever it is sent', async () => {
    // What is signed shortly after a leader began may have been executed before it.
    await pause(1_100);
    const strict = await strictKey();
    const order = signedOrder(strict);
    const codes = await Promise.all(urls.map((url) => send(url, order)));
    assert.deepEqual(codes.sort(), ['00000', '40008', '40008', '40008']);
    assert.equal(await send(urls[3] ?? '', signedOrder(strict)), '00000', 'signed anew');
  });

  test('has the stream connections of one', async () => {
    const open: StreamClient[] = [];
    for (const url of urls.slice(0, CONNECTIONS_MAX)) {
      const client = await StreamClient.connect(url);
      await client.login(SYSTEM, DEMO);
      open.push(client);
    }
    const tooMany = await StreamClient.connect(urls[3] ?? '');
    tooMany.send(loginMessage(SYSTEM, DEMO));
    const reason = 'too many connections of this key or account';
    assert.deepEqual(await tooMany.gone, { code: 1008, reason });
    await open.pop()?.close();
    await until('there is room again', async () => {
      const next = await StreamClient.connect(urls[3] ?? '');
      next.send(loginMessage(SYSTEM, DEMO));
      await next.next(({ event }) => event === 'login', 'login');
      next.subscribe({ instType: 'SPBL', channel: 'orders', instId: 'default' });
      const first = await Promise.race([next.push('orders'), next.gone]);
      if ('code' in first && first.code === 1008) return false;
      open.push(next);
      return true;
    });
    await Promise.all(open.map((client) => client.close()));
  });
});

describe('when the leader stops', () => {
  test('the next one counts for all, and refuses what may have been executed', async () => {
    const strict = await strictKey();
    const stays = await StreamClient.connect(urls[2] ?? '');
    await stays.login(SYSTEM, DEMO);
    const order = signedOrder(strict);
    assert.equal(await send(urls[2] ?? '', order), '00000');
    const [leader, next] = cluster.processes;
    await leader?.here.stop();
    await until('another one leads', async () => {
      const reply = await fetch(`${next?.url}/health/ready`);
      return (await reply.text()).includes('"role":"leader"');
    });
    const left = urls.slice(1);
    let codes: string[] = [];
    await until('all processes have found it', async () => {
      codes = await Promise.all(left.map((url) => send(url, order)));
      return !codes.includes('40200');
    });
    assert.deepEqual(codes, ['40008', '40008', '40008']);
    await pause(RATE_WINDOW_MS);
    const statuses = await burst(24, traders.slice(1));
    assert.deepEqual([countOf(statuses, 200), countOf(statuses, 429)], [10, 14]);
    const others: StreamClient[] = [];
    for (let count = 1; count < CONNECTIONS_MAX; count += 1) {
      const client = await StreamClient.connect(urls[3] ?? '');
      await client.login(SYSTEM, DEMO);
      others.push(client);
    }
    const tooMany = await StreamClient.connect(urls[1] ?? '');
    tooMany.send(loginMessage(SYSTEM, DEMO));
    assert.equal((await tooMany.gone).code, 1008, 'those that were open before count');
    await Promise.all([stays, ...others].map((client) => client.close()));
  });
});
