/**
 * What a reader draws on a chart: tools, the anchors of a drawing in time and price, and the lines
 * they make in pixels. Pure: how pixels come from prices is the chart's business.
 */

export const DRAWING_TOOLS = [
  'trend',
  'ray',
  'horizontal',
  'channel',
  'fibonacci',
  'rectangle',
  'text',
  'measure',
] as const;
export type DrawingTool = (typeof DRAWING_TOOLS)[number];

/** Where a drawing is fastened. */
export interface Anchor {
  /** UTC, in seconds; between bars and after the last one, too. */
  readonly time: number;
  readonly price: number;
}

export interface Drawing {
  readonly id: string;
  readonly tool: DrawingTool;
  readonly anchors: readonly Anchor[];
  /** Of the tool for text alone. */
  readonly text: string;
}

const ANCHOR_COUNTS: Readonly<Record<DrawingTool, number>> = {
  trend: 2,
  ray: 2,
  horizontal: 1,
  channel: 3,
  fibonacci: 2,
  rectangle: 2,
  text: 1,
  measure: 2,
};

export function anchorCount(tool: DrawingTool): number {
  return ANCHOR_COUNTS[tool];
}

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

export interface Segment {
  readonly from: Pixel;
  readonly to: Pixel;
}

/** A drawing in pixels. */
export interface Shape {
  readonly lines: readonly Segment[];
  /** Corners of the ground that is coloured, if any. */
  readonly area: readonly Pixel[];
}

export const FIBONACCI_LEVELS = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1] as const;

const NO_SHAPE: Shape = { lines: [], area: [] };

/** The lines of a drawing whose anchors lie at these pixels, on a canvas of this width. */
export function shapeOf(tool: DrawingTool, at: readonly Pixel[], width: number): Shape {
  const [one, two, three] = at;
  if (one === undefined) return NO_SHAPE;
  const isSingle = anchorCount(tool) === 1;
  if (two === undefined && !isSingle) return NO_SHAPE;
  const other = two ?? one;
  switch (tool) {
    case 'horizontal':
      return { lines: [across(0, width, one.y)], area: [] };
    case 'text':
      return NO_SHAPE;
    case 'trend':
      return { lines: [{ from: one, to: other }], area: [] };
    case 'ray':
      return { lines: [{ from: one, to: rayEnd(one, other, width) }], area: [] };
    case 'channel':
      return channel(one, other, three);
    case 'fibonacci':
      return fibonacci(one, other);
    case 'rectangle':
    case 'measure':
      return rectangle(one, other);
  }
}

function across(left: number, right: number, y: number): Segment {
  return { from: { x: left, y }, to: { x: right, y } };
}

/** Where a ray leaves the canvas sideways; a steep one ends far above or below. */
export function rayEnd(from: Pixel, through: Pixel, width: number): Pixel {
  const [dx, dy] = [through.x - from.x, through.y - from.y];
  const edge = dx < 0 ? 0 : width;
  const times = dx === 0 ? Number.POSITIVE_INFINITY : (edge - from.x) / dx;
  const most = FAR / Math.max(1, Math.abs(dx), Math.abs(dy));
  const factor = Math.max(1, Math.min(times, most));
  return { x: from.x + dx * factor, y: from.y + dy * factor };
}

/** Farther than any screen is high. */
const FAR = 100_000;

/** Two lines side by side: the second goes through the third anchor. */
function channel(one: Pixel, two: Pixel, three: Pixel | undefined): Shape {
  const first = { from: one, to: two };
  if (three === undefined) return { lines: [first], area: [] };
  const dy = three.y - yOnLine(one, two, three.x);
  const second = { from: moved(one, 0, dy), to: moved(two, 0, dy) };
  return { lines: [first, second], area: [first.from, first.to, second.to, second.from] };
}

function yOnLine(one: Pixel, two: Pixel, x: number): number {
  return one.x === two.x ? one.y : one.y + ((x - one.x) / (two.x - one.x)) * (two.y - one.y);
}

function moved({ x, y }: Pixel, dx: number, dy: number): Pixel {
  return { x: x + dx, y: y + dy };
}

function fibonacci(one: Pixel, two: Pixel): Shape {
  const [left, right] = [Math.min(one.x, two.x), Math.max(one.x, two.x)];
  const lines = FIBONACCI_LEVELS.map((level) =>
    across(left, right, two.y + (one.y - two.y) * level),
  );
  return { lines, area: cornersOf(one, two) };
}

function rectangle(one: Pixel, two: Pixel): Shape {
  const area = cornersOf(one, two);
  const lines = area.map((from, at) => ({ from, to: area[(at + 1) % area.length] ?? from }));
  return { lines, area };
}

function cornersOf(one: Pixel, two: Pixel): readonly Pixel[] {
  return [one, { x: two.x, y: one.y }, two, { x: one.x, y: two.y }];
}

/** How far a point is from a segment, in pixels. */
export function distanceTo({ from, to }: Segment, point: Pixel): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length;
  const part = Math.max(0, Math.min(1, along));
  return Math.hypot(point.x - (from.x + dx * part), point.y - (from.y + dy * part));
}

/** What of a drawing is at a point: an anchor by its number, the whole of it, or nothing. */
export type Hit = { readonly kind: 'anchor'; readonly at: number } | { readonly kind: 'whole' };

export function hitOf(
  tool: DrawingTool,
  at: readonly Pixel[],
  width: number,
  point: Pixel,
  within: number,
): Hit | undefined {
  const nearest = at.findIndex(({ x, y }) => Math.hypot(x - point.x, y - point.y) <= within);
  if (nearest !== -1) return { kind: 'anchor', at: nearest };
  const { lines } = shapeOf(tool, at, width);
  return lines.some((line) => distanceTo(line, point) <= within) ? { kind: 'whole' } : undefined;
}

/** The price that a Fibonacci level stands for. */
export function fibonacciPrice(one: Anchor, two: Anchor, level: number): number {
  return two.price + (one.price - two.price) * level;
}
