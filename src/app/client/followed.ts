/**
 * Who listens to which channel of a stream, and whether what they were told is complete. It counts
 * listeners and follows the numbers of the messages; it knows no socket.
 */

/** A snapshot replaces all that was known, an update adds to it. */
export interface StreamMessage<Data> {
  readonly type: 'snapshot' | 'update';
  readonly seq: number;
  /** Of the venue, in Unix milliseconds. */
  readonly time: number;
  readonly data: Data;
}

export interface StreamListener<Data> {
  onMessage(message: StreamMessage<Data>): void;
  /** What it knows is old from now on, until the next snapshot, which comes by itself. */
  onLost?(): void;
}

/** A message as it comes; updates of the account name the one before, others follow seq - 1. */
export interface Pushed extends StreamMessage<unknown> {
  readonly channel: string;
  readonly previous?: number;
}

type AnyListener = StreamListener<unknown>;

interface Followed {
  /** Each with whether it has had its first snapshot. */
  readonly listeners: Map<AnyListener, boolean>;
  /** Of the last message; undefined while a snapshot is awaited. */
  seq: number | undefined;
}

export class FollowedChannels {
  readonly #byName = new Map<string, Followed>();

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** Where a channel stands; undefined while it awaits a snapshot. */
  seqOf(channel: string): number | undefined {
    return this.#byName.get(channel)?.seq;
  }

  has(channel: string): boolean {
    return this.#byName.has(channel);
  }

  add(channel: string, listener: AnyListener): void {
    const known = this.#byName.get(channel);
    if (known !== undefined) known.listeners.set(listener, false);
    else this.#byName.set(channel, { listeners: new Map([[listener, false]]), seq: undefined });
  }

  /** Whether the channel has nobody left, and is forgotten. */
  remove(channel: string, listener: AnyListener): boolean {
    const followed = this.#byName.get(channel);
    if (followed === undefined || !followed.listeners.delete(listener)) return false;
    return followed.listeners.size === 0 && this.#byName.delete(channel);
  }

  /** Whether somebody has not had a snapshot. */
  hasNewcomer(channel: string): boolean {
    return [...(this.#byName.get(channel)?.listeners.values() ?? [])].includes(false);
  }

  /** Nobody listens to it any more. */
  forget(channel: string): void {
    this.#byName.delete(channel);
  }

  /** Passes a message on if it follows the one before; false where one is missing between. */
  take({ channel, previous, ...message }: Pushed): boolean {
    const followed = this.#byName.get(channel);
    if (followed === undefined) return true;
    const { type, seq } = message;
    const isWhole = type === 'snapshot';
    if (!isWhole && followed.seq === undefined) return true;
    if (!isWhole && followed.seq !== undefined && isMissing(followed.seq, seq, previous)) {
      this.lose(channel);
      return false;
    }
    followed.seq = seq;
    for (const [listener, isReady] of [...followed.listeners]) {
      if (!isWhole && !isReady) continue;
      // A listener may be taken away by another one.
      if (followed.listeners.has(listener)) followed.listeners.set(listener, true);
      listener.onMessage(message);
    }
    return true;
  }

  /** The channel has to begin with a snapshot again. */
  lose(channel: string): void {
    const followed = this.#byName.get(channel);
    if (followed?.seq === undefined) return;
    followed.seq = undefined;
    for (const [listener, isReady] of [...followed.listeners]) {
      followed.listeners.set(listener, false);
      if (isReady) listener.onLost?.();
    }
  }
}

/** The snapshot of an account may be of a later step than its last message. */
function isMissing(knownSeq: number, seq: number, previous: number | undefined): boolean {
  return previous === undefined ? seq !== knownSeq + 1 : previous > knownSeq;
}
