/** A span of time that a page is bounded by. */

/** Rows of a span of time; a bound that is left out is open. */
export interface TimeRange {
  /** Both inclusive. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}
