/** A small plot of one number over the last minutes. The pointer reads the values of the past. */

import { type PointerEvent, useState } from 'react';
import { Time } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { linesOf, nearest, type Point, scaleTop, spanMs } from './plot-shape.ts';

interface PlotProps {
  readonly title: string;
  /** What it is, for those who do not know. */
  readonly meaning: string;
  readonly points: readonly Point[];
  readonly unit?: string;
  readonly text: (value: number) => string;
}

const WIDTH = 600;
const HEIGHT = 100;

export function Plot({ title, meaning, points, unit = '', text }: PlotProps) {
  const ops = useOpsTexts();
  const [at, setAt] = useState<number>();
  const endMs = points.at(-1)?.timeMs ?? 0;
  const lengthMs = spanMs(points);
  const top = scaleTop(points);
  const read = at === undefined ? undefined : nearest(points, endMs - (1 - at) * lengthMs);
  const shown = read ?? points.at(-1);
  const frame = { endMs, lengthMs, top, width: WIDTH, height: HEIGHT };
  const value = shown?.value === undefined ? '–' : text(shown.value);
  const minutes = ops.health.minutesAgo(String(lengthMs / 60_000));
  const follow = (event: PointerEvent<HTMLElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setAt(Math.min(1, Math.max(0, (event.clientX - left) / width)));
  };
  return (
    <figure className="panel ops-plot" title={meaning}>
      <figcaption className="ops-plot-head">
        <span>{title}</span>
        <span className="figure ops-plot-value">
          {value}
          <span className="unit"> {unit}</span>
        </span>
      </figcaption>
      <div
        className="ops-plot-field"
        onPointerMove={follow}
        onPointerLeave={() => setAt(undefined)}
      >
        <svg
          role="img"
          aria-label={`${title}: ${value} ${unit}`}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          <line className="ops-plot-grid" x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
          <Lines lines={linesOf(points, frame)} />
          {read === undefined ? null : (
            <Cursor x={WIDTH * (1 - (endMs - read.timeMs) / lengthMs)} />
          )}
        </svg>
        <span className="ops-plot-top figure">{text(top)}</span>
      </div>
      <div className="ops-plot-foot">
        <span>{minutes}</span>
        <span className="figure">
          {read === undefined ? ops.health.now : <Time at={read.timeMs} shape="clock" />}
        </span>
      </div>
    </figure>
  );
}

function Cursor({ x }: { readonly x: number }) {
  return <line className="ops-plot-cursor" x1={x} x2={x} y1="0" y2={HEIGHT} />;
}

function Lines({ lines }: { readonly lines: ReturnType<typeof linesOf> }) {
  return (
    <>
      <path className="ops-plot-area" d={lines.map(({ area }) => area).join('')} />
      <path className="ops-plot-line" d={lines.map(({ line }) => line).join('')} />
    </>
  );
}
