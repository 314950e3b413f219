/**
 * Calls drawn from the OpenAPI document, half of them spoilt, to a real venue over real sockets:
 * whatever comes, it answers as documented, goes on, and its books and journal are sound.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { attack } from '../../tools/fuzz/attack.ts';

const REQUESTS = 20_000;
/** Those of a long run are drawn anew: `npm run fuzz -- --requests 1000000`. */
const SEED = 1;
/** Operations that may go without a success: some need what chance seldom brings together. */
const NEVER_DONE_MAX = 20;
const WAYS_MIN = 50;

test(`${REQUESTS} calls, sound and spoilt, are answered as documented`, async (t) => {
  const startMs = performance.now();
  const plan = { seed: SEED, requestsCount: REQUESTS, print: () => undefined };
  const { findings, neverDone, requestsCount, spoilt, statuses } = await attack(plan);
  t.diagnostic(`${JSON.stringify([...statuses])} in ${Math.round(performance.now() - startMs)} ms`);
  assert.deepEqual(findings, []);
  assert.equal(requestsCount, REQUESTS);
  assert.ok(neverDone.length <= NEVER_DONE_MAX, `never done: ${neverDone.join(' ')}`);
  for (const [way, count] of spoilt) t.diagnostic(`${way}: ${count}`);
  assert.ok(spoilt.size >= WAYS_MIN, 'ways in which calls are spoilt');
});
