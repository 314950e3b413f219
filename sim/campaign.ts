/** Many seeds over several threads: each thread gets the next seed when it has done one. */
import { Worker } from 'node:worker_threads';
import { Coverage } from './coverage.ts';
import type { Found } from './run.ts';
import type { SeedDone } from './sim-worker.ts';

export interface CampaignOptions {
  readonly fromSeed: number;
  readonly seedsCount: number;
  readonly jobs: number;
  readonly length: number;
  /** Runs the seeds: those of one machine unless it says otherwise. */
  readonly worker?: URL | undefined;
  /** What a worker is given beside the length. */
  readonly given?: object | undefined;
  /** No seed is begun after so long, or once somebody has seen enough. */
  readonly timeMaxMs?: number | undefined;
  readonly isEnough?: (() => boolean) | undefined;
  readonly onProgress?: ((outcome: CampaignOutcome) => void) | undefined;
}

export interface CampaignOutcome {
  readonly seedsDone: number;
  readonly failures: readonly { readonly seed: number; readonly found: Found }[];
  readonly coverage: Coverage;
}

/** What the machine of a seed leaves behind in its thread goes with the thread. */
const SEEDS_PER_WORKER = 50;

export async function runCampaign(options: CampaignOptions): Promise<CampaignOutcome> {
  const { fromSeed, seedsCount, jobs, length, timeMaxMs = Number.POSITIVE_INFINITY } = options;
  const script = options.worker ?? new URL('./sim-worker.ts', import.meta.url);
  const coverage = new Coverage();
  const failures: { seed: number; found: Found }[] = [];
  const startMs = performance.now();
  let [next, seedsDone] = [fromSeed, 0];
  const isOver = () =>
    next >= fromSeed + seedsCount ||
    performance.now() - startMs > timeMaxMs ||
    options.isEnough?.() === true;
  const workAWhile = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(script, { workerData: { ...options.given, length } });
      let given = 0;
      const give = (): void => {
        given += 1;
        if (isOver() || given > SEEDS_PER_WORKER) void worker.terminate();
        else worker.postMessage(next++);
      };
      worker.on('message', ({ seed, found, counts }: SeedDone) => {
        seedsDone += 1;
        coverage.add(counts);
        if (found !== undefined) failures.push({ seed, found });
        options.onProgress?.({ seedsDone, failures, coverage });
        give();
      });
      worker.once('error', reject);
      worker.once('exit', () => resolve());
      give();
    });
  const work = async (): Promise<void> => {
    while (!isOver()) await workAWhile();
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, work));
  return { seedsDone, failures, coverage };
}
