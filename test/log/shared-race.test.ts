/** Races for the lead of a log in memory, in which calls are late, lost, or done and unanswered. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Prng } from '#kernel';
import type { Fate } from '#log/testing';
import { memoryPlace } from './shared-places.ts';
import { Race } from './shared-race.ts';

const TERMS = { lives: 4, entriesMax: 40, pauseMsMax: 400 };
/** Longer than an attempt waits: a call may act when its caller has long tried again. */
const LATE_MS = 2_500;

function fates(random: Prng): () => Fate {
  return () => ({
    thereMs: random.chance(50_000) ? random.below(LATE_MS) : random.below(10),
    backMs: random.chance(50_000) ? random.below(LATE_MS) : random.below(10),
    isLost: random.chance(50_000),
    isUnanswered: random.chance(50_000),
  });
}

async function race(seed: number): Promise<Race> {
  const place = memoryPlace();
  const run = new Race(place, TERMS);
  await place.run(async () => {
    const way = (name: string) => ({ fateOf: fates(new Prng(seed, `fates of ${name}`)) });
    for (const name of ['f', 'g']) run.follow(way(name));
    const members = ['a', 'b', 'c'].map((name) =>
      run.compete(name, new Prng(seed, name), way(name)),
    );
    await Promise.all(members);
    await run.judge();
  });
  return run;
}

test('what is acknowledged in a race is in the log once and in order', async () => {
  let acknowledged = 0;
  const run = fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 }), async (seed) => {
    acknowledged += (await race(seed)).acknowledged.length;
  });
  // In that race a delete of orphans arrived late, after appends in their place.
  await fc.assert(run, { numRuns: 100, examples: [[908_833_501]] });
  assert.ok(acknowledged > 1_000, 'they did lead');
});

test('a race is repeatable', async () => {
  const [one, again] = [await race(7), await race(7)];
  assert.deepEqual(one.acknowledged, again.acknowledged);
  assert.ok(one.acknowledged.length > 0);
});
