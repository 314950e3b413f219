/** What a planted fault is, and the seeds in which it has to show. */
import type { Patch } from './plant.ts';

export interface Canary {
  readonly name: string;
  /** Within so many seeds, from the first on, it has to be found. */
  readonly seedsMax: number;
  /** One that has shown it when it was planted, to begin with: the others may take a minute. */
  readonly seedFirst?: number;
  readonly patch?: Patch;
  readonly disk?: 'skips_syncs' | 'late_writes';
}

/** The seeds in which a canary is looked for. */
export function seedsOf({ seedFirst = 1, seedsMax }: Canary): readonly number[] {
  const seeds = Array.from({ length: seedsMax }, (_none, at) => at + 1);
  return [seedFirst, ...seeds.filter((seed) => seed !== seedFirst)];
}
