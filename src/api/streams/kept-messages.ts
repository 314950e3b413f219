/**
 * The last messages of private feeds, for clients that come back: how many and how large, of one
 * feed and of all together, is bounded, and the oldest go first. A client that was away for longer
 * is sent everything there is instead.
 */
import { present } from '#kernel';
import type { StepPlace } from './dialect.ts';
import type { StreamLimits } from './limits.ts';

/** A message of a feed, in nobody's words yet. */
export interface KeptMessage {
  readonly seq: number;
  readonly place: StepPlace;
  /** The `data` of its push. */
  readonly data: string;
}

type Bounds = Pick<StreamLimits, 'keptMessagesMax' | 'keptBytesMax' | 'keptBytesTotalMax'>;

/** All kept messages of a process. */
export class KeptMessages {
  readonly #bounds: Bounds;
  /** The oldest first, each with the feed it is of. */
  readonly #all = new Map<KeptMessage, FeedLog>();
  #bytes = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** What is kept of one feed from the message `seq` on. */
  open(seq: number): FeedLog {
    return new FeedLog(this, this.#bounds, seq);
  }

  /** Called by a log that has one more. */
  added(message: KeptMessage, log: FeedLog): void {
    this.#all.set(message, log);
    this.#bytes += sizeOf(message);
    while (this.#bytes > this.#bounds.keptBytesTotalMax) {
      const [oldest] = this.#all.values();
      present(oldest, 'log of a message that is kept').dropOldest();
    }
  }

  /** Called by a log that has one less. */
  dropped(message: KeptMessage): void {
    this.#all.delete(message);
    this.#bytes -= sizeOf(message);
  }
}

/** The last messages of one feed of one account. */
export class FeedLog {
  readonly #shared: KeptMessages;
  readonly #bounds: Bounds;
  readonly #messages: KeptMessage[] = [];
  #bytes = 0;
  /** Everything behind this message is kept. */
  #fromSeq: number;
  #lastSeq: number;

  constructor(shared: KeptMessages, bounds: Bounds, seq: number) {
    this.#shared = shared;
    this.#bounds = bounds;
    this.#fromSeq = seq;
    this.#lastSeq = seq;
  }

  /** The number of the last message, kept or not. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  add(message: KeptMessage): void {
    const { keptMessagesMax, keptBytesMax } = this.#bounds;
    this.#lastSeq = message.seq;
    this.#messages.push(message);
    this.#bytes += sizeOf(message);
    this.#shared.added(message, this);
    while (this.#messages.length > keptMessagesMax || this.#bytes > keptBytesMax) {
      this.dropOldest();
    }
  }

  /** All messages behind `seq`, oldest first; undefined where some may be gone. */
  after(seq: number): readonly KeptMessage[] | undefined {
    if (seq < this.#fromSeq || seq > this.#lastSeq) return undefined;
    return this.#messages.filter((message) => message.seq > seq);
  }

  dropOldest(): void {
    const message = present(this.#messages.shift(), 'message that is kept');
    this.#fromSeq = message.seq;
    this.#bytes -= sizeOf(message);
    this.#shared.dropped(message);
  }

  /** Nobody comes back any more. */
  close(): void {
    while (this.#messages.length > 0) this.dropOldest();
  }
}

/** In memory, about: most of it has one byte a character. */
function sizeOf({ data }: KeptMessage): number {
  return data.length;
}
