/**
 * Hunts one canary in a thread of its own: plants its fault before anything of the venue is loaded,
 * then runs seeds until one of them shows it.
 */
import { registerHooks } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { Canary } from './canaries.ts';

export interface Hunted {
  /** Undefined when no seed has shown it. */
  readonly seed: number | undefined;
  readonly rule: string | undefined;
  readonly isPlanted: boolean;
}

const canary = workerData as Canary;
let isPlanted = canary.patch === undefined;
if (canary.patch !== undefined) plant(canary.patch);
parentPort?.postMessage(await hunt());

/** Fails loudly where the piece is not there, or more than once. */
function plant({ file, piece, instead }: NonNullable<Canary['patch']>): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(`/${file}`)) return loaded;
      const text = String(loaded.source);
      const count = text.split(piece).length - 1;
      if (count !== 1) throw new Error(`${file} has ${count} times: ${piece}`);
      isPlanted = true;
      return { ...loaded, source: text.replace(piece, () => instead) };
    },
  });
}

async function hunt(): Promise<Hunted> {
  const { runSeed, USUAL_LENGTH } = await import('../run.ts');
  const { Machine } = await import('../world/machine.ts');
  const { diskOf } = await import('./faulty-disks.ts');
  for (let seed = 1; seed <= canary.seedsMax; seed += 1) {
    const machine = new Machine(diskOf(canary.disk));
    const { found } = runSeed(seed, { length: USUAL_LENGTH, machine });
    if (found !== undefined) return { seed, rule: found.rule, isPlanted };
  }
  return { seed: undefined, rule: undefined, isPlanted };
}
