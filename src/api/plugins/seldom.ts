/** What is made at most once in a while, however many ask; all of them get what was made last. */
export class Seldom<T> {
  readonly #make: () => Promise<T>;
  readonly #everyMs: number;
  readonly #nowMs: () => number;
  #last: Promise<T> | undefined;
  #madeMs = 0;

  constructor(make: () => Promise<T>, everyMs: number, nowMs = () => performance.now()) {
    this.#make = make;
    this.#everyMs = everyMs;
    this.#nowMs = nowMs;
  }

  /** Rejects when it cannot be made; then the next one who asks has it tried again. */
  get(): Promise<T> {
    const nowMs = this.#nowMs();
    if (this.#last !== undefined && nowMs - this.#madeMs < this.#everyMs) return this.#last;
    const made = this.#make();
    this.#last = made;
    this.#madeMs = nowMs;
    made.catch(() => {
      if (this.#last === made) this.#last = undefined;
    });
    return made;
  }
}
