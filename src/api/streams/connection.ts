/**
 * One socket of a stream: text frames out, bounded; closing with a code and a reason; how often and
 * how lately its client spoke. It knows nothing of words or topics' contents.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { AccountId } from '#domain';
import { unreachable } from '#kernel';
import type { Client } from '../faults/held-calls.ts';
import type { FaultInjector } from '../faults/injector.ts';
import { LateFrames } from '../faults/late-frames.ts';
import { networkOf } from '../plugins/network.ts';
import type { Outbox } from '../plugins/outbox.ts';
import type { FrameCall } from '../request.ts';
import type { StreamDialect } from './dialect.ts';
import { Frame } from './frame.ts';
import type { StreamLimits } from './limits.ts';
import { Replies } from './replies.ts';

/** Close codes of RFC 6455 in the sense they are used here. */
export const CLOSE = {
  stopping: 1001,
  notText: 1003,
  notUnderstood: 1007,
  policy: 1008,
  fault: 1011,
  restart: 1012,
  tryLater: 1013,
} as const;

export interface Login {
  readonly key: string;
  readonly accountId: AccountId;
  /** By the venue's clock; infinite where it stays. */
  readonly expiresMs: number;
  /** Who it is, where that may do something: asked anew for each call. */
  readonly may: FrameCall['signer'];
}

/** What a connection can wait for before it is read on. */
export type Pause = 'calls' | 'login';

export interface ConnectionChoices {
  readonly dialect: StreamDialect;
  /** Where the client is, behind trusted proxies. */
  readonly address: string;
  readonly limits: StreamLimits;
  readonly outbox: Outbox;
  readonly nowMs: number;
  /** Undefined unless the venue is a sandbox. */
  readonly faults: FaultInjector | undefined;
}

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

