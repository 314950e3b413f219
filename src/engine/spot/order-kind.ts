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

/** The kinds of one pair: at most eight for each span in which an order was placed. */
export class OrderKinds {
  readonly #spans = new Map<number, OrderKind[]>();
  /** Those of the span that was asked for last. */
  #kinds: OrderKind[] = [];
  #sinceMs = Number.NEGATIVE_INFINITY;

  of(market: SpotPair, side: Side, force: Force, timeMs: number): OrderKind {
    const sinceMs = this.#spanAt(timeMs);
    for (const kind of this.#kinds) if (kind.side === side && kind.force === force) return kind;
    const made = { market, side, force, sinceMs };
    this.#kinds.push(made);
    return made;
  }

  #spanAt(timeMs: number): number {
    const sinceMs = this.#sinceMs;
    if (timeMs >= sinceMs && timeMs < sinceMs + SPAN_MS) return sinceMs;
    this.#sinceMs = Math.floor(timeMs / SPAN_MS) * SPAN_MS;
    this.#kinds = this.#spans.get(this.#sinceMs) ?? [];
    this.#spans.set(this.#sinceMs, this.#kinds);
    return this.#sinceMs;
  }
}
