/**
 * At most a minute of the simulator: two hundred seeds, each a whole venue. `npm run sim` runs as
 * many as there is time for, from any other seed on.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { runCampaign } from '../../sim/campaign.ts';
import { expectedCounts } from '../../sim/expected.ts';
import { USUAL_LENGTH } from '../../sim/run.ts';

test('seeds of the simulator show nothing, and everything that can happen has', async (context) => {
  const { seedsDone, failures, coverage } = await runCampaign({
    fromSeed: 1,
    seedsCount: 200,
    jobs: 2,
    length: USUAL_LENGTH,
    timeMaxMs: 60_000,
  });
  context.diagnostic(`${seedsDone} seeds, ${coverage.counts.get('command')} commands`);
  const first = failures[0];
  assert.equal(first, undefined, `npm run sim -- --seed ${first?.seed}: ${first?.found.message}`);
  assert.ok(seedsDone >= 50, `${seedsDone} seeds`);
  // A slow machine sees less in its minute: what is missing says nothing then.
  if (seedsDone < 200) return;
  assert.deepEqual(
    expectedCounts().filter((what) => !coverage.counts.has(what)),
    [],
  );
});
