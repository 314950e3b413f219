/**
 * Batches at a gateway that has many requests open: each row is answered for itself, and what the
 * default bound takes is far from what clients send at once.
 */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { present } from '#kernel';
import { DEMO, MAKER, Trader } from '../support/http-trader.ts';
import { ServerCluster } from './server-cluster.ts';

const PAIR = 'BTCUSDT_SPBL';
const BATCH_ROWS = 50;
const CALLS_PER_ACCOUNT = 32;
const SMALL = 64;

async function gatewayWith(choices: { openRequestsMax?: number }): Promise<string> {
  const kinds = ['member', 'gateway'] as const;
  const cluster = await ServerCluster.start({ after }, kinds, choices);
  return present(cluster.processes[1], 'gateway').url;
}

interface Rows {
  readonly placed: number;
  readonly messages: ReadonlySet<string>;
}

/** Orders that rest apart from each other, all sent at once; what became of the rows. */
async function flood(url: string, callsPerAccount: number): Promise<Rows> {
  const traders = [new Trader(url, DEMO), new Trader(url, MAKER)];
  await Promise.all(traders.map((trader) => trader.get('/account/transferRecords')));
  const calls = traders.flatMap((trader, account) =>
    Array.from({ length: callsPerAccount }, (_, call) =>
      trader.post('/trade/batch-orders', { symbol: PAIR, orderList: batch(account, call) }),
    ),
  );
  let placed = 0;
  const messages = new Set<string>();
  for (const { status, data } of await Promise.all(calls)) {
    assert.equal(status, 200, 'each row is answered for itself');
    const { resultList, failure } = Object(data);
    assert.equal(resultList.length + failure.length, BATCH_ROWS);
    placed += resultList.length;
    for (const { errorMsg } of failure) messages.add(errorMsg);
  }
  return { placed, messages };
}

function batch(account: number, call: number) {
  return Array.from({ length: BATCH_ROWS }, (_, row) => ({
    side: 'buy',
    orderType: 'limit',
    force: 'normal',
    price: String(100 + row),
    quantity: '0.1',
    clientOrderId: `crowd-${account}-${call}-${row}`,
  }));
}

test('a full gateway answers batches row by row, and names its bound', async () => {
  const { placed, messages } = await flood(await gatewayWith({ openRequestsMax: SMALL }), 4);
  assert.ok(placed > 0 && placed < 8 * BATCH_ROWS, `${placed} placed`);
  const bound = `(openRequestsMax of this process: ${SMALL})`;
  assert.ok(messages.size > 0);
  for (const message of messages) assert.ok(message.includes(bound), message);
});

test('at the default bound two accounts may send 32 batches of 50 each at once', async () => {
  const { placed, messages } = await flood(await gatewayWith({}), CALLS_PER_ACCOUNT / 2);
  assert.deepEqual([...messages], []);
  assert.equal(placed, CALLS_PER_ACCOUNT * BATCH_ROWS);
});
