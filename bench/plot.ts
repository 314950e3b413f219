/** A chart of lines over the runs as SVG. Each line begins where its figure was first measured. */

export interface Line {
  readonly name: string;
  /** One for each run; undefined where the run did not measure it. */
  readonly values: readonly (number | undefined)[];
}

const WIDTH = 860;
const PLOT = { left: 70, right: 520, top: 16, bottom: 226 };
const LEGEND_X = PLOT.right + 24;
const LEGEND_STEP = 17;
const GRID_LINES = 4;
const LABELS_MAX = 6;
const COLORS = [
  '#1764c0',
  '#c2410c',
  '#15803d',
  '#7e22ce',
  '#b91c1c',
  '#0e7490',
  '#a16207',
  '#475569',
];

/** From zero up, so that a loss is as large as it looks. */
export function chart(title: string, runs: readonly string[], lines: readonly Line[]): string {
  const known = lines.flatMap(({ values }) => values.filter((value) => value !== undefined));
  const top = roundUp(Math.max(...known));
  const x = (run: number) =>
    PLOT.left + ((PLOT.right - PLOT.left) * (run + 0.5)) / Math.max(1, runs.length);
  const y = (value: number) => PLOT.bottom - ((PLOT.bottom - PLOT.top) * value) / top;
  const height = Math.max(PLOT.bottom + 30, PLOT.top + LEGEND_STEP * (lines.length + 1));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" ` +
      'font-family="sans-serif" font-size="11">',
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...Array.from({ length: GRID_LINES + 1 }, (_, at) => gridLine((top * at) / GRID_LINES, y)),
    ...runs.flatMap((run, at) =>
      at % Math.ceil(runs.length / LABELS_MAX) === 0
        ? [label(x(at), PLOT.bottom + 16, run, 'middle')]
        : [],
    ),
    ...lines.flatMap((line, at) => drawn(line, at, x, y)),
    '</svg>',
    '',
  ].join('\n');
}

/** To two digits that a quarter of can be read. */
function roundUp(value: number): number {
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / unit / GRID_LINES) * GRID_LINES * unit;
}

function gridLine(value: number, y: (value: number) => number): string {
  const at = shown(y(value));
  const text = value.toLocaleString('en', { maximumFractionDigits: 3 });
  return (
    `<path d="M${PLOT.left} ${at}H${PLOT.right}" stroke="#ddd"/>` +
    label(PLOT.left - 6, y(value) + 4, text, 'end')
  );
}

function drawn(
  { name, values }: Line,
  index: number,
  x: (run: number) => number,
  y: (value: number) => number,
): string[] {
  const color = COLORS[index % COLORS.length] ?? '';
  // More lines than colours: the later ones are dashed.
  const dash = index < COLORS.length ? '' : ' stroke-dasharray="4 3"';
  const stroke = `stroke="${color}" stroke-width="2"${dash}`;
  const points = values.flatMap((value, run) =>
    value === undefined ? [] : [`${shown(x(run))},${shown(y(value))}`],
  );
  const legendY = PLOT.top + LEGEND_STEP * (index + 0.5);
  return [
    `<polyline points="${points.join(' ')}" fill="none" ${stroke}/>`,
    ...points.map((point) => {
      const [cx, cy] = point.split(',');
      return `<circle cx="${cx}" cy="${cy}" r="2.5" fill="${color}"/>`;
    }),
    `<path d="M${LEGEND_X} ${legendY}h18" ${stroke}/>`,
    label(LEGEND_X + 24, legendY + 4, name, 'start'),
  ];
}

function label(x: number, y: number, text: string, anchor: string): string {
  return `<text x="${shown(x)}" y="${shown(y)}" text-anchor="${anchor}" fill="#333">${text}</text>`;
}

function shown(coordinate: number): string {
  return coordinate.toFixed(1);
}
