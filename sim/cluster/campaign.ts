/** Many seeds of a cluster, what has to come up in them, and a failing one made smaller. */
import { type CampaignOptions, type CampaignOutcome, runCampaign } from '../campaign.ts';
import type { Found } from '../run.ts';
import { FAULT_KINDS } from './fault-kinds.ts';

const WORKER = new URL('./cluster-worker.ts', import.meta.url);

export type ClusterOptions = Omit<CampaignOptions, 'worker' | 'given'> & {
  readonly without?: readonly string[];
};

export function runClusterCampaign(options: ClusterOptions): Promise<CampaignOutcome> {
  return runCampaign({ ...options, worker: WORKER, given: { without: options.without } });
}

/** A run in which one of these never happens says nothing about it. */
export const CLUSTER_EXPECTED: readonly string[] = [
  ...FAULT_KINDS.map((kind) => `fault ${kind}`),
  ...(['takeover', 'claim made', 'claim given up', 'entry behind a gap deleted'] as const),
  ...(['message lost', 'message late', 'message stopped by a cut', 'connection broken'] as const),
  ...(['call of the log without an answer', 'call of the log that arrives twice'] as const),
  ...(['watch broken off', 'watch behind a compaction', 'command sent again'] as const),
  ...(['commands handed over twice', 'trim', 'snapshot', 'joined with a snapshot'] as const),
  ...(['copy behind the log', 'machine replaced', 'state compared', 'ends: deposed'] as const),
  ...(['client: acknowledged', 'client: outcome_unknown', 'client: venue_halted'] as const),
  ...(['client: no answer', 'client: nobody listens', 'read refused', 'read at once'] as const),
  ...(['read that asks first', 'unknown outcome: carried out', 'unknown outcome: not'] as const),
];

export interface SmallRun {
  readonly length: number;
  readonly without: readonly string[];
  readonly found: Found;
  readonly runsCount: number;
}

/** Leaves out kinds of faults and time as long as the same rule is broken. */
export async function shrinkCluster(seed: number, length: number, found: Found): Promise<SmallRun> {
  let best: SmallRun = { length, without: [], found, runsCount: 0 };
  const tries = async (shorter: number, without: readonly string[]): Promise<void> => {
    const facts = { fromSeed: seed, seedsCount: 1, jobs: 1, length: shorter, without };
    const [failure] = (await runClusterCampaign(facts)).failures;
    const runsCount = best.runsCount + 1;
    if (failure?.found.rule !== found.rule) best = { ...best, runsCount };
    else best = { length: shorter, without, found: failure.found, runsCount };
  };
  for (const kind of FAULT_KINDS) await tries(best.length, [...best.without, kind]);
  for (const part of [0.25, 0.5, 0.75]) await tries(Math.round(best.length * part), best.without);
  return best;
}
