/**
 * The last known state of things that have a name and no history: positions, contract accounts,
 * balances. Only the order of arrival says which one is later, so a request is marked.
 */
import type { Mark } from './table.ts';

interface Entry<State> {
  readonly state: State;
  readonly toldAt: Mark;
  readonly changedMs: number;
}

export class Latest<State> {
  readonly #entries = new Map<string, Entry<State>>();
  #changes: Mark = 0;
  #all: readonly State[] | undefined;

  get(name: string): State | undefined {
    return this.#entries.get(name)?.state;
  }

  /** By name; the same array until something changes. */
  get all(): readonly State[] {
    this.#all ??= [...this.#entries]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { state }]) => state);
    return this.#all;
  }

  /** Whether a stream changed it within this time, so that it may be shown as news. */
  isFresh(name: string, nowMs: number, withinMs: number): boolean {
    const entry = this.#entries.get(name);
    return entry !== undefined && entry.toldAt > 0 && nowMs - entry.changedMs < withinMs;
  }

  /** To be taken when a request is sent, and given back with its answer. */
  mark(): Mark {
    return this.#changes;
  }

  /** Takes a state from a stream; returns what was known before. */
  hear(name: string, state: State, nowMs: number): State | undefined {
    const before = this.get(name);
    this.#changes += 1;
    this.#set(name, { state, toldAt: this.#changes, changedMs: nowMs });
    return before;
  }

  /** Takes an answer of REST, unless a stream has published a later state since the request. */
  learn(name: string, state: State, mark: Mark): void {
    const known = this.#entries.get(name);
    if (known !== undefined && known.toldAt > mark) return;
    this.#set(name, { state, toldAt: known?.toldAt ?? 0, changedMs: known?.changedMs ?? 0 });
  }

  /** Forgets everything, as after signing out. */
  clear(): void {
    this.#entries.clear();
    this.#all = undefined;
  }

  #set(name: string, entry: Entry<State>): void {
    this.#entries.set(name, entry);
    this.#all = undefined;
  }
}
