/** Equity over time of those in front, each in a colour that its row in the table has, too. */
import type { competition } from '#client';
import { grouped } from '../model/numbers.ts';
import { useCompetitionTexts } from '../texts/competition.ts';
import { drawCurves } from './curve-shape.ts';

const WIDTH = 800;
const HEIGHT = 260;
/** Colours of lines; the last ones are drawn in the colour of plain text. */
const COLOURS = 6;

function colourOf(at: number): string {
  return at < COLOURS ? `var(--line-${at + 1})` : 'var(--ink-soft)';
}

interface CurvesProps {
  readonly round: competition.LeaderboardAnswer['round'];
  readonly curves: readonly competition.CurvesRow[];
}

export function Curves({ round, curves }: CurvesProps) {
  const texts = useCompetitionTexts();
  const frame = { width: WIDTH, height: HEIGHT, endMs: Number(round.endTime) };
  const drawn = drawCurves(curves, frame);
  if (drawn === undefined) return null;
  const names = curves.map(({ name }) => name || texts.deleted).join(', ');
  return (
    <section className="panel competition-curves">
      <h2>{texts.curves}</h2>
      <div className="competition-plot">
        <svg
          role="img"
          aria-label={texts.curvesOf(names)}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          <line className="competition-grid" x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
          {drawn.paths.map(({ number, d }, at) => (
            <path key={number} className="competition-line" d={d} stroke={colourOf(at)} />
          ))}
        </svg>
        <span className="figure competition-high">{shown(drawn.high)}</span>
        <span className="figure competition-low">{shown(drawn.low)}</span>
      </div>
      <ul className="competition-legend">
        {curves.map(({ number, name }, at) => (
          <li key={number}>
            <svg className="competition-swatch" viewBox="0 0 12 4" aria-hidden="true">
              <rect width="12" height="4" fill={colourOf(at)} />
            </svg>
            {name || texts.deleted}
          </li>
        ))}
      </ul>
    </section>
  );
}

function shown(value: number): string {
  return grouped(value.toFixed(Math.abs(value) < 100 ? 2 : 0));
}
