/**
 * The private feeds of one account with those who follow them. Nothing is left out or joined: a
 * reader gets every message in order, or its connection is closed. What is published is durable.
 */
import type { AccountId, Event, Step, VenuePort } from '#domain';
import type { Connection, Frame } from './connection.ts';
import type { AccountFold, Dialect, PushAction, Topic } from './dialect.ts';
import type { Slices } from './slices.ts';
import { SnapshotMessage } from './snapshot-message.ts';

interface Spelling {
  readonly topic: Topic;
  /** Each with the snapshot that is still being made for it; undefined once it has one. */
  readonly readers: Map<Connection, SnapshotMessage | undefined>;
}

interface Concern {
  readonly step: Step;
  readonly events: readonly Event[];
}

export class AccountTopics {
  readonly dialect: Dialect;
  readonly accountId: AccountId;
  readonly #slices: Slices;
  readonly #spellings = new Map<string, Spelling>();
  readonly #seqs = new Map<string, number>();
  /** What came in before the starting state was durable. */
  #early: Concern[] = [];
  #fold: AccountFold | undefined;
  #foldedSeq = 0;
  #isReady = false;
  #isClosed = false;

  constructor(dialect: Dialect, accountId: AccountId, slices: Slices) {
    this.dialect = dialect;
    this.accountId = accountId;
    this.#slices = slices;
  }

  get isIdle(): boolean {
    return this.#spellings.size === 0;
  }

  /** Takes the starting state; rejects when the venue has halted. Called once, before all else. */
  async open(venue: VenuePort): Promise<void> {
    await venue.read((state) => {
      if (this.#isClosed) return;
      this.#foldedSeq = state.seq;
      this.#fold = this.dialect.openAccount(this.accountId, state, (feed, action, data) =>
        this.#publish(feed, action, data),
      );
    });
    if (this.#isClosed) return;
    this.#isReady = true;
    for (const spelling of this.#spellings.values()) {
      for (const reader of spelling.readers.keys()) this.#sendSnapshot(spelling, reader);
    }
    const early = this.#early;
    this.#early = [];
    for (const { step, events } of early) this.take(step, events);
  }

  /** Takes in the events of a step that concern the account. */
  take(step: Step, events: readonly Event[]): void {
    if (!this.#isReady) {
      this.#early.push({ step, events });
      return;
    }
    if (this.#fold === undefined || step.seq <= this.#foldedSeq) return;
    this.#foldedSeq = step.seq;
    for (const event of events) this.#fold.apply(event, step);
    this.#fold.endStep(step);
  }

  add(topic: Topic, reader: Connection): void {
    const spelling = this.#spellings.get(topic.spelling) ?? { topic, readers: new Map() };
    this.#spellings.set(topic.spelling, spelling);
    spelling.readers.set(reader, undefined);
    if (this.#isReady) this.#sendSnapshot(spelling, reader);
  }

  remove(words: string, reader: Connection): void {
    const spelling = this.#spellings.get(words);
    spelling?.readers.delete(reader);
    if (spelling?.readers.size === 0) this.#spellings.delete(words);
  }

  /** The account has no subscriber any more. */
  close(): void {
    this.#isClosed = true;
    this.#fold?.close?.();
  }

  /** Every connection subscribed to the account here. */
  readers(): Set<Connection> {
    const readers = new Set<Connection>();
    for (const spelling of this.#spellings.values()) {
      for (const reader of spelling.readers.keys()) readers.add(reader);
    }
    return readers;
  }

  #publish(feed: string, action: PushAction, data: string): void {
    const seq = (this.#seqs.get(feed) ?? 0) + 1;
    this.#seqs.set(feed, seq);
    for (const { topic, readers } of this.#spellings.values()) {
      if (topic.feed !== feed) continue;
      const frame = Buffer.from(this.dialect.push(topic, action, data, seq));
      for (const [reader, coming] of readers) {
        if (coming === undefined) reader.push(topic.channel, frame);
        else holdBack(reader, coming, frame);
      }
    }
  }

  /** At once when it is short; else in slices, unless the reader leaves meanwhile. */
  #sendSnapshot({ topic, readers }: Spelling, reader: Connection): void {
    const rows = this.#fold?.snapshot(topic.feed);
    if (rows === undefined) return;
    const seq = this.#seqs.get(topic.feed) ?? 0;
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
