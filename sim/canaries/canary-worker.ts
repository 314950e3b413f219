/**
 * Hunts one canary in a thread of its own: plants its fault before anything of the venue is loaded,
 * then runs seeds until one of them shows it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type Canary, seedsOf } from './canary.ts';
import { plant } from './plant.ts';

export interface Hunted {
  /** Undefined when no seed has shown it. */
  readonly seed: number | undefined;
  readonly rule: string | undefined;
  readonly isPlanted: boolean;
}

const canary = workerData as Canary;
let isPlanted = canary.patch === undefined;
if (canary.patch !== undefined) {
  plant(canary.patch, () => {
    isPlanted = true;
  });
}
parentPort?.postMessage(await hunt());

async function hunt(): Promise<Hunted> {
  const { runSeed, USUAL_LENGTH } = await import('../run.ts');
  const { Machine } = await import('../world/machine.ts');
  const { diskOf } = await import('./faulty-disks.ts');
  for (const seed of seedsOf(canary)) {
    const machine = new Machine(diskOf(canary.disk));
    const { found } = runSeed(seed, { length: USUAL_LENGTH, machine });
    if (found !== undefined) return { seed, rule: found.rule, isPlanted };
  }
  return { seed: undefined, rule: undefined, isPlanted };
}
