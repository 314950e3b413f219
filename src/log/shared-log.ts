/**
 * The port of a log that the members of a cluster share: one of them leads and appends, all follow.
 * It stores, orders and fences; it does not understand what it stores, and it names no adapter.
 */
import type { Sender } from '#domain';
import type { ChainLink, Head } from './chain.ts';
import type { JournalEntry } from './port.ts';

/**
 * A claim of leadership. It is in force until the next one is made, however long its holder is
 * silent; whatever is written under a claim that is no longer in force is refused.
 */
export interface Claim {
  /** The first is 1, each later one is one more. */
  readonly number: number;
  /** Given by the log and compared as it is: no two claims ever have the same. */
  readonly token: string;
  /** The member that made it; empty when it gave the leadership up, and nobody has taken it yet. */
  readonly holder: string;
}

/** What a won claim gives: nobody else can append any more, and the log ends here. */
export interface Leadership {
  readonly claim: Claim;
  /** What the first append continues. A new leader first applies everything before it. */
  readonly head: ChainLink;
}

/** What an entry is written in: how its text is to be read, and what its commands do. */
export interface Versions {
  readonly format: number;
  readonly rules: number;
}

/** Which of these a process can read. */
export interface Knowledge {
  readonly formatMax: number;
  readonly rulesMin: number;
  readonly rulesMax: number;
}

/** An entry as its leader hands it over. */
export interface NewEntry extends Versions {
  readonly firstSeq: number;
  /** At most LIMITS.entryCommandsMax. */
  readonly count: number;
  /** With the other fields at most SHARED_ENTRY_BYTES_MAX in UTF-8; the caller splits batches. */
  readonly payload: string;
}

/** An entry as every member reads it; `hash` is what a journal without a key gives it. */
export interface SharedEntry extends JournalEntry {
  /** The number of the claim it was appended under. */
  readonly claim: number;
  readonly format: number;
}

export interface FollowFrom {
  /** The first sequence number that is wanted; the entry that contains it comes first. */
  readonly fromSeq: number;
  /** The hash of the entry before, where the follower has it and `fromSeq` starts an entry. */
  readonly previousHash?: string | undefined;
  /** Ends the iteration without a fault. */
  readonly signal: AbortSignal;
}

/** What a leader says several times a second. */
export interface Heartbeat {
  readonly member: string;
  readonly claim: number;
  /** By the leader's clock: for the eyes of operators, never to be compared with another clock. */
  readonly timeMs: number;
  /** The last sequence number acknowledged to the leader, as the log itself knows it. */
  readonly lastSeq: number;
  /** The leader's newest snapshot. */
  readonly seal?: Seal | undefined;
}

/** What a member's state was after `seq`: equal seals prove equal states. */
export interface Seal {
  readonly seq: number;
  readonly stateHash: string;
}

/** A process that is there; it disappears some seconds after the process does. */
export interface MemberRecord {
  readonly name: string;
  readonly kind: 'member' | 'gateway';
  readonly isCandidate: boolean;
  /** Where the others reach it. */
  readonly url: string;
  readonly release: string;
}

/** What a process says of itself as of its last report. */
export interface ProcessReport {
  readonly kind: MemberRecord['kind'];
  readonly release: string;
  readonly knows: Knowledge;
  /** The last command it has applied. */
  readonly seq: number;
  /** By its own clock: for the eyes of operators. */
  readonly timeMs: number;
}

/**
 * What a process says about its copy and about itself; it stays when the process goes, until it is
 * withdrawn: nothing is trimmed or written that it could not go on with.
 */
export interface MemberReport {
  readonly member: string;
  /** The last sequence number that would survive a power cut of its machine. */
  readonly heldSeq: number;
  /** Its newest snapshots, oldest first: at most SEALS_MAX. */
  readonly seals: readonly Seal[];
  readonly process: ProcessReport;
}

/** What a process that starts still needs of the log; it disappears some seconds after it does. */
export interface Hold {
  readonly name: string;
  /** The first command that it needs. */
  readonly fromSeq: number;
}

/** Keeps a record alive until it is withdrawn. */
export interface Announcement<Content = MemberRecord> {
  update(record: Content): Promise<void>;
  /** Removes the record at once, as far as the log can be reached. */
  withdraw(): Promise<void>;
}

