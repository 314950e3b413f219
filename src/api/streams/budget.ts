/**
 * How often callers may do something in a window that begins with its first time: an address, a
 * key or an account counts over all its connections.
 */
import { CallerCounts } from '../bounds/caller-counts.ts';
import type { StreamLimits } from './limits.ts';

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
  readonly #counts: CallerCounts;

  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#counts = new CallerCounts(windowMs);
  }

  /** Counts for each of them: false when it was one too many for any. */
  take(callers: readonly string[], nowMs: number): boolean {
    let isWithin = true;
    for (const caller of callers) {
      if (this.#counts.add(caller, 1, nowMs) > this.#max) isWithin = false;
    }
    return isWithin;
  }
}
