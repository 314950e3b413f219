/**
 * Sees when a command is the first one of a day (UTC), and notes what was owned before it. It
 * walks every account then, on the thread that follows the journal: the market knows nothing of it.
 */
import { openTimeMs, type StateReader } from '#domain';
import type { DayOpening } from '#history';

const DAY_MS = 86_400_000;

export class DayWatch {
  readonly #state: StateReader;
  #nextDayMs: number;
  #opening: DayOpening | undefined;

  constructor(state: StateReader) {
    this.#state = state;
    this.#nextDayMs = openTimeMs('1d', state.timeMs) + DAY_MS;
  }

  /** Comes before a command of this time is applied. */
  look(timeMs: number): void {
    if (timeMs < this.#nextDayMs) return;
    const dayMs = openTimeMs('1d', timeMs);
    this.#nextDayMs = dayMs + DAY_MS;
    this.#opening = openingOf(this.#state, dayMs);
  }

  /** What that command brings to the history, if a day has begun. */
  take(): DayOpening | undefined {
    const opening = this.#opening;
    this.#opening = undefined;
    return opening;
  }
}

function openingOf(state: StateReader, dayMs: number): DayOpening {
  const equities: DayOpening['equities'][number][] = [];
  for (const { accountId } of state.accounts()) {
    for (const [assetId, equity] of state.owned(accountId)) {
      if (equity !== 0n) equities.push({ accountId, assetId, equity });
    }
  }
  const funds = state.listings.assets
    .map(({ assetId }) => ({ assetId, fund: state.insuranceFund(assetId) }))
    .filter(({ fund }) => fund !== 0n);
  return { dayMs, equities, funds };
}
