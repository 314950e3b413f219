/** Planted faults: the simulator has to find each of them within the seeds that it names. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { CANARIES } from '../../sim/canaries/canaries.ts';
import type { Canary } from '../../sim/canaries/canary.ts';
import type { Hunted } from '../../sim/canaries/canary-worker.ts';

function hunt(canary: Canary): Promise<Hunted> {
  return new Promise((resolve, reject) => {
    const url = new URL('../../sim/canaries/canary-worker.ts', import.meta.url);
    const worker = new Worker(url, { workerData: canary });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

describe('a planted fault is found', { concurrency: 2 }, () => {
  assert.ok(CANARIES.length >= 10);
  for (const canary of CANARIES) {
    test(`within ${canary.seedsMax} seeds: ${canary.name}`, async (context) => {
      const { seed, rule, isPlanted } = await hunt(canary);
      assert.ok(isPlanted, 'the fault was never loaded');
      assert.ok(seed !== undefined, 'no seed has shown it');
      context.diagnostic(`seed ${seed} shows it: ${rule}`);
    });
  }
});
