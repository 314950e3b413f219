/** What the venue says of itself while it is loaded, and what follows from it. */
const MEGABYTE = 1024 * 1024;
const MS_PER_HOUR = 3_600_000;
/** The event loop's own sampler sleeps this long; only what comes on top of it is delay. */
const SAMPLER_SLEEP_MS = 10;

export interface Sample {
  readonly timeMs: number;
  readonly residentMb: number;
  readonly heapMb: number;
  /** 99 of 100 turns of the event loop since the last sample were later by no more than this. */
  readonly loopDelayP99Ms: number;
}

/** Reads the venue's metrics; the delay is that since the call before. */
export async function takeSample(url: string): Promise<Sample> {
  const answer = await fetch(`${url}/metrics`);
  const text = await answer.text();
  const read = (name: string): number => {
    const found = new RegExp(`^${name} ([0-9.e+-]+)$`, 'm').exec(text)?.[1];
    if (found === undefined) throw new Error(`the metrics have no ${name}`);
    return Number(found);
  };
  return {
    timeMs: performance.now(),
    residentMb: read('process_resident_memory_bytes') / MEGABYTE,
    heapMb: read('nodejs_heap_size_used_bytes') / MEGABYTE,
    loopDelayP99Ms: Math.max(
      0,
      read('nodejs_eventloop_lag_p99_seconds') * 1_000 - SAMPLER_SLEEP_MS,
    ),
  };
}

export interface Slope {
  readonly perHour: number;
  /** Twice the standard error: the true slope is hardly ever further away. */
  readonly errorPerHour: number;
}

/** How fast a figure grows, in its unit per hour: the line of least squares. */
export function slopeOf(samples: readonly Sample[], figure: 'residentMb' | 'heapMb'): Slope {
  const meanTimeMs = mean(samples.map(({ timeMs }) => timeMs));
  const meanFigure = mean(samples.map((sample) => sample[figure]));
  const points = samples.map((sample) => ({
    offMs: sample.timeMs - meanTimeMs,
    off: sample[figure] - meanFigure,
  }));
  const square = sum(points.map(({ offMs }) => offMs ** 2));
  const slope = sum(points.map(({ offMs, off }) => offMs * off)) / square;
  const rest = sum(points.map(({ offMs, off }) => (off - slope * offMs) ** 2));
  const error = Math.sqrt(rest / (points.length - 2) / square);
  return { perHour: slope * MS_PER_HOUR, errorPerHour: 2 * error * MS_PER_HOUR };
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
