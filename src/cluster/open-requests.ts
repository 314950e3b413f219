/**
 * The requests of this process that have no answer yet. They go to whoever leads, and once more to
 * the next leader when the first is gone; the engine sees to it that each is carried out once. What
 * a request did is answered by this process's own replica, so its caller reads its own writes.
 */
import {
  type Command,
  type Event,
  encodeCommand,
  LIMITS,
  type Refused,
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
}

interface OpenRequest {
  readonly text: string;
  readonly startMs: number;
  /** It may be carried out, whether or not its answer comes. */
  wasSent: boolean;
  resolve(events: readonly Event[]): void;
}

/** How often requests are looked at that wait too long. */
const SWEEP_EVERY_MS = 100;
const BUSY: readonly Refused[] = [refuse('venue_busy')];
/** It was never sent to a leader: nothing happened. */
const NOT_SENT: readonly Refused[] = [refuse('venue_halted')];
const UNKNOWN: readonly Refused[] = [refuse('outcome_unknown')];

export class OpenRequests {
  readonly #options: OpenRequestsOptions;
  /** In the order of their numbers. */
  readonly #open = new Map<number, OpenRequest>();
  readonly #unsent: number[] = [];
  readonly #timer: NodeJS.Timeout;
  #lastRequest = 0;
  #send: SendRequests | undefined;
  #sendScheduled = false;

  constructor(options: OpenRequestsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#sweep(), SWEEP_EVERY_MS);
    this.#timer.unref();
  }

  get count(): number {
    return this.#open.size;
  }

  /** Whether no further request is taken now. */
  get isFull(): boolean {
    return this.#open.size >= LIMITS.gatewayRequestsMax / 2;
  }

  /** Sends a command on and resolves with what it did, as the venue's port says. */
  submit(command: Command): Promise<readonly Event[]> {
    if (this.isFull) return Promise.resolve(BUSY);
    this.#lastRequest += 1;
    const request = this.#lastRequest;
    const text = encodeCommand(0, command);
    return new Promise((resolve) => {
      this.#open.set(request, { text, startMs: performance.now(), wasSent: false, resolve });
      this.#unsent.push(request);
      this.#scheduleSend();
    });
  }

  /** There is a leader: everything without an answer goes to it, in order. */
  connect(send: SendRequests): void {
    this.#send = send;
    this.#unsent.splice(0, this.#unsent.length, ...this.#open.keys());
    this.#scheduleSend();
  }

  /** There is none. */
  disconnect(): void {
    this.#send = undefined;
  }

  /** The log holds what a request became. */
  answer(request: number, events: readonly Event[]): void {
    this.#settle(request, events);
  }

  /** The leader refused requests; they changed nothing. */
  async refuse(rows: readonly RefusedRow[]): Promise<void> {
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
    this.#open.delete(request);
    open?.resolve(events);
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
      if (open === undefined) continue;
      open.wasSent = true;
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
