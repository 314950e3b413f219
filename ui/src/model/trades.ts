/** The recent public trades of one market, newest first. */
import type { native, StreamMessage } from '#client';

export type TradeLine = native.TradesRow;

/** A bounded list in which each trade stands once. */
export class TradeList {
  readonly #linesMax: number;
  #lines: readonly TradeLine[] = [];

  constructor(linesMax: number) {
    this.#linesMax = linesMax;
  }

  /** Newest first; another array after every change. */
  get lines(): readonly TradeLine[] {
    return this.#lines;
  }

  /** Takes a message, whose rows are newest first; a snapshot replaces what was known. */
  apply({ type, data }: Pick<StreamMessage<readonly TradeLine[]>, 'type' | 'data'>): void {
    const known = type === 'snapshot' ? [] : this.#lines;
    const ids = new Set(known.map(({ id }) => id));
    const fresh: TradeLine[] = [];
    for (const line of data) {
      if (ids.has(line.id)) continue;
      ids.add(line.id);
      fresh.push(line);
    }
    this.#lines = [...fresh, ...known].slice(0, this.#linesMax);
  }
}
