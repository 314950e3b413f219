/** What a process of a cluster is given: its place among the others, and what it has recovered. */
import type { Step } from '#domain';
import type { Engine } from '#engine';
import type { Clock } from '#kernel';
import type { Journal, SharedLog, Snapshots } from '#log';
import type { FaultRecord } from '#venue';
import type { ClusterVenue } from './cluster-venue.ts';
import type { Answering } from './open-questions.ts';
import type { Suspension } from './suspension.ts';
import type { ReleaseVersions } from './versions.ts';

export interface MemberOptions {
  readonly name: string;
  readonly kind: 'member' | 'gateway';
  readonly isCandidate: boolean;
  /** Where others connect; a port of 0 takes a free one. */
  readonly host: string;
  readonly port: number;
  readonly secret: string;
  readonly release: string;
  /** Which entries it reads and writes: as this release when left out. */
  readonly versions?: ReleaseVersions | undefined;
  readonly log: SharedLog;
  readonly mirror: Journal;
  /** The hash of the mirror's last entry, or of what it begins after. */
  readonly mirrorHash: string;
  /** Of this process, for others to join with. */
  readonly snapshots: Pick<Snapshots, 'newestFile' | 'newestSeq'>;
  /** How many processes the cluster has at most. */
  readonly processesMax: number;
  /** How many requests of this process may have no answer yet. */
  readonly openRequestsMax: number;
  /** How many commands stay in the log below what two members hold. */
  readonly keepCommands: number;
  readonly suspension: Suspension;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly faults: FaultRecord;
  readonly onStep: (step: Step) => void;
  /** This process leads from now on: what only a leader does begins. */
  readonly onLead: (venue: ClusterVenue) => void;
  /** It cannot go on and has to recover: deposed, out of its log, out of its disk. Called once. */
  readonly onEnd: (reason: Error) => void;
  /** Its state is not that of the other members: it serves nothing more. Called once. */
  readonly onSuspended: (reason: string) => void;
  readonly onNotice: (text: string) => void;
  /** Answers what processes ask of the leader; undefined where nothing is asked. */
  readonly answering?: Answering | undefined;
}
