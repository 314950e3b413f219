/**
 * A public feed with those who follow it. Every update is encoded once per spelling. A reader
 * that is behind gets none; once it has caught up it gets a snapshot, the newest state there is.
 */
import type { Connection } from './connection.ts';
import type { PublicFeed, PushAction, StreamDialect, Topic } from './dialect.ts';
import { Frame } from './frame.ts';

interface Spelling {
  readonly topic: Topic;
  readonly readers: Set<Connection>;
}

/** A snapshot as it was sent, undefined when there was nothing to show. */
interface SentSnapshot {
  readonly spelling: Spelling;
  readonly seq: number;
  readonly frame: Frame | undefined;
}

export class PublicTopic {
  readonly feed: PublicFeed;
  readonly #dialect: StreamDialect;
  readonly #updateIntervalMs: number;
  readonly #spellings = new Map<string, Spelling>();
  /** Readers that missed an update, with the words they are owed a snapshot in. */
  readonly #behind = new Map<Connection, Set<Spelling>>();
  /** The last one only: one for each spelling would be as many as clients can think of. */
  #sent: SentSnapshot | undefined;
  #seq = 0;
  #touched = false;
  #publishedMs = Number.NEGATIVE_INFINITY;

  constructor(dialect: StreamDialect, feed: PublicFeed, updateIntervalMs: number) {
    this.feed = feed;
    this.#dialect = dialect;
    this.#updateIntervalMs = feed.isPrompt ? 0 : (feed.updateIntervalMs ?? updateIntervalMs);
  }

  /** True when it has no subscriber. */
  get isIdle(): boolean {
    return this.#spellings.size === 0;
  }

  /** True when there is something to do for it later. */
  get isWaiting(): boolean {
    return this.#touched || this.#behind.size > 0;
  }

  /** Something in its market may have changed. */
  touch(): void {
    this.#touched = true;
  }

  add(topic: Topic, reader: Connection): void {
    const spelling = this.#spelling(topic);
    spelling.readers.add(reader);
    this.#greet(spelling, reader);
  }

  /** Sends one who follows it another snapshot. */
  sendAgain(topic: Topic, reader: Connection): void {
    this.#greet(this.#spelling(topic), reader);
  }

  /** One who is behind, perhaps because of many snapshots at once, gets it later. */
  #greet(spelling: Spelling, reader: Connection): void {
    if (reader.isBehind || this.#behind.has(reader)) this.#owe(reader, spelling);
    else this.#sendSnapshot(spelling, reader);
  }

  remove(words: string, reader: Connection): void {
    const spelling = this.#spellings.get(words);
    if (spelling === undefined) return;
    spelling.readers.delete(reader);
    if (spelling.readers.size === 0) this.#spellings.delete(words);
    const owed = this.#behind.get(reader);
    owed?.delete(spelling);
    if (owed?.size === 0) this.#behind.delete(reader);
  }

  /** Sends what is due. */
  publish(nowMs: number): void {
    if (this.#behind.size > 0) this.#catchUp();
    if (!this.#touched || nowMs - this.#publishedMs < this.#updateIntervalMs) return;
    this.#touched = false;
    const update = this.feed.update();
    if (update === undefined) return;
    this.#publishedMs = nowMs;
    this.#seq += 1;
    for (const spelling of this.#spellings.values()) {
      this.#broadcast(spelling, this.#encode(spelling, update.action, update.data));
    }
  }

  #broadcast(spelling: Spelling, frame: Frame): void {
    for (const reader of spelling.readers) {
      if (reader.isBehind || this.#behind.has(reader)) this.#owe(reader, spelling);
      else reader.push(spelling.topic.channel, frame);
    }
  }

  #owe(reader: Connection, spelling: Spelling): void {
    const owed = this.#behind.get(reader);
    if (owed === undefined) this.#behind.set(reader, new Set([spelling]));
    else owed.add(spelling);
  }

  #catchUp(): void {
    for (const [reader, owed] of this.#behind) {
      if (reader.isBehind) continue;
      this.#behind.delete(reader);
      for (const spelling of owed) this.#sendSnapshot(spelling, reader);
    }
  }

  #sendSnapshot(spelling: Spelling, reader: Connection): void {
    if (this.#sent?.spelling !== spelling || this.#sent.seq !== this.#seq) {
      const data = this.feed.snapshot();
      const frame = data === undefined ? undefined : this.#encode(spelling, 'snapshot', data);
      this.#sent = { spelling, seq: this.#seq, frame };
    }
    const { frame } = this.#sent;
    if (frame !== undefined) reader.push(spelling.topic.channel, frame);
  }

  #encode(spelling: Spelling, action: PushAction, data: string): Frame {
    return Frame.ofText(this.#dialect.push(spelling.topic, action, data, this.#seq));
  }

  #spelling(topic: Topic): Spelling {
    const known = this.#spellings.get(topic.spelling);
    if (known !== undefined) return known;
    const spelling = { topic, readers: new Set<Connection>() };
    this.#spellings.set(topic.spelling, spelling);
    return spelling;
  }
}
