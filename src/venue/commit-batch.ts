/**
 * A commit batch: answers wait here until what they show is durable. Commands join the open batch;
 * it becomes one journal entry; when the journal has it on disk, its answers go out in order.
 * Reads join the newest batch, because they may show anything applied so far.
 */
import { type Event, LIMITS, type Step } from '#domain';

interface Waiter {
  release(): void;
  halt(answer: readonly Event[]): void;
}

export class CommitBatch {
  readonly steps: Step[] = [];
  readonly texts: string[] = [];
  /** How many of its steps have been shown to those who follow the venue. */
  shownCount = 0;
  readonly #waiters: Waiter[] = [];
  readonly #charactersMax: number;
  #characters = 0;

  /** Of its text together, without the command that goes beyond it. */
  constructor(charactersMax: number = LIMITS.entryCharactersMax) {
    this.#charactersMax = charactersMax;
  }

  /** Whether so many more commands may join behind text that waits; else the next entry has to. */
  hasRoom(count: number, characters = 0): boolean {
    const isShort = this.#characters + characters < this.#charactersMax;
    return isShort && this.steps.length + count <= LIMITS.entryCommandsMax;
  }

  /** Whether one more answer may wait here that puts nothing into the entry. */
  get hasWaitingRoom(): boolean {
    return this.#waiters.length < 2 * LIMITS.entryCommandsMax;
  }

  /** Adds an applied command; the promise holds its events back until the batch is durable. */
  add(step: Step, text: string): Promise<readonly Event[]> {
    this.steps.push(step);
    this.texts.push(text);
    this.#characters += text.length;
    return new Promise((resolve) => {
      this.#waiters.push({ release: () => resolve(step.events), halt: resolve });
    });
  }

  /** Resolves when the batch is durable, rejects with the error when it never will be. */
  durable(error: () => Error): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ release: resolve, halt: () => reject(error()) });
    });
  }

  release(): void {
    for (const waiter of this.#waiters) waiter.release();
  }

  /** It will never be durable here: what callers of commands are answered. */
  halt(answer: readonly Event[]): void {
    for (const waiter of this.#waiters) waiter.halt(answer);
  }
}
