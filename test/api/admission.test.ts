/** Whoever floods waits for himself, and what an overloaded venue refuses first. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Endpoint } from '#api';
import { Admission, FairTurns, LoopLag, workOf } from '#api/testing';
import { CURRENT_CONTRACT_ENDPOINTS, CURRENT_SPOT_ENDPOINTS, SPOT_ENDPOINTS } from '#dialects';
import { closedAtEnd } from '../support/at-end.ts';
import { House } from '../support/house.ts';

const house = closedAtEnd(await House.open({ rateLimits: true, shedLagMs: 0 }));

/** Asks so often at once, and notes which were served. */
function ask(turns: FairTurns, count: number, from: string, keyOf = (_at: number) => ''): number[] {
  const served: number[] = [];
  for (let at = 0; at < count; at += 1) {
    turns.enter({ from, key: keyOf(at) }, () => served.push(at));
  }
  return served;
}

test('what one sends beyond a few waits and comes in order, others do not wait', async () => {
  const turns = new FairTurns();
  const flood = ask(turns, 500, '192.0.2.1');
  assert.ok(flood.length <= 32, `${flood.length} at once`);
  assert.equal(turns.waitingCount, 500 - flood.length);
  const others = [ask(turns, 5, '192.0.2.2'), ask(turns, 5, '192.0.2.1', () => 'a key')];
  while (others.some(({ length }) => length < 5)) await setImmediate();
  assert.ok(flood.length < 200, `${flood.length} before others had their turn`);
  assert.equal(ask(turns, 1, '192.0.2.1').length, 0, 'what comes later comes later');
  while (turns.waitingCount > 0) await setImmediate();
  assert.deepEqual(
    flood,
    Array.from({ length: 500 }, (_, at) => at),
  );
});

test('those who flood take turns', async () => {
  const turns = new FairTurns();
  const first = ask(turns, 300, 'account 1');
  const second = ask(turns, 60, 'account 2');
  while (second.length < 60) await setImmediate();
  assert.ok(first.length < 32 + 60 + 32, `${first.length} of the first`);
  turns.close();
  assert.equal(first.length, 300, 'nobody waits once it is closed');
});

test('many keys at one address are one', async () => {
  const turns = new FairTurns();
  const masked = ask(turns, 300, '192.0.2.1', (at) => `key-${at}`);
  assert.ok(masked.length <= 64, `${masked.length} at once`);
  while (turns.waitingCount > 0) await setImmediate();
  assert.equal(masked.length, 300);
});

test('a line is bounded', () => {
  const turns = new FairTurns();
  const places = Array.from({ length: 4_200 }, () =>
    turns.enter({ from: 'account 1', key: '' }, () => undefined),
  );
  assert.equal(places.filter((isIn) => !isIn).length, 4_200 - 32 - 4_096);
  turns.close();
});

test('one long turn is no lag, many in a row are', () => {
  const lag = new LoopLag();
  lag.stop();
  let nowMs = performance.now();
  const tick = (lateMs: number): void => {
    nowMs += 50 + lateMs;
    lag.note(nowMs);
  };
  for (const lateMs of [0, 900, 900]) tick(lateMs);
  assert.equal(lag.lagMs, 0);
  for (let count = 0; count < 10; count += 1) tick(200 + count);
  assert.ok(Math.abs(lag.lagMs - 200) < 1, String(lag.lagMs));
  tick(0);
  assert.equal(lag.lagMs, 0);
});

const WORKS = ['public', 'read', 'trade', 'cancel', 'vital'] as const;

test('what can be done without is refused first, what is vital never', () => {
  const refusedAt = (lagMs: number) => {
    const admission = new Admission(100, { lagMs, stop: () => undefined });
    return WORKS.filter((work) => admission.refuse(work)?.reject === 'venue_busy');
  };
  assert.deepEqual(refusedAt(99), []);
  assert.deepEqual(refusedAt(100), ['public']);
  assert.deepEqual(refusedAt(200), ['public', 'read']);
  assert.deepEqual(refusedAt(400), ['public', 'read', 'trade']);
  assert.deepEqual(refusedAt(800), ['public', 'read', 'trade', 'cancel']);
});

test('every call that cancels is known as one, and no other', () => {
  const all = [SPOT_ENDPOINTS, CURRENT_SPOT_ENDPOINTS, CURRENT_CONTRACT_ENDPOINTS];
  const endpoints: Endpoint[] = all.flatMap((some) => Object.values(some));
  const cancels = endpoints.filter((endpoint) => workOf(endpoint) === 'cancel');
  for (const { summary } of cancels) assert.match(summary, /cancel/i);
  assert.ok(cancels.length >= 8, String(cancels.length));
});

test('an overloaded venue refuses unchecked, and answers its supervisor', async () => {
  for (const url of ['/api/spot/v1/market/tickers', '/api/v3/account/', '/nowhere']) {
    const { status, headers } = await house.call({ url });
    assert.equal(status, 503, url);
    assert.equal(headers['retry-after'], '1');
  }
  assert.equal((await house.call({ url: '/health/live' })).status, 200);
  const { body } = await house.app.inject({ url: '/metrics' });
  assert.match(body, /^outcry_shed_requests 3$/m);
});

test('requests that come on one connection at once are answered in order', async () => {
  const socket = connect(await house.port(), '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  const rounds = 50;
  const request = (target: string) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  socket.write(`${request('/health/live')}${request('/nowhere')}`.repeat(rounds));
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  while (statuses().length < 2 * rounds) await once(socket, 'data');
  assert.deepEqual(statuses(), Array.from({ length: rounds }, () => ['200', '503']).flat());
  socket.destroy();
});
