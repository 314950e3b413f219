/**
 * `npm test`: the types, the pages and the tests of the main tier; `--tier slow` runs another one,
 * and arguments name the test files to run (paths or patterns), of whichever tier. `--rounds 20`
 * strikes with each fault of the clusters so often.
 * Ends with the slowest files, a line for each test that failed, and the counts. A tier may try
 * files once more that failed; what passes then is told as flaky, and the run is green.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CLIENT, PAGE_TYPES, PAGES, report, runStep, type Step, TYPES } from './steps.ts';
import { type Counts, type Result, runTests } from './test-run.ts';
import { filesOf, haveRecordings, RECORDINGS, TIERS, type Tier, testFiles } from './tiers.ts';

/** What a process has compiled the next ones take from here: each file is a process of its own. */
const COMPILED = 'node_modules/.cache/compiled';
const SLOWEST_SHOWN = 10;

process.chdir(`${import.meta.dirname}/..`);
process.env.NODE_COMPILE_CACHE ??= resolve(COMPILED);

const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    tier: { type: 'string', default: 'main' },
    rounds: { type: 'string', default: '1' },
    'if-possible': { type: 'boolean' },
  },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number');
process.env.OUTCRY_ROUNDS = values.rounds;
const tier = readTier(values.tier);
if (named.length === 0 && tier === 'recordings' && !haveRecordings()) {
  process.stdout.write(`No recorded markets in ${RECORDINGS}: none of these tests has run.\n`);
  process.stdout.write('OUTCRY_MARKET_DATA says where else they are.\n');
  process.exitCode = values['if-possible'] ? 0 : 1;
} else await runAll();

async function runAll(): Promise<void> {
  const startMs = performance.now();
  if (named.length === 0) process.stdout.write(`${TIERS[tier].command}: ${TIERS[tier].about}.\n`);
  // The pages are built before anything serves them, so that nothing builds them meanwhile.
  const isMain = named.length === 0 && tier === 'main';
  const clientOk = await runSteps([CLIENT]);
  const stepsOk = (await runSteps(isMain ? [TYPES, PAGE_TYPES, PAGES] : [PAGES])) && clientOk;
  const files = filesOf(tier, testFiles('.'));
  const { filesAtOnce } = TIERS[tier];
  const first = await runTests(named.length > 0 ? named : files, { filesAtOnce, rounds });
  const second = await secondTry(first);
  const counts = countsOf(first, second);
  process.stdout.write(slowestLines(first) + failureLines(first, second));
  process.stdout.write(closingLines(counts, performance.now() - startMs));
  const { success } = second ?? first;
  process.exitCode = stepsOk && success && counts.tests > 0 ? 0 : 1;
}

function readTier(word: string): Tier {
  for (const tier of ['main', 'browser', 'slow', 'cluster', 'recordings'] as const) {
    if (tier === word) return tier;
  }
  throw new Error(`no tier ${word}: ${Object.keys(TIERS).join(', ')}`);
}

async function runSteps(steps: readonly Step[]): Promise<boolean> {
  const areOk = steps.map(async (step) => {
    const outcome = await runStep(step);
    process.stdout.write(report(step, outcome));
    return outcome.ok;
  });
  return (await Promise.all(areOk)).every((isOk) => isOk);
}

/**
 * A tier may give a few files a second try, one by one once the others are done; more of them have
 * failed for a reason.
 */
async function secondTry({ isWhole, files }: Result): Promise<Result | undefined> {
  const failed = [...files].flatMap(([file, { failures }]) => (failures.length > 0 ? [file] : []));
  if (!isWhole || failed.length === 0 || failed.length > TIERS[tier].secondTriesMax) {
    return undefined;
  }
  process.stdout.write(`once more: ${failed.join(', ')}\n`);
  return runTests(failed, { filesAtOnce: 1, rounds });
}

/** Where the time of a run has gone. */
function slowestLines({ files }: Result): string {
  return [...files]
    .map(([file, { seconds }]) => ({ file, seconds }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST_SHOWN)
    .map(({ file, seconds }) => `ℹ ${seconds.toFixed(1)} s ${file}\n`)
    .join('');
}

/** `✖ FILE: TEST: why` for what failed, `ℹ flaky: FILE: TEST: why` for what then passed. */
function failureLines(first: Result, second: Result | undefined): string {
  const lines = [...first.files].flatMap(([file, { failures }]) => {
    const again = second?.files.get(file);
    const hasPassed = again !== undefined && again.failures.length === 0;
    const both = new Set([...failures, ...(again?.failures ?? [])]);
    return [...both].map((line) => `${hasPassed ? 'ℹ flaky:' : '✖'} ${line}\n`);
  });
  return lines.join('');
}

/** Of a file that ran twice only the second time counts. */
function countsOf(first: Result, second: Result | undefined): Counts {
  if (second === undefined) return first.counts;
  const sum = (name: keyof Counts): number =>
    [...second.files.keys()].reduce(
      (count, file) => count - (first.files.get(file)?.counts[name] ?? 0),
      first.counts[name] + second.counts[name],
    );
  return {
    tests: sum('tests'),
    passed: sum('passed'),
    cancelled: sum('cancelled'),
    skipped: sum('skipped'),
    todo: sum('todo'),
  };
}

/** In the words of node:test, for whoever reads the end of a log. */
function closingLines(counts: Counts, tookMs: number): string {
  const { tests, passed, cancelled, skipped, todo } = counts;
  const fail = tests - passed - cancelled - skipped - todo;
  const minutes = (tookMs / 60_000).toFixed(1);
  const rows = { minutes, tests, pass: passed, fail, cancelled, skipped, todo };
  return Object.entries(rows)
    .map(([name, count]) => `ℹ ${name} ${count}\n`)
    .join('');
}
