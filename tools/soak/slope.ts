/** How fast memory grows, and how well that is known. */
import type { Memory } from './probe.ts';

const MS_PER_HOUR = 3_600_000;

export interface Slope {
  readonly perHour: number;
  /** Twice the standard error: the true slope is hardly ever further away. */
  readonly errorPerHour: number;
}

/** How fast a figure grows, in its unit per hour: the line of least squares. */
export function slopeOf(samples: readonly Memory[], figure: 'residentMb' | 'heapMb'): Slope {
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
