/**
 * `npm run soak -- --minutes 30 --rate 200`: loads the default demo venue for a while and ends with
 * a table; the exit code is 1 when a bound is broken. With `--cluster` a whole cluster whose
 * leadership moves each minute (needs etcd's server in the path).
 */
import { parseArgs } from 'node:util';
import { soakCluster } from './soak/cluster.ts';
import { soak } from './soak/run.ts';

/**
 * Flat within noise: ten bytes kept of every request are 7 MB/h at 200 requests a second. What is
 * measured after collections still moves a little, so what a slope may be off is granted.
 */
const HEAP_SLOPE_MAX_MB_PER_HOUR = 7;
/**
 * SQLite fills its page caches as the history grows, which takes most of an hour, and the process
 * with them. They are bounded, so that only a long run can tell them from a leak.
 */
const CACHES_MAX_MB = 100;
const LOOP_DELAY_MAX_MS = 20;
const MS_PER_MINUTE = 60_000;
const SECONDS_PER_HOUR = 3_600;
const SAMPLE_INTERVAL_MS = 20_000;
const SAMPLES_MIN = 30;
const WARM_UP_SHARE = 1 / 3;
/** Every process of a cluster does all of the work, and here they share a machine. */
const RATE = { alone: 200, cluster: 50 };

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string' },
    cluster: { type: 'boolean', default: false },
  },
});
const lengthMs = Number(values.minutes) * MS_PER_MINUTE;
const requestsPerSecond = Number(values.rate ?? (values.cluster ? RATE.cluster : RATE.alone));
if (!(lengthMs > 0 && requestsPerSecond > 0)) {
  throw new RangeError('--minutes and --rate take numbers above zero');
}
const plan = { lengthMs, requestsPerSecond, roundMs: MS_PER_MINUTE };
const print = (line: string): void => console.log(line);

/** One that did not come to its end has a verdict, too. */
function unfinished(error: unknown): string[] {
  console.log(error);
  return ['the soak itself failed'];
}

const broken = await (values.cluster ? soakTogether() : soakAlone()).catch(unfinished);
console.log(broken.length === 0 ? 'every bound is kept' : `broken: ${broken.join(', ')}`);
process.exitCode = broken.length === 0 ? 0 : 1;

function table(figures: Readonly<Record<string, number>>, errors: readonly string[]): void {
  console.table(
    Object.fromEntries(
      Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(2))]),
    ),
  );
  for (const error of errors) console.log(error);
}

/** What is broken of a cluster. */
async function soakTogether(): Promise<string[]> {
  const { report, errors, failures } = await soakCluster(plan, print);
  table({ ...report }, [...errors, ...failures]);
  return [
    report.lostOrders > 0 && 'acknowledged orders are not in the log',
    report.unknownOrders > 0 && 'the log has orders that no client knows of',
    report.lost > 0 && 'private messages were lost',
    report.lostByResuming > 0 && 'a client that resumed does not know all ends',
    report.differingCopies > 0 && 'copies differ',
    report.errors > 0 && 'requests failed',
    failures.length > 0 && 'processes failed',
    report.takeovers === 0 && 'nothing was taken over',
  ].filter((complaint) => complaint !== false);
}

/** What is broken of a venue in one process. */
async function soakAlone(): Promise<string[]> {
  const report = await soak(
    {
      ...plan,
      sampleIntervalMs: Math.min(SAMPLE_INTERVAL_MS, lengthMs / SAMPLES_MIN),
      warmUpShare: WARM_UP_SHARE,
    },
    print,
  );
  const { errors, ...figures } = report;
  table(figures, errors);
  const heapAtLeast = report.heapSlopeMbPerHour - report.heapSlopeErrorMbPerHour;
  const measuredHours = (report.seconds * (1 - WARM_UP_SHARE)) / SECONDS_PER_HOUR;
  const residentSlopeMax = HEAP_SLOPE_MAX_MB_PER_HOUR + CACHES_MAX_MB / measuredHours;
  const residentAtLeast = report.residentSlopeMbPerHour - report.residentSlopeErrorMbPerHour;
  return [
    !(heapAtLeast <= HEAP_SLOPE_MAX_MB_PER_HOUR) && 'the heap grows',
    !(residentAtLeast <= residentSlopeMax) && 'the process grows',
    !(report.loopDelayP99Ms <= LOOP_DELAY_MAX_MS) && 'the event loop is late',
    report.lostCount > 0 && 'private messages were lost',
    report.errorsCount > 0 && 'requests failed',
  ].filter((complaint) => complaint !== false);
}
