/** How long something takes that others do, by kind, as a histogram for /metrics. */
import { Histogram, type Registry } from 'prom-client';

export interface TimingsOptions {
  /** As in outcry_cluster_log_call_seconds: the unit last. */
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** All values of the label: each is shown from the start. */
  readonly kinds: readonly string[];
}

const BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const MS_PER_S = 1_000;

export class Timings {
  readonly #label: string;
  readonly #histogram: Histogram;

  constructor({ name, help, label, kinds }: TimingsOptions) {
    this.#label = label;
    const labelNames = [label];
    this.#histogram = new Histogram({ name, help, labelNames, buckets: BUCKETS_S, registers: [] });
    for (const kind of kinds) this.#histogram.zero({ [label]: kind });
  }

  observe(kind: string, tookMs: number): void {
    this.#histogram.observe({ [this.#label]: kind }, tookMs / MS_PER_S);
  }

  register(registry: Registry): void {
    registry.registerMetric(this.#histogram);
  }
}
