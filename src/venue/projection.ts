/**
 * The market's side of the projector: starts it, notifies it that the journal has grown, and lets
 * history readers wait until what they may know of has been projected.
 */
import { Worker } from 'node:worker_threads';
import { HistoryUnavailable } from '#domain';
import type { HistoryPlace, ProjectedStep } from '#history';
import type { LogPlace } from '#log';

/** Where it works, and when it takes snapshots. */
export interface ProjectionData {
  readonly log: LogPlace;
  readonly history: HistoryPlace;
  /** The venue that several processes write one history of; without it the journal names it. */
  readonly sharedAs?: string;
  /** Whether old entries and rows are proven in the background; they are unless it says no. */
  readonly scrub?: boolean;
  readonly snapshotEveryCommands: number;
  /**
   * Takes them where the entry ends that contains a multiple of that number, or that begins another
   * hour: the entries of a shared log are the same everywhere, and so are then the numbers of the
   * snapshots.
   */
  readonly snapshotsAtMultiples?: boolean;
  readonly snapshotOnCloseAfterCommands: number;
  /** Whether the market hands over what the history lacks at the start, and says when it serves. */
  readonly isHandedSteps?: boolean;
  /** How long commands are kept at least, in the time of the venue; without it for ever. */
  readonly keepMs?: number | undefined;
  /** The same, of the rows of the history. */
  readonly historyKeepMs?: number | undefined;
}

/** What the thread is given. */
export interface ProjectorData extends ProjectionData {
  /** Whether the history has no reader yet, so that a damaged one can be made again. */
  readonly mayRebuild: boolean;
}

/** What a history lacks behind a command. */
export interface LackingSteps {
  readonly afterSeq: number;
  readonly steps: readonly ProjectedStep[];
}

export type ToProjector =
  /** The journal is there. */
  | { readonly kind: 'begin' }
  /** Undefined where the thread has to make all that is lacking. */
  | { readonly kind: 'lacking'; readonly lacking: LackingSteps | undefined }
  /** The venue serves: what can wait until then begins. */
  | { readonly kind: 'serving' }
  | { readonly kind: 'follow' }
  /** Puts the history aside and makes it again from the journal. */
  | { readonly kind: 'rebuild'; readonly reason: string }
  | { readonly kind: 'close' };

export type FromProjector =
  | { readonly kind: 'projected'; readonly seq: number }
  | { readonly kind: 'caught_up' }
  /** The history cannot be reached: the thread ends, and nothing is lost. */
  | { readonly kind: 'history_away'; readonly reason: string }
  | { readonly kind: 'progress'; readonly seq: number; readonly lastSeq: number }
  | { readonly kind: 'warning'; readonly text: string }
  | { readonly kind: 'snapshot_failed'; readonly reason: string; readonly next: string }
  | { readonly kind: 'snapshot_written'; readonly seq: number; readonly stateHash: string }
  /** What is before this command is older than it has to be kept, and snapshots have it. */
  | { readonly kind: 'trimmable'; readonly beforeSeq: number }
  | { readonly kind: 'rows_removed'; readonly rowsCount: number }
  | { readonly kind: 'scrub_failed'; readonly reason: string }
  | { readonly kind: 'history_damaged'; readonly findings: readonly string[] }
  /** `failure` says why the last snapshot is missing. */
  | { readonly kind: 'closed'; readonly failure: string | undefined };

/** What the state was after a command, as the hash of its snapshot. */
export interface StateSeal {
  readonly seq: number;
  readonly stateHash: string;
}

export interface ProjectionEvents {
  readonly onProgress: (seq: number, lastSeq: number) => void;
  readonly onWarning: (text: string) => void;
  /** The history is not written; the market goes on, history reads are refused meanwhile. */
  readonly onFault: (error: Error, retryInMs: number) => void;
  /** It is written again, and whole. */
  readonly onRecovered: () => void;
  /** A snapshot is on disk. */
  readonly onSnapshot?: (seal: StateSeal) => void;
  /** What is before this command may be removed. */
  readonly onTrimmable?: (beforeSeq: number) => void;
}

interface SeqWaiter {
  readonly seq: number;
  resolve(): void;
  reject(error: Error): void;
}

/** Without a reader waiting, the projector is woken at most this often. */
const FOLLOW_EVERY_MS = 250;
/** Findings kept and logged; `outcry verify-history` names the rest. */
const FINDINGS_MAX = 100;
/** After a fault the projector starts again after so long, and then after twice that. */
const RESTART_MIN_MS = 500;
const RESTART_MAX_MS = 60_000;
/** A database that is away is asked for more often: a new thread does nothing else then. */
const AWAY_RESTART_MAX_MS = 5_000;

