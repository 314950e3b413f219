/**
 * Who listens to which topic of one stream, and whether what they received is complete. It counts
 * listeners and sequence numbers; it knows no socket.
 */
import type { Dialect, Pushed, Topic } from './dialects.ts';

/** What a listener is given. A snapshot replaces all it knows, an update adds to it. */
export interface Push<Row> {
  readonly isSnapshot: boolean;
  readonly rows: readonly Row[];
  /** Of the message, counted per topic: an update follows the one before. */
  readonly seq: number;
}

export interface Listener<Row> {
  onPush(push: Push<Row>): void;
  /** What it knows is old from now on, until the next snapshot, which comes by itself. */
  onLost?(): void;
}

interface Followed {
  readonly topic: Topic;
  readonly listeners: Set<Listener<unknown>>;
  /** Sequence number of the last push; undefined while a snapshot is awaited. */
  seq: number | undefined;
}

/** complete: it was passed on; early: no snapshot yet; gap: a message is missing. */
export type Outcome = 'complete' | 'early' | 'gap';

export class Subscriptions {
  readonly #dialect: Dialect;
  readonly #byKey = new Map<string, Followed>();
  /** Topics whose subscription was confirmed and whose snapshot has not come, oldest first. */
  readonly #confirmed = new Set<string>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  get topics(): readonly Topic[] {
    return [...this.#byKey.values()].map(({ topic }) => topic);
  }

  isFollowed(topic: Topic): boolean {
    return this.#byKey.has(this.#dialect.keyOf(topic));
  }

  add(topic: Topic, listener: Listener<unknown>): void {
    const key = this.#dialect.keyOf(topic);
    const known = this.#byKey.get(key);
    if (known !== undefined) known.listeners.add(listener);
    else this.#byKey.set(key, { topic, listeners: new Set([listener]), seq: undefined });
  }

  /** Returns true when the topic has no listeners left. */
  remove(topic: Topic, listener: Listener<unknown>): boolean {
    const key = this.#dialect.keyOf(topic);
    const followed = this.#byKey.get(key);
    followed?.listeners.delete(listener);
    if (followed === undefined || followed.listeners.size > 0) return false;
    this.#confirmed.delete(key);
    return this.#byKey.delete(key);
  }

  confirm(key: string): void {
    // A repeated subscription queues behind the others.
    this.#confirmed.delete(key);
    if (this.#byKey.has(key)) this.#confirmed.add(key);
  }

  /** The topic that a push belongs to; undefined when it is no longer followed. */
  topicOf(push: Pushed): Topic | undefined {
    return this.#byKey.get(this.#keyOf(push))?.topic;
  }

  /** Passes a push on if it follows the one before. */
  take(push: Pushed): Outcome {
    const key = this.#keyOf(push);
    const followed = this.#byKey.get(key);
    if (followed === undefined) return 'early';
    const { isSnapshot, rows, seq } = push;
    if (!isSnapshot && followed.seq === undefined) return 'early';
    if (!isSnapshot && followed.seq !== seq - 1) {
      this.#lose(followed);
      return 'gap';
    }
    if (isSnapshot) this.#confirmed.delete(key);
    followed.seq = seq;
    for (const { onPush } of [...followed.listeners]) onPush({ isSnapshot, rows, seq });
    return 'complete';
  }

  /** The topic has to start from a snapshot again; without a topic, all of them. */
  lose(topic?: Topic): void {
    const key = topic === undefined ? undefined : this.#dialect.keyOf(topic);
    for (const [name, followed] of this.#byKey) {
      if (key === undefined || key === name) this.#lose(followed);
    }
    if (key === undefined) this.#confirmed.clear();
  }

  #lose(followed: Followed): void {
    if (followed.seq === undefined) return;
    followed.seq = undefined;
    for (const { onLost } of [...followed.listeners]) onLost?.();
  }

  /** An empty push of contracts names its channel only: it is for the first that waits for one. */
  #keyOf({ key }: Pushed): string {
    if (this.#byKey.has(key)) return key;
    return [...this.#confirmed].find((name) => name.startsWith(`${key}:`)) ?? key;
  }
}
