/**
 * `npm run soak -- --minutes 30 --rate 200`: loads the default demo venue for a while and ends with
 * a table; the exit code is 1 when a bound is broken.
 */
import { parseArgs } from 'node:util';
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

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '200' },
  },
});
const lengthMs = Number(values.minutes) * MS_PER_MINUTE;
const requestsPerSecond = Number(values.rate);
if (!(lengthMs > 0 && requestsPerSecond > 0)) {
  throw new RangeError('--minutes and --rate take numbers above zero');
}

const report = await soak(
  {
    lengthMs,
    requestsPerSecond,
    roundMs: MS_PER_MINUTE,
    sampleIntervalMs: Math.min(SAMPLE_INTERVAL_MS, lengthMs / SAMPLES_MIN),
    warmUpShare: WARM_UP_SHARE,
  },
  (line) => console.log(line),
);
const { errors, ...figures } = report;
console.table(
  Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(2))]),
  ),
);
for (const error of errors) console.log(error);
const heapAtLeast = report.heapSlopeMbPerHour - report.heapSlopeErrorMbPerHour;
const measuredHours = (report.seconds * (1 - WARM_UP_SHARE)) / SECONDS_PER_HOUR;
const residentSlopeMax = HEAP_SLOPE_MAX_MB_PER_HOUR + CACHES_MAX_MB / measuredHours;
const residentAtLeast = report.residentSlopeMbPerHour - report.residentSlopeErrorMbPerHour;
const broken = [
  !(heapAtLeast <= HEAP_SLOPE_MAX_MB_PER_HOUR) && 'the heap grows',
  !(residentAtLeast <= residentSlopeMax) && 'the process grows',
  !(report.loopDelayP99Ms <= LOOP_DELAY_MAX_MS) && 'the event loop is late',
  report.lostCount > 0 && 'private messages were lost',
  report.errorsCount > 0 && 'requests failed',
].filter((complaint) => complaint !== false);
console.log(broken.length === 0 ? 'every bound is kept' : `broken: ${broken.join(', ')}`);
process.exitCode = broken.length === 0 ? 0 : 1;
