/** Many seeds of a cluster, what has to come up in them, and a failing one made smaller. */
import { type CampaignOptions, type CampaignOutcome, runCampaign } from '../campaign.ts';
import type { Found } from '../run.ts';
import { FAULT_KINDS } from './fault-kinds.ts';

const WORKER = new URL('./cluster-worker.ts', import.meta.url);

export type ClusterOptions = Omit<CampaignOptions, 'worker' | 'given'> & {
  readonly without?: readonly string[];
  readonly quietHours?: number | undefined;
};

export function runClusterCampaign(options: ClusterOptions): Promise<CampaignOutcome> {
  const { without, quietHours } = options;
  return runCampaign({ ...options, worker: WORKER, given: { without, quietHours } });
}

/** Some dozens of seeds in which one of these never happens say nothing about it. */
export const CLUSTER_EXPECTED: readonly string[] = [
  ...(['takeover', 'claim made', 'message lost', 'message late', 'connection broken'] as const),
  ...(['fault kill', 'fault kill_leader', 'fault pause_leader', 'fault part_from_log'] as const),
  ...(['message stopped by a cut', 'call of the log without an answer', 'trim'] as const),
  ...(['watch gone silent', 'call of the log without a leader'] as const),
  ...(['watch broken off', 'command sent again', 'snapshot', 'joined with a snapshot'] as const),
  ...(['state compared', 'ends: deposed', 'client: acknowledged', 'read at once'] as const),
  ...(['read that asks first', 'client: no answer', 'client: nobody listens'] as const),
  ...(['call: acknowledged', 'read by a call', 'stream: connected', 'stream: trade'] as const),
  ...(['stream: book changed', 'stream: balance', 'stream: fill', 'stream: order'] as const),
];

/** In hundreds of seeds these happen, too. */
export const CLUSTER_RARE: readonly string[] = [
  ...FAULT_KINDS.map((kind) => `fault ${kind}`),
  ...(['claim given up', 'entry behind a gap deleted', 'machine replaced'] as const),
  ...(['call of the log that arrives twice', 'watch behind a compaction', 'read refused'] as const),
  ...(['commands handed over twice', 'copy behind the log', 'snapshot rotten'] as const),
  ...(['client: outcome_unknown', 'client: venue_halted', 'snapshot that finds no room'] as const),
  ...(['unknown outcome: carried out', 'unknown outcome: not'] as const),
  ...(['process upgraded', 'process downgraded', 'rules raised'] as const),
  ...(['copy spoilt', 'damage of a copy found', 'start over damage that is not read'] as const),
  ...(['call: refused with 400', 'call: refused with 503', 'stream: closed with 1008'] as const),
  ...(['stream: contract positions', 'stream: swap/position', 'stream: closed with 1013'] as const),
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