/** What a process asks for that is going to send requests. */
export interface PlaceWanted {
  readonly name: string;
  /** How many there are, and so how many processes may have one. */
  readonly placesMax: number;
  /** Another process has taken it while this one was away: what this one sends is worth nothing. */
  readonly onLost: () => void;
}

/** One life of a place: nobody else ever has the same. */
export interface Place extends Sender {
  /** Gives it back at once, as far as the log can be reached. */
  withdraw(): Promise<void>;
}

/** A request of the log's protocol has a limit of 1.5 MiB; what is beside the entry fits, too. */
export const SHARED_ENTRY_BYTES_MAX = 1024 * 1024;
/** How many appends may wait, sent or not. */
export const SHARED_APPENDS_MAX = 1_024;
export const SEALS_MAX = 8;

/** How full the store of a log is, by the fullest of its servers that answers. */
export interface LogRoom {
  readonly usedBytes: number;
  /** On disk, with what is free within. */
  readonly fileBytes: number;
  /** Above it the store takes nothing. */
  readonly quotaBytes: number;
  /** It takes nothing until its operator has made room and said so. */
  readonly isFull: boolean;
}

/** What a trim has left to do. */
export interface Trimmed {
  /** False where the store lets only its operator remove what it keeps of the entries' past. */
  readonly mayCompact: boolean;
}

/**
 * Reads of it are linearizable: they show everything that was written before they were asked for.
 * Every promise rejects with a SharedLogFault, `unavailable` where it says nothing else; watches
 * and followings survive reconnects in silence. A watch gives the present value first, then the
 * newest one after each change; values in between may be left out.
 */
export interface SharedLog {
  /** Where it is, for messages. */
  readonly place: string;

  /**
   * Makes a claim, provided that `seen` is still in force; undefined: that there never was one.
   * Resolves to undefined when it is not. What is left behind a gap, and so was never acknowledged,
   * is deleted; everything before the gap is in the log for good, acknowledged or not. Faults:
   * `deposed` when another claim was made meanwhile. An unknown outcome is found out.
   */
  claim(seen: Claim | undefined, member: string): Promise<Leadership | undefined>;
  /** Gives the leadership up, so that others need no suspicion. True if it was still held. */
  release(claim: Claim): Promise<boolean>;
  /** The claim in force. */
  current(): Promise<Claim | undefined>;
  watchClaim(signal: AbortSignal): AsyncIterable<Claim | undefined>;

  /**
   * Appends under a claim that this object has made. Several may wait; they are acknowledged in
   * the order of the calls, each only when all before it are. Asserts that the entry continues the
   * one before, is not too large, and that fewer than SHARED_APPENDS_MAX wait. An unknown outcome
   * is found out, for as long as it takes, and a store without room is waited for: nothing is
   * acknowledged that is not in the log. Faults: `deposed`, `denied` or `closed`; then this and all
   * later appends under the claim reject. A rejected entry may be in the log all the same: the next
   * leader decides, by adopting what continues it.
   */
  append(claim: Claim, entry: NewEntry): Promise<void>;
  /** The end of what was acknowledged under the claim, or of what it found. */
  acknowledged(claim: Claim): ChainLink;

  /**
   * Every entry from the one that contains `fromSeq`, in order, without gaps and as it becomes
   * durable, in chunks of one or more. Faults: `trimmed` with the first number there is; a
   * JournalFault when the log does not continue its chain, or `previousHash`.
   */
  follow(from: FollowFrom): AsyncIterable<readonly SharedEntry[]>;
  /** As follow, up to the end as of the call. */
  read(fromSeq: number): AsyncIterable<readonly SharedEntry[]>;
  /** The last entry without a gap before it; lastSeq 0 with the genesis hash when empty. */
  head(): Promise<Head>;
  /** Where the log starts: the genesis, or what the last trim or seed has left. */
  base(): Promise<ChainLink>;
  /**
   * Lets an empty log go on where a journal ends. Only before its first entry, under a claim; the
   * appends under that claim continue it. Faults: `deposed`.
   */
  seed(claim: Claim, base: ChainLink): Promise<void>;
  /**
   * Removes the entries that end before `beforeSeq`, and what the store keeps of their past. Safe
   * to repeat and to interrupt. Faults: `deposed`.
   */
  trim(claim: Claim, beforeSeq: number): Promise<Trimmed>;

