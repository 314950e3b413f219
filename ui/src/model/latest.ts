/** The last known state of things that have a name and no history: positions, balances. */

export class Latest<State> {
  readonly #states = new Map<string, State>();
  #all: readonly State[] | undefined;

  get(name: string): State | undefined {
    return this.#states.get(name);
  }

  /** By name; the same array until something changes. */
  get all(): readonly State[] {
    this.#all ??= [...this.#states]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, state]) => state);
    return this.#all;
  }

  /** Takes a later state. */
  hear(name: string, state: State): void {
    this.#states.set(name, state);
    this.#all = undefined;
  }

  /** It is there no more. */
  drop(name: string): void {
    if (this.#states.delete(name)) this.#all = undefined;
  }

  /** Forgets everything, as after signing out. */
  clear(): void {
    this.#states.clear();
    this.#all = undefined;
  }
}
