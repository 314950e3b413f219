/** What every benchmark reports: one line per measured thing and size. */

export interface BenchResult {
  readonly name: string;
  /** How much there was of what the measure could grow with: orders, levels, accounts. */
  readonly size: number;
  readonly value: number;
  readonly unit: string;
  /** The same measure of the peer in the same run, and value divided by it (median of rounds). */
  readonly peer?: number;
  readonly ratio?: number;
  /** The budget: what must and what should be reached, by the ratio where there is one. */
  readonly floor?: number;
  readonly aim?: number;
}
