/** Runs the seeds that it is given, each a whole cluster, in a thread whose time is simulated. */
import { parentPort, workerData } from 'node:worker_threads';
import type { SeedDone } from '../sim-worker.ts';
import { install } from './platform/install.ts';
import type { ClusterChoices } from './run.ts';

export type ClusterDone = SeedDone & { readonly trace: string };

const choices = workerData as ClusterChoices;
install();
const { runCluster } = await import('./run.ts');

parentPort?.on('message', async (seed: number) => {
  const { message, rule, trace, counts } = await runCluster(seed, choices);
  const found = message === undefined ? undefined : { rule: rule ?? '', message, at: 0 };
  const done: ClusterDone = { seed, found, counts, trace };
  parentPort?.postMessage(done);
});
