/**
 * What one client says on its connection: messages are read in order, held while a login is being
 * checked, counted, and answered in the words of the dialect.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isRefused, refuse } from '#domain';
import { assert, present } from '#kernel';
import type { FaultInjector } from '../faults/injector.ts';
import type { Principal } from '../keys/port.ts';
import type { KeyDoor } from '../plugins/auth.ts';
import type { FrameCall } from '../request.ts';
import type { Budgets } from './budget.ts';
import type { SocketCall } from './call-frames.ts';
import type { SocketCalls } from './calls.ts';
import { CLOSE, type Connection } from './connection.ts';
import type {
  ClientMessage,
  LoginAttempt,
  MessageLogin,
  StreamRefusal,
  Topic,
  WholeRequest,
} from './dialect.ts';
import { type Hub, TOO_MANY } from './hub.ts';

type May = FrameCall['signer'];

/** Messages that may wait for a login to be checked before the client is read no further. */
const HELD_MAX = 32;

const TOO_OFTEN = 'too many messages in a second';

const MAINTENANCE = refusal('maintenance', 'try again later');

export interface SessionOptions {
  readonly hub: Hub;
  readonly auth: KeyDoor;
  /** Undefined where no frames carry calls. */
  readonly calls: SocketCalls | undefined;
  /** The venue's clock, which signatures follow. */
  readonly nowMs: () => number;
  /** A clock that never goes back, for intervals only. */
  readonly monotonicMs: () => number;
  /** Undefined where limits on messages and subscriptions are switched off. */
  readonly budgets: Budgets | undefined;
  /** Undefined unless the venue is a sandbox. */
  readonly faults: FaultInjector | undefined;
}

export class Session {
  readonly #connection: Connection;
  readonly #options: SessionOptions;
  /** What came in while a login is being checked; undefined while none is. */
  #held: string[] | undefined;
  #isNew = true;
  #isUnread = true;
  #headers: IncomingHttpHeaders = {};

