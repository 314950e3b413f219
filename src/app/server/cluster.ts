/** One process of a cluster: its shared log, its copy of it, and its place among the others. */
import type { Logger } from 'pino';
import { type Gauge, Timings } from '#api';
import {
  LOG_CALLS,
  Member,
  type MemberOptions,
  type OwnHold,
  prepareCopy,
  Suspension,
  seedLog,
} from '#cluster';
import { type ClusterConfig, sharedLogPlaceOf } from '#config';
import type { CommandLog, SharedLog, SharedLogPlace } from '#log';
import { releaseOf } from './release.ts';

/** What a process brings with it, from the recovery of its own data directory. */
type Recovery = Pick<
  MemberOptions,
  | 'engine'
  | 'log'
  | 'suspension'
  | 'mirror'
  | 'clock'
  | 'faults'
  | 'onStep'
  | 'onLead'
  | 'onEnd'
  | 'answering'
>;

/** Where the log of a cluster comes from: its servers, or the test that runs it. */
export type OpenSharedLog = (place: SharedLogPlace) => SharedLog | Promise<SharedLog>;

interface JoinPlan {
  readonly seed: CommandLog | undefined;
  readonly replayMax: number;
  readonly directory: string;
}

/** The log of the cluster, and the hold of this process on it until it follows. */
export interface JoinedLog {
  readonly sharedLog: SharedLog;
  /** Undefined for one that is suspended. */
  readonly hold: OwnHold | undefined;
  readonly suspension: Suspension;
}

/** The log of the cluster, once the copy here is one that it goes on after. */
export async function joinLog(
  config: ClusterConfig,
  copy: CommandLog,
  { seed, replayMax, directory }: JoinPlan,
  logger: Logger,
  opened: AsyncDisposableStack,
  openLog: OpenSharedLog,
): Promise<JoinedLog> {
  const { name } = config;
  const log = opened.adopt(await openLog(sharedLogPlaceOf(config)), (one) => one.close());
  const seq = seed && (await seedLog({ name, log, copy, journal: seed }));
  if (seq !== undefined) logger.info({ member: name, seq }, 'the cluster begins with this venue');
  const suspension = new Suspension(directory);
  const about = { ...config, log, copy, suspension, replayMax, ...ofProcess(config, logger) };
  const hold = opened.adopt(await prepareCopy(about), (one) => one?.end());
  return { sharedLog: log, hold, suspension };
}

/** Its place among the others, to be started; closed when `opened` is. */
export async function joinCluster(
  config: ClusterConfig,
  copy: CommandLog,
  recovery: Recovery,
  logger: Logger,
  opened: AsyncDisposableStack,
): Promise<Member> {
  const { snapshots } = copy;
  const mirrorHash = await lastHash(copy);
  const process = ofProcess(config, logger);
  const member = new Member({ ...config, ...recovery, ...process, mirrorHash, snapshots });
  return opened.adopt(member, (one) => one.close());
}

function ofProcess({ name: member }: ClusterConfig, logger: Logger) {
  return {
    release: releaseOf(),
    onNotice: (text: string): void => logger.info({ member }, text),
    onSuspended: (reason: string): void => logger.error({ member }, reason),
  };
}

/** The hash of the last entry of a process's copy, or of what it begins after. */
async function lastHash(commandLog: CommandLog): Promise<string> {
  await using opened = new AsyncDisposableStack();
  const reader = opened.adopt(await commandLog.openReader(), (one) => one.close());
  return (await reader.end()).hash;
}

/** For /health/ready: where this process stands in its cluster. */
export function clusterStatus(member: Member) {
  return (): Readonly<Record<string, string | number>> => {
    const { role, leader, claim, seq, seal } = member.status;
    const sealed = seal && { sealedSeq: seal.seq, stateHash: seal.stateHash };
    return { role, leader, claim, seq, ...sealed };
  };
}

/** For /metrics: how long etcd takes. */
export function logTimings(member: Member): Timings {
  const timings = new Timings({
    name: 'outcry_cluster_log_call_seconds',
    help: 'Time until the shared log has answered, by call: an append waits for a majority',
    label: 'call',
    kinds: LOG_CALLS,
  });
  member.calls.follow((call, tookMs) => timings.observe(call, tookMs));
  return timings;
}

function roomGauges({ room }: Member): Gauge[] {
  return [
    {
      name: 'outcry_cluster_log_used_bytes',
      help: 'What the fullest server of the shared log uses of its quota',
      read: () => room.seen?.usedBytes ?? 0,
    },
    {
      name: 'outcry_cluster_log_file_bytes',
      help: 'What its database takes on disk, with what is free within',
      read: () => room.seen?.fileBytes ?? 0,
    },
    {
      name: 'outcry_cluster_log_quota_bytes',
      help: 'What it may use; 0 before it has told',
      read: () => room.seen?.quotaBytes ?? 0,
    },
    {
      name: 'outcry_cluster_log_full',
      help: '1 while commands are refused because the shared log has no room',
      read: () => (room.fullness === 'full' ? 1 : 0),
    },
  ];
}

export function clusterGauges(member: Member): Gauge[] {
  return [
    ...roomGauges(member),
    {
      name: 'outcry_cluster_leading',
      help: '1 when this process leads the cluster',
      read: () => (member.status.role === 'leader' ? 1 : 0),
    },
    {
      name: 'outcry_cluster_claim',
      help: 'Number of the claim of leadership that this process knows of',
      read: () => member.status.claim,
    },
    {
      name: 'outcry_cluster_takeovers',
      help: 'Times this process has taken the leadership since its start',
      read: () => member.status.takeovers,
    },
    {
      name: 'outcry_cluster_takeover_ms',
      help: 'How long the last takeover by this process took, from the last word of a leader on',
      read: () => member.status.takeoverMs,
    },
    {
      name: 'outcry_cluster_lag_commands',
      help: 'Commands of the log that this process knows of and has not applied',
      read: () => member.status.lagCommands,
    },
    {
      name: 'outcry_cluster_lag_ms',
      help: 'Milliseconds since this process has known of a command that it has not applied',
      read: () => member.status.lagMs,
    },
    {
      name: 'outcry_cluster_mirror_lag_commands',
      help: "Commands applied that this process's own copy of the log does not hold yet",
      read: () => member.status.mirrorLagCommands,
    },
    {
      name: 'outcry_cluster_contact_age_ms',
      help: 'Milliseconds since a quorum of the shared log was last heard of',
      read: () => member.status.contactAgeMs,
    },
    {
      name: 'outcry_cluster_suspended',
      help: '1 when the state of this process is not that of the other members',
      read: () => (member.status.suspended === undefined ? 0 : 1),
    },
    {
      name: 'outcry_cluster_sealed_seq',
      help: 'Last command whose state this process has sealed with a snapshot',
      read: () => member.status.seal?.seq ?? 0,
    },
    {
      name: 'outcry_cluster_open_requests',
      help: 'Commands sent on to the leader that have no answer yet',
      read: () => member.status.openRequests,
    },
  ];
}
