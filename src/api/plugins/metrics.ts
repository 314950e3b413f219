/** Counts for the operator in the format of Prometheus. Labels are routes, never what was sent. */
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { RejectKind } from '#domain';
import { Durations } from './durations.ts';
import type { Gauge as GaugeOption } from './gauge.ts';
import type { Timings } from './timings.ts';

const MS_PER_S = 1_000;

let ofProcess: Registry | undefined;

/** One for all servers of a process: what watches its garbage collector is never let go again. */
function processRegistry(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

export class Metrics {
  readonly #registry = new Registry();
  readonly #refusals = new Counter({
    name: 'outcry_refusals_total',
    help: 'Calls refused, by reason',
    labelNames: ['reject'],
    registers: [this.#registry],
  });
  readonly #durations = new Durations();

  constructor(gauges: readonly GaugeOption[], timings: readonly Timings[] = []) {
    processRegistry();
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
  }

  /** Times every route added from now on, and serves the numbers. */
  install(app: FastifyInstance): void {
    app.addHook('onRoute', (route) => {
      const durations = this.#durations.route(String(route.method), route.url);
      route.onResponse = (_request, reply, done) => {
        durations.observe(reply.statusCode, reply.elapsedTime / MS_PER_S);
        done();
      };
    });
    app.get('/metrics', async (_request, reply) => {
      reply.header('content-type', this.#registry.contentType);
      const ofOthers = `${await processRegistry().metrics()}\n${await this.#registry.metrics()}`;
      return `${ofOthers}\n${this.#durations.text()}`;
    });
  }
}
