/**
 * How long calls took, by route and status, as a histogram in the format of Prometheus. Its library
 * checks and hashes the labels of every call that it counts, a thirtieth of a read; here a call is
 * found by its route, which knows its labels.
 */

interface Series {
  /** As they stand in each line. */
  readonly labels: string;
  /** Calls within each bucket, and not in the one before. */
  readonly counts: number[];
  count: number;
  sumS: number;
}

type CallCounter = (status: number, bucket: number, seconds: number) => void;

export class Durations {
  readonly #name: string;
  readonly #help: string;
  readonly #bucketsS: readonly number[];
  readonly #series: Series[] = [];

  constructor(name: string, help: string, bucketsS: readonly number[]) {
    this.#name = name;
    this.#help = help;
    this.#bucketsS = bucketsS;
  }

  /** The first bucket that holds it, or -1. */
  bucketOf(seconds: number): number {
    const bucketsS = this.#bucketsS;
    for (let at = 0; at < bucketsS.length; at += 1) if (seconds <= (bucketsS[at] ?? 0)) return at;
    return -1;
  }

  /** Counts the calls of one route: `bucket` is the first that a call fits in, or -1. */
  ofRoute(method: string, route: string): CallCounter {
    const byStatus = new Map<number, Series>();
    return (status, bucket, seconds) => {
      let series = byStatus.get(status);
      if (series === undefined) {
        series = this.#begin(`method="${method}",route="${route}",status="${status}"`);
        byStatus.set(status, series);
      }
      series.count += 1;
      series.sumS += seconds;
      if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    };
  }

  get text(): string {
    const lines = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    for (const { labels, counts, count, sumS } of this.#series) {
      let within = 0;
      for (const [at, bucketS] of this.#bucketsS.entries()) {
        within += counts[at] ?? 0;
        lines.push(`${this.#name}_bucket{le="${bucketS}",${labels}} ${within}`);
      }
      lines.push(`${this.#name}_bucket{le="+Inf",${labels}} ${count}`);
      lines.push(`${this.#name}_sum{${labels}} ${sumS}`);
      lines.push(`${this.#name}_count{${labels}} ${count}`);
    }
    return `${lines.join('\n')}\n`;
  }

  #begin(labels: string): Series {
    const series = { labels, counts: this.#bucketsS.map(() => 0), count: 0, sumS: 0 };
    this.#series.push(series);
    return series;
  }
}
