/**
 * How long requests take, by route and status, as a histogram of /metrics. It is counted here and
 * not by prom-client, which checks and sorts labels with every request: a fiftieth of a read.
 */

const NAME = 'outcry_request_duration_seconds';
const HELP = 'Time from the head of a request to the end of its answer, by route and status';
const BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5];

/** The last one of the counts is of what is longer than all buckets. */
interface Tally {
  readonly counts: number[];
  sumSeconds: number;
}

class Route {
  /** Method and URL, as labels. */
  readonly #labels: string;
  readonly #tallies = new Map<number, Tally>();

  constructor(labels: string) {
    this.#labels = labels;
  }

  observe(status: number, seconds: number): void {
    const known = this.#tallies.get(status);
    const tally = known ?? { counts: [0, ...BUCKETS_S.map(() => 0)], sumSeconds: 0 };
    if (known === undefined) this.#tallies.set(status, tally);
    let at = 0;
    while (seconds > (BUCKETS_S[at] ?? Number.POSITIVE_INFINITY)) at += 1;
    tally.counts[at] = (tally.counts[at] ?? 0) + 1;
    tally.sumSeconds += seconds;
  }

  lines(): string[] {
    return [...this.#tallies].flatMap(([status, { counts, sumSeconds }]) => {
      const labels = `${this.#labels},status="${status}"`;
      let count = 0;
      const buckets = counts.map((more, at) => {
        count += more;
        return `${NAME}_bucket{le="${BUCKETS_S[at] ?? '+Inf'}",${labels}} ${count}`;
      });
      return [
        ...buckets,
        `${NAME}_sum{${labels}} ${sumSeconds}`,
        `${NAME}_count{${labels}} ${count}`,
      ];
    });
  }
}

export class Durations {
  readonly #routes: Route[] = [];

  /** Of the routes of this server: their text has nothing to escape. */
  route(method: string, url: string): Route {
    const route = new Route(`method="${method}",route="${url}"`);
    this.#routes.push(route);
    return route;
  }

  /** In the format of Prometheus. */
  text(): string {
    const head = [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`];
    return `${[...head, ...this.#routes.flatMap((route) => route.lines())].join('\n')}\n`;
  }
}
