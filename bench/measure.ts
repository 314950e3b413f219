/** Small tools of the benchmarks: a time, medians, and a stopwatch. */

/**
 * When a benchmark's first command comes. Times of a venue are larger than V8's small integers, so
 * each that is kept is an object of its own: with small ones an engine would look faster.
 */
export const START_MS = 1_795_235_652_453;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Seconds that the work took. */
export function timeSeconds(work: () => void): number {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}
