/** What becomes of a call that a fault rule hits, and of the order in it; both kinds of market. */
import { strict as assert } from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { FaultEffect } from '#domain';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import {
  type Answer,
  FaultyHouse,
  ORDERS_PATH,
  SWAP_ORDERS_PATH,
  SWAP_TIME_PATH,
  TIME_PATH,
} from './faults-house.ts';

/** Longer than an answer takes, short enough to wait for. */
const LATENCY_MS = 300;
const NO_ANSWER_MAX_MS = 600_000;
const PATIENCE_MS = 5_000;

let ann: Trader;
let count = 0;

const desk = closedAtEnd(await FaultyHouse.open());

beforeEach(async () => {
  count += 1;
  ann = await desk.trader(`ann${count}`);
});

afterEach(async () => {
  const isSpoiled = await desk.house.venue.read((state) => [...state.sandbox.faults()].length > 0);
  if (isSpoiled) await desk.lift();
});

interface Market {
  readonly name: string;
  readonly target: string;
  /** An order to buy that rests. */
  readonly order: () => Promise<Answer>;
  readonly time: () => Promise<Answer>;
  readonly open: () => Promise<number>;
}

const MARKETS: readonly Market[] = [
  {
    name: 'spot',
    target: `POST ${ORDERS_PATH}`,
    order: () => desk.buy(ann, '20000'),
    time: () => desk.get(TIME_PATH),
    open: async () => (await desk.openOrders(ann)).length,
  },
  {
    name: 'contracts',
    target: `POST ${SWAP_ORDERS_PATH}`,
    order: () => desk.openLong(ann, '29000'),
    time: () => desk.get(SWAP_TIME_PATH),
    open: () => desk.openContractOrders(ann),
  },
];

const REFUSALS: readonly (readonly [FaultEffect, status: number, code: string, retry?: string])[] =
  [
    [{ kind: 'rate_limited', retryAfterMs: 2_500 }, 429, '429', '3'],
    [{ kind: 'server_error', status: 500 }, 500, '40015'],
    [{ kind: 'server_error', status: 502 }, 502, '40015'],
    [{ kind: 'server_error', status: 503 }, 503, '40604', '1'],
    [{ kind: 'server_error', status: 504 }, 504, '40015'],
    [{ kind: 'maintenance' }, 503, '40200'],
  ];

for (const { name, target, order, time, open } of MARKETS) {
  for (const [effect, status, code, retry] of REFUSALS) {
    test(`${name}: ${effect.kind} is ${status} with ${code}, and there is no order`, async () => {
      await desk.rule(effect, { target });
      const answer = await order();
      assert.deepEqual([answer.status, answer.body.code, answer.retryAfter], [status, code, retry]);
      assert.equal(answer.body.data, null);
      assert.equal(await open(), 0);
      assert.equal((await time()).status, 200, 'another target');
      await desk.lift();
      assert.equal((await order()).status, 200);
      assert.equal(await open(), 1);
    });
  }

  test(`${name}: disconnect cuts the call off, and there is no order`, async () => {
    await desk.rule({ kind: 'disconnect' }, { target });
    await assert.rejects(order(), { code: 'ECONNRESET' });
    assert.equal(await open(), 0);
    assert.equal((await time()).status, 200);
  });

  test(`${name}: no_answer takes the order and never says so`, async () => {
    await desk.rule({ kind: 'no_answer' }, { target });
    const pending = order();
    let isAnswered = false;
    const outcome = pending.then(
      () => {
        isAnswered = true;
      },
      (error: unknown) => error,
    );
    await until(async () => (await open()) === 1, 'the order');
    // A second call, answered after the first was executed, is later than its answer would be.
    assert.equal((await time()).status, 200);
    assert.equal(isAnswered, false);
    desk.agent.destroy();
    assert.ok((await outcome) instanceof Error, 'the client gave up');
    assert.equal(await open(), 1);
  });

  test(`${name}: latency holds the answer back and not the order`, async () => {
    await desk.rule({ kind: 'latency', ms: LATENCY_MS, jitterMs: 50 }, { target });
    const pending = order();
    const startMs = performance.now();
    await until(async () => (await open()) === 1, 'the order');
    const tradedMs = performance.now() - startMs;
    const { status, tookMs } = await pending;
    assert.equal(status, 200);
    assert.ok(tookMs >= LATENCY_MS, `${tookMs} ms`);
    assert.ok(tradedMs < tookMs, `the order waited ${tradedMs} ms, its answer ${tookMs} ms`);
    assert.ok((await time()).tookMs < LATENCY_MS);
  });
}

