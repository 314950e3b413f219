/**
 * `npm run sim -- --seeds 1000 --jobs 2` runs many seeds and prints what came up how often, with a
 * row for docs/PROOF.md at the end, also of a run that is ended early with Ctrl-C;
 * `--seed N` runs one, and makes it small if it fails; `--replay FILE` plays a script again. With
 * `--cluster` each seed is a cluster, `--without KIND,KIND` leaves out faults, and
 * `--quiet-hours N` lets so much time go by before they strike.
 */
import { parseArgs } from 'node:util';
import { type CampaignOptions, type CampaignOutcome, runCampaign } from './campaign.ts';
import {
  CLUSTER_EXPECTED,
  CLUSTER_RARE,
  runClusterCampaign,
  shrinkCluster,
} from './cluster/campaign.ts';
import { expectedCounts, RARE } from './expected.ts';
import { type Found, replay, runSeed, USUAL_LENGTH } from './run.ts';
import { readScript, scriptText } from './shrink/script.ts';
import { shrink } from './shrink/shrink.ts';

const PROGRESS_EVERY_MS = 5_000;
const USUAL_CLUSTER_MS = 15_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    length: { type: 'string' },
    cluster: { type: 'boolean', default: false },
    without: { type: 'string' },
    seconds: { type: 'string' },
    replay: { type: 'string' },
    'quiet-hours': { type: 'string', default: '0' },
  },
});
/** Commands, or in a cluster the milliseconds in which faults strike. */
const length = Number(values.length ?? (values.cluster ? USUAL_CLUSTER_MS : USUAL_LENGTH));
const without = values.without?.split(',') ?? [];
const quietHours = Number(values['quiet-hours']);

if (values.replay !== undefined) playScript(values.replay);
else if (values.cluster && values.seed !== undefined) await runOneCluster(Number(values.seed));
else if (values.seed !== undefined) runOne(Number(values.seed));
else await runMany();

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function playScript(path: string): void {
  const { rule, acts, about } = readScript(path);
  const { found } = replay(acts);
  print(`${about}: ${found === undefined ? `${rule} holds` : found.message}`);
  process.exitCode = found === undefined ? 0 : 1;
}

function runOne(seed: number): void {
  const { acts, found, coverage } = runSeed(seed, { length });
  print(table(coverage.counts));
  if (found === undefined) {
    print(`seed ${seed}: ${acts.length} acts, nothing found`);
    return;
  }
  printSmall(seed, acts, found);
  process.exitCode = 1;
}

function printSmall(seed: number, acts: Parameters<typeof shrink>[0], found: Found): void {
  print(`seed ${seed} fails at act ${found.at} of ${acts.length}:\n${found.message}`);
  const small = shrink(acts, found, replay);
  print(`${small.acts.length} acts are enough (${small.playsCount} plays): ${small.found.message}`);
  print(scriptText(`seed ${seed}`, small.found, small.acts));
}

async function runOneCluster(seed: number): Promise<void> {
  const { failures, coverage } = await runClusterCampaign({
    fromSeed: seed,
    seedsCount: 1,
    jobs: 1,
    length,
    without,
    quietHours,
  });
  print(table(coverage.counts));
  const [failure] = failures;
  if (failure === undefined) {
    print(`seed ${seed}: nothing found`);
    return;
  }
  print(failure.found.message);
  process.exitCode = 1;
  if (without.length > 0) return;
  const small = await shrinkCluster(seed, length, failure.found);
  const left = `--length ${small.length} --without ${small.without.join(',')}`;
  print(`npm run sim -- --cluster --seed ${seed} ${left} is enough:\n${small.found.message}`);
}

async function runMany(): Promise<void> {
  const startMs = performance.now();
  let [saidMs, shownCount, isEnough] = [startMs, 0, false];
  const onProgress = (outcome: CampaignOutcome): void => {
    for (const failure of outcome.failures.slice(shownCount)) print(headline(failure));
    shownCount = outcome.failures.length;
    const nowMs = performance.now();
    // A run of hours says less often how far it is.
    if (nowMs - saidMs < Math.max(PROGRESS_EVERY_MS, (nowMs - startMs) / 100)) return;
    saidMs = nowMs;
    print(progressLine(outcome, saidMs - startMs));
  };
  process.once('SIGINT', () => {
    isEnough = true;
    print('enough: waits for the seeds under way');
  });
  const run = values.cluster ? runClusterCampaign : runCampaign;
  const options: CampaignOptions = {
    fromSeed: Number(values.from),
    seedsCount: values.seconds === undefined ? Number(values.seeds) : Number.MAX_SAFE_INTEGER,
    jobs: Number(values.jobs),
    length,
    timeMaxMs: values.seconds === undefined ? undefined : Number(values.seconds) * 1_000,
    isEnough: () => isEnough,
    onProgress,
  };
  const outcome = await run({ ...options, without, quietHours });
  const { counts } = outcome.coverage;
  print(table(counts));
  print(progressLine(outcome, performance.now() - startMs));
  const expected = values.cluster
    ? [...CLUSTER_EXPECTED, ...CLUSTER_RARE]
    : [...expectedCounts(), ...RARE];
  const missing = expected.filter((what) => !counts.has(what));
  if (missing.length > 0) print(`never came up: ${missing.join(', ')}`);
  for (const failure of outcome.failures) print(headline(failure));
  print(`for docs/PROOF.md: ${proofRow(outcome, performance.now() - startMs)}`);
  const [first] = outcome.failures;
  if (first !== undefined) {
    const which = values.cluster ? '--cluster --seed' : '--seed';
    print(`npm run sim -- ${which} ${first.seed} --length ${length} makes it small`);
  }
  process.exitCode = outcome.failures.length > 0 ? 1 : 0;
}

function progressLine({ seedsDone, failures, coverage }: CampaignOutcome, ms: number): string {
  const commands = coverage.counts.get('command') ?? 0;
  const rate = Math.round((commands * 1_000) / ms);
  return `${seedsDone} seeds, ${commands} commands, ${rate}/s, ${failures.length} failed`;
}

function headline({ seed, found }: CampaignOutcome['failures'][number]): string {
  return `seed ${seed}: ${found.message.split('\n', 1)[0]}`;
}

/** A row of the table of runs. What a failing seed shows is for somebody to say. */
function proofRow({ seedsDone, failures, coverage }: CampaignOutcome, ms: number): string {
  const from = Number(values.from);
  const day = new Date().toISOString().slice(0, 10);
  const hours = (ms / 3_600_000).toFixed(2);
  const what = `${day}, seeds ${from} to ${from + seedsDone - 1}, ${length} each, ${hours} hours`;
  const cells = [what, seedsDone, coverage.counts.get('command') ?? 0];
  if (values.cluster) cells.push(coverage.counts.get('takeover') ?? 0);
  return `| ${[...cells, failures.length].join(' | ')} |`;
}

function table(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([what, times]) => `${String(times).padStart(10)}  ${what}`)
    .join('\n');
}
