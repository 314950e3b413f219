/**
 * The private feeds of one account with those who follow them. Nothing is left out or joined: a
 * reader gets every message in order, or its connection is closed. What is published is durable.
 */
import type { AccountId, Event, StateReader, Step, VenuePort } from '#domain';
import { assert, present } from '#kernel';
import { AccountFeeds, type AccountStep } from './account-feeds.ts';
import type { Connection } from './connection.ts';
import type { StepPlace, StreamDialect, Topic } from './dialect.ts';
import { Frame } from './frame.ts';
import type { FeedLog, KeptMessage, KeptMessages } from './kept-messages.ts';
import type { Slices } from './slices.ts';
import { SnapshotMessage } from './snapshot-message.ts';

interface Spelling {
  readonly topic: Topic;
  /** Each with the snapshot that is still being made for it; undefined once it has one. */
  readonly readers: Map<Connection, SnapshotMessage | undefined>;
}

/** Private feeds of an account, and so messages of one step. */
const FEEDS_MAX = 4;

export class AccountTopics {
  readonly dialect: StreamDialect;
  readonly accountId: AccountId;
  readonly #slices: Slices;
  readonly #kept: KeptMessages;
  readonly #spellings = new Map<string, Spelling>();
  readonly #seqs = new Map<string, number>();
  /** Of feeds that can be resumed: what was published last. */
  readonly #logs = new Map<string, FeedLog>();
  /** Of the step that the starting state is as of. */
  #openedSeq = 0;
  /**
   * The number of the last message of any feed. It begins above all that steps up to the starting
   * state can have led to: it rises over absences of the client and starts of the venue.
   */
  #messagesCount = 0;
  /** What was released before the starting state was durable and complete. */
  #early: AccountStep[] = [];
  /** Undefined until the starting state is taken. */
  #feeds: AccountFeeds | undefined;
  #isReady = false;
  #isClosed = false;

  constructor(
    dialect: StreamDialect,
    accountId: AccountId,
    { slices, kept }: { readonly slices: Slices; readonly kept: KeptMessages },
  ) {
    this.dialect = dialect;
    this.accountId = accountId;
    this.#slices = slices;
    this.#kept = kept;
  }

  get isIdle(): boolean {
    return this.#spellings.size === 0;
  }

  /** Whether readers who have left may come back to it. */
  get isWorthKeeping(): boolean {
    return this.#isReady && !this.#isClosed && this.dialect.privateFeeds === 'resumable';
  }

  /** Whether all that was published of a topic after the message `since` is still kept. */
  canResume({ feed }: Topic, since: number): boolean {
    return this.#isReady && this.#logOf(feed).after(since) !== undefined;
  }

  /** Takes the starting state; rejects when it cannot be had. Called once. */
  async open(venue: VenuePort): Promise<void> {
    const feeds = await venue.read((state) => {
      this.#feeds = new AccountFeeds(this.dialect.openAccount(this.accountId), state);
      this.#messagesCount = state.seq * FEEDS_MAX;
      this.#openedSeq = state.seq;
      return this.#feeds;
    }, this.accountId);
    await feeds.recall();
    this.#isReady = true;
    for (const spelling of this.#spellings.values()) {
      for (const reader of spelling.readers.keys()) this.#sendSnapshot(spelling, reader);
    }
    const early = this.#early;
    this.#early = [];
    for (const step of early) this.release(step);
  }

  /** Whether an event that is about no single account changes this one. */
  isTouchedBy(event: Event): boolean {
    return this.#feeds?.isTouchedBy(event) === true;
  }

  /** Takes down what a step has left; undefined for one that is part of the starting state. */
  look(step: Step, events: readonly Event[], state: StateReader): AccountStep | undefined {
    return this.#feeds?.look(step, events, state);
  }

