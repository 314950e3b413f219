/**
 * The market's side of the projector: starts it, tells it that the journal has grown, and lets
 * history readers wait until what they may know of has been projected.
 */
import { Worker } from 'node:worker_threads';
import { HistoryUnavailable } from '#domain';

export interface ProjectorData {
  readonly directory: string;
  readonly historyFile: string;
  readonly snapshotEveryCommands: number;
  readonly snapshotOnCloseAfterCommands: number;
}

export type ToProjector =
  | { readonly kind: 'follow' }
  /** Puts the history aside and makes it again from the journal. */
  | { readonly kind: 'rebuild'; readonly reason: string }
  | { readonly kind: 'close' };

export type FromProjector =
  | { readonly kind: 'projected'; readonly seq: number }
  | { readonly kind: 'caught_up' }
  | { readonly kind: 'progress'; readonly seq: number; readonly lastSeq: number }
  | { readonly kind: 'warning'; readonly text: string }
  | { readonly kind: 'closed' };

export interface ProjectionEvents {
  readonly onProgress: (seq: number, lastSeq: number) => void;
  readonly onWarning: (text: string) => void;
  /** The history can no longer be written; the market goes on, history reads are refused. */
  readonly onFault: (error: Error) => void;
}

interface SeqWaiter {
  readonly seq: number;
  resolve(): void;
  reject(error: Error): void;
}

/** Without a reader waiting, the projector is woken at most this often. */
const FOLLOW_EVERY_MS = 250;

export class Projection {
  readonly #worker: Worker;
  readonly #events: ProjectionEvents;
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
  #closing = false;

  constructor(data: ProjectorData, events: ProjectionEvents) {
    this.#events = events;
    this.#awaitCatchUp();
    this.#worker = new Worker(new URL('./projector-worker.ts', import.meta.url), {
      workerData: data,
    });
    this.#worker.on('message', (message: FromProjector) => this.#hear(message));
    this.#worker.on('error', (error) => this.#fail(toError(error)));
    this.#worker.on('exit', () => this.#fail(new Error('the projector has stopped')));
  }

  /** Last command whose history rows are readable. */
  get projectedSeq(): number {
    return this.#projectedSeq;
  }

  /** Why the history is not written any more. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  /** Resolves once the backlog found at start is projected. */
  caughtUp(): Promise<void> {
    return this.#caughtUp.promise;
  }

  /**
   * Puts the history aside, because of what a reader found in it, and makes it again. Resolves once
   * it is whole; whoever has it open must open it anew.
   */
  async rebuild(reason: string): Promise<void> {
    this.#awaitCatchUp();
    this.#projectedSeq = 0;
    this.#worker.postMessage({ kind: 'rebuild', reason } satisfies ToProjector);
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

  /** Tells that the journal has grown; the projector follows soon. */
  journalGrew(): void {
    if (this.#timer !== undefined || this.#fault !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#follow();
    }, FOLLOW_EVERY_MS);
  }

  /** Projects the rest, snapshots if it is worth it, and ends the thread. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#timer);
    if (this.#fault !== undefined) return;
    this.#worker.postMessage({ kind: 'close' } satisfies ToProjector);
    await this.#closed.promise;
  }

  #follow(): void {
    if (this.#fault !== undefined) return;
    this.#followAgain = this.#following;
    if (this.#following) return;
    this.#following = true;
    this.#worker.postMessage({ kind: 'follow' } satisfies ToProjector);
  }

  #hear(message: FromProjector): void {
    if (message.kind === 'projected') this.#advance(message.seq);
    else if (message.kind === 'caught_up') this.#hasCaughtUp();
    else if (message.kind === 'progress') this.#events.onProgress(message.seq, message.lastSeq);
    else if (message.kind === 'warning') this.#events.onWarning(message.text);
    else this.#closed.resolve();
  }

  #awaitCatchUp(): void {
    this.#isCaughtUp = false;
    this.#caughtUp = Promise.withResolvers<void>();
    // Whoever waits for it hears of a failure; nobody has to wait for it.
    this.#caughtUp.promise.catch(() => undefined);
  }

  #hasCaughtUp(): void {
    this.#isCaughtUp = true;
    this.#caughtUp.resolve();
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

  #fail(error: Error): void {
    if (this.#fault !== undefined) return;
    this.#fault = error;
    this.#closed.resolve();
    this.#caughtUp.reject(error);
    for (const waiter of this.#waiters) waiter.reject(this.#unavailable());
    this.#waiters.clear();
    // Until the history is whole somebody waits for it, and hears of it there.
    if (this.#isCaughtUp && !this.#closing) this.#events.onFault(error);
  }

  #unavailable(): HistoryUnavailable {
    return new HistoryUnavailable('the history is no longer written', { cause: this.#fault });
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
