/**
 * What many orders of a pair have in common, in one object that all of them share: it takes no room
 * in any of them. Their times count from its own, so that each is a small whole number, which V8
 * keeps in the order itself; a time since 1970 is an object beside it.
 */
import type { Force, Side } from '#domain';
import type { SpotPair } from './pair.ts';

/** Twelve days in milliseconds: half of what V8 keeps in a field. */
const SPAN_MS = 2 ** 30;

/** Orders of one side and force that were placed within one span of time. */
export interface OrderKind {
  readonly market: SpotPair;
  readonly side: Side;
  readonly force: Force;
  /** When the span began. */
  readonly sinceMs: number;
}

/** Gives the orders of one pair their kinds. Only orders keep those of a span that is over. */
export class OrderKinds {
  /** Of the span that was asked for last. */
  #kinds: OrderKind[] = [];
  #sinceMs = Number.NEGATIVE_INFINITY;

  of(market: SpotPair, side: Side, force: Force, timeMs: number): OrderKind {
    if (timeMs < this.#sinceMs || timeMs >= this.#sinceMs + SPAN_MS) {
      this.#sinceMs = Math.floor(timeMs / SPAN_MS) * SPAN_MS;
      this.#kinds = [];
    }
    for (const kind of this.#kinds) if (kind.side === side && kind.force === force) return kind;
    const made = { market, side, force, sinceMs: this.#sinceMs };
    this.#kinds.push(made);
    return made;
  }
}