export class Connection {
  readonly dialect: StreamDialect;
  readonly address: string;
  login: Login | undefined;
  /** Topics followed, counted by the hub. */
  topicsCount = 0;
  readonly #socket: WebSocket;
  readonly #duplex: Duplex;
  readonly #limits: StreamLimits;
  readonly #outbox: Outbox;
  readonly #faults: FaultInjector | undefined;
  /** Only where a fault rule has messages wait. */
  #late: LateFrames | undefined;
  #lastTopicMs: number;
  #lastHeardMs: number;
  #lastPingMs: number;
  #refusalsCount = 0;
  #behindSinceMs: number | undefined;
  /** Size of a message above the bound that may still be under way. */
  #largeBytes = 0;
  /** Answers to its calls. */
  readonly replies = new Replies({
    send: (text) => this.sendText(text),
    pause: () => this.pause('calls'),
    resume: () => this.resume('calls'),
  });
  /** Why it is not read now. */
  readonly #pauses = new Set<Pause>();
  readonly #messages = new Window(SECOND_MS);
  readonly #subscriptions = new Window(HOUR_MS);
  /** What is sent in one turn of the event loop leaves in one write. */
  #corked = false;
  readonly #uncork = (): void => {
    this.#corked = false;
    this.#duplex.uncork();
  };
  #closing = false;

  constructor(socket: WebSocket, duplex: Duplex, choices: ConnectionChoices) {
    this.#socket = socket;
    this.#duplex = duplex;
    this.dialect = choices.dialect;
    this.address = choices.address;
    this.#limits = choices.limits;
    this.#outbox = choices.outbox;
    this.#faults = choices.faults;
    this.#lastTopicMs = choices.nowMs;
    this.#lastHeardMs = choices.nowMs;
    this.#lastPingMs = choices.nowMs;
  }

  /** False once it is closing or closed: nothing more is sent. */
  get isOpen(): boolean {
    return !this.#closing && this.#socket.readyState === this.#socket.OPEN;
  }

  /** What was sent and is still in the memory of this process. */
  get unsentBytes(): number {
    return this.#socket.bufferedAmount + (this.#late?.bytes ?? 0);
  }

  /** True while the client does not read fast enough to be sent public updates. */
  get isBehind(): boolean {
    return this.#socket.bufferedAmount > this.#limits.behindBytes;
  }

  /** Sends a message, unless so much is unsent already that the connection is closed instead. */
  send(frame: Frame): void {
    if (!this.isOpen) return;
    if (!this.#hasRoomFor(frame.length)) return;
    this.#cork();
    this.#duplex.write(frame.bytes);
  }

  #cork(): void {
    if (this.#corked) return;
    this.#corked = true;
    this.#duplex.cork();
    this.#outbox.add(this.#uncork);
  }

  /** Sends a message of a channel, unless a fault rule has something else become of it. */
  push(channel: string, frame: Frame): void {
    if (this.#faults === undefined) this.send(frame);
    else if (this.isOpen) this.#pushWithFaults(this.#faults, channel, frame);
  }

  /** Sends a message of a channel that was made in parts; nothing comes between them. */
  pushParts(channel: string, parts: readonly Buffer[]): void {
    if (parts.length === 1 || this.#faults !== undefined) {
      this.push(channel, new Frame(...parts));
      return;
    }
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    if (!this.isOpen || !this.#hasRoomFor(bytes)) return;
    this.#cork();
    for (const [at, part] of parts.entries()) {
      this.#socket.send(part, { binary: false, fin: at === parts.length - 1 });
    }
  }

  sendText(text: string): void {
    this.send(Frame.ofText(text));
  }

  /** Says goodbye; a client that does not answer in time is cut off. The reason is for a person. */
  close(code: number, reason: string): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#socket.close(code, reason);
    const timer = setTimeout(() => this.#socket.terminate(), this.#limits.goodbyeMaxMs);
    this.#socket.once('close', () => clearTimeout(timer));
  }

  /** What may wait for it, besides one private message that is larger by itself. */
  get unsentBytesMax(): number {
    return this.#limits.unsentBytesMax;
  }

  closeAsTooSlow(): void {
    this.close(CLOSE.policy, 'reader too slow');
  }

  /** What is there until the client has left. */
  get client(): Client {
    return this.#duplex;
  }

  /** Ends it without a word. */
  cut(): void {
    this.#closing = true;
    this.#socket.terminate();
  }

  /** Reads no further than what has arrived. */
  pause(why: Pause): void {
    this.#pauses.add(why);
    this.#socket.pause();
  }

  /** Reads on, unless something else is waited for. */
  resume(why: Pause): void {
    if (this.#pauses.delete(why) && this.#pauses.size === 0) this.#socket.resume();
  }

  /** Resolves once the socket is gone. */
  async closed(): Promise<void> {
    if (this.#socket.readyState === this.#socket.CLOSED) return;
    await new Promise((resolve) => this.#socket.once('close', resolve));
  }

  #pushWithFaults(faults: FaultInjector, channel: string, frame: Frame): void {
    const effect = faults.message(this.dialect.stream, this.login?.key ?? '', channel);
    switch (effect?.kind) {
      case undefined:
        this.send(frame);
        break;
      case 'drop_message':
        break;
      case 'duplicate_message':
        this.send(frame);
        this.send(frame);
        break;
      case 'delay_message':
        this.#sendLate(frame, effect.ms);
        break;
      case 'disconnect_stream':
        this.close(CLOSE.fault, 'fault rule');
        break;
      default:
        unreachable(effect);
    }
  }

  #sendLate(frame: Frame, delayMs: number): void {
    if (!this.#hasRoomFor(frame.length)) return;
    const late = this.#late ?? new LateFrames();
    if (this.#late === undefined) this.#socket.once('close', () => late.clear());
    this.#late = late;
    late.add(frame, delayMs, (waited) => this.send(waited));
  }

  /**
   * False when so much is unsent already that the connection is closed instead. An account with
   * very many orders has messages larger than the bound: a reader who keeps up gets such a one all
   * the same, and the bound is for what comes behind it.
   */
  #hasRoomFor(bytes: number): boolean {
    const { unsentBytes } = this;
    const { behindBytes, unsentBytesMax } = this.#limits;
    const wantedBytes = unsentBytes + bytes;
    if (unsentBytes <= behindBytes) {
      this.#largeBytes = wantedBytes > unsentBytesMax ? bytes : 0;
    } else if (wantedBytes > unsentBytesMax + this.#largeBytes) {
      this.closeAsTooSlow();
      return false;
    }
    return true;
  }

  /** Who pays for what it asks: its key and its account, or its address without a login. */
  get callers(): readonly string[] {
    return this.login === undefined ? [networkOf(this.address)] : this.owners;
  }

  /** Key and account it is logged in for. */
  get owners(): readonly string[] {
    if (this.login === undefined) return [];
    return [`key ${this.login.key}`, `account ${this.login.accountId}`];
  }

  /** Notes that the client spoke. */
  heard(nowMs: number): void {
    this.#lastHeardMs = nowMs;
  }

  /** Counts a message: false when it is one too many for this second. */
  takeMessage(nowMs: number): boolean {
    return this.#messages.take(nowMs) <= this.#limits.messagesPerSecondMax;
  }

  /** True when it is time to send the client a ping, which then counts as sent. */
  takePing(nowMs: number): boolean {
    if (nowMs - this.#lastPingMs < this.#limits.pingIntervalMs) return false;
    this.#lastPingMs = nowMs;
    return true;
  }

  /** Counts a refusal: false when it is the last one. */
  takeRefusal(): boolean {
    this.#refusalsCount += 1;
    return this.#refusalsCount < this.#limits.refusalsMax;
  }

  /** How many more topics it may follow. */
  get topicsLeft(): number {
    return this.#limits.topicsMax - this.topicsCount;
  }

  /** Counts a subscription: false when it is one too many for this hour. */
  takeSubscription(nowMs: number): boolean {
    return this.#subscriptions.take(nowMs) <= this.#limits.subscriptionsPerHourMax;
  }

  /** Why the connection has to end now; undefined while it may stay. Asked about once a second. */
  overdue(nowMs: number): string | undefined {
    if (this.topicsCount > 0) this.#lastTopicMs = nowMs;
    if (!this.isBehind) this.#behindSinceMs = undefined;
    else this.#behindSinceMs ??= nowMs;
    if (nowMs - this.#lastTopicMs >= this.#limits.withoutTopicMaxMs) return 'no subscription';
    if (nowMs - this.#lastHeardMs >= this.#limits.silenceMaxMs) return 'no ping';
    const behindMs = nowMs - (this.#behindSinceMs ?? nowMs);
    return behindMs >= this.#limits.behindMaxMs ? 'reader too slow' : undefined;
  }
}

/** Counts what happens in a window that begins with its first happening. */
class Window {
  readonly #lengthMs: number;
  #startMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  take(nowMs: number): number {
    if (nowMs - this.#startMs >= this.#lengthMs) {
      this.#startMs = nowMs;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count;
  }
}
