/**
 * The vitals of the venue over time: what one look at its metrics says, and what two looks say
 * together, such as calls a second. Pure; the sampler does the looking.
 */
import { type Metrics, metricOf, readMetrics } from './prometheus.ts';

/** One look. Counters are since the process started. */
export interface Reading {
  readonly timeMs: number;
  readonly releasedSeq: number;
  readonly gateLag: number;
  readonly projectionLag: number;
  readonly isHalted: boolean;
  readonly connections: number;
  readonly unsentBytes: number;
  readonly loopDelayMs: number | undefined;
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  readonly journalBytes: number | undefined;
  readonly startedS: number | undefined;
  readonly requests: number;
  /** Calls that took at most so many seconds, ascending; the last is all of them. */
  readonly durations: readonly { readonly seconds: number; readonly count: number }[];
  readonly refusals: ReadonlyMap<string, number>;
  readonly routes: ReadonlyMap<string, RouteCount>;
}

export interface RouteCount {
  readonly calls: number;
  /** Of them refused because of the rate. */
  readonly limited: number;
}

/** A reading and the rates since the one before; undefined where there is none. */
export interface Sample extends Reading {
  readonly commandsPerS: number | undefined;
  readonly requestsPerS: number | undefined;
  readonly refusalsPerS: number | undefined;
  readonly requestP99Ms: number | undefined;
  readonly cpuPercent: number | undefined;
}

export const KEPT_MS = 600_000;
/** Two looks further apart have a gap between them; the venue itself looks every five seconds. */
export const GAP_MS = 12_000;

const PREFIXES = [
  'outcry_',
  'nodejs_eventloop_lag_p99_seconds',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
];
/** Asked for by the console itself, every second: it would hide what others ask. */
const OWN_ROUTES = ['/metrics', '/metrics/past', '/health/ready'];
const TIMER_SLEEP_MS = 10;
const DURATION = 'outcry_request_duration_seconds';
const TOO_MANY = '429';

export function readReading(text: string, timeMs: number): Reading {
  const metrics = readMetrics(text, PREFIXES);
  const routes = routesOf(metrics);
  const of = (name: string): number => metricOf(metrics, name) ?? 0;
  return {
    timeMs,
    releasedSeq: of('outcry_released_seq'),
    gateLag: of('outcry_gate_lag_commands'),
    projectionLag: of('outcry_projection_lag_commands'),
    isHalted: of('outcry_halted') === 1,
    connections: of('outcry_stream_connections'),
    unsentBytes: of('outcry_stream_unsent_bytes'),
    loopDelayMs: loopDelayMs(metrics),
    cpuSeconds: of('process_cpu_seconds_total'),
    memoryBytes: of('process_resident_memory_bytes'),
    journalBytes: metricOf(metrics, 'outcry_journal_bytes'),
    startedS: metricOf(metrics, 'process_start_time_seconds'),
    requests: [...routes.values()].reduce((sum, { calls }) => sum + calls, 0),
    durations: durationsOf(metrics),
    refusals: refusalsOf(metrics),
    routes,
  };
}

/** The metric is of a timer that sleeps for 10 ms: only what comes on top of that is delay. */
function loopDelayMs(metrics: Metrics): number | undefined {
  const seconds = metricOf(metrics, 'nodejs_eventloop_lag_p99_seconds');
  return seconds === undefined ? undefined : Math.max(0, seconds * 1_000 - TIMER_SLEEP_MS);
}

function routesOf(metrics: Metrics): Map<string, RouteCount> {
  const routes = new Map<string, RouteCount>();
  for (const { labels, value } of metrics.get(`${DURATION}_count`) ?? []) {
    const { method = '', route = '', status } = labels;
    if (OWN_ROUTES.includes(route)) continue;
    const name = `${method} ${route}`;
    const { calls = 0, limited = 0 } = routes.get(name) ?? {};
    const refused = status === TOO_MANY ? value : 0;
    routes.set(name, { calls: calls + value, limited: limited + refused });
  }
  return routes;
}

