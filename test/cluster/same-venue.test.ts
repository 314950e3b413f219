/** A cluster over a log in memory comes to the state of a venue in one process. */
import { test } from 'node:test';
import fc from 'fast-check';
import { moves } from '../support/random-days.ts';
import { playOnBoth } from './same-venue.ts';

test('the same commands give the same state in a cluster as in one process', async (context) => {
  const seed = Number(process.env.OUTCRY_DAY_SEED ?? Date.now() % 2 ** 31);
  context.diagnostic(`OUTCRY_DAY_SEED=${seed}`);
  for (const day of fc.sample(moves, { seed, numRuns: 2 })) await playOnBoth(context, day);
});