  constructor(connection: Connection, options: SessionOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** Lets the client speak, who has logged in if there is a key, or sends it away. What it asks
   *  by the target it has connected to comes first. */
  begin({ url: target = '', headers }: IncomingMessage, key?: Principal, may?: May): void {
    const connection = this.#connection;
    this.#headers = headers;
    if (key !== undefined && !this.#enter(key, may)) return;
    if (this.#isDown(key?.key ?? '')) {
      this.#endForMaintenance();
      return;
    }
    const greeting = connection.dialect.greeting?.(randomUUID(), this.#options.nowMs());
    if (greeting !== undefined) connection.sendText(greeting);
    const opened = connection.dialect.opened?.(target);
    if (opened !== undefined) this.#act(opened);
  }

  /** Takes a binary message, in a dialect that reads them. */
  receiveBinary(message: ClientMessage): void {
    if (this.#takeIn()) this.#act(message);
  }

  /** Takes a message as it comes off the socket. */
  receive(text: string): void {
    if (!this.#takeIn()) return;
    if (this.#held === undefined) this.#handle(text);
    else if (this.#held.push(text) >= HELD_MAX) this.#connection.pause('login');
  }

  /** Counts a message that came: false when it is not to be read. */
  #takeIn(): boolean {
    const connection = this.#connection;
    if (!connection.isOpen) return false;
    const nowMs = this.#options.monotonicMs();
    connection.heard(nowMs);
    if (this.#takeMessage(nowMs)) return true;
    connection.close(CLOSE.policy, TOO_OFTEN);
    return false;
  }

  /** The first message is free: it may be a login, and an address may be shared. */
  #takeMessage(nowMs: number): boolean {
    const { budgets } = this.#options;
    const isFirst = this.#isNew;
    this.#isNew = false;
    if (budgets === undefined) return true;
    const connection = this.#connection;
    if (!connection.takeMessage(nowMs)) return false;
    if (isFirst || this.#options.calls !== undefined) return true;
    return budgets.messages.take(connection.callers, nowMs);
  }

  #handle(text: string): void {
    const message = this.#connection.dialect.read(text);
    if (this.#takeUncalled(message)) this.#act(message);
    else this.#connection.close(CLOSE.policy, TOO_OFTEN);
  }

  /**
   * Calls have limits of their own over all connections. What else comes where messages may be
   * calls counts as it does elsewhere, once it is known that it is none.
   */
  #takeUncalled({ kind }: ClientMessage): boolean {
    const { budgets, calls } = this.#options;
    const isFirst = this.#isUnread;
    this.#isUnread = false;
    if (isFirst || budgets === undefined || calls === undefined || kind === 'call') return true;
    return budgets.messages.take(this.#connection.callers, this.#options.monotonicMs());
  }

  #act(message: ClientMessage): void {
    switch (message.kind) {
      case 'ping':
        this.#connection.sendText(message.answer);
        break;
      case 'pong':
        break;
      case 'login':
        this.#login(message.login, message.requestId);
        break;
      case 'subscribe':
        this.#each(message.topics, (topic) => this.#subscribe(topic));
        break;
      case 'unsubscribe':
        this.#each(message.topics, (topic) => this.#unsubscribe(topic));
        break;
      case 'request':
        this.#serveWhole(message);
        break;
      case 'call':
        this.#call(message);
        break;
      case 'refusal':
        this.#refuse(message);
        break;
    }
  }

  #call(message: SocketCall): void {
    const connection = this.#connection;
    const { address, login, client, replies } = connection;
    const headers = this.#headers;
    const cut = () => connection.cut();
    const calls = present(this.#options.calls, 'calls of a dialect whose frames carry them');
    calls.serve(message, { address, headers, login, client, replies, cut });
  }

  /** Does what is asked for all topics, and answers; or refuses it and does nothing. */
  #serveWhole(request: WholeRequest): void {
    const { wants, topics, requestId, since } = request;
    const connection = this.#connection;
    const { hub } = this.#options;
    const refused = this.#refusalOf(wants, topics);
    if (refused !== undefined) {
      this.#refuse({ ...refused, requestId });
      return;
    }
    const behind = topics.filter(({ isPrivate }) => isPrivate);
    const isResumed =
      since !== undefined &&
      behind.length > 0 &&
      behind.every((topic) => hub.canResume(connection, topic, since));
    connection.sendText(request.answer(isResumed));
    for (const topic of topics) {
      if (wants === 'unsubscribe') hub.unsubscribe(connection, topic);
      else hub.subscribe(connection, topic, isResumed ? since : undefined);
    }
  }

  #refusalOf(wants: WholeRequest['wants'], topics: readonly Topic[]): StreamRefusal | undefined {
    const connection = this.#connection;
    if (!this.#takeSubscription()) return refusal('subscriptions_exceeded', 'requests');
    if (wants === 'unsubscribe') return undefined;
    const key = connection.login?.key ?? '';
    const closed = connection.login === undefined && topics.find(({ isPrivate }) => isPrivate);
    if (closed) return refusal('login_needed', closed.spelling);
    if (topics.some(({ channel }) => this.#isDown(key, channel))) return MAINTENANCE;
    if (this.#options.budgets === undefined) return undefined;
    const fresh = topics.filter((topic) => !this.#options.hub.follows(connection, topic));
    const count = new Set(fresh.map(({ spelling }) => spelling)).size;
    return count > connection.topicsLeft
      ? refusal('subscriptions_exceeded', 'channels')
      : undefined;
  }

  #isDown(key: string, channel?: string): boolean {
    return this.#options.faults?.isDown(this.#connection.dialect.stream, key, channel) === true;
  }

  #endForMaintenance(requestId?: string): void {
    this.#refuse({ ...MAINTENANCE, requestId });
    this.#connection.close(CLOSE.tryLater, 'maintenance');
  }

  #login(given: LoginAttempt, requestId?: string): void {
    if (this.#isDown(given.key)) {
      this.#endForMaintenance(requestId);
      return;
    }
    const { login } = this.#connection.dialect;
    assert(login?.by === 'message', 'a dialect that reads logins has them by message');
    this.#held = [];
    void this.#checkLogin(login, given, requestId).finally(() => this.#resume());
  }

  async #checkLogin(words: MessageLogin, given: LoginAttempt, requestId?: string): Promise<void> {
    const connection = this.#connection;
    const { login, address } = connection;
    const { auth, nowMs } = this.#options;
    const checked = await given.check({ address, nowMs: nowMs() }, auth);
    // From here to the end nothing waits: a key revoked later finds the connection by its login.
    if (!connection.isOpen) return;
    const key = isRefused(checked) || checked.isLive ? checked : refuse('credentials_wrong');
    if (isRefused(key)) {
      connection.sendText(words.refused(key, requestId));
      connection.close(CLOSE.policy, 'login failed');
    } else if (login !== undefined && login.key !== key.key) {
      const another = refusal('message_invalid', 'already logged in with another key');
      this.#refuse({ ...another, requestId });
    } else if (this.#enter(key)) connection.sendText(words.done(requestId));
  }

  /** Logs the connection in, unless its owner has too many. */
  #enter(
    { key, accountId, expiresMs }: Principal,
    may: May = (use, keys) => keys.holder(key, use),
  ): boolean {
    const connection = this.#connection;
    connection.login = { key, accountId, expiresMs, may };
    if (this.#options.hub.login(connection)) return true;
    connection.close(CLOSE.policy, TOO_MANY);
    return false;
  }

  #resume(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const [at, text] of held.entries()) {
      if (!this.#connection.isOpen) return;
      this.#handle(text);
      if (this.#isHolding()) {
        this.#holdOn(held.slice(at + 1));
        return;
      }
    }
    this.#connection.resume('login');
  }

  /** The rest waits for the next login. */
  #holdOn(held: string[]): void {
    this.#held = held;
    if (held.length < HELD_MAX) this.#connection.resume('login');
  }

  /** True when the last message was another login. */
  #isHolding(): boolean {
    return this.#held !== undefined;
  }

  /** What is wrong with the topics of one message is one answer, behind those that are right. */
  #each(
    topics: readonly (Topic | StreamRefusal)[],
    serve: (topic: Topic) => StreamRefusal | undefined,
  ): void {
    const refusals: StreamRefusal[] = [];
    for (const topic of topics) {
      if (!this.#connection.isOpen) return;
      const refused = 'kind' in topic ? topic : serve(topic);
      if (refused !== undefined) refusals.push(refused);
    }
    const [first] = refusals;
    if (first === undefined) return;
    const more = refusals.length - 1;
    const detail = more === 0 ? first.detail : `${first.detail}, and ${more} more like it`;
    this.#refuse({ ...first, detail });
  }

  #subscribe(topic: Topic): StreamRefusal | undefined {
    const refused = this.#admit(topic);
    if (refused !== undefined) return refused;
    const connection = this.#connection;
    this.#confirm(connection.dialect.subscribed?.(topic));
    this.#options.hub.subscribe(connection, topic);
    return undefined;
  }

  /** Why the topic may not be followed now; undefined when it may. */
  #admit(topic: Topic): StreamRefusal | undefined {
    const connection = this.#connection;
    if (this.#isDown(connection.login?.key ?? '', topic.channel)) return MAINTENANCE;
    if (topic.isPrivate && connection.login === undefined) {
      return refusal('login_needed', topic.spelling);
    }
    return this.#takeSubscription() ? undefined : refusal('subscriptions_exceeded', topic.spelling);
  }

  #takeSubscription(): boolean {
    const { monotonicMs, budgets } = this.#options;
    if (budgets === undefined) return true;
    const connection = this.#connection;
    const nowMs = monotonicMs();
    const isWithin = connection.takeSubscription(nowMs);
    return isWithin && budgets.subscriptions.take(connection.callers, nowMs);
  }

  #unsubscribe(topic: Topic): undefined {
    const connection = this.#connection;
    this.#options.hub.unsubscribe(connection, topic);
    this.#confirm(connection.dialect.unsubscribed?.(topic));
  }

  #confirm(text: string | undefined): void {
    if (text !== undefined) this.#connection.sendText(text);
  }

  #refuse(refused: StreamRefusal): void {
    const connection = this.#connection;
    connection.sendText(connection.dialect.refused(refused));
    if (connection.takeRefusal()) return;
    connection.close(CLOSE.notUnderstood, 'Unrecognized message sent multiple times');
  }
}

function refusal(fault: StreamRefusal['fault'], detail: string): StreamRefusal {
  return { kind: 'refusal', fault, detail };
}
