/**
 * A follower's engine: applies what the shared log holds, in order, shows each step and keeps a
 * copy of the log on this machine. It never orders anything itself.
 */
import type { Event, KnownRules, Origin, StateReader, Step } from '#domain';
import type { Engine } from '#engine';
import type { Journal, SharedEntry, SharedLog } from '#log';
import { stepsOf, TURN_MS, Turn } from '#venue';

export interface ReplicaOptions {
  readonly engine: Engine;
  /** The copy of the log; it ends where the engine stands. */
  readonly mirror: Journal;
  /** The hash of the copy's last entry, or of what it begins after. */
  readonly previousHash: string;
  readonly log: SharedLog;
  readonly knows: KnownRules;
  /** Called before an entry is kept or applied; throws when it cannot be. */
  readonly heed: (entry: SharedEntry) => void;
  /** Called with every step, in order. */
  readonly onStep: (step: Step) => void;
  /** Called with what a step has answered, when a sender asked for it. */
  readonly onAnswered: (origin: Origin, events: readonly Event[]) => void;
  /** Called once, when it cannot go on: the log cannot be followed, or a command be applied. */
  readonly onFault: (error: unknown) => void;
}

interface SeqWaiter {
  readonly seq: number;
  resolve(): void;
  reject(error: unknown): void;
}

export class Replica {
  readonly #options: ReplicaOptions;
  readonly #turn = new Turn(TURN_MS);
  readonly #appliedListeners: ((step: Step, state: StateReader) => void)[] = [];
  readonly #stopping = new AbortController();
  readonly #waiters = new Set<SeqWaiter>();
  #following: Promise<void> | undefined;
  /** Why it applies nothing any more. */
  #over: { readonly reason: unknown } | undefined;

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  get seq(): number {
    return this.#options.engine.seq;
  }

  /** As the port of the venue says; here every step is durable when it is applied. */
  onApplied(look: (step: Step, state: StateReader) => void): void {
    this.#appliedListeners.push(look);
  }

  start(): void {
    this.#following = this.#follow().catch((error: unknown) => this.#fail(error));
  }

  /** Resolves once it applies nothing any more; what it has received is applied before. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
    this.#endWaiting(new Error('this process is stopping'));
  }

  /** Resolves once everything up to this command is applied. Rejects when it never will be. */
  reach(seq: number): Promise<void> {
    if (this.seq >= seq) return Promise.resolve();
    if (this.#over !== undefined) return Promise.reject(this.#over.reason);
    return new Promise((resolve, reject) => this.#waiters.add({ seq, resolve, reject }));
  }

  async #follow(): Promise<void> {
    const { engine, log, previousHash } = this.#options;
    const { signal } = this.#stopping;
    for await (const chunk of log.follow({ fromSeq: engine.seq + 1, previousHash, signal })) {
      for (const entry of chunk) await this.#apply(entry);
    }
  }

  async #apply(entry: SharedEntry): Promise<void> {
    const { engine, log, mirror, knows, heed, onFault } = this.#options;
    const { firstSeq, count, payload, rules } = entry;
    heed(entry);
    const kept = mirror.append(firstSeq, count, payload, rules);
    kept.catch((error: unknown) => onFault(error));
    for (const { step, origin } of stepsOf(engine, entry, log.place, knows)) {
      this.#show(step, origin);
      if (this.#turn.isSpent) await new Promise(setImmediate);
    }
    // The copy is written on a thread of its own: a follower far behind waits for it.
    if (engine.seq - mirror.lastSeq > MIRROR_LAG_MAX) await kept;
  }

  #show(step: Step, origin: Origin | undefined): void {
    const { engine, onStep, onAnswered } = this.#options;
    for (const look of this.#appliedListeners) look(step, engine);
    onStep(step);
    if (origin !== undefined) onAnswered(origin, step.events);
    for (const waiter of this.#waiters) {
      if (waiter.seq > step.seq) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }

  #fail(error: unknown): void {
    this.#endWaiting(error);
    this.#options.onFault(error);
  }

  #endWaiting(error: unknown): void {
    this.#over ??= { reason: error };
    for (const waiter of this.#waiters) waiter.reject(error);
    this.#waiters.clear();
  }
}

/** Commands by which the copy on disk may be behind the engine. */
const MIRROR_LAG_MAX = 20_000;
