/** Runs the seeds that it is given, one after the other, in a thread of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { runSeed } from './run.ts';

export interface SeedDone {
  readonly seed: number;
  readonly found: ReturnType<typeof runSeed>['found'];
  readonly counts: readonly (readonly [string, number])[];
}

interface Given {
  readonly length: number;
}

const { length } = workerData as Given;

parentPort?.on('message', (seed: number) => {
  const { found, coverage } = runSeed(seed, { length });
  const done: SeedDone = { seed, found, counts: [...coverage.counts] };
  parentPort?.postMessage(done);
});