  /** How full the store is, whatever else it keeps. */
  room(): Promise<LogRoom>;

  /**
   * The log adds what it has acknowledged: a new leader begins to read there, and does not lead
   * when that is lost. Faults: `deposed`. Not repeated: the next one is due soon.
   */
  heartbeat(claim: Claim, beat: Omit<Heartbeat, 'lastSeq'>): Promise<void>;
  /** The last heartbeat. Asked before a claim, it tells a silent leader from a watch that lags. */
  lastHeartbeat(): Promise<Heartbeat | undefined>;
  watchHeartbeat(signal: AbortSignal): AsyncIterable<Heartbeat | undefined>;
  /** Whether the claim is in force. */
  confirm(claim: Claim): Promise<boolean>;
  /**
   * When the quorum was last heard of for sure: the time, by the monotonic clock of the log's
   * owner (performance.now()), at which the newest answered request was sent; -Infinity before
   * the first. What a watch brings does not count, it may have waited anywhere.
   */
  readonly contactMs: number;

  /** Makes the record known and keeps it so; after a long pause of the process, again. */
  announce(record: MemberRecord): Promise<Announcement>;
  /** By name. */
  members(): Promise<readonly MemberRecord[]>;
  watchMembers(signal: AbortSignal): AsyncIterable<readonly MemberRecord[]>;

  /**
   * Takes a place among those of the cluster, and keeps it for as long as this process is there; a
   * place whose process is gone for some seconds goes to the next one, as a later life. Undefined
   * when all are held.
   */
  takePlace(wanted: PlaceWanted): Promise<Place | undefined>;

  /** Asks leaders to trim nothing that a process needs. */
  hold(hold: Hold): Promise<Announcement<Hold>>;
  /** By name. */
  holds(): Promise<readonly Hold[]>;

  /** Replaces what the member said before. */
  report(report: MemberReport): Promise<void>;
  /** Takes out a member that will not come back. */
  withdrawReport(member: string): Promise<void>;
  /** By member. */
  reports(): Promise<readonly MemberReport[]>;
  watchReports(signal: AbortSignal): AsyncIterable<readonly MemberReport[]>;

  /** What entries are written in; undefined until the first leader has said. */
  agreed(): Promise<Versions | undefined>;
  /** Raises it, once all members know it; never lowers either. Faults: `deposed`. */
  agree(claim: Claim, versions: Versions): Promise<void>;

  /** Ends everything under way; what waits rejects with `closed`. Withdraws nothing. */
  close(): Promise<void>;
}

export type SharedLogFaultKind =
  /** The claim is no longer in force. */
  | 'deposed'
  /** What is asked for was trimmed; firstSeq is the first number there is. */
  | 'trimmed'
  /** No quorum answered within the time of a call; a write may have happened or not. */
  | 'unavailable'
  /** The store has no room, and takes nothing until its operator makes some. */
  | 'full'
  /** The store does not accept who we are, or what we ask. */
  | 'denied'
  /** close() was called. */
  | 'closed';

export interface SharedLogFaultDetail {
  readonly kind: SharedLogFaultKind;
  readonly reason: string;
  /** Of `trimmed`: the first sequence number there is. */
  readonly firstSeq?: number | undefined;
}

export class SharedLogFault extends Error {
  override readonly name = 'SharedLogFault';
  readonly detail: SharedLogFaultDetail;

  constructor(detail: SharedLogFaultDetail, options?: ErrorOptions) {
    super(`${detail.kind}: ${detail.reason}`, options);
    this.detail = detail;
  }

  get kind(): SharedLogFaultKind {
    return this.detail.kind;
  }
}

/** Which shared log, as plain data. */
export interface SharedLogPlace {
  readonly kind: 'etcd';
  readonly venue: string;
  readonly shard: string;
  /** host:port each; which one is used changes with their health. */
  readonly endpoints: readonly string[];
  /** PEM texts. Without it the connections are not encrypted. */
  readonly tls?:
    | {
        readonly ca?: string | undefined;
        readonly cert?: string | undefined;
        readonly key?: string | undefined;
      }
    | undefined;
  readonly user?: { readonly name: string; readonly password: string } | undefined;
  /** What its servers may hold, where they do not tell themselves. */
  readonly quotaBytes?: number | undefined;
}
