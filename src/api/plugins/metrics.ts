/** Counts for the operator in the format of Prometheus. Labels are routes, never what was sent. */
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Refused, RejectKind } from '#domain';
import { Durations } from './durations.ts';
import type { Gauge as GaugeOption } from './gauge.ts';
import { MetricsPast } from './metrics-past.ts';
import { Seldom } from './seldom.ts';
import type { Timings } from './timings.ts';

/** Making the text takes as long as a hundred orders: it is the same for everybody meanwhile. */
const TEXT_EVERY_MS = 1_000;
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

/** Why a caller is shown no metrics, and how that is said. */
export interface MetricsReaders {
  refuse(request: FastifyRequest, reply: FastifyReply): Promise<Refused | undefined>;
  answer(request: FastifyRequest, reply: FastifyReply, refused: Refused): void;
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
  readonly #text = new Seldom(() => this.#write(), TEXT_EVERY_MS);
  readonly #pastText = new Seldom(() => this.#writePast(), TEXT_EVERY_MS);

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

  /** Counts how long the calls of a route took, by the status of their answers. */
  timed(method: string, route: string): (status: number, seconds: number) => void {
    const count = this.#latency.ofRoute(method, route);
    return (status, seconds) => {
      const bucket = this.#latency.bucketOf(seconds);
      count(status, bucket, seconds);
      this.#past.answered(route, bucket);
    };
  }

  /** Times every route added from now on. */
  install(app: FastifyInstance): void {
    app.addHook('onRoute', (route) => {
      const { method, url } = route;
      const count = this.timed(String(method), url);
      route.onResponse = (_request, reply, done) => {
        count(reply.statusCode, reply.elapsedTime / 1_000);
        done();
      };
    });
    app.addHook('onReady', async () => this.#past.start(await startedS()));
    app.addHook('onClose', async () => this.#past.stop());
  }

  /** Serves the numbers to those who may read them. */
  serve(app: FastifyInstance, readers: MetricsReaders): void {
    const pages = [
      ['/metrics', this.#registry.contentType, this.#text],
      ['/metrics/past', 'application/json; charset=utf-8', this.#pastText],
    ] as const;
    for (const [path, contentType, text] of pages) {
      app.get(path, async (request, reply) => {
        const refused = await readers.refuse(request, reply);
        if (refused === undefined) return reply.type(contentType).send(await text.get());
        this.refused(refused.reject);
        readers.answer(request, reply, refused);
        return reply;
      });
    }
  }

  /** In parts, so that orders come in between. */
  async #write(): Promise<string> {
    const ofProcess = await processRegistry().metrics();
    await turn();
    const others = await this.#registry.metrics();
    await turn();
    return `${ofProcess}\n${others}\n${this.#latency.text}`;
  }

  async #writePast(): Promise<string> {
    return JSON.stringify(this.#past.pages());
  }
}