export class Projection {
  readonly #data: ProjectionData;
  /** Undefined between a fault and the next start. */
  #worker: Worker | undefined;
  readonly #events: ProjectionEvents;
  readonly #opening: Promise<unknown>;
  readonly #waiters = new Set<SeqWaiter>();
  #caughtUp = Promise.withResolvers<void>();
  #isCaughtUp = false;
  readonly #closed = Promise.withResolvers<void>();
  #projectedSeq = 0;
  /** A follow message is under way and not answered yet. */
  #following = true;
  /** The journal has grown since that message was sent: it may have come too early to see it. */
  #followAgain = false;
  #timer: NodeJS.Timeout | undefined;
  #fault: Error | undefined;
  #isAway = false;
  #closing = false;
  #restartTimer: NodeJS.Timeout | undefined;
  #restartMs = 0;
  #restartsCount = 0;
  #snapshotFault: string | undefined;
  #snapshotFaultsCount = 0;
  #removedRowsCount = 0;
  #scrubFault: string | undefined;
  readonly #historyFindings = new Set<string>();

  /** While the journal is opened its thread loads; where that fails, the thread ends. */
  constructor(
    data: ProjectionData,
    events: ProjectionEvents,
    opening: Promise<unknown> = Promise.resolve(),
  ) {
    this.#data = data;
    this.#events = events;
    this.#opening = opening;
    this.#awaitCatchUp();
    this.#closed.promise.catch(() => undefined);
    this.#start(true);
  }

