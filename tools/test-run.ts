/** Runs test files, each in a process of its own, prints their tests, says how each file went. */
import { relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/** A test that takes longer hangs. Twenty lives of a server take 40 s on a free machine. */
const TEST_TIMEOUT_MS = 240_000;
/** Beyond the timeout of a test, silence means a file that does not end: something is left open. */
const STALL_MAX_MS = 270_000;
const SILENCE_MAX_MS = 60_000;

export interface Counts {
  readonly tests: number;
  readonly passed: number;
  readonly cancelled: number;
  readonly skipped: number;
  readonly todo: number;
}

export interface FileResult {
  readonly seconds: number;
  readonly counts: Counts;
  /** `FILE: TEST: the first line of what went wrong`, for each test that failed. */
  readonly failures: readonly string[];
}

export interface Result {
  readonly success: boolean;
  /** False when nothing happened any more, so that not all files have run. */
  readonly isWhole: boolean;
  readonly counts: Counts;
  readonly files: ReadonlyMap<string, FileResult>;
}

/** What `test:fail` says; a test fails with its part as well, and names only that. */
interface Failure {
  readonly name: string;
  readonly file?: string | undefined;
  readonly details: { readonly error: Error };
}

const NOTHING: Counts = { tests: 0, passed: 0, cancelled: 0, skipped: 0, todo: 0 };
/** A file that breaks off before its first test counts as one test. */
const BROKEN: FileResult = { seconds: 0, counts: { ...NOTHING, tests: 1 }, failures: [] };
const NO_FILE = 'no file';

interface Terms {
  readonly filesAtOnce: number;
  /** How often each test does its work: it may take so much longer. */
  readonly rounds: number;
}

/** Prints the tests as they end. */
export function runTests(
  globPatterns: readonly string[],
  { filesAtOnce, rounds }: Terms,
): Promise<Result> {
  const stall = new AbortController();
  const stream = run({
    globPatterns,
    concurrency: filesAtOnce,
    timeout: TEST_TIMEOUT_MS * rounds,
    signal: stall.signal,
  });
  const watch = watchSilence(stream, stall, rounds);
  const files = new Map<string, FileResult>();
  const note = (path: string, part: (known: FileResult) => Partial<FileResult>): void => {
    const file = relative('.', path);
    const known = files.get(file) ?? BROKEN;
    files.set(file, { ...known, ...part(known) });
  };
  let whole = { success: false, counts: NOTHING };
  return new Promise((settle, reject) => {
    stream.on('test:summary', ({ file, success, counts, duration_ms }) => {
      if (file === undefined) whole = { success, counts };
      else note(file, () => ({ seconds: duration_ms / 1_000, counts }));
    });
    stream.on('test:fail', (failure) => {
      const lines = failureLines(failure);
      if (lines.length === 0) return;
      note(failure.file ?? NO_FILE, ({ failures }) => ({ failures: [...failures, ...lines] }));
    });
    const printed = stream.compose(new spec());
    printed.once('error', reject);
    printed.once('end', () => {
      clearInterval(watch);
      settle({ ...whole, isWhole: !stall.signal.aborted && !files.has(NO_FILE), files });
    });
    printed.pipe(process.stdout, { end: false });
  });
}

/** Says in long silences that the run is alive, and ends a run in which nothing happens. */
function watchSilence(
  stream: ReturnType<typeof run>,
  stall: AbortController,
  rounds: number,
): NodeJS.Timeout {
  let done = 0;
  let lastFile = NO_FILE;
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

/** None for a test that failed with its part. */
function failureLines({ name, file = NO_FILE, details: { error } }: Failure): string[] {
  if ('failureType' in error && error.failureType === 'subtestsFailed') return [];
  const [reason] = String(error.cause ?? error).split('\n');
  // A file that fails as a whole is a test by its own name.
  const test = resolve(name) === resolve(file) ? '' : `${name}: `;
  return [`${relative('.', file)}: ${test}${reason}`];
}
