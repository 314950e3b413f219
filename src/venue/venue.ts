/**
 * The venue: the only owner of live state. It puts commands in one order, gives each its time,
 * applies it, has it journaled, and shows nothing that a crash could undo. It never runs ahead of
 * its journal for long: a journal fault halts it, and only a restart from the journal goes on.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AccountId,
  type Command,
  type Event,
  joinCommands,
  LIMITS,
  type Origin,
  payerOf,
  type Refused,
  RULES_VERSION,
  refuse,
  type StateReader,
  type Step,
  type TimedCommand,
  VenueHalted,
  type VenuePort,
} from '#domain';
import type { Engine } from '#engine';
import { assert, type Clock, present } from '#kernel';
import type { Journal } from '#log';
import { CommitBatch } from './commit-batch.ts';
import { OrderAnswers } from './order-answers.ts';
import { TURN_MS, Turn } from './turn.ts';
import type { FaultKeeper, VenueOptions } from './venue-options.ts';
import { textOf, type Waiting, WaitingCommands } from './waiting-commands.ts';

const BUSY: readonly Refused[] = [refuse('venue_busy')];
/** Too many commands of this account wait. */
const TOO_MANY: readonly Refused[] = [refuse('rate_exceeded')];
const WITHHELD: readonly Refused[] = [refuse('command_withheld')];
/** Nothing of it is in the log, nor will be. */
const HALTED: readonly Refused[] = [refuse('venue_halted')];
/** Its entry is on the way to the log, and may arrive there. */
const UNKNOWN: readonly Refused[] = [refuse('outcome_unknown')];
/** No event: those of a request that was carried out before are in the log already. */
const REPEATED: readonly Event[] = [];

/** Entries on their way to disk at a time: one being synced, one ready behind it. */
const ENTRIES_IN_FLIGHT_MAX = 2;

/** A venue as a server has it, of its own or as one process of a cluster. */
export type ServedVenue = VenuePort &
  Pick<
    Venue,
    | 'submit'
    | 'appliedSeq'
    | 'timeMs'
    | 'haltReason'
    | 'waitingCount'
    | 'resumeWork'
    | 'runExclusive'
    | 'close'
  >;

export class Venue implements VenuePort {
  readonly #engine: Engine;
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #onStep: (step: Step) => void;
  readonly #onHalt: (reason: Error) => void;
  readonly #faults: FaultKeeper | undefined;
  readonly #appliedListeners: ((step: Step, state: StateReader) => void)[] = [];
  readonly #entryCharactersMax: number | undefined;
  /** Of the open entry, and of the next one. */
  #rules: number;
  #nextRules: number;
  #open: CommitBatch;
  readonly #inFlight: CommitBatch[] = [];
  /** Of these, how many the journal has on disk: they are released in order. */
  #durableCount = 0;
  readonly #turn: Turn;
  #flushScheduled = false;
  #drainScheduled = false;
  #releaseScheduled = false;
  #workScheduled = false;
  /** Whether pending work may go on: what has failed before is suspended first. */
  #worksOn: boolean;
  #releasedSeq: number;
  #halted: Error | undefined;
  #closing = false;
  /** An exclusive run has the venue to itself until this resolves. */
  #exclusiveRun: Promise<void> | undefined;
  /** Commands that wait until then, for a turn that has time for them, or for an order at work. */
  readonly #waiting: WaitingCommands;
  readonly #answers: OrderAnswers;

  constructor(options: VenueOptions) {
    this.#engine = options.engine;
    this.#journal = options.journal;
    this.#clock = options.clock;
    this.#onStep = options.onStep;
    this.#onHalt = options.onHalt;
    this.#faults = options.faults;
    this.#worksOn = options.faults === undefined;
    this.#turn = new Turn(options.turnMs ?? TURN_MS);
    this.#releasedSeq = options.engine.seq;
    this.#entryCharactersMax = options.entryCharactersMax;
    this.#open = new CommitBatch(this.#entryCharactersMax);
    this.#answers = new OrderAnswers(options.engine, UNKNOWN);
    this.#waiting = new WaitingCommands((command) => this.#engine.holdsBack(command));
    this.#rules = options.rules ?? RULES_VERSION;
    this.#nextRules = this.#rules;
    assert(
      options.journal.lastSeq === options.engine.seq,
      'the engine stands where its journal ends',
    );
  }

  /** Last sequence number whose effects are durable and visible. */
  get releasedSeq(): number {
    return this.#releasedSeq;
  }

  /** Last sequence number applied; what is above releasedSeq is not visible yet. */
  get appliedSeq(): number {
    return this.#engine.seq;
  }

