/**
 * How often callers may do something in a window that begins with its first time: an address, a
 * key or an account counts over all its connections. The counts are bounded; the oldest make room.
 */
import type { StreamLimits } from './limits.ts';

interface Count {
  taken: number;
  readonly endMs: number;
}

/** Callers counted at a time. */
const CALLERS_MAX = 20_000;
const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

/** What callers share over all their connections. */
export interface Budgets {
  readonly messages: Budget;
  readonly subscriptions: Budget;
}

export function budgetsOf(limits: StreamLimits): Budgets {
  return {
    messages: new Budget(limits.messagesPerCallerMax, SECOND_MS),
    subscriptions: new Budget(limits.subscriptionsPerCallerMax, HOUR_MS),
  };
}

export class Budget {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #counts = new Map<string, Count>();

  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  /** Counts for each of them: false when it was one too many for any. */
  take(callers: readonly string[], nowMs: number): boolean {
    let isWithin = true;
    for (const caller of callers) {
      if (this.#add(caller, nowMs) > this.#max) isWithin = false;
    }
    return isWithin;
  }

  #add(caller: string, nowMs: number): number {
    const known = this.#counts.get(caller);
    if (known !== undefined && nowMs < known.endMs) {
      known.taken += 1;
      return known.taken;
    }
    this.#counts.delete(caller);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size >= CALLERS_MAX && oldest !== undefined) this.#counts.delete(oldest);
    this.#counts.set(caller, { taken: 1, endMs: nowMs + this.#windowMs });
    return 1;
  }
}
