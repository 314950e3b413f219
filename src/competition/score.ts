/**
 * What a row of equities at equal intervals says of a trader: how much was gained, the deepest
 * fall, and the Sharpe ratio. Pure, and one sample at a time, so that a long round costs no more.
 */
import { assert } from '#kernel';

/** Ratios are whole numbers of 10^-8. */
export const SCORE_SCALE = 8;
const UNIT = 10n ** BigInt(SCORE_SCALE);
/** A year for the Sharpe ratio: markets of coins never close. */
export const YEAR_MS = 365 * 86_400_000;
/** With fewer returns a year's ratio says nothing: one trade after seconds gives thousands. */
export const SHARPE_RETURNS_MIN = 30;
/** Returns that differ by less are the same: rounding alone makes so much of a difference. */
const DEVIATION_MIN = 1e-12;

export interface Scored {
  /** In the smallest unit of the coin. */
  readonly equity: bigint;
  /** equity / first equity - 1, in 10^-8, rounded towards zero. */
  readonly gained: bigint;
  /** The largest fall from a highest equity so far, as a part of that, in 10^-8. */
  readonly drawdown: bigint;
  /** Undefined with few returns, where all are the same, or after an equity of zero. */
  readonly sharpe: number | undefined;
}

export class Score {
  readonly #start: bigint;
  readonly #perYear: number;
  #last: bigint;
  #peak: bigint;
  #drawdown = 0n;
  #count = 0;
  #mean = 0;
  #squares = 0;
  #isRuined = false;

  /** `start` is the first equity, above zero. */
  constructor(start: bigint, sampleMs: number) {
    assert(start > 0n && sampleMs > 0, 'a score begins with money and an interval');
    this.#start = start;
    this.#last = start;
    this.#peak = start;
    this.#perYear = YEAR_MS / sampleMs;
  }

  /** The equity one interval later. */
  add(equity: bigint): void {
    this.#return(equity);
    this.#last = equity;
    if (equity > this.#peak) this.#peak = equity;
    const fall = ((this.#peak - equity) * UNIT) / this.#peak;
    if (fall > this.#drawdown) this.#drawdown = fall;
  }

  get now(): Scored {
    const gained = ((this.#last - this.#start) * UNIT) / this.#start;
    return { equity: this.#last, gained, drawdown: this.#drawdown, sharpe: this.#sharpe };
  }

  /** Mean and sum of squares one by one, as Welford does: no row of returns is kept. */
  #return(equity: bigint): void {
    if (this.#last <= 0n) this.#isRuined = true;
    if (this.#isRuined) return;
    const value = Number(equity - this.#last) / Number(this.#last);
    this.#count += 1;
    const before = value - this.#mean;
    this.#mean += before / this.#count;
    this.#squares += before * (value - this.#mean);
  }

  /**
   * Mean over deviation of the returns of the intervals, times the root of the intervals in a year
   * of 365 days. The deviation is that of a sample (n - 1); the rate without risk is zero.
   */
  get #sharpe(): number | undefined {
    if (this.#count < SHARPE_RETURNS_MIN || this.#isRuined) return undefined;
    const deviation = Math.sqrt(this.#squares / (this.#count - 1));
    if (deviation < DEVIATION_MIN) return undefined;
    return (this.#mean / deviation) * Math.sqrt(this.#perYear);
  }
}

/** Ranks from 1 on; equal ones share a rank, and the next has as many before it: 1, 2, 2, 4. */
export function ranked<T>(
  rows: readonly T[],
  compare: (one: T, other: T) => number,
): readonly { readonly rank: number; readonly row: T }[] {
  const sorted = [...rows].sort(compare);
  let rank = 0;
  let last: T | undefined;
  return sorted.map((row, at) => {
    if (last === undefined || compare(last, row) !== 0) rank = at + 1;
    last = row;
    return { rank, row };
  });
}
