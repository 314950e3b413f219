/** Counts for the operator in the format of Prometheus. Labels are routes, never what was sent. */
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { RejectKind } from '#domain';
import { Durations } from './durations.ts';
import type { Gauge as GaugeOption } from './gauge.ts';
import { MetricsPast } from './metrics-past.ts';
import type { Timings } from './timings.ts';

const LATENCY_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5];

let ofProcess: Registry | undefined;

/** One for all servers of a process: what watches its garbage collector is never let go again. */
function processRegistry(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

async function startedS(): Promise<number> {
  const found = await processRegistry().getSingleMetric('process_start_time_seconds')?.get();
  return found?.values[0]?.value ?? 0;
}

export class Metrics {
  readonly #registry = new Registry();
  readonly #refusals = new Counter({
    name: 'outcry_refusals_total',
    help: 'Calls refused, by reason',
    labelNames: ['reject'],
    registers: [this.#registry],
  });
  readonly #latency = new Durations(
    'outcry_request_duration_seconds',
    'Time from the head of a request to the end of its answer, by route and status',
    LATENCY_BUCKETS_S,
  );

  readonly #past: MetricsPast;

  constructor(gauges: readonly GaugeOption[], timings: readonly Timings[] = []) {
    processRegistry();
    this.#past = new MetricsPast(gauges, LATENCY_BUCKETS_S);
    for (const { name, help, label, read } of gauges) {
      const labelNames = label === undefined ? [] : [label];
      const collect = function (this: Gauge) {
        const found = read();
        if (typeof found === 'number') this.set(found);
        else
          for (const [value, figure] of found) this.set({ [labelNames[0] ?? '']: value }, figure);
      };
      new Gauge({ name, help, labelNames, registers: [this.#registry], collect });
    }
    for (const one of timings) one.register(this.#registry);
  }

  refused(reject: RejectKind): void {
    this.#refusals.inc({ reject });
    this.#past.refused(reject);
  }

  /** Times every route added from now on, and serves the numbers. */
  install(app: FastifyInstance): void {
    app.addHook('onRoute', (route) => {
      const { method, url } = route;
      const count = this.#latency.ofRoute(String(method), url);
      route.onResponse = (_request, reply, done) => {
        const seconds = reply.elapsedTime / 1_000;
        const bucket = this.#latency.bucketOf(seconds);
        count(reply.statusCode, bucket, seconds);
        this.#past.answered(url, bucket);
        done();
      };
    });
    app.get('/metrics', async (_request, reply) => {
      reply.header('content-type', this.#registry.contentType);
      const others = await this.#registry.metrics();
      return `${await processRegistry().metrics()}\n${others}\n${this.#latency.text}`;
    });
    app.get('/metrics/past', async () => this.#past.pages());
    app.addHook('onReady', async () => this.#past.start(await startedS()));
    app.addHook('onClose', async () => this.#past.stop());
  }
}
