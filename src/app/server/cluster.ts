/** One process of a cluster: its shared log, its copy of it, and its place among the others. */
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Gauge } from '#api';
import { Member, type MemberOptions } from '#cluster';
import type { ClusterConfig } from '#config';
import type { VenuePort } from '#domain';
import { type CommandLog, sharedLogAt } from '#log';

/** There is one cluster of a venue's processes; shards come later. */
const SHARD = 'main';

/** What a process brings with it, from the recovery of its own data directory. */
type Recovery = Pick<
  MemberOptions,
  'engine' | 'mirror' | 'clock' | 'faults' | 'onStep' | 'onLead' | 'onEnd'
>;

/** Its place among the others, to be started; closed when `opened` is. */
export async function joinCluster(
  config: ClusterConfig,
  commandLog: CommandLog,
  recovery: Recovery,
  logger: Logger,
  opened: AsyncDisposableStack,
): Promise<Member> {
  const { venue, name, kind, isCandidate, host, port, secret, etcd } = config;
  const log = opened.adopt(sharedLogAt({ kind: 'etcd', venue, shard: SHARD, ...etcd }), (one) =>
    one.close(),
  );
  const mirrorHash = await lastHash(commandLog);
  const place = { name, kind, isCandidate, host, port, secret, release: releaseOf() };
  const onNotice = (text: string): void => logger.info({ member: name }, text);
  const member = new Member({ ...recovery, ...place, log, mirrorHash, onNotice });
  return opened.adopt(member, (one) => one.close());
}

/** The hash of the last entry of a process's copy; undefined when it has none. */
async function lastHash(commandLog: CommandLog): Promise<string | undefined> {
  await using opened = new AsyncDisposableStack();
  const reader = opened.adopt(await commandLog.openReader(), (one) => one.close());
  let hash: string | undefined;
  const lastSeq = await reader.lastSeq();
  if (lastSeq === 0) return undefined;
  for await (const chunk of reader.chunks(lastSeq)) hash = chunk.at(-1)?.hash;
  return hash;
}

/** For /health/ready: where this process stands in its cluster. */
export function clusterStatus(member: Member, venue: VenuePort) {
  return (): Readonly<Record<string, string | number>> => {
    const { role, leader, claim } = member.status;
    return { role, leader, claim, seq: venue.releasedSeq };
  };
}

export function clusterGauges(member: Member): Gauge[] {
  return [
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
      name: 'outcry_cluster_contact_age_ms',
      help: 'Milliseconds since a quorum of the shared log was last heard of',
      read: () => member.status.contactAgeMs,
    },
    {
      name: 'outcry_cluster_open_requests',
      help: 'Commands sent on to the leader that have no answer yet',
      read: () => member.status.openRequests,
    },
  ];
}

function releaseOf(): string {
  const file = new URL('../../../package.json', import.meta.url);
  const { version }: { version?: string } = JSON.parse(readFileSync(file, 'utf8'));
  return version ?? '';
}
