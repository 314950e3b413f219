/** The geometry of equity curves: several rows of points in one frame. Pure. */
import type { competition } from '#client';
import { chartNumber } from '../model/numbers.ts';

type CurveRow = competition.CurvesRow;
type CurvePoint = CurveRow['points'][number];

interface Frame {
  readonly width: number;
  readonly height: number;
  /** Where the round ends: the curves grow towards it. */
  readonly endMs: number;
}

export interface DrawnCurves {
  readonly paths: readonly { readonly number: number; readonly name: string; readonly d: string }[];
  readonly low: number;
  readonly high: number;
}

/** Part of the height that is left free above and below. */
const MARGIN = 0.05;

export function drawCurves(curves: readonly CurveRow[], frame: Frame): DrawnCurves | undefined {
  const values = curves.flatMap(({ points }) => points.map(({ equity }) => chartNumber(equity)));
  const times = curves.flatMap(({ points }) => points.map(({ time }) => Number(time)));
  if (values.length === 0) return undefined;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const pad = (most - least || Math.max(1, Math.abs(most) / 100)) * MARGIN;
  const [low, high] = [least - pad, most + pad];
  const startMs = Math.min(...times);
  const lengthMs = Math.max(1, frame.endMs - startMs);
  const placed = ({ time, equity }: CurvePoint): string => {
    const x = (frame.width * (Number(time) - startMs)) / lengthMs;
    const y = frame.height * (1 - (chartNumber(equity) - low) / (high - low));
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  const paths = curves.map(({ number, name, points }) => {
    return { number, name, d: points.length === 0 ? '' : `M${points.map(placed).join('L')}` };
  });
  return { paths, low, high };
}
