/**
 * The tiers of the tests. The name of a test file says which one it belongs to: `a.test.ts` runs
 * with `npm test`, `a.slow.test.ts` with `npm run test:slow`, and so on.
 */
import { existsSync, globSync } from 'node:fs';
import { basename, resolve } from 'node:path';

export type Tier = 'main' | 'browser' | 'slow' | 'cluster' | 'recordings';

export interface TierTerms {
  readonly command: string;
  /** What it holds, needs and takes. */
  readonly about: string;
  /** A small machine has two cores; more helps where tests wait for clocks and children. */
  readonly filesAtOnce: number;
  /**
   * How many files that failed may be tried once more. None where a test draws at random or kills
   * at a random moment: a second draw would hide a fault.
   */
  readonly secondTriesMax: number;
}

export const TIERS: Readonly<Record<Tier, TierTerms>> = {
  main: {
    command: 'npm test',
    about: 'the types, the engine, the API, its streams and its clients: 6 minutes on two cores',
    filesAtOnce: 2,
    secondTriesMax: 0,
  },
  browser: {
    command: 'npm run test:browser',
    about: 'the pages in Chromium: 5 minutes on two cores',
    filesAtOnce: 2,
    secondTriesMax: 2,
  },
  slow: {
    command: 'npm run test:slow',
    about: 'crashes, disks, etcd, the package, long runs, all bad input: 13 minutes on two cores',
    filesAtOnce: 3,
    secondTriesMax: 0,
  },
  cluster: {
    command: 'npm run test:cluster',
    about: 'whole clusters of processes under faults: 2 minutes on two cores',
    filesAtOnce: 2,
    secondTriesMax: 0,
  },
  recordings: {
    command: 'npm run test:recordings',
    about: 'recorded markets, which are not part of the project: 1 minute on two cores',
    filesAtOnce: 2,
    secondTriesMax: 0,
  },
};

/** Recordings lie in a folder that is not part of the project, or where OUTCRY_MARKET_DATA says. */
export const RECORDINGS =
  process.env.OUTCRY_MARKET_DATA ?? resolve(import.meta.dirname, '../recordings');

export function haveRecordings(): boolean {
  return existsSync(RECORDINGS);
}

const TEST_NAME = /^[a-z0-9-]+(?:\.([a-z]+))?\.test\.ts$/;

/** Undefined for a name that no tier runs. */
export function tierOf(path: string): Tier | undefined {
  const found = TEST_NAME.exec(basename(path));
  if (found === null) return undefined;
  const [, name] = found;
  if (name === undefined) return 'main';
  return name !== 'main' && isTier(name) ? name : undefined;
}

/** Every file below test that is named like a test, in any spelling, sorted. */
export function testFiles(root: string): string[] {
  return globSync('test/**/*.{test,spec}.*', { cwd: root }).toSorted();
}

/** The files of a tier. Throws if there is a file that no tier would ever run. */
export function filesOf(tier: Tier, files: readonly string[]): string[] {
  const lost = files.filter((file) => tierOf(file) === undefined);
  if (lost.length > 0) throw new Error(`no tier runs ${lost.join(', ')}`);
  return files.filter((file) => tierOf(file) === tier);
}

function isTier(name: string): name is Tier {
  return Object.hasOwn(TIERS, name);
}
