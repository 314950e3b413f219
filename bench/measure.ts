/** Small tools of the benchmarks: a time, a seeded random source, medians, and a stopwatch. */

/**
 * When a benchmark's first command comes. Times of a venue are larger than V8's small integers, so
 * each that is kept is an object of its own: with small ones an engine would look faster.
 */
export const START_MS = 1_795_235_652_453;

/** A seeded source of numbers in [0, 1): the same seed gives the same stream everywhere. */
export function randomSource(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

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