/** Looks again and again until something is so. */
async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < deadlineMs, `waited in vain for ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('latency is added to another effect', async () => {
  await desk.rule({ kind: 'latency', ms: LATENCY_MS, jitterMs: 0 });
  await desk.rule({ kind: 'server_error', status: 502 });
  const { status, tookMs } = await desk.buy(ann, '20000');
  assert.equal(status, 502);
  assert.ok(tookMs >= LATENCY_MS, `${tookMs} ms`);
});

test('an answer that never comes is given up after ten minutes', async () => {
  await desk.rule({ kind: 'no_answer' }, { target: ORDERS_PATH });
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    let isOver = false;
    const outcome = assert.rejects(desk.buy(ann, '20000', 'lost'), { code: 'ECONNRESET' });
    const over = outcome.then(() => {
      isOver = true;
    });
    await until(async () => (await desk.openOrders(ann)).includes('lost'), 'the order');
    mock.timers.tick(NO_ANSWER_MAX_MS - 1);
    assert.equal((await desk.get(TIME_PATH)).status, 200);
    assert.equal(isOver, false);
    mock.timers.tick(1);
    await over;
  } finally {
    mock.timers.reset();
  }
});

test('a rule for a key hits whoever shows it, also with a wrong signature', async () => {
  const bob = await desk.trader(`bob${count}`);
  await desk.rule({ kind: 'server_error', status: 500 }, { key: ann.key });
  assert.equal((await desk.buy(ann, '20000')).status, 500);
  const forged = { ...ann, secret: 'guess' };
  assert.equal((await desk.buy(forged, '20000')).body.code, '40015');
  assert.equal((await desk.get(TIME_PATH, { 'ACCESS-KEY': ann.key })).status, 500);
  assert.equal((await desk.buy(bob, '20000')).status, 200);
  assert.equal((await desk.get(TIME_PATH)).status, 200);
});

test('a rule passes two calls, hits one, and is spent', async () => {
  await desk.rule({ kind: 'maintenance' }, { target: '/api/spot/*', skipCount: 2, hitsMax: 1 });
  const statuses: number[] = [];
  for (let call = 0; call < 5; call += 1) {
    statuses.push((await desk.get(TIME_PATH)).status);
    assert.equal((await desk.get(SWAP_TIME_PATH)).status, 200, 'counts for nothing');
  }
  assert.deepEqual(statuses, [200, 200, 503, 200, 200]);
});

test('the same seed hits the same calls again', async () => {
  const round = async (seed: number): Promise<number[]> => {
    const faultId = await desk.rule(
      { kind: 'server_error', status: 504 },
      { probabilityPpm: 300_000, seed },
    );
    const statuses: number[] = [];
    for (let call = 0; call < 40; call += 1) statuses.push((await desk.get(TIME_PATH)).status);
    await desk.lift(faultId);
    return statuses;
  };
  const first = await round(5);
  assert.deepEqual(await round(5), first);
  assert.notDeepEqual(await round(6), first);
  const hits = first.filter((status) => status === 504).length;
  assert.ok(hits > 4 && hits < 24, String(hits));
});

test('nothing but the calls of the venue is hit', async () => {
  await desk.rule({ kind: 'maintenance' });
  await desk.rule({ kind: 'latency', ms: 600_000, jitterMs: 0 }, { target: 'GET' });
  const { house } = desk;
  assert.equal((await house.get('/health/live')).status, 200);
  const url = `http://127.0.0.1:${await house.port()}`;
  const metrics = await (await fetch(`${url}/metrics`)).text();
  assert.match(metrics, /^outcry_refusals_total\{reject="maintenance"\} [0-9]+$/m);
  assert.equal((await fetch(`${url}/docs/`)).status, 200);
  assert.equal((await house.get('/api/spot/v1/nowhere')).status, 404);
});

test('a server that stops answers late calls at once and ends those that get none', async () => {
  const other = await FaultyHouse.open();
  const bob = await other.trader('bob');
  await other.rule({ kind: 'latency', ms: 600_000, jitterMs: 0 }, { target: ORDERS_PATH });
  await other.rule({ kind: 'no_answer' }, { target: TIME_PATH });
  const late = other.buy(bob, '20000', 'late');
  const mute = assert.rejects(other.get(TIME_PATH), { code: 'ECONNRESET' });
  await until(async () => (await other.openOrders(bob)).includes('late'), 'the order');
  await until(async () => (await other.connections()) === 2, 'both calls');
  const startMs = performance.now();
  const closing = other.house.close();
  assert.equal((await late).status, 200);
  await mute;
  // A client that keeps its connections open is let go after a grace, here at once.
  other.agent.destroy();
  await closing;
  assert.ok(performance.now() - startMs < 3_000);
});
