/** Each fault reaches an unmodified ccxt client as the error class that bots react to. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { FaultEffect } from '#domain';
import { closedAtEnd } from '../support/at-end.ts';
import { connect } from '../support/server-ccxt.ts';
import { FaultyHouse, ORDERS_PATH } from './faults-house.ts';

const PAIR = 'BTC/USDT';
const TIMEOUT_MS = 1_000;

const desk = closedAtEnd(await FaultyHouse.open());
desk.house.clock.set(Date.now());
const ann = await desk.trader('ann');
const { key: apiKey, secret, passphrase: password } = ann;
const client = connect(`http://127.0.0.1:${await desk.house.port()}`, { apiKey, secret, password });
client.timeout = TIMEOUT_MS;
await client.loadMarkets();

const ERRORS: readonly (readonly [FaultEffect, name: string, isExecuted: boolean])[] = [
  [{ kind: 'rate_limited', retryAfterMs: 1_000 }, 'DDoSProtection', false],
  [{ kind: 'server_error', status: 500 }, 'ExchangeError', false],
  [{ kind: 'server_error', status: 502 }, 'ExchangeError', false],
  [{ kind: 'server_error', status: 503 }, 'ExchangeNotAvailable', false],
  [{ kind: 'server_error', status: 504 }, 'ExchangeError', false],
  [{ kind: 'maintenance' }, 'OnMaintenance', false],
  [{ kind: 'disconnect' }, 'ExchangeNotAvailable', false],
  [{ kind: 'no_answer' }, 'RequestTimeout', true],
  [{ kind: 'latency', ms: 2 * TIMEOUT_MS, jitterMs: 0 }, 'RequestTimeout', true],
];

for (const [effect, name, isExecuted] of ERRORS) {
  const what = 'status' in effect ? `${effect.kind} ${effect.status}` : effect.kind;
  test(`${what} is ${name}, and ${isExecuted ? 'there is an' : 'there is no'} order`, async () => {
    desk.house.clock.set(Date.now());
    const faultId = await desk.rule(effect, { key: ann.key, target: `POST ${ORDERS_PATH}` });
    const error: unknown = await client.createOrder(PAIR, 'limit', 'buy', 0.01, 20_000).then(
      (order) => assert.fail(`answered ${JSON.stringify(order)}`),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof Error);
    assert.equal(error.constructor.name, name, error.message);
    const open = await client.fetchOpenOrders(PAIR);
    assert.equal(open.length, isExecuted ? 1 : 0);
    await desk.lift(faultId);
    const { id } = await client.createOrder(PAIR, 'limit', 'buy', 0.01, 20_000);
    for (const order of [...open, { id }]) await client.cancelOrder(order.id, PAIR);
  });
}
