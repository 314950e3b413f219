/** The geometry of a plot: values over time as lines, broken where nothing was known. Pure. */
import { GAP_MS, KEPT_MS } from './samples.ts';

export interface Point {
  readonly timeMs: number;
  readonly value: number | undefined;
}

interface Frame {
  /** The time at the right edge, and how much is shown. */
  readonly endMs: number;
  readonly lengthMs: number;
  /** The value at the upper edge; zero is at the lower one. */
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const MINUTE_MS = 60_000;
const SPANS_MS = [MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, KEPT_MS];

/** The shortest round span that shows every point. */
export function spanMs(points: readonly Point[]): number {
  const ageMs = (points.at(-1)?.timeMs ?? 0) - (points[0]?.timeMs ?? 0);
  return SPANS_MS.find((lengthMs) => lengthMs >= ageMs) ?? KEPT_MS;
}

/** A round number, 1, 2 or 5 times a power of ten, that no value exceeds; at least 1. */
export function scaleTop(points: readonly Point[]): number {
  const most = points.reduce((max, { value = 0 }) => Math.max(max, value), 1);
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((step) => step * power >= most) ?? 10) * power;
}

interface Drawn {
  readonly line: string;
  /** The same, closed along the lower edge. */
  readonly area: string;
}

/** Paths of SVG, one for each stretch without a gap. */
export function linesOf(points: readonly Point[], frame: Frame): readonly Drawn[] {
  return stretches(points).map((stretch) => {
    const places = stretch.map((point) => placeOf(point, frame));
    const line = `M${places.map(({ x, y }) => `${x} ${y}`).join('L')}`;
    const [first, last] = [places[0]?.x ?? 0, places.at(-1)?.x ?? 0];
    return { line, area: `${line}L${last} ${frame.height}L${first} ${frame.height}Z` };
  });
}

interface Known {
  readonly timeMs: number;
  readonly value: number;
}

function stretches(points: readonly Point[]): readonly Known[][] {
  const found: Known[][] = [];
  let before: Point | undefined;
  for (const { timeMs, value } of points) {
    const isJoined = before?.value !== undefined && timeMs - before.timeMs <= GAP_MS;
    if (value !== undefined) {
      if (isJoined) found.at(-1)?.push({ timeMs, value });
      else found.push([{ timeMs, value }]);
    }
    before = { timeMs, value };
  }
  return found;
}

function placeOf({ timeMs, value }: Known, { endMs, lengthMs, top, width, height }: Frame) {
  const x = width * (1 - (endMs - timeMs) / lengthMs);
  const y = height * (1 - Math.max(0, value) / top);
  return { x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 };
}

/** The point nearest to a time. */
export function nearest(points: readonly Point[], timeMs: number): Point | undefined {
  let best: Point | undefined;
  for (const point of points) {
    if (best === undefined || off(point, timeMs) < off(best, timeMs)) best = point;
  }
  return best;
}

function off(point: Point, timeMs: number): number {
  return Math.abs(point.timeMs - timeMs);
}
