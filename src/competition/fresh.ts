/**
 * Answers that are kept for a moment, so that a crowd costs what one spectator does, and a budget
 * of how many are made a second: whoever asks for one thing after the other costs no more.
 */
export interface FreshOptions {
  /** Of the process, in milliseconds. */
  readonly steadyMs: () => number;
  readonly freshMs: number;
  /** Answers that are kept at a time. */
  readonly keptMax: number;
  /** Answers that are made within a second. */
  readonly perSecondMax: number;
}

/** Too much was asked for within a second, and nothing older is kept. */
export const BUSY = 'busy';

interface Kept<T> {
  readonly value: Promise<T>;
  readonly untilMs: number;
}

const SECOND_MS = 1_000;

export class Fresh<T> {
  readonly #options: FreshOptions;
  readonly #kept = new Map<string, Kept<T>>();
  #sinceMs = -Infinity;
  #madeCount = 0;

  constructor(options: FreshOptions) {
    this.#options = options;
  }

  /**
   * One answer for all who ask within a moment; a failure is not kept. `isLasting` for one that
   * does not change any more: it stays as long as there is room. Above the budget an older answer
   * serves, if there is one.
   */
  get(name: string, isLasting: boolean, ask: () => Promise<T>): Promise<T> | typeof BUSY {
    const nowMs = this.#options.steadyMs();
    const kept = this.#kept.get(name);
    if (kept !== undefined && nowMs < kept.untilMs) return kept.value;
    if (!this.#mayMake(nowMs)) return kept?.value ?? BUSY;
    const value = ask();
    const untilMs = isLasting ? Infinity : nowMs + this.#options.freshMs;
    this.#kept.delete(name);
    this.#kept.set(name, { value, untilMs });
    value.catch(() => this.#kept.delete(name));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#options.keptMax) break;
      this.#kept.delete(oldest);
    }
    return value;
  }

  #mayMake(nowMs: number): boolean {
    if (nowMs >= this.#sinceMs + SECOND_MS) {
      this.#sinceMs = nowMs;
      this.#madeCount = 0;
    }
    this.#madeCount += 1;
    return this.#madeCount <= this.#options.perSecondMax;
  }
}
