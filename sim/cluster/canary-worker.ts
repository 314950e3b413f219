/** Hunts one canary of a cluster in a thread of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Canary, seedsOf } from '../canaries/canary.ts';
import type { Hunted } from '../canaries/canary-worker.ts';
import { plant } from '../canaries/plant.ts';
import { install } from './platform/install.ts';

const canary = workerData as Canary;
let isPlanted = false;
if (canary.patch !== undefined) {
  plant(canary.patch, () => {
    isPlanted = true;
  });
}
install();
parentPort?.postMessage(await hunt());

async function hunt(): Promise<Hunted> {
  const { runCluster, USUAL_LENGTH_MS } = await import('./run.ts');
  for (const seed of seedsOf(canary)) {
    const { rule } = await runCluster(seed, { length: USUAL_LENGTH_MS });
    if (rule !== undefined) return { seed, rule, isPlanted };
  }
  return { seed: undefined, rule: undefined, isPlanted };
}
