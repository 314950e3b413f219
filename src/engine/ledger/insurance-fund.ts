/**
 * The insurance fund of a margin coin, and what liquidations of all its contracts may cost it: in
 * every hour and every day (UTC) a part of what it held when that began and was given since.
 */
import { type Amount, type FundBudget, PPM_BIG } from '#domain';

/** The spans of a budget; the names of its parts are those of the coin's terms. */
const SPANS = [
  { lengthMs: 3_600_000, part: 'hourPpm' },
  { lengthMs: 86_400_000, part: 'dayPpm' },
] as const;

/** One hour or one day, counted from the epoch. */
export interface FundSpan {
  readonly index: number;
  /** What the fund held when it began, and what the operator added since. */
  base: Amount;
  /** What liquidations have cost the fund in it. */
  spent: Amount;
}

export class InsuranceFund {
  /** Never below zero. */
  held: Amount = 0n;
  /** The hour and the day; empty until something counts. */
  spans: FundSpan[] = [];
  /** What the fund keeps in any case while one liquidation runs. */
  #kept: Amount = 0n;

  /** Begins an hour and a day when it is time: before anything in it changes the fund. */
  goOnTo(timeMs: number): void {
    // A day begins with an hour: most prices begin neither.
    const [{ lengthMs: hourMs }] = SPANS;
    if (this.spans[0]?.index === Math.floor(timeMs / hourMs)) return;
    this.spans = SPANS.map(({ lengthMs }, at) => {
      const index = Math.floor(timeMs / lengthMs);
      const span = this.spans[at];
      return span?.index === index ? span : { index, base: this.held, spent: 0n };
    });
  }

  /** The operator adds money, which counts for the spans that run. */
  add(amount: Amount): void {
    this.held += amount;
    for (const span of this.spans) span.base += amount;
  }

  /** What the fund may pay for the liquidation that runs. */
  get payable(): Amount {
    return this.held > this.#kept ? this.held - this.#kept : 0n;
  }

  /**
   * Begins a liquidation: it may spend what it brings in itself and what is left of both budgets.
   * Returns what the fund holds before it.
   */
  begin(budget: FundBudget): Amount {
    const left = this.#left(budget);
    this.#kept = this.held > left ? this.held - left : 0n;
    return this.held;
  }

  /** Ends a liquidation and counts what it cost the fund; returns what it brought or cost. */
  end(heldBefore: Amount): Amount {
    const delta = this.held - heldBefore;
    if (delta < 0n) for (const span of this.spans) span.spent -= delta;
    return delta;
  }

  /** What liquidations may still cost the fund in this hour and this day. */
  #left(budget: FundBudget): Amount {
    let least = this.held;
    for (const [at, { part }] of SPANS.entries()) {
      const { base, spent } = this.spans[at] ?? { base: this.held, spent: 0n };
      const left = (base * BigInt(budget[part])) / PPM_BIG - spent;
      if (left < least) least = left > 0n ? left : 0n;
    }
    return least;
  }
}
