/**
 * The last ten minutes of this process's numbers, so that a page that is loaded anew need not begin
 * with nothing. Each look is kept as text in the format and under the names of /metrics, calls of
 * all routes together, so whoever reads that reads this.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { RejectKind } from '#domain';
import type { Gauge } from './gauge.ts';

const EVERY_MS = 5_000;
const LOOKS_MAX = 120;
const LOOP_RESOLUTION_MS = 10;
const NANOSECONDS = 1e9;
/** Asked for by pages that watch, again and again: they would hide what others ask. */
const WATCHING_ROUTES = ['/metrics', '/metrics/past', '/health/ready'];
const DURATION = 'outcry_request_duration_seconds';

interface Look {
  readonly atMs: number;
  readonly text: string;
}

interface Numbers {
  /** In the order of `#names`. */
  readonly figures: readonly number[];
  readonly buckets: readonly number[];
  readonly calls: number;
  readonly refusals: ReadonlyMap<RejectKind, number>;
}

export class MetricsPast {
  readonly #gauges: readonly Gauge[];
  readonly #bucketsS: readonly number[];
  /** Calls answered within each bucket, and not in the one before. */
  readonly #counts: number[];
  readonly #refusals = new Map<RejectKind, number>();
  readonly #looks: Look[] = [];
  readonly #now: () => number;
  #calls = 0;
  #startedS = 0;
  #loop: ReturnType<typeof monitorEventLoopDelay> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    gauges: readonly Gauge[],
    bucketsS: readonly number[],
    now: () => number = () => performance.now(),
  ) {
    this.#gauges = gauges.filter(({ label }) => label === undefined);
    this.#bucketsS = bucketsS;
    this.#counts = bucketsS.map(() => 0);
    this.#now = now;
  }

  /** `startedS` as /metrics says it: by that readers know one life of a process. */
  start(startedS: number): void {
    this.#startedS = startedS;
    this.#loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
    this.#loop.enable();
    this.#timer = setInterval(() => this.look(), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#loop?.disable();
  }

  /** `bucket` is the first that the call fits in, or -1. */
  answered(route: string, bucket: number): void {
    if (WATCHING_ROUTES.includes(route)) return;
    this.#calls += 1;
    if (bucket >= 0) this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
  }

  refused(reject: RejectKind): void {
    this.#refusals.set(reject, (this.#refusals.get(reject) ?? 0) + 1);
  }

  /** Keeps the numbers of now, and forgets the oldest beyond ten minutes. */
  look(): void {
    const { user, system } = process.cpuUsage();
    const ofProcess = [
      (user + system) / 1e6,
      process.memoryUsage.rss(),
      this.#startedS,
      (this.#loop?.percentile(99) ?? 0) / NANOSECONDS,
    ];
    this.#loop?.reset();
    const text = this.#textOf({
      figures: [...ofProcess, ...this.#gauges.map(figureOf)],
      buckets: this.#counts,
      calls: this.#calls,
      refusals: this.#refusals,
    });
    this.#looks.push({ atMs: this.#now(), text });
    if (this.#looks.length > LOOKS_MAX) this.#looks.shift();
  }

  /** Oldest first: how long ago, and the page of metrics of then. */
  pages(): readonly { readonly ageMs: number; readonly text: string }[] {
    const nowMs = this.#now();
    return this.#looks.map(({ atMs, text }) => ({ ageMs: Math.round(nowMs - atMs), text }));
  }

  #textOf({ figures, buckets, calls, refusals }: Numbers): string {
    const names = [...PROCESS_NAMES, ...this.#gauges.map(({ name }) => name)];
    const lines = names.map((name, at) => `${name} ${figures[at]}`);
    let sum = 0;
    for (const [at, count] of buckets.entries()) {
      sum += count;
      lines.push(`${DURATION}_bucket{le="${this.#bucketsS[at]}"} ${sum}`);
    }
    lines.push(`${DURATION}_bucket{le="+Inf"} ${calls}`, `${DURATION}_count{} ${calls}`);
    for (const [reject, count] of refusals) {
      lines.push(`outcry_refusals_total{reject="${reject}"} ${count}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

const PROCESS_NAMES = [
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
  'nodejs_eventloop_lag_p99_seconds',
];

/** Of a figure that cannot be read now, there is none. */
function figureOf({ read }: Gauge): number {
  const found = read();
  return typeof found === 'number' ? found : Number.NaN;
}
