/** Random numbers that a seed gives again: one source for loads of tests, soak and benchmarks. */
import { present } from '#kernel';

export type Random = () => number;

/** The same numbers from 0 up to 1 for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of some, of which there is one at least. */
export function pick<T>(values: readonly T[], random: Random): T {
  return present(values[Math.floor(random() * values.length)], 'a value');
}
