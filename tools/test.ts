/**
 * `npm test`: the types, the pages and every test, or the test files named as arguments (paths or
 * patterns).
 * The last lines are always the counts, also after a list of failures.
 */
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { PAGE_TYPES, PAGES, report, runStep, type Step, TYPES } from './steps.ts';

/** Two cores are what a small machine has; more files at once would only slow each other down. */
const FILES_AT_ONCE = 2;
/** A test that takes longer hangs. Twenty lives of a server take 40 s on a free machine. */
const TEST_TIMEOUT_MS = 240_000;
/** Beyond the timeout of a test, silence means a file that does not end: something is left open. */
const STALL_MAX_MS = 270_000;
const SILENCE_MAX_MS = 60_000;

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

const WHOLE_SUITE =
  'The types, the pages and every test: 10 to 20 minutes on two cores.\n' +
  'npm test -- test/engine/spot.test.ts runs a part.\n';

const NOTHING: Counts = { tests: 0, passed: 0, cancelled: 0, skipped: 0, todo: 0 };

process.chdir(`${import.meta.dirname}/..`);

const startMs = performance.now();
const named = process.argv.slice(2);
if (named.length === 0) process.stdout.write(WHOLE_SUITE);
// The pages are built before anything serves them, so that nothing builds them meanwhile.
const stepsOk = await runSteps(named.length > 0 ? [PAGES] : [TYPES, PAGE_TYPES, PAGES]);
const { success, counts } = await runTests(named.length > 0 ? named : ['test/**/*.test.ts']);
process.stdout.write(closingLines(counts, performance.now() - startMs));
process.exitCode = stepsOk && success && counts.tests > 0 ? 0 : 1;

async function runSteps(steps: readonly Step[]): Promise<boolean> {
  let areOk = true;
  for (const step of steps) {
    const outcome = await runStep(step);
    process.stdout.write(report(step, outcome));
    areOk &&= outcome.ok;
  }
  return areOk;
}

/** Runs each file in a process of its own and prints its tests as they end. */
function runTests(globPatterns: readonly string[]): Promise<Result> {
  const stall = new AbortController();
  const stream = run({
    globPatterns,
    concurrency: FILES_AT_ONCE,
    timeout: TEST_TIMEOUT_MS,
    signal: stall.signal,
  });
  const watch = watchSilence(stream, stall);
  let result: Result = { success: false, counts: NOTHING };
  return new Promise((resolve, reject) => {
    stream.on('test:summary', (summary) => {
      if (summary.file === undefined) result = summary;
    });
    const printed = stream.compose(new spec());
    printed.once('error', reject);
    printed.once('end', () => {
      clearInterval(watch);
      resolve(result);
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
    if (nowMs - heardMs > STALL_MAX_MS) stall.abort();
    if (nowMs - Math.max(heardMs, saidMs) < SILENCE_MAX_MS) return;
    saidMs = nowMs;
    process.stdout.write(`still running: ${done} tests done, the last one in ${lastFile}\n`);
  }, SILENCE_MAX_MS / 4);
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