  /** Publishes what a step changed, which was looked at when it was applied. */
  release(step: AccountStep): void {
    if (this.#isClosed) return;
    if (!this.#isReady) {
      this.#early.push(step);
      return;
    }
    const feeds = present(this.#feeds, 'feeds of an account that is ready');
    const byFeed = feeds.release(step);
    const hasCount = this.dialect.privateFeeds === 'changes_only';
    assert(
      !hasCount || byFeed.size <= FEEDS_MAX,
      'a step leads to a message for each feed at most',
    );
    for (const [feed, rows] of byFeed) {
      this.#publish(feed, step.step, () => feeds.data(feed, rows, step));
    }
  }

  /** Lets a reader follow: behind the message `since` if it is given, of which all is kept. */
  add(topic: Topic, reader: Connection, since?: number): void {
    const spelling = this.#spellings.get(topic.spelling) ?? { topic, readers: new Map() };
    this.#spellings.set(topic.spelling, spelling);
    spelling.readers.set(reader, undefined);
    if (since !== undefined) this.#sendMissed(topic, reader, since);
    else if (this.#isReady) this.#sendSnapshot(spelling, reader);
  }

  remove(words: string, reader: Connection): void {
    const spelling = this.#spellings.get(words);
    spelling?.readers.delete(reader);
    if (spelling?.readers.size === 0) this.#spellings.delete(words);
  }

  /** The account has no subscriber any more, and none comes back. */
  close(): void {
    this.#isClosed = true;
    for (const log of this.#logs.values()) log.close();
  }

  /** Every connection subscribed to the account here. */
  readers(): Set<Connection> {
    const readers = new Set<Connection>();
    for (const spelling of this.#spellings.values()) {
      for (const reader of spelling.readers.keys()) readers.add(reader);
    }
    return readers;
  }

  /** Messages of a feed are counted whether anybody reads them or not. */
  #publish(feed: string, step: Step, write: () => string): void {
    if (this.dialect.privateFeeds === 'resumable') {
      const log = this.#logOf(feed);
      const place = { previous: log.lastSeq, timeMs: step.timeMs };
      const message = { seq: step.seq, place, data: write() };
      log.add(message);
      this.#send(feed, step.seq, () => message.data, place);
    } else this.#send(feed, this.#nextSeq(feed), write);
  }

  #send(feed: string, seq: number, write: () => string, place?: StepPlace): void {
    const spellings = [...this.#spellings.values()].filter(({ topic }) => topic.feed === feed);
    if (spellings.length === 0) return;
    const data = write();
    for (const { topic, readers } of spellings) {
      const frame = Frame.ofText(this.dialect.push(topic, 'update', data, seq, place));
      for (const [reader, coming] of readers) {
        if (coming === undefined) reader.push(topic.channel, frame);
        else holdBack(reader, coming, frame);
      }
    }
  }

  #nextSeq(feed: string): number {
    if (this.dialect.privateFeeds === 'changes_only') {
      this.#messagesCount += 1;
      return this.#messagesCount;
    }
    const seq = (this.#seqs.get(feed) ?? 0) + 1;
    this.#seqs.set(feed, seq);
    return seq;
  }

  /** What was kept of a feed since the starting state. */
  #logOf(feed: string): FeedLog {
    const log = this.#logs.get(feed) ?? this.#kept.open(this.#openedSeq);
    this.#logs.set(feed, log);
    return log;
  }

  /** Nothing in between is left out, and nothing comes twice. */
  #sendMissed(topic: Topic, reader: Connection, since: number): void {
    const missed = present(this.#logOf(topic.feed).after(since), 'messages that are kept');
    for (const message of missed) reader.push(topic.channel, this.#frameOf(topic, message));
  }

  #frameOf(topic: Topic, { seq, place, data }: KeptMessage): Frame {
    return Frame.ofText(this.dialect.push(topic, 'update', data, seq, place));
  }

  /** At once when it is short; else in slices, unless the reader leaves meanwhile. */
  #sendSnapshot({ topic, readers }: Spelling, reader: Connection): void {
    if (this.dialect.privateFeeds === 'changes_only') return;
    const rows = present(this.#feeds, 'feeds of an account that is ready').snapshot(topic.feed);
    const isResumable = this.dialect.privateFeeds === 'resumable';
    const log = isResumable ? this.#logOf(topic.feed) : undefined;
    const seq = log?.lastSeq ?? this.#seqs.get(topic.feed) ?? 0;
    const write = (data: string) => this.dialect.push(topic, 'snapshot', data, seq);
    const coming = new SnapshotMessage(rows, write);
    if (coming.advance()) {
      reader.pushParts(topic.channel, coming.parts);
      return;
    }
    readers.set(reader, coming);
    this.#slices.add(() => {
      if (!reader.isOpen || readers.get(reader) !== coming) return true;
      if (!coming.advance()) return false;
      readers.set(reader, undefined);
      reader.pushParts(topic.channel, coming.parts);
      for (const frame of coming.held) reader.push(topic.channel, frame);
      return true;
    });
  }
}

/** Nothing private is left out: a reader for whom too much waits is closed. */
function holdBack(reader: Connection, coming: SnapshotMessage, frame: Frame): void {
  if (coming.heldBytes + frame.length > reader.unsentBytesMax) reader.closeAsTooSlow();
  else coming.hold(frame);
}
