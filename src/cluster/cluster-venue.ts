/**
 * The venue as one process of a cluster serves it: reads and streams come from its own engine,
 * commands go to whoever leads. When this process leads, that is a venue of its own on the same
 * engine. It never goes back from leading to following: a deposed leader's engine ran ahead of the
 * log, so its process recovers.
 */
import {
  type AccountId,
  type Command,
  dueTo,
  type Event,
  type Origin,
  type Refused,
  refuse,
  type StateReader,
  type Step,
  VenueHalted,
  type VenuePort,
} from '#domain';
import type { Engine } from '#engine';
import type { Venue } from '#venue';
import type { Freshness } from './freshness.ts';
import type { OpenRequests } from './open-requests.ts';
import type { Replica } from './replica.ts';

export interface ClusterVenueParts {
  readonly engine: Engine;
  readonly replica: Replica;
  readonly requests: OpenRequests;
  readonly freshness: Freshness;
  /** Whether all processes of the cluster know this form of a command. */
  readonly isKnownToAll: (command: Command) => boolean;
  /** Whether the log has room for more. */
  readonly hasRoom: () => boolean;
}

type Look = (step: Step, state: StateReader) => void;

/** Until the last process is upgraded. */
const BUSY: readonly Refused[] = [refuse('venue_busy')];
const NO_ROOM: readonly Refused[] = [refuse('venue_busy', dueTo('log_full'))];
const HALTED: readonly Refused[] = [refuse('venue_halted')];

export class ClusterVenue implements VenuePort {
  readonly #parts: ClusterVenueParts;
  readonly #looks: Look[] = [];
  #leading: Venue | undefined;
  #halted: Error | undefined;

  constructor(parts: ClusterVenueParts) {
    this.#parts = parts;
    parts.replica.onApplied((step, state) => {
      for (const look of this.#looks) look(step, state);
    });
  }

  /** From here on commands are ordered here. */
  lead(venue: Venue): void {
    this.#leading = venue;
    for (const look of this.#looks) venue.onApplied(look);
  }

  /** The process has lost its place in the cluster, or is about to stop: nothing is served. */
  halt(reason: Error): void {
    this.#halted ??= reason;
  }

  get isLeading(): boolean {
    return this.#leading !== undefined;
  }

  get appliedSeq(): number {
    return this.#parts.engine.seq;
  }

  get releasedSeq(): number {
    return this.#leading?.releasedSeq ?? this.#parts.engine.seq;
  }

  get timeMs(): number {
    return this.#parts.engine.timeMs;
  }

  get haltReason(): Error | undefined {
    return this.#halted ?? this.#leading?.haltReason;
  }

  get isCrowded(): boolean {
    return this.#leading?.isCrowded ?? this.#parts.requests.isFull;
  }

  get waitingCount(): number {
    return this.#leading?.waitingCount ?? this.#parts.requests.count;
  }

  get hasWork(): boolean {
    return this.#leading?.hasWork ?? this.#parts.engine.hasWork;
  }

  /** With an origin only where commands are ordered: elsewhere it is refused, and not sent on. */
  submit(command: Command, origin?: Origin): Promise<readonly Event[]> {
    if (this.#halted !== undefined) return Promise.resolve(HALTED);
    if (!this.#parts.isKnownToAll(command)) return Promise.resolve(BUSY);
    if (!this.#parts.hasRoom()) return Promise.resolve(NO_ROOM);
    if (origin !== undefined) {
      return this.#leading?.submit(command, origin) ?? Promise.resolve(HALTED);
    }
    return this.#leading?.submit(command) ?? this.#parts.requests.submit(command);
  }

  async read<T>(query: (state: StateReader) => T, reader?: AccountId): Promise<T> {
    const { engine, freshness } = this.#parts;
    if (!freshness.isFresh) await freshness.ensure();
    if (this.#halted !== undefined) throw this.#haltedError(this.#halted);
    return this.#leading?.read(query, reader) ?? query(engine);
  }

  onApplied(look: Look): void {
    this.#looks.push(look);
    this.#leading?.onApplied(look);
  }

  /** Goes on with what a stop has left behind: the leader does. */
  resumeWork(): void {
    this.#leading?.resumeWork();
  }

  /** A sandbox goes back to earlier states; a cluster does not. */
  runExclusive<T>(): Promise<T> {
    return Promise.reject(new VenueHalted('a cluster has no exclusive runs'));
  }

  /** Waits until everything under way here is durable. */
  async close(): Promise<void> {
    await this.#leading?.close();
  }

  #haltedError(cause: Error): VenueHalted {
    return new VenueHalted('this process has left its place in the cluster', { cause });
  }
}
