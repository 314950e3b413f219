/**
 * Joins released steps to those who follow them: which topics a step touches, when they are
 * published, who is too slow or too quiet to stay. It reads no message; a session does.
 */
import type { Logger } from 'pino';
import {
  type Event,
  HistoryUnavailable,
  type InstrumentId,
  type Step,
  VenueHalted,
  type VenuePort,
} from '#domain';
import type { SharedBounds } from '../bounds/shared.ts';
import type { EndsConnection, FaultInjector } from '../faults/injector.ts';
import type { Contact } from '../options.ts';
import { CLOSE, type Connection } from './connection.ts';
import type { StreamDialect, Topic } from './dialect.ts';
import type { StreamLimits } from './limits.ts';
import { Places } from './places.ts';
import { PrivateTopics } from './private-topics.ts';
import { PublicTopic } from './public-topic.ts';

/** Why a connection is closed whose key or account has too many. */
export const TOO_MANY = 'too many connections of this key or account';

/** A process that has heard nothing of its cluster for so long has nothing to publish. */
const CUT_OFF_MAX_MS = 3_000;

export interface HubOptions {
  readonly venue: VenuePort;
  readonly log: Logger;
  readonly limits: StreamLimits;
  /** A clock that never goes back, for intervals only. */
  readonly monotonicMs: () => number;
  /** The venue's clock, which messages name. */
  readonly nowMs: () => number;
  /** False switches the limits on callers off. */
  readonly rateLimits: boolean;
  /** Undefined unless the venue is a sandbox. */
  readonly faults: FaultInjector | undefined;
  /** Whether what is published is new; undefined where it always is. */
  readonly contact: Contact | undefined;
  /** Counts connections over all processes; undefined where nothing counts, or one is all. */
  readonly shared: Pick<SharedBounds, 'enter' | 'hold' | 'holdAll' | 'onBegun'> | undefined;
}

