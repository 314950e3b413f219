/**
 * Calls drawn from the OpenAPI document, half of them spoilt, to a real venue over real sockets:
 * whatever comes, it answers as documented, goes on, and its books and journal are sound. Likewise
 * hostile frames on its streams.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { attack } from '../../tools/fuzz/attack.ts';
import { attackStreams } from '../../tools/fuzz/frame-attack.ts';

const REQUESTS = 25_000;
/** Those of a long run are drawn anew: `npm run fuzz -- --requests 1000000`. */
const SEED = 1;
/** Operations that may go without a success: some need what chance seldom brings together. */
const NEVER_DONE_MAX = 26;
const WAYS_MIN = 50;
const BUSY_MAX = 20;
const CONNECTIONS = 1_500;
const KINDS_OF_FRAMES = 27;
const MEMORY_MAX_MB = 1_200;

test(`${REQUESTS} calls, sound and spoilt, are answered as documented`, async (t) => {
  const startMs = performance.now();
  const plan = { seed: SEED, requestsCount: REQUESTS, print: () => undefined };
  const { findings, neverDone, peakMb, requestsCount, spoilt, statuses } = await attack(plan);
  t.diagnostic(`${JSON.stringify([...statuses])} in ${Math.round(performance.now() - startMs)} ms`);
  t.diagnostic(`never done: ${neverDone.length}: ${neverDone.join(' ')}`);
  assert.deepEqual(findings, []);
  assert.equal(requestsCount, REQUESTS);
  assert.ok((statuses.get(503) ?? 0) <= BUSY_MAX, 'it is seldom too busy');
  assert.ok(peakMb <= MEMORY_MAX_MB, `${peakMb} MB`);
  assert.ok(neverDone.length <= NEVER_DONE_MAX, `never done: ${neverDone.join(' ')}`);
  for (const [way, count] of spoilt) t.diagnostic(`${way}: ${count}`);
  assert.ok(spoilt.size >= WAYS_MIN, 'ways in which calls are spoilt');
});

test(`${CONNECTIONS} streams with hostile frames end with a code or go on`, async (t) => {
  const plan = { seed: SEED, requestsCount: CONNECTIONS, print: () => undefined };
  const { findings, peakMb, spoilt, statuses } = await attackStreams(plan);
  t.diagnostic(`${JSON.stringify([...statuses])}, at most ${peakMb} MB`);
  assert.deepEqual(findings, []);
  assert.equal(spoilt.size, KINDS_OF_FRAMES);
  assert.ok(peakMb <= MEMORY_MAX_MB, `${peakMb} MB`);
});
