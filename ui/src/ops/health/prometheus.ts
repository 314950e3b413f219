/** Reads the text format of Prometheus: which numbers a page of metrics has. Pure. */

export interface MetricLine {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Lines by the name of their metric. */
export type Metrics = ReadonlyMap<string, readonly MetricLine[]>;

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n' };

/** The metrics whose names begin with one of the prefixes. Lines without a number are left out. */
export function readMetrics(text: string, prefixes: readonly string[]): Metrics {
  const metrics = new Map<string, MetricLine[]>();
  for (const line of text.split('\n')) {
    if (!prefixes.some((prefix) => line.startsWith(prefix))) continue;
    const [, name, labels = '', number = ''] = LINE.exec(line) ?? [];
    const value = Number(number);
    if (name === undefined || Number.isNaN(value)) continue;
    const lines = metrics.get(name) ?? [];
    lines.push({ labels: readLabels(labels), value });
    metrics.set(name, lines);
  }
  return metrics;
}

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(LABEL)) {
    labels[name] = value.replace(/\\(.)/g, (_, letter: string) => ESCAPED[letter] ?? letter);
  }
  return labels;
}

/** The value of a metric without labels; undefined when it is not there. */
export function metricOf(metrics: Metrics, name: string): number | undefined {
  return metrics.get(name)?.[0]?.value;
}
