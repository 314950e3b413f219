/**
 * The private feeds of one account with those who follow them. Nothing is left out or joined: a
 * reader gets every message in order, or its connection is closed. What is told is durable.
 */
import type { AccountId, Event, Step, VenuePort } from '#domain';
import type { Connection } from './connection.ts';
import type { AccountFold, Dialect, PushAction, Topic } from './dialect.ts';

interface Spelling {
  readonly topic: Topic;
  readonly readers: Set<Connection>;
}

interface Concern {
  readonly step: Step;
  readonly events: readonly Event[];
}

export class AccountTopics {
  readonly dialect: Dialect;
  readonly accountId: AccountId;
  readonly #spellings = new Map<string, Spelling>();
  readonly #seqs = new Map<string, number>();
  /** What came in before the starting state was durable. */
  #early: Concern[] = [];
  #fold: AccountFold | undefined;
  #foldedSeq = 0;
  #isReady = false;

  constructor(dialect: Dialect, accountId: AccountId) {
    this.dialect = dialect;
    this.accountId = accountId;
  }

  get isIdle(): boolean {
    return this.#spellings.size === 0;
  }

  /** Takes the starting state; rejects when the venue has halted. Called once, before all else. */
  async open(venue: VenuePort): Promise<void> {
    await venue.read((state) => {
      this.#foldedSeq = state.seq;
      this.#fold = this.dialect.openAccount(this.accountId, state, (feed, action, data) =>
        this.#publish(feed, action, data),
      );
    });
    this.#isReady = true;
    for (const spelling of this.#spellings.values()) {
      for (const reader of spelling.readers) this.#sendSnapshot(spelling.topic, reader);
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
    const known = this.#spellings.get(topic.spelling);
    if (known === undefined) {
      this.#spellings.set(topic.spelling, { topic, readers: new Set([reader]) });
    } else known.readers.add(reader);
    if (this.#isReady) this.#sendSnapshot(topic, reader);
  }

  remove(words: string, reader: Connection): void {
    const spelling = this.#spellings.get(words);
    spelling?.readers.delete(reader);
    if (spelling?.readers.size === 0) this.#spellings.delete(words);
  }

  /** Nobody follows the account any more. */
  close(): void {
    this.#fold?.close?.();
  }

  /** Everybody who follows the account here. */
  readers(): Set<Connection> {
    const readers = new Set<Connection>();
    for (const spelling of this.#spellings.values()) {
      for (const reader of spelling.readers) readers.add(reader);
    }
    return readers;
  }

  #publish(feed: string, action: PushAction, data: string): void {
    const seq = (this.#seqs.get(feed) ?? 0) + 1;
    this.#seqs.set(feed, seq);
    for (const { topic, readers } of this.#spellings.values()) {
      if (topic.feed !== feed) continue;
      const frame = Buffer.from(this.dialect.push(topic, action, data, seq));
      for (const reader of readers) reader.push(topic.channel, frame);
    }
  }

  #sendSnapshot(topic: Topic, reader: Connection): void {
    const data = this.#fold?.snapshot(topic.feed);
    if (data === undefined) return;
    const seq = this.#seqs.get(topic.feed) ?? 0;
    const frame = Buffer.from(this.dialect.push(topic, 'snapshot', data, seq));
    reader.push(topic.channel, frame);
  }
}
