/** The longest step of the venue's clock: each second of a day passes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DemoHere } from '../support/demo-here.ts';

const DAY_MS = 86_400_000;

test('a whole day can be stepped at once', async (t) => {
  const house = new DemoHere(t);
  await house.start({ sandbox: true });
  const { time } = await house.sandbox.pauseClock();
  const startMs = performance.now();
  const after = await house.sandbox.stepClock({ ms: DAY_MS });
  t.diagnostic(`a day took ${Math.round(performance.now() - startMs)} ms`);
  assert.equal(after.time, time + DAY_MS);
});
