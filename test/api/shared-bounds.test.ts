/** What a process of a cluster asks of the one that counts, and what it knows without asking. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { SharedBounds, STREAM_LIMITS } from '#api';
import { House } from '../support/house.ts';
import { StreamClient } from '../support/streams-client.ts';
import { until } from '../support/until.ts';

const WINDOW_MS = 200;
const CALLS = [{ name: 'GET /x', windowMs: WINDOW_MS, limit: 2, price: 1 }];
const CLOCK = { nowMs: () => 0 };
const SIGNATURES = { sign: () => 'new' as const, takeOver: () => undefined };

/** Two processes, the second of which counts, and what does not arrive there. */
function pair(isLost: (question: string) => boolean = () => false) {
  const asked: string[] = [];
  const silent = { isHere: true, ask: async () => undefined };
  const counting = new SharedBounds(silent, SIGNATURES, CLOCK);
  const ask = async (question: string) => {
    asked.push(question);
    return isLost(question) ? undefined : counting.answer('gateway-1', question);
  };
  return { asked, counting, gateway: new SharedBounds({ isHere: false, ask }, SIGNATURES, CLOCK) };
}

test('a call that is refused is not asked for again until its wait is over', async () => {
  const { asked, gateway } = pair();
  const waits: boolean[] = [];
  for (let call = 0; call < 50; call += 1) {
    waits.push((await gateway.take('alice', CALLS)).waitMs > 0);
  }
  assert.deepEqual(waits.slice(0, 3), [false, false, true]);
  assert.ok(waits.slice(3).every(Boolean), 'all others are refused');
  assert.equal(asked.length, 3);
  assert.equal((await gateway.take('bob', CALLS)).waitMs, 0, 'of others nothing is known');
  await wait(WINDOW_MS + 5);
  assert.equal((await gateway.take('alice', CALLS)).waitMs, 0);
});

test('a next process that counts is asked anew', async () => {
  const { asked, gateway } = pair();
  for (let call = 0; call < 5; call += 1) await gateway.take('alice', CALLS);
  const before = asked.length;
  gateway.begun();
  await gateway.take('alice', CALLS);
  assert.equal(asked.length, before + 1);
});

test('a connection whose end was lost on the way is not counted for long', async (context) => {
  const { asked, counting, gateway } = pair((question) => /^\["hold".*false\]$/.test(question));
  const streamLimits = { ...STREAM_LIMITS, recountIntervalMs: 20 };
  const house = await House.open({ rateLimits: true, bounds: gateway, streamLimits });
  context.after(() => house.close());
  const client = await StreamClient.at(house);
  await client.login(house, await house.trader('ann', {}));
  const entered = asked.find((question) => question.startsWith('["enter"')) ?? '';
  const mayEnter = (): boolean => {
    const [tag, , counts] = JSON.parse(entered);
    const answer = counting.answer('gateway-2', JSON.stringify([tag, 1, counts]));
    counting.left('gateway-2');
    return answer === 'true';
  };
  assert.equal(mayEnter(), false, 'it is counted');
  await client.close();
  await until('it is counted no more', mayEnter);
  assert.ok(
    asked.some((question) => /^\["hold".*false\]$/.test(question)),
    'its end was lost',
  );
});
