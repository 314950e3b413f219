/** The depth curve in pixels: prices to the right, what stands at them or better upwards. Pure. */
import type { BookLine } from '../../model/book-view.ts';
import type { Size } from './use-size.ts';

/** Room below the curve for the prices. */
export const AXIS_PIXELS = 20;

export interface DepthScale extends Size {
  readonly middleTicks: number;
  /** Half of the width, in ticks. */
  readonly reachTicks: number;
  readonly lotsMax: number;
}

export function xOf(ticks: number, { width, middleTicks, reachTicks }: DepthScale): number {
  return rounded(((ticks - middleTicks) / reachTicks + 1) * (width / 2));
}

export function ticksAt(x: number, { width, middleTicks, reachTicks }: DepthScale): number {
  return middleTicks + (x / (width / 2) - 1) * reachTicks;
}

/** The tallest curve leaves a tenth of the height free. */
export function yOf(lots: number, { height, lotsMax }: DepthScale): number {
  const floor = height - AXIS_PIXELS;
  return rounded(floor - (lots / lotsMax) * floor * 0.9);
}

/** The outline of a side as an SVG path, best price first; open at the floor. */
export function outline(lines: readonly BookLine[], scale: DepthScale): string {
  const floor = scale.height - AXIS_PIXELS;
  const first = lines[0];
  if (first === undefined) return '';
  const steps = lines.map(
    ({ priceTicks, cumulatedLots }) => `H${xOf(priceTicks, scale)}V${yOf(cumulatedLots, scale)}`,
  );
  return `M${xOf(first.priceTicks, scale)} ${floor}${steps.join('')}`;
}

/** The same, closed along the floor, for filling. */
export function area(lines: readonly BookLine[], scale: DepthScale): string {
  const path = outline(lines, scale);
  return path === '' ? '' : `${path}V${scale.height - AXIS_PIXELS}Z`;
}

/** What the curve says at a price: the last line between the spread and it. */
export function lineAt(
  asks: readonly BookLine[],
  bids: readonly BookLine[],
  ticks: number,
  middleTicks: number,
): BookLine | undefined {
  return ticks < middleTicks
    ? bids.findLast(({ priceTicks }) => priceTicks >= ticks)
    : asks.findLast(({ priceTicks }) => priceTicks <= ticks);
}

function rounded(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
