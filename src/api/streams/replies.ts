/** Answers to the calls of one connection, in the order in which they were asked for. */

/** Calls that may be under way before the connection is read no further. */
const ACTIVE_MAX = 64;

/** The answer to one call: sent or dropped once. */
export interface Reply {
  send(text: string): void;
  drop(): void;
}

export interface RepliesOptions {
  send(text: string): void;
  /** Stops reading, and goes on with it. */
  pause(): void;
  resume(): void;
}

interface Slot {
  isDone: boolean;
  text: string | undefined;
}

export class Replies {
  readonly #options: RepliesOptions;
  readonly #slots: Slot[] = [];
  #isPaused = false;

  constructor(options: RepliesOptions) {
    this.#options = options;
  }

  /** Keeps the next place for an answer. */
  begin(): Reply {
    const slot: Slot = { isDone: false, text: undefined };
    if (this.#slots.push(slot) >= ACTIVE_MAX && !this.#isPaused) {
      this.#isPaused = true;
      this.#options.pause();
    }
    return {
      send: (text) => this.#end(slot, text),
      drop: () => this.#end(slot, undefined),
    };
  }

  #end(slot: Slot, text: string | undefined): void {
    slot.isDone = true;
    slot.text = text;
    while (this.#slots[0]?.isDone === true) {
      const ready = this.#slots.shift()?.text;
      if (ready !== undefined) this.#options.send(ready);
    }
    if (!this.#isPaused || 2 * this.#slots.length > ACTIVE_MAX) return;
    this.#isPaused = false;
    this.#options.resume();
  }
}