function durationsOf(metrics: Metrics): Reading['durations'] {
  const counts = new Map<number, number>();
  for (const { labels, value } of metrics.get(`${DURATION}_bucket`) ?? []) {
    const { le = '', route = '' } = labels;
    if (OWN_ROUTES.includes(route)) continue;
    const seconds = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
    counts.set(seconds, (counts.get(seconds) ?? 0) + value);
  }
  return [...counts]
    .map(([seconds, count]) => ({ seconds, count }))
    .sort((one, other) => one.seconds - other.seconds);
}

function refusalsOf(metrics: Metrics): Map<string, number> {
  const refusals = new Map<string, number>();
  for (const { labels, value } of metrics.get('outcry_refusals_total') ?? []) {
    const { reject = '' } = labels;
    refusals.set(reject, (refusals.get(reject) ?? 0) + value);
  }
  return refusals;
}

/** Adds a reading to what was sampled before, and forgets what is older than ten minutes. */
export function withReading(samples: readonly Sample[], reading: Reading): readonly Sample[] {
  const before = samples.at(-1);
  // A process that started again counts from zero: nothing can be said of the time between.
  const isSame = before !== undefined && before.startedS === reading.startedS;
  const isNear = isSame && reading.timeMs - before.timeMs <= GAP_MS;
  const sample = { ...reading, ...ratesOf(isNear ? before : undefined, reading) };
  const since = reading.timeMs - KEPT_MS;
  return [...samples.filter(({ timeMs }) => timeMs >= since), sample];
}

function ratesOf(before: Reading | undefined, now: Reading) {
  const seconds = before === undefined ? 0 : (now.timeMs - before.timeMs) / 1_000;
  if (before === undefined || seconds <= 0) {
    return {
      commandsPerS: undefined,
      requestsPerS: undefined,
      refusalsPerS: undefined,
      requestP99Ms: undefined,
      cpuPercent: undefined,
    };
  }
  return {
    commandsPerS: (now.releasedSeq - before.releasedSeq) / seconds,
    requestsPerS: (now.requests - before.requests) / seconds,
    refusalsPerS: (sumOf(now.refusals) - sumOf(before.refusals)) / seconds,
    requestP99Ms: durationWithin(before, now, 0.99),
    cpuPercent: ((now.cpuSeconds - before.cpuSeconds) / seconds) * 100,
  };
}

/** The bucket within which this part of the calls between two readings was answered. */
function durationWithin(before: Reading, now: Reading, part: number): number | undefined {
  const counts = now.durations.map(({ seconds, count }) => {
    const earlier = before.durations.find((bucket) => bucket.seconds === seconds);
    return { seconds, count: count - (earlier?.count ?? 0) };
  });
  const all = counts.at(-1)?.count ?? 0;
  if (all === 0) return undefined;
  const finite = counts.filter(({ seconds }) => Number.isFinite(seconds));
  const bucket = finite.find(({ count }) => count >= all * part) ?? finite.at(-1);
  return bucket === undefined ? undefined : bucket.seconds * 1_000;
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

export interface RefusalCount {
  readonly reject: string;
  readonly lastMinute: number;
  readonly total: number;
}

const MINUTE_MS = 60_000;

/** Refusals by reason, the most frequent of the last minute first. */
export function refusalCounts(samples: readonly Sample[]): readonly RefusalCount[] {
  const now = samples.at(-1);
  if (now === undefined) return [];
  const start = samples.find(
    ({ timeMs, startedS }) => timeMs >= now.timeMs - MINUTE_MS && startedS === now.startedS,
  );
  return [...now.refusals]
    .map(([reject, total]) => ({
      reject,
      total,
      lastMinute: total - (start?.refusals.get(reject) ?? 0),
    }))
    .sort((one, other) => other.lastMinute - one.lastMinute || other.total - one.total);
}
