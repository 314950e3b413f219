/**
 * The requests of this process that have no answer yet. They go to whoever leads, and once more to
 * the next leader when the first is gone; the engine sees to it that each is carried out once. What
 * a request did is answered by this process's own replica, so its caller reads its own writes.
 */
import {
  type AccountId,
  type Command,
  type Event,
  encodeCommand,
  payerOf,
  type Refused,
  type RejectKind,
  readTagged,
  refuse,
} from '#domain';
import { present } from '#kernel';
import type { RefusedRow, RequestRow } from './link-messages.ts';

/** Where requests can be sent now. */
export type SendRequests = (rows: readonly RequestRow[]) => void;

export interface OpenRequestsOptions {
  /** Resolves once the replica has applied so much: a refusal shows no older state. */
  readonly reach: (seq: number) => Promise<void>;
  /** How long a caller waits for a leader, in milliseconds. */
  readonly timeoutMs: number;
  /** How many may be open at once: 1 to LIMITS.openRequestsMax. */
  readonly openRequestsMax: number;
}

interface OpenRequest {
  readonly text: string;
  readonly startMs: number;
  /** Whose share of the open requests it takes. */
  readonly accountId: AccountId | undefined;
  /** It may be carried out, whether or not its answer comes. */
  wasSent: boolean;
  /** The leader that has it, by its claim; undefined when none does, or that one has let it go. */
  sentTo: string | undefined;
  /** Leaders that were gone while they had it. */
  lostLeadersCount: number;
  /** A leader has refused it, and its caller hears so soon: it is sent to no other. */
  isRefused: boolean;
  resolve(events: readonly Event[]): void;
}

/** How often requests are looked at that wait too long. */
const SWEEP_EVERY_MS = 100;
/** What so many leaders have not outlived is sent to no further one. */
const LOST_LEADERS_MAX = 2;
/** It was never sent to a leader: nothing happened. */
const NOT_SENT: readonly Refused[] = [refuse('venue_halted')];
const UNKNOWN: readonly Refused[] = [refuse('outcome_unknown')];

export class OpenRequests {
  readonly #options: OpenRequestsOptions;
  readonly #busy: readonly Refused[];
  /** Too many requests of this account are open. */
  readonly #tooMany: readonly Refused[];
  /** In the order of their numbers. */
  readonly #open = new Map<number, OpenRequest>();
  readonly #unsent: number[] = [];
  /** Open requests by account; only of those that have any. */
  readonly #shares = new Map<AccountId, number>();
  readonly #timer: NodeJS.Timeout;
  #lastRequest = 0;
  #send: SendRequests | undefined;
  #leader = '';
  #sendScheduled = false;

  constructor(options: OpenRequestsOptions) {
    this.#options = options;
    const { openRequestsMax } = options;
    const bound = `openRequestsMax of this process: ${openRequestsMax}`;
    this.#busy = [refuseFor('venue_busy', `open requests of all accounts (${bound})`)];
    this.#tooMany = [refuseFor('rate_exceeded', `open requests of this account (${bound})`)];
    this.#timer = setInterval(() => this.#sweep(), SWEEP_EVERY_MS);
    this.#timer.unref();
  }

  get count(): number {
    return this.#open.size;
  }

  /** Whether no further request is taken now. */
  get isFull(): boolean {
    return this.#open.size >= this.#options.openRequestsMax;
  }

