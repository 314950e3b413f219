/** What a client makes of the messages of one connection, and what is demanded of it. */
import type { AccountId } from '#domain';
import type { Published } from './published.ts';

export interface FoldParts {
  readonly published: Published;
  /** Whose private messages these are. */
  readonly accountId: AccountId;
  check(holds: boolean, rule: string, what: () => string): void;
  count(what: string): void;
}

/** What a read at the same process has to show once nothing happens any more. */
export interface Comparison {
  /** Path and query of a signed call. */
  readonly target: string;
  isEqual(body: string): boolean;
}

export interface Fold {
  /** What is sent once the connection stands. */
  readonly requests: readonly string[];
  /** Takes a message in that was JSON. */
  take(message: Row): void;
  /** Whether it is what the log has led to; for when nothing happens any more. */
  isCurrent(): boolean;
  comparisons(): readonly Comparison[];
}

export type Row = Readonly<Record<string, unknown>>;

export function rowsOf(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value : [];
}

/** Numbers of messages that follow each other, of each channel. */
export class Numbers {
  readonly #last = new Map<string, number>();
  /** Of snapshots without a row, which do not say of which market they are. */
  readonly #nameless = new Set<number>();
  readonly #parts: FoldParts;

  constructor(parts: FoldParts) {
    this.#parts = parts;
  }

  begin(channel: string, seq: number): void {
    this.#last.set(channel, seq);
  }

  beginSomewhere(seq: number): void {
    this.#nameless.add(seq);
  }

  /** One that does not follow tells its client that something is missing. */
  follow(channel: string, seq: number, after = seq - 1): void {
    const last = this.#last.get(channel) ?? (this.#nameless.has(after) ? after : undefined);
    const what = () => `${channel}: ${seq} goes on from ${after}, and the last one was ${last}`;
    this.#parts.check(last === after, 'no gap in a stream', what);
    this.#last.set(channel, seq);
  }

  has(channel: string): boolean {
    return this.#last.has(channel);
  }
}
