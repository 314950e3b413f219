/**
 * Commands that have not had their turn yet: those for which the turn or the entry has no room, and
 * those of the market or account of an order at work, which wait until that is done. What an
 * account sends behind a command that is held back waits, too: its commands keep their order.
 */
import {
  type AccountId,
  type Command,
  type Event,
  encodeCommand,
  encodeRequested,
  LIMITS,
  type Origin,
  payerOf,
} from '#domain';
import { FairQueue } from '#kernel';

export interface Waiting {
  readonly command: Command;
  readonly origin: Origin | undefined;
  readonly timeMs: number;
  /** Of its text. */
  readonly length: number;
  readonly applied: PromiseWithResolvers<void>;
  resolve(events: Promise<readonly Event[]> | readonly Event[]): void;
  reject(error: unknown): void;
}

/** Waiting commands of an account that take their turns in the order they came. */
const IN_ORDER_MAX = 64;

/** Half of what an entry holds: the other half is left to markets that nothing holds up. */
const HELD_MAX = LIMITS.entryCommandsMax / 2;

export class WaitingCommands {
  readonly #isHeld: (command: Command) => boolean;
  readonly #queue = new FairQueue<AccountId | undefined, Waiting>(IN_ORDER_MAX);
  #held: Waiting[] = [];
  /** Of the text of what waits for its turn. */
  charactersCount = 0;

  /** `isHeld` says whether an order at work holds a command back. */
  constructor(isHeld: (command: Command) => boolean) {
    this.#isHeld = isHeld;
  }

  /** Those that wait for their turn. */
  get queuedCount(): number {
    return this.#queue.size;
  }

  /** Those that wait for an order at work. */
  get heldCount(): number {
    return this.#held.length;
  }

  countOf(payer: AccountId): number {
    return this.#queue.countOf(payer);
  }

  /** Waits for its turn; resolves with what it did. */
  queue(command: Command, timeMs: number, origin?: Origin): Promise<readonly Event[]> {
    const { waiting, promise } = waitingOf(command, timeMs, origin);
    this.charactersCount += waiting.length;
    this.#queue.add(payerOf(command), waiting);
    return promise;
  }

  /** Whether it has to wait for an order at work, or behind one of its account that does. */
  mustHold(command: Command): boolean {
    const payer = payerOf(command);
    return (payer !== undefined && this.#lastHeldOf(payer) !== undefined) || this.#isHeld(command);
  }

  /** Waits for an order at work; undefined when too many do. */
  hold(command: Command, timeMs: number, origin?: Origin): Promise<readonly Event[]> | undefined {
    if (!this.#hasRoomFor(command)) return undefined;
    const { waiting, promise } = waitingOf(command, timeMs, origin);
    this.#held.push(waiting);
    return promise;
  }

  /** What has its turn next; what was held back and is free goes first. */
  next(): Waiting | undefined {
    return this.freed() ?? this.#queue.peek();
  }

  /** The first one that nothing holds back any more, its account's earlier ones included. */
  freed(): Waiting | undefined {
    const payers = new Set<AccountId>();
    for (const waiting of this.#held) {
      const payer = payerOf(waiting.command);
      const follows = payer !== undefined && payers.has(payer);
      if (!follows && !this.#isHeld(waiting.command)) return waiting;
      if (payer !== undefined) payers.add(payer);
    }
    return undefined;
  }

  isQueued(next: Waiting): boolean {
    return this.#queue.peek() === next;
  }

  /** It has its turn: it is the next one. */
  take(next: Waiting): void {
    if (!this.isQueued(next)) this.#held = this.#held.filter((one) => one !== next);
    else {
      this.#queue.take();
      this.charactersCount -= next.length;
    }
  }

  /** The next one, which was queued, turns out to be held back; false when too many are. */
  holdNext(next: Waiting): boolean {
    this.take(next);
    if (!this.#hasRoomFor(next.command)) return false;
    this.#held.push(next);
    return true;
  }

  /** An account has as many as are left for all others: one that floods leaves them half. */
  #hasRoomFor(command: Command): boolean {
    const leftCount = HELD_MAX - this.#held.length;
    const payer = payerOf(command);
    if (payer === undefined) return leftCount > 0;
    return this.#held.filter((one) => payerOf(one.command) === payer).length < leftCount;
  }

  /** Resolves once what a reader has sent has had its turn; what anybody has, without one. */
  async untilApplied(reader: AccountId | undefined): Promise<void> {
    const queued = reader === undefined ? this.#queue.last() : [this.#queue.lastOf(reader)];
    const all = [...queued, this.#lastHeldOf(reader)];
    await Promise.all(all.map((waiting) => waiting?.applied.promise));
  }

  #lastHeldOf(payer?: AccountId): Waiting | undefined {
    if (payer === undefined) return this.#held.at(-1);
    return this.#held.findLast(({ command }) => payerOf(command) === payer);
  }

  /** None of those that an order holds back will be carried out: answers all of them. */
  answerHeld(answer: readonly Event[]): void {
    const all = this.#held;
    this.#held = [];
    for (const { applied, resolve } of all) {
      resolve(answer);
      applied.resolve();
    }
  }
}

/** A command as the log has it. */
export function textOf(timeMs: number, command: Command, origin: Origin | undefined): string {
  return origin === undefined
    ? encodeCommand(timeMs, command)
    : encodeRequested(origin, timeMs, command);
}

/** One that waits, and what its caller waits for. */
function waitingOf(command: Command, timeMs: number, origin: Origin | undefined) {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Event[]>();
  const applied = Promise.withResolvers<void>();
  const { length } = textOf(timeMs, command, origin);
  const waiting: Waiting = { command, origin, timeMs, length, applied, resolve, reject };
  return { waiting, promise };
}