  /** Sends a command on and resolves with what it did, as the venue's port says. */
  submit(command: Command): Promise<readonly Event[]> {
    const accountId = payerOf(command);
    if (this.isFull) return Promise.resolve(this.#busy);
    if (!this.#hasShare(accountId)) return Promise.resolve(this.#tooMany);
    this.#count(accountId, 1);
    this.#lastRequest += 1;
    const request = this.#lastRequest;
    const text = encodeCommand(0, command);
    return new Promise((resolve) => {
      const startMs = performance.now();
      const sending = { wasSent: false, sentTo: undefined, lostLeadersCount: 0, isRefused: false };
      this.#open.set(request, { text, startMs, accountId, ...sending, resolve });
      this.#unsent.push(request);
      this.#scheduleSend();
    });
  }

  /**
   * There is a leader, known by its claim: everything without an answer goes to it, in order. But
   * what several leaders have not outlived may be what ends them.
   */
  connect(send: SendRequests, leader: string): void {
    this.#send = send;
    this.#leader = leader;
    for (const [request, open] of this.#open) {
      if (open.isRefused || open.sentTo === undefined || open.sentTo === leader) continue;
      open.sentTo = undefined;
      open.lostLeadersCount += 1;
      if (open.lostLeadersCount >= LOST_LEADERS_MAX) this.#giveUp(request, open);
    }
    this.#unsent.splice(0, this.#unsent.length, ...this.#open.keys());
    this.#scheduleSend();
  }

  /** A leader has gone in order: nothing that it had has ended it. */
  letGo(leader: string): void {
    for (const open of this.#open.values()) {
      if (open.sentTo === leader) open.sentTo = undefined;
    }
  }

  /** There is none. */
  disconnect(): void {
    this.#send = undefined;
  }

  /** The log holds what a request became. */
  answer(request: number, events: readonly Event[]): void {
    this.#settle(request, events);
  }

  /**
   * The leader refused requests; they changed nothing, and from here on nobody may carry them out:
   * while the replica reaches what they were judged by, another leader may come.
   */
  async refuse(rows: readonly RefusedRow[]): Promise<void> {
    for (const [request] of rows) {
      const open = this.#open.get(request);
      if (open !== undefined) open.isRefused = true;
    }
    for (const [request, atSeq, text] of rows) {
      await this.#options.reach(atSeq);
      this.#settle(request, [readTagged<Refused>(text)]);
    }
  }

  /** Ends everything: whoever waits is refused. */
  close(): void {
    clearInterval(this.#timer);
    this.disconnect();
    for (const [request, open] of this.#open) this.#giveUp(request, open);
  }

  #settle(request: number, events: readonly Event[]): void {
    const open = this.#open.get(request);
    if (open === undefined) return;
    this.#open.delete(request);
    this.#count(open.accountId, -1);
    open.resolve(events);
  }

  /** An account may have as many as are left for all others: one that floods leaves half. */
  #hasShare(accountId: AccountId | undefined): boolean {
    if (accountId === undefined) return true;
    const left = this.#options.openRequestsMax - this.#open.size;
    return (this.#shares.get(accountId) ?? 0) < left;
  }

  #count(accountId: AccountId | undefined, change: 1 | -1): void {
    if (accountId === undefined) return;
    const count = (this.#shares.get(accountId) ?? 0) + change;
    if (count === 0) this.#shares.delete(accountId);
    else this.#shares.set(accountId, count);
  }

  #giveUp(request: number, { wasSent }: OpenRequest): void {
    this.#settle(request, wasSent ? UNKNOWN : NOT_SENT);
  }

  /** Requests of one turn of the event loop go out together. */
  #scheduleSend(): void {
    if (this.#sendScheduled || this.#send === undefined) return;
    this.#sendScheduled = true;
    setImmediate(() => {
      this.#sendScheduled = false;
      this.#sendAll();
    });
  }

  #sendAll(): void {
    if (this.#send === undefined) return;
    const openFrom = this.#open.keys().next().value;
    const rows: RequestRow[] = [];
    for (const request of this.#unsent.splice(0)) {
      const open = this.#open.get(request);
      if (open === undefined || open.isRefused) continue;
      open.wasSent = true;
      open.sentTo = this.#leader;
      rows.push([request, present(openFrom, 'first open request'), open.text]);
    }
    if (rows.length > 0) this.#send(rows);
  }

  #sweep(): void {
    const oldestMs = performance.now() - this.#options.timeoutMs;
    for (const [request, open] of this.#open) {
      if (open.startMs > oldestMs) return;
      this.#giveUp(request, open);
    }
  }
}

function refuseFor(reject: RejectKind, text: string): Refused {
  return refuse(reject, { is: 'text', text });
}

/** Whether a leader that halts has said so of a request: it stays open, for the next one. */
export function isUndecided({ reject }: Refused): boolean {
  return reject === 'venue_halted' || reject === 'outcome_unknown';
}