  /** Time of the last command applied: no later one is earlier. */
  get timeMs(): number {
    return this.#engine.timeMs;
  }

  get haltReason(): Error | undefined {
    return this.#halted;
  }

  get isCrowded(): boolean {
    return this.#waiting.queuedCount > 0 || this.#turn.isSpent;
  }

  /** Commands that wait for their turn. */
  get waitingCount(): number {
    return this.#waiting.queuedCount + this.#waiting.heldCount;
  }

  get hasWork(): boolean {
    if (this.#halted !== undefined || this.#closing || !this.#engine.hasWork) return false;
    return !this.#withholds({ kind: 'continue_work' });
  }

  /**
   * As the port says. With the origin of a sender's request it resolves with no event at all, once
   * that is durable, when the request was carried out before.
   */
  submit(command: Command, origin?: Origin): Promise<readonly Event[]> {
    const timeMs = this.#clock.nowMs();
    const isBehind = this.isCrowded || this.#waiting.freed() !== undefined;
    const mustWait = this.#exclusiveRun !== undefined || isBehind;
    if (!mustWait && this.#mustHold(command)) {
      return this.#waiting.hold(command, timeMs, origin) ?? Promise.resolve(BUSY);
    }
    if (!mustWait && this.#settle({ command, timeMs })) {
      return this.#submit(command, timeMs, origin);
    }
    const payer = payerOf(command);
    const waitingCount = this.#waiting.queuedCount;
    if (!this.#open.hasRoom(waitingCount + 1, this.#waiting.charactersCount)) {
      return Promise.resolve(BUSY);
    }
    // As many as are left for all others: an account that floods leaves half.
    const leftCount = LIMITS.entryCommandsMax - waitingCount;
    if (payer !== undefined && this.#waiting.countOf(payer) >= leftCount) {
      return Promise.resolve(TOO_MANY);
    }
    const answer = this.#waiting.queue(command, timeMs, origin);
    this.#scheduleDrain();
    return answer;
  }

  /** Whether it waits for an order at work: one that cannot go on holds nobody up. */
  #mustHold(command: Command): boolean {
    if (this.#waiting.heldCount === 0 && !this.#engine.hasOrdersAtWork) return false;
    return this.hasWork && this.#waiting.mustHold(command);
  }

  /**
   * Runs something that must not have commands of others in between; they wait, and are refused as
   * busy when there are too many. The state is not to be read after it has ended.
   */
  async runExclusive<T>(
    act: (
      submit: (command: Command) => Promise<readonly Event[]>,
      state: StateReader,
    ) => Promise<T>,
  ): Promise<T> {
    while (this.#exclusiveRun !== undefined) await this.#exclusiveRun;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#exclusiveRun = promise;
    try {
      await this.#finishOrders();
      return await act((command) => this.#submitAlone(command), this.#engine);
    } finally {
      this.#exclusiveRun = undefined;
      resolve();
      this.#scheduleDrain();
      this.#scheduleWork();
    }
  }

  /** In an exclusive run, where nothing else has its turn before. */
  async #submitAlone(command: Command): Promise<readonly Event[]> {
    const timeMs = this.#clock.nowMs();
    while (!this.#settle({ command, timeMs })) await nextTurn();
    const answer = this.#submit(command, timeMs);
    await this.#finishOrders();
    return answer;
  }

  /** Goes on with orders at work until there are none, with nothing of others in between. */
  async #finishOrders(): Promise<void> {
    while (this.#engine.hasOrdersAtWork && this.hasWork) {
      if (this.#open.hasRoom(2)) this.#continueWork();
      await nextTurn();
    }
  }

  /**
   * Settles what is due before a command: funding is for what is held at its time. False when that
   * is more than the turn has time for, or the entry room for with the command behind it.
   */
  #settle(next: TimedCommand): boolean {
    if (this.#halted !== undefined || this.#closing) return true;
    for (;;) {
      const due = this.#engine.dueBefore(next);
      if (due === undefined) return true;
      if (!this.#open.hasRoom(2)) return false;
      void this.#take(due.command, due.timeMs);
      if (this.#turn.isSpent) return this.#engine.dueBefore(next) === undefined;
    }
  }

  /** Lets the commands that wait in, as far as the turn has time for them. */
  #drain(): void {
    while (this.#exclusiveRun === undefined && !this.#turn.isSpent) {
      const next = this.#waiting.next();
      if (next === undefined) return;
      const { command, timeMs, origin } = next;
      if (this.#waiting.isQueued(next)) {
        if (this.#mustHold(command)) {
          if (!this.#waiting.holdNext(next)) answer(next, BUSY);
          continue;
        }
      } else if (!this.#open.hasRoom(2, this.#waiting.charactersCount)) break;
      try {
        if (!this.#settle({ command, timeMs })) break;
        this.#waiting.take(next);
        answer(next, this.#submit(command, timeMs, origin));
      } catch (error) {
        next.reject(error);
        next.applied.resolve();
      }
    }
    if (this.#exclusiveRun === undefined) this.#scheduleDrain();
  }

  /** The time of a command is when it came, unless the venue is later already. */
  #submit(command: Command, atMs: number, origin?: Origin): Promise<readonly Event[]> {
    if (this.#halted !== undefined || this.#closing) return Promise.resolve(HALTED);
    if (this.#withholds(command)) return Promise.resolve(WITHHELD);
    if (origin !== undefined && this.#engine.isDone(origin)) {
      return this.#answerWhenDurable(REPEATED);
    }
    if (origin !== undefined && !this.#engine.hasRoomFor(origin)) return Promise.resolve(BUSY);
    if (!this.#open.hasRoom(1)) return Promise.resolve(BUSY);
    return this.#take(command, Math.max(atMs, this.#engine.timeMs), origin);
  }

  #withholds(command: Command): boolean {
    return this.#faults?.withholds(command) ?? false;
  }

  #take(command: Command, timeMs: number, origin?: Origin): Promise<readonly Event[]> {
    const step = this.#apply(command, timeMs, origin);
    if ('reject' in step) return this.#answerWhenDurable([step]);
    this.#scheduleFlush();
    this.#scheduleWork();
    if (this.#waiting.heldCount > 0) this.#scheduleDrain();
    return this.#answers.of(step, this.#open.add(step, textOf(timeMs, command, origin)));
  }

  /**
   * What a refusal was judged by may be undone by a crash, so it waits as a read does. It is not
   * journaled: refused commands cost their senders' rates and no disk.
   */
  #answerWhenDurable(events: readonly Event[]): Promise<readonly Event[]> {
    const newest = this.#newest();
    if (newest === undefined) return Promise.resolve(events);
    if (!newest.hasWaitingRoom) return Promise.resolve(BUSY);
    const durable = newest.durable(() => this.#haltedError());
    return durable.then(
      () => events,
      () => HALTED,
    );
  }

  /** What holds the newest step that is not durable yet. */
  #newest(): CommitBatch | undefined {
    return this.#open.steps.length > 0 ? this.#open : this.#inFlight.at(-1);
  }

  async read<T>(query: (state: StateReader) => T, reader?: AccountId): Promise<T> {
    // What was submitted before is seen, also when it waits for its turn.
    if (this.#exclusiveRun === undefined && this.waitingCount > 0) {
      await this.#waiting.untilApplied(reader);
    }
    if (this.#halted !== undefined) throw this.#haltedError();
    const answer = query(this.#engine);
    const newest = this.#newest();
    // On a venue at rest there is nothing to wait for, not even a turn of the microtasks.
    if (newest !== undefined) await newest.durable(() => this.#haltedError());
    return answer;
  }

  onApplied(look: (step: Step, state: StateReader) => void): void {
    this.#appliedListeners.push(look);
  }

  /** From the next entry on commands do what these rules say: an entry has one version of them. */
  writeUnder(rules: number): void {
    assert(rules >= this.#nextRules, 'rules only rise');
    this.#nextRules = rules;
    if (this.#open.steps.length === 0) this.#rules = rules;
  }

  /** Goes on with what a stop has left behind; what commands set off later goes on by itself. */
  resumeWork(): void {
    this.#worksOn = true;
    this.#scheduleWork();
  }

  /** Refuses further commands and waits until everything under way is durable. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#flush();
    this.#waiting.answerHeld(HALTED);
    while (this.#inFlight.length > 0 && this.#halted === undefined) {
      await this.#inFlight.at(-1)?.durable(() => this.#haltedError());
    }
    // An order at work is open: it goes on when the venue is started again.
    this.#answers.endAll((events) => events);
  }

  /** A failed assertion leaves the state unknown: the command is not journaled, the venue halts. */
  #apply(command: Command, timeMs: number, origin: Origin | undefined): Step | Refused {
    try {
      const step = this.#engine.attempt(command, timeMs, origin, this.#rules);
      if ('reject' in step) return step;
      for (const look of this.#appliedListeners) look(step, this.#engine);
      return step;
    } catch (error) {
      this.#keepFault(command, timeMs, error);
      this.#halt(error);
      throw error;
    }
  }

  #keepFault(command: Command, timeMs: number, error: unknown): void {
    const { instrumentInWork, listings, seq } = this.#engine;
    const instrument =
      instrumentInWork === undefined ? undefined : listings.instruments[instrumentInWork];
    this.#faults?.failed({ command, instrument, seq, timeMs, error });
  }

  #scheduleDrain(): void {
    if (this.#drainScheduled) return;
    if (this.#waiting.next() === undefined) return;
    this.#drainScheduled = true;
    setImmediate(() => {
      this.#drainScheduled = false;
      this.#drain();
    });
  }

  /**
   * Has the engine go on with what commands have set off: one piece in a turn, so that the
   * commands of others come in between.
   */
  #scheduleWork(): void {
    if (this.#workScheduled || !this.#worksOn) return;
    if (this.#exclusiveRun !== undefined || !this.hasWork) return;
    this.#workScheduled = true;
    setImmediate(() => {
      this.#workScheduled = false;
      if (this.#exclusiveRun !== undefined || !this.hasWork) return;
      if (this.#turn.isSpent || !this.#open.hasRoom(2)) this.#scheduleWork();
      else this.#continueWork();
    });
  }

  /** No caller waits for it: a failed assertion has halted the venue by the time it is caught. */
  #continueWork(): void {
    const command = { kind: 'continue_work' } as const;
    const timeMs = this.#clock.nowMs();
    try {
      if (this.#settle({ command, timeMs })) void this.#submit(command, timeMs);
      else this.#scheduleWork();
    } catch (error) {
      assert(this.#halted === error, 'only a failed assertion keeps the venue from its work');
    }
  }

  /** Commands that arrive in the same turn of the event loop share an entry. */
  #scheduleFlush(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    setImmediate(() => {
      this.#flushScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#halted !== undefined) return;
    if (this.#open.steps.length === 0 || this.#inFlight.length >= ENTRIES_IN_FLIGHT_MAX) return;
    const [batch, rules] = [this.#open, this.#rules];
    const first = batch.steps[0];
    assert(first !== undefined, 'a batch to flush has steps');
    this.#open = new CommitBatch(this.#entryCharactersMax);
    this.#rules = this.#nextRules;
    this.#inFlight.push(batch);
    this.#journal.append(first.seq, batch.steps.length, joinCommands(batch.texts), rules).then(
      () => this.#durable(batch),
      (error: unknown) => this.#halt(error),
    );
  }

  #durable(batch: CommitBatch): void {
    assert(this.#inFlight[this.#durableCount] === batch, 'entries become durable in order');
    this.#durableCount += 1;
    if (!this.#releaseScheduled) this.#release();
  }

  /** Shows the steps of durable entries as far as the turn has time, then answers their callers. */
  #release(): void {
    while (this.#halted === undefined && this.#durableCount > 0) {
      const batch = present(this.#inFlight[0], 'entry to release');
      if (!this.#show(batch)) {
        this.#scheduleRelease();
        return;
      }
      this.#inFlight.shift();
      this.#durableCount -= 1;
      batch.release();
      this.#flush();
    }
  }

  /** Whether all steps of an entry have been shown: the turn may be over before. */
  #show(batch: CommitBatch): boolean {
    for (; batch.shownCount < batch.steps.length; batch.shownCount += 1) {
      if (this.#turn.isSpent) return false;
      const step = present(batch.steps[batch.shownCount], 'step to show');
      assert(step.seq === this.#releasedSeq + 1, 'steps are released without a gap');
      this.#releasedSeq = step.seq;
      this.#onStep(step);
    }
    return true;
  }

  #scheduleRelease(): void {
    this.#releaseScheduled = true;
    setImmediate(() => {
      this.#releaseScheduled = false;
      this.#release();
    });
  }

  #halt(error: unknown): void {
    if (this.#halted !== undefined) return;
    this.#halted = error instanceof Error ? error : new Error(String(error));
    for (const batch of this.#inFlight) batch.halt(UNKNOWN);
    this.#open.halt(HALTED);
    this.#answers.endAll(() => UNKNOWN);
    this.#waiting.answerHeld(HALTED);
    this.#onHalt(this.#halted);
  }

  #haltedError(): VenueHalted {
    return new VenueHalted('the venue has halted', { cause: this.#halted });
  }
}

function answer(next: Waiting, events: Parameters<Waiting['resolve']>[0]): void {
  next.resolve(events);
  next.applied.resolve();
}
