/**
 * `npm test`: the types, the pages and the tests of the main tier; `--tier slow` runs another one,
 * and arguments name the test files to run (paths or patterns), of whichever tier. `--rounds 20`
 * strikes with each fault of the clusters so often.
 * Ends with the slowest files, a line for each test that failed, and the counts.
 */
import { relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { PAGE_TYPES, PAGES, report, runStep, type Step, TYPES } from './steps.ts';
import { filesOf, haveRecordings, RECORDINGS, TIERS, type Tier, testFiles } from './tiers.ts';

/** What a process has compiled the next ones take from here: each file is a process of its own. */
const COMPILED = 'node_modules/.cache/compiled';
/** A test that takes longer hangs. Twenty lives of a server take 40 s on a free machine. */
const TEST_TIMEOUT_MS = 240_000;
/** Beyond the timeout of a test, silence means a file that does not end: something is left open. */
const STALL_MAX_MS = 270_000;
const SILENCE_MAX_MS = 60_000;

const SLOWEST_SHOWN = 10;

interface FileTime {
  readonly file: string;
  readonly seconds: number;
}

/** What `test:fail` says; a test fails with its part as well, and names only that. */
interface Failure {
  readonly name: string;
  readonly file?: string | undefined;
  readonly details: { readonly error: Error };
}

interface Counts {
  readonly tests: number;
  readonly passed: number;
  readonly cancelled: number;
  readonly skipped: number;
  readonly todo: number;
}

interface Result {
  readonly success: boolean;
  readonly counts: Counts;
}

const NOTHING: Counts = { tests: 0, passed: 0, cancelled: 0, skipped: 0, todo: 0 };

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
  const stepsOk = await runSteps(isMain ? [TYPES, PAGE_TYPES, PAGES] : [PAGES]);
  const files = filesOf(tier, testFiles('.'));
  const { success, counts } = await runTests(named.length > 0 ? named : files);
  process.stdout.write(closingLines(counts, performance.now() - startMs));
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

/** Runs each file in a process of its own and prints its tests as they end. */
function runTests(globPatterns: readonly string[]): Promise<Result> {
  const stall = new AbortController();
  const stream = run({
    globPatterns,
    concurrency: TIERS[tier].filesAtOnce,
    timeout: TEST_TIMEOUT_MS * rounds,
    signal: stall.signal,
  });
  const watch = watchSilence(stream, stall);
  const files: FileTime[] = [];
  const failures: string[] = [];
  let result: Result = { success: false, counts: NOTHING };
  return new Promise((settle, reject) => {
    stream.on('test:summary', (summary) => {
      if (summary.file === undefined) result = summary;
      else files.push({ file: relative('.', summary.file), seconds: summary.duration_ms / 1000 });
    });
    stream.on('test:fail', (failure) => failures.push(...failureLines(failure)));
    const printed = stream.compose(new spec());
    printed.once('error', reject);
    printed.once('end', () => {
      clearInterval(watch);
      process.stdout.write(`${slowestLines(files)}${failures.join('')}`);
      settle(result);
    });
    printed.pipe(process.stdout, { end: false });
  });
}

/** Says in long silences that the run is alive, and ends a run in which nothing happens. */
function watchSilence(stream: ReturnType<typeof run>, stall: AbortController): NodeJS.Timeout {
  let done = 0;
  let lastFile = 'no file';
  let heardMs = performance.now();
  let saidMs = heardMs;
  const hear = ({ file }: { readonly file?: string | undefined }): void => {
    done += 1;
    lastFile = file ?? lastFile;
    heardMs = performance.now();
  };
  stream.on('test:pass', hear).on('test:fail', hear);
  return setInterval(() => {
    const nowMs = performance.now();
    if (nowMs - heardMs > STALL_MAX_MS * rounds) stall.abort();
    if (nowMs - Math.max(heardMs, saidMs) < SILENCE_MAX_MS) return;
    saidMs = nowMs;
    process.stdout.write(`still running: ${done} tests done, the last one in ${lastFile}\n`);
  }, SILENCE_MAX_MS / 4);
}

/** Where the time of a run has gone. */
function slowestLines(files: readonly FileTime[]): string {
  return files
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST_SHOWN)
    .map(({ file, seconds }) => `ℹ ${seconds.toFixed(1)} s ${file}\n`)
    .join('');
}

/** `✖ FILE: TEST: the first line of what went wrong`. */
function failureLines({ name, file = 'no file', details: { error } }: Failure): string[] {
  if ('failureType' in error && error.failureType === 'subtestsFailed') return [];
  const [reason] = String(error.cause ?? error).split('\n');
  // A file that fails as a whole is a test by its own name.
  const test = resolve(name) === resolve(file) ? '' : `${name}: `;
  return [`✖ ${relative('.', file)}: ${test}${reason}\n`];
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