  #start(isFirst: boolean): void {
    const isHandedSteps = isFirst && this.#data.isHandedSteps === true;
    const workerData: ProjectorData = { ...this.#data, mayRebuild: isFirst, isHandedSteps };
    const worker = new Worker(new URL('./projector-worker.ts', import.meta.url), {
      workerData,
      name: 'projector',
    });
    const ifCurrent = (act: () => void): void => {
      if (this.#worker === worker) act();
    };
    worker.on('message', (message: FromProjector) => ifCurrent(() => this.#hear(message)));
    worker.on('error', (error) => ifCurrent(() => this.#fail(toError(error))));
    worker.on('exit', () => ifCurrent(() => this.#fail(new Error('the projector has stopped'))));
    this.#worker = worker;
    this.#opening.then(
      () => worker.postMessage({ kind: 'begin' } satisfies ToProjector),
      () => worker.terminate(),
    );
  }

  /** Last command whose history rows are readable. */
  get projectedSeq(): number {
    return this.#projectedSeq;
  }

  /** Why the history is not written any more. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  /** The history is kept elsewhere and cannot be reached; it is tried again and again. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** How often it was started again after a fault. */
  get restartsCount(): number {
    return this.#restartsCount;
  }

  /** Why the last snapshot could not be written; undefined when it was. */
  get snapshotFault(): string | undefined {
    return this.#snapshotFault;
  }

  /** What is wrong with the journal, as the scrub has found it. */
  get scrubFault(): string | undefined {
    return this.#scrubFault;
  }

  /** What is wrong with rows of the history, as the scrub has found it: each row once. */
  get historyFindings(): ReadonlySet<string> {
    return this.#historyFindings;
  }

  /** Rows of the history that were removed for their age since the start. */
  get removedRowsCount(): number {
    return this.#removedRowsCount;
  }

  get snapshotFaultsCount(): number {
    return this.#snapshotFaultsCount;
  }

  /** Resolves once the backlog found at start is projected. */
  caughtUp(): Promise<void> {
    return this.#caughtUp.promise;
  }

  /** Gives what the history lacks, so that it is whole before its thread replays the journal. */
  handOver(lacking: LackingSteps | undefined): void {
    this.#post({ kind: 'lacking', lacking });
  }

  /** The venue serves. */
  serving(): void {
    this.#post({ kind: 'serving' });
  }

  /**
   * Puts the history aside, because of what a reader found in it, and makes it again. Resolves once
   * it is whole; readers that have it open must open it again.
   */
  async rebuild(reason: string): Promise<void> {
    this.#awaitCatchUp();
    this.#projectedSeq = 0;
    this.#historyFindings.clear();
    this.#post({ kind: 'rebuild', reason });
    await this.#caughtUp.promise;
  }

  /** Resolves once history readers see everything up to this command. */
  reach(seq: number): Promise<void> {
    if (this.#projectedSeq >= seq) return Promise.resolve();
    if (this.#fault !== undefined) return Promise.reject(this.#unavailable());
    this.#follow();
    return new Promise((resolve, reject) => {
      this.#waiters.add({ seq, resolve, reject });
    });
  }

  /** Notifies the projector that the journal has grown. */
  journalGrew(): void {
    if (this.#timer !== undefined || this.#fault !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#follow();
    }, FOLLOW_EVERY_MS);
  }

  /**
   * Projects the rest, snapshots if it is worth it, and ends the thread. Rejects, all the same
   * ended, when history or snapshot could not be written: the next start makes up for it.
   */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#restartTimer);
    if (this.#fault !== undefined) {
      await this.#endRestarted();
      if (this.#isCaughtUp || this.#isAway) throw this.#unavailable();
      return;
    }
    this.#post({ kind: 'close' });
    await this.#closed.promise;
  }

  /** One that was started again and has caught up later would go on for ever. */
  async #endRestarted(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #post(message: ToProjector): void {
    this.#worker?.postMessage(message);
  }

  #follow(): void {
    if (this.#fault !== undefined) return;
    this.#followAgain = this.#following;
    if (this.#following) return;
    this.#following = true;
    this.#post({ kind: 'follow' });
  }

  #hear(message: FromProjector): void {
    if (message.kind === 'projected') this.#advance(message.seq);
    else if (message.kind === 'caught_up') this.#hasCaughtUp();
    else if (message.kind === 'history_away') this.#miss(message.reason);
    else if (message.kind === 'progress') this.#events.onProgress(message.seq, message.lastSeq);
    else if (message.kind === 'warning') this.#events.onWarning(message.text);
    else if (message.kind === 'snapshot_failed') this.#missSnapshot(message);
    else if (message.kind === 'snapshot_written') this.#noteSnapshot(message);
    else if (message.kind === 'trimmable') this.#events.onTrimmable?.(message.beforeSeq);
    else if (message.kind === 'rows_removed') this.#removedRowsCount += message.rowsCount;
    else if (message.kind === 'scrub_failed') this.#hearScrub(message.reason);
    else if (message.kind === 'history_damaged') this.#hearFindings(message.findings);
    else this.#end(message.failure);
  }

  /** Reported once: what has rotted stays so until a copy is restored. */
  #hearScrub(reason: string): void {
    if (this.#scrubFault === undefined) this.#events.onWarning(`the scrub found: ${reason}`);
    this.#scrubFault = reason;
  }

  #hearFindings(findings: readonly string[]): void {
    for (const finding of findings) {
      if (this.#historyFindings.has(finding)) continue;
      if (this.#historyFindings.size >= FINDINGS_MAX) return;
      this.#historyFindings.add(finding);
      this.#events.onWarning(`the scrub found: ${finding}`);
    }
  }

  #noteSnapshot({ seq, stateHash }: StateSeal): void {
    this.#snapshotFault = undefined;
    this.#events.onSnapshot?.({ seq, stateHash });
  }

  #missSnapshot({ reason, next }: { readonly reason: string; readonly next: string }): void {
    this.#snapshotFault = reason;
    this.#snapshotFaultsCount += 1;
    this.#events.onWarning(`no snapshot: ${reason}; the next try is ${next}`);
  }

  #end(failure: string | undefined): void {
    this.#worker = undefined;
    if (failure === undefined) this.#closed.resolve();
    else this.#closed.reject(new Error(`no snapshot at the end: ${failure}`));
  }

  #awaitCatchUp(): void {
    this.#isCaughtUp = false;
    this.#caughtUp = Promise.withResolvers<void>();
    // A caller that waits for it gets the failure; waiting is optional.
    this.#caughtUp.promise.catch(() => undefined);
  }

  #hasCaughtUp(): void {
    this.#isCaughtUp = true;
    this.#isAway = false;
    this.#caughtUp.resolve();
    this.#restartMs = 0;
    if (this.#fault === undefined) return;
    this.#fault = undefined;
    this.#events.onRecovered();
    this.#follow();
  }

  #advance(seq: number): void {
    this.#projectedSeq = seq;
    this.#following = false;
    for (const waiter of this.#waiters) {
      if (waiter.seq > seq) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
    if (this.#followAgain || this.#waiters.size > 0) this.#follow();
  }

  #miss(reason: string): void {
    this.#isAway = true;
    this.#fail(new Error(reason));
  }

  #fail(error: Error): void {
    this.#worker = undefined;
    this.#fault = error;
    // A start that failed has its own reason, which is reported; there is nothing to end in order.
    if (!this.#isCaughtUp && !this.#isAway) this.#closed.resolve();
    else if (this.#closing) this.#closed.reject(this.#unavailable());
    this.#caughtUp.reject(error);
    for (const waiter of this.#waiters) waiter.reject(this.#unavailable());
    this.#waiters.clear();
    // Until the history is whole a caller waits for it and gets the failure.
    if ((this.#isCaughtUp || this.#isAway) && !this.#closing) this.#startLater(error);
  }

  /** A full disk, a failing one, a lack of handles may pass: a new thread begins from the file. */
  #startLater(error: Error): void {
    const maxMs = this.#isAway ? AWAY_RESTART_MAX_MS : RESTART_MAX_MS;
    this.#restartMs = Math.min(Math.max(RESTART_MIN_MS, 2 * this.#restartMs), maxMs);
    this.#events.onFault(error, this.#restartMs);
    this.#restartTimer = setTimeout(() => this.#startAgain(), this.#restartMs);
    this.#restartTimer.unref();
  }

  #startAgain(): void {
    this.#restartsCount += 1;
    this.#following = true;
    this.#followAgain = true;
    try {
      this.#start(false);
    } catch (error) {
      this.#fail(toError(error));
    }
  }

  #unavailable(): HistoryUnavailable {
    const why = this.#fault?.message ?? 'it has stopped';
    return new HistoryUnavailable(`the history is not written: ${why}`, { cause: this.#fault });
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