export class Hub {
  readonly #log: Logger;
  readonly #limits: StreamLimits;
  readonly #monotonicMs: () => number;
  readonly #venueMs: () => number;
  /** Each with the topics it follows, by spelling. */
  readonly #connections = new Map<Connection, Map<string, Topic>>();
  readonly #places: Places;
  readonly #shared: HubOptions['shared'];
  readonly #contact: HubOptions['contact'];
  readonly #topics = new Map<string, PublicTopic>();
  /** By the market whose steps concern them; undefined of those of any. */
  readonly #topicsOfMarket = new Map<InstrumentId | undefined, Set<PublicTopic>>();
  readonly #private: PrivateTopics;
  /** Topics with something to publish. */
  readonly #waiting = new Set<PublicTopic>();
  readonly #sweep: NodeJS.Timeout;
  readonly #recount: NodeJS.Timeout;
  #soon: NodeJS.Immediate | undefined;
  #later: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(options: HubOptions) {
    this.#log = options.log;
    this.#private = new PrivateTopics(options.venue, options.limits, (readers, error) =>
      this.#endReaders(readers, error),
    );
    this.#limits = options.limits;
    this.#places = new Places(options.limits, options.rateLimits);
    this.#shared = options.shared;
    this.#contact = options.contact;
    this.#shared?.onBegun(() => this.#holdAll());
    this.#monotonicMs = options.monotonicMs;
    this.#venueMs = options.nowMs;
    options.faults?.onMaintenance((ends) => this.#closeEnded(ends));
    this.#sweep = setInterval(() => this.#closeOverdue(), options.limits.sweepIntervalMs).unref();
    this.#recount = setInterval(() => this.#holdAll(), options.limits.recountIntervalMs).unref();
  }

  get connectionsCount(): number {
    return this.#connections.size;
  }

  /** What clients have not read yet, over all connections. Costs one look at each. */
  unsentBytes(): number {
    let sum = 0;
    for (const connection of this.#connections.keys()) sum += connection.unsentBytes;
    return sum;
  }

  /** False when there is no place for one more connection, from this address. */
  makeRoom(address: string): boolean {
    return !this.#isClosing && this.#places.makeRoom(address);
  }

  add(connection: Connection): void {
    this.#connections.set(connection, new Map());
    this.#places.add(connection, this.#monotonicMs());
  }

  /** A connection has logged in: false when its key or its account has too many. */
  login(connection: Connection): boolean {
    const isWithin = this.#places.login(connection);
    if (isWithin && this.#shared !== undefined) void this.#enter(connection, this.#shared);
    return isWithin;
  }

  /** Its owner may have too many over all processes: it has logged in by the time that is known. */
  async #enter(connection: Connection, shared: NonNullable<HubOptions['shared']>): Promise<void> {
    const counts = this.#places.ownerCounts(connection.owners);
    if (await shared.enter(counts, this.#limits.connectionsPerCallerMax)) return;
    connection.close(CLOSE.policy, TOO_MANY);
  }

  /** Whoever counts for all processes may have missed what this one has said of an owner. */
  #holdAll(): void {
    this.#shared?.holdAll(this.#places.ownerCounts());
  }

  /** Forgets a connection and everything it followed. */
  remove(connection: Connection): void {
    const topics = this.#connections.get(connection);
    if (topics === undefined) return;
    for (const topic of topics.values()) this.unsubscribe(connection, topic);
    this.#connections.delete(connection);
    this.#places.remove(connection);
    this.#shared?.hold(this.#places.ownerCounts(connection.owners));
  }

  /**
   * Follows a topic, from its snapshot on. Following it again changes nothing: a snapshot costs
   * more than the words that ask for it. A private topic is that of the account the connection is
   * logged in for, and goes on behind the message `since` where it can be resumed there.
   */
  subscribe(connection: Connection, topic: Topic, since?: number): void {
    const topics = this.#connections.get(connection);
    if (topics === undefined) return;
    if (topics.has(topic.spelling)) {
      this.#repeat(connection, topic);
      return;
    }
    topics.set(topic.spelling, topic);
    connection.topicsCount = topics.size;
    if (topic.isPrivate) this.#private.add(topic, connection, since);
    else this.#addPublic(connection, topic);
  }

  #addPublic(connection: Connection, topic: Topic): void {
    const followed = this.#publicTopic(connection.dialect, topic);
    followed.add(topic, connection);
    if (followed.isWaiting) this.#await(followed);
  }

  #repeat(connection: Connection, topic: Topic): void {
    if (connection.dialect.repeatsSnapshots !== true || topic.isPrivate) return;
    const followed = this.#publicTopic(connection.dialect, topic);
    followed.sendAgain(topic, connection);
    if (followed.isWaiting) this.#await(followed);
  }

  /** Whether all that happened after the message `since` of a private topic is still known. */
  canResume(connection: Connection, topic: Topic, since: number): boolean {
    return !this.follows(connection, topic) && this.#private.canResume(topic, connection, since);
  }

  follows(connection: Connection, { spelling }: Topic): boolean {
    return this.#connections.get(connection)?.has(spelling) === true;
  }

  unsubscribe(connection: Connection, topic: Topic): void {
    const topics = this.#connections.get(connection);
    if (topics?.delete(topic.spelling) !== true) return;
    connection.topicsCount = topics.size;
    if (topic.isPrivate) this.#private.remove(topic, connection);
    else this.#leavePublic(connection, topic);
  }

  /** Takes in the next released step, once the live views have. */
  onStep(step: Step): void {
    this.#private.release(step);
    if (this.#connections.size === 0) return;
    for (const event of step.events) {
      if (event.kind === 'ticked') this.#touchAll();
      else if (event.kind === 'key_revoked') this.#closeKey(event.key);
      else this.#touch(marketOf(event));
    }
  }

  /** The venue went back to a checkpoint: every subscription ends. */
  endAll(): void {
    for (const connection of [...this.#connections.keys()]) {
      this.remove(connection);
      connection.close(CLOSE.restart, 'reset');
    }
    this.#private.forgetIdle();
  }

  /** Closes every connection; resolves when all are gone or cut off. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#private.forgetIdle();
    clearInterval(this.#sweep);
    clearInterval(this.#recount);
    for (const connection of this.#connections.keys()) {
      connection.close(CLOSE.stopping, 'server stopping');
    }
    await Promise.all([...this.#connections.keys()].map((connection) => connection.closed()));
    clearImmediate(this.#soon);
    clearTimeout(this.#later);
  }

  #touch(market: InstrumentId | undefined): void {
    if (market === undefined) return;
    for (const topic of this.#topicsOfMarket.get(market) ?? []) this.#wake(topic);
    for (const topic of this.#topicsOfMarket.get(undefined) ?? []) this.#wake(topic);
  }

  /** Time passed: candles and 24 hours move on without a trade. */
  #touchAll(): void {
    for (const topic of this.#topics.values()) this.#wake(topic);
  }

  #wake(topic: PublicTopic): void {
    topic.touch();
    this.#await(topic);
  }

  #await(topic: PublicTopic): void {
    this.#waiting.add(topic);
    this.#soon ??= setImmediate(() => this.#publish());
  }

  /** What is due goes out at the end of a turn; the rest when its interval is over. */
  #publish(): void {
    clearImmediate(this.#soon);
    clearTimeout(this.#later);
    this.#soon = undefined;
    this.#later = undefined;
    const nowMs = this.#monotonicMs();
    for (const topic of this.#waiting) {
      topic.publish(nowMs);
      if (!topic.isWaiting) this.#waiting.delete(topic);
    }
    if (this.#waiting.size === 0) return;
    this.#later = setTimeout(() => this.#publish(), this.#limits.updateIntervalMs);
  }

  #publicTopic(dialect: StreamDialect, { feed }: Topic): PublicTopic {
    const name = nameOf(dialect, feed);
    const known = this.#topics.get(name);
    if (known !== undefined) return known;
    const { updateIntervalMs } = dialect.limits ?? {};
    const intervalMs = updateIntervalMs ?? this.#limits.updateIntervalMs;
    const topic = new PublicTopic(dialect, dialect.openFeed(feed), intervalMs);
    this.#topics.set(name, topic);
    const { instrumentId } = topic.feed;
    const ofMarket = this.#topicsOfMarket.get(instrumentId);
    if (ofMarket === undefined) this.#topicsOfMarket.set(instrumentId, new Set([topic]));
    else ofMarket.add(topic);
    return topic;
  }

  #leavePublic(connection: Connection, { spelling, feed }: Topic): void {
    const name = nameOf(connection.dialect, feed);
    const topic = this.#topics.get(name);
    topic?.remove(spelling, connection);
    if (topic?.isIdle !== true) return;
    this.#topics.delete(name);
    this.#waiting.delete(topic);
    const ofMarket = this.#topicsOfMarket.get(topic.feed.instrumentId);
    ofMarket?.delete(topic);
    if (ofMarket?.size === 0) this.#topicsOfMarket.delete(topic.feed.instrumentId);
  }

  /** The venue has halted: nothing more will come. Without its history it may come later. */
  #endReaders(readers: Iterable<Connection>, error: unknown): void {
    const isPassing = error instanceof HistoryUnavailable;
    const isKnown = isPassing || error instanceof VenueHalted;
    if (!isKnown) this.#log.error({ err: error }, 'private stream failed');
    for (const reader of readers) {
      if (isPassing) reader.close(CLOSE.tryLater, 'history unavailable');
      else reader.close(CLOSE.fault, 'venue halted');
    }
  }

  /** What connections are logged in by: keys, or sessions. */
  get loginKeys(): ReadonlySet<string> {
    const keys = [...this.#connections.keys()].flatMap(({ login }) => login?.key ?? []);
    return new Set(keys);
  }

  /** Ends what is logged in by these keys or sessions, and says why. */
  endKeys(isOne: (key: string) => boolean, why: string): void {
    for (const connection of this.#connections.keys()) {
      const key = connection.login?.key;
      if (key !== undefined && isOne(key)) connection.close(CLOSE.policy, why);
    }
  }

  #closeKey(key: string): void {
    for (const connection of this.#connections.keys()) {
      if (connection.login?.key === key) connection.close(CLOSE.policy, 'key revoked');
    }
  }

  /** Maintenance has begun. */
  #closeEnded(ends: EndsConnection): void {
    for (const [connection, topics] of this.#connections) {
      const { dialect, login } = connection;
      const channels = [...topics.values()].map(({ channel }) => channel);
      if (!connection.isOpen || !ends(dialect.stream, login?.key ?? '', channels)) continue;
      connection.close(CLOSE.tryLater, 'maintenance');
    }
  }

  /** Its clients find another process, or learn that there is none. */
  #closeCutOff(): void {
    if (this.#contact === undefined || this.#contact.contactAgeMs < CUT_OFF_MAX_MS) return;
    for (const connection of this.#connections.keys()) {
      connection.close(CLOSE.tryLater, 'cut off from the cluster');
    }
  }

  #closeExpired(): void {
    const nowMs = this.#venueMs();
    for (const connection of this.#connections.keys()) {
      const { login } = connection;
      if (login !== undefined && nowMs >= login.expiresMs) {
        connection.close(CLOSE.policy, 'key expired');
      }
    }
  }

  #closeOverdue(): void {
    this.#closeCutOff();
    this.#closeExpired();
    const nowMs = this.#monotonicMs();
    let roomBytes = this.#limits.unsentBytesTotalMax;
    for (const connection of this.#connections.keys()) {
      roomBytes -= connection.unsentBytes;
      const isTooMuch = roomBytes < 0 && connection.isBehind;
      const reason = isTooMuch ? 'reader too slow' : this.#overdue(connection, nowMs);
      if (reason !== undefined) connection.close(CLOSE.policy, reason);
      else this.#ping(connection, nowMs);
    }
  }

  #ping(connection: Connection, nowMs: number): void {
    const { dialect } = connection;
    if (dialect.ping === undefined || !connection.takePing(nowMs)) return;
    connection.sendText(dialect.ping(this.#venueMs()));
  }

  #overdue(connection: Connection, nowMs: number): string | undefined {
    if (this.#places.isOverdue(connection, nowMs)) return 'no room without a login';
    return connection.overdue(nowMs);
  }
}

function nameOf(dialect: StreamDialect, feed: string): string {
  return `${dialect.paths[0].path} ${feed}`;
}

/** The market whose public data an event may change. */
function marketOf(event: Event): InstrumentId | undefined {
  switch (event.kind) {
    case 'trade':
    case 'contract_trade':
    case 'order_rested':
    case 'funding_settled':
    case 'index_reported':
      return event.instrumentId;
    case 'order_moved':
    case 'contract_order_moved':
    case 'order_closed':
    case 'contract_order_closed':
      return event.order.instrumentId;
    case 'contract_priced':
      return event.prices.instrumentId;
    default:
      return undefined;
  }
}
