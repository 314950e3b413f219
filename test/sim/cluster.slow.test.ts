/** Whole clusters on a simulated network: ten seconds of seeds, and planted faults. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { Canary } from '../../sim/canaries/canary.ts';
import type { Hunted } from '../../sim/canaries/canary-worker.ts';
import { CLUSTER_EXPECTED, runClusterCampaign } from '../../sim/cluster/campaign.ts';
import { CLUSTER_CANARIES } from '../../sim/cluster/canaries.ts';
import type { ClusterDone } from '../../sim/cluster/cluster-worker.ts';

const LENGTH_MS = 15_000;

function workerOf<T>(file: string, workerData: object, message?: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(`../../sim/cluster/${file}`, import.meta.url), {
      workerData,
    });
    worker.once('message', (done: T) => {
      resolve(done);
      void worker.terminate();
    });
    worker.once('error', reject);
    if (message !== undefined) worker.postMessage(message);
  });
}

test('a seed of a cluster is one run: the same events in the same order', async () => {
  const play = () => workerOf<ClusterDone>('cluster-worker.ts', { length: 4_000 }, 9);
  const [first, second] = await Promise.all([play(), play()]);
  assert.equal(first.found?.message, undefined);
  assert.equal(second.trace, first.trace);
  assert.deepEqual(second.counts, first.counts);
});

test('seconds of clusters show nothing, and much of what can happen has', async (context) => {
  const { seedsDone, failures, coverage } = await runClusterCampaign({
    fromSeed: 1,
    seedsCount: 400,
    jobs: 2,
    length: LENGTH_MS,
    timeMaxMs: 10_000,
  });
  context.diagnostic(`${seedsDone} seeds, ${coverage.counts.get('command')} commands`);
  const first = failures[0];
  const again = `npm run sim -- --cluster --seed ${first?.seed} --length ${LENGTH_MS}`;
  assert.equal(first, undefined, `${again}: ${first?.found.message}`);
  // A slow machine sees less in its seconds: what is missing says nothing then.
  if (seedsDone < 40) return;
  assert.deepEqual(
    CLUSTER_EXPECTED.filter((what) => !coverage.counts.has(what)),
    [],
  );
});

describe('a planted fault of a cluster is found', { concurrency: 2 }, () => {
  for (const canary of CLUSTER_CANARIES) {
    test(`within ${canary.seedsMax} seeds: ${canary.name}`, async (context) => {
      const { seed, rule, isPlanted } = await workerOf<Hunted>(
        'canary-worker.ts',
        canary satisfies Canary,
      );
      assert.ok(isPlanted, 'the fault was never loaded');
      assert.ok(seed !== undefined, 'no seed has shown it');
      context.diagnostic(`seed ${seed} shows it: ${rule}`);
    });
  }
});
