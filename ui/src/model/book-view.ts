/** What a screen shows of a book: prices grouped, sizes cumulated, the spread, a depth curve. */
import type { Level } from './book.ts';

/** As much of a level as is grouped. */
export type LevelValues = Pick<Level, 'priceTicks' | 'lots'>;

export type BookSide = 'asks' | 'bids';

export interface BookLine {
  readonly priceTicks: number;
  readonly lots: number;
  /** This one and all better ones. */
  readonly cumulatedLots: number;
}

const GROUPS_MAX = 9;
/** The coarsest group is at most this part of the price. */
const COARSEST_PART = 200;

/**
 * The groups a reader may choose from: the price step, and then 5 and 10 times it, and so on, as
 * long as a group is small against the price. In ticks, finest first, at least the step itself.
 */
export function groupSteps(priceStepTicks: number, lastTicks: number): number[] {
  const steps = [priceStepTicks];
  for (let factor = 5; steps.length < GROUPS_MAX; factor *= steps.length % 2 === 0 ? 2 : 5) {
    if (priceStepTicks * factor * COARSEST_PART > lastTicks) break;
    steps.push(priceStepTicks * factor);
  }
  return steps;
}

/**
 * The best lines of a side with prices grouped away from the spread: bids down, asks up, so that a
 * line never promises a better price than its levels have.
 */
export function bookLines(
  levels: readonly LevelValues[],
  side: BookSide,
  stepTicks: number,
  linesMax: number,
): BookLine[] {
  const lines: BookLine[] = [];
  let cumulatedLots = 0;
  let own = 0;
  let priceTicks = 0;
  for (const level of levels) {
    const group = groupOf(level.priceTicks, side, stepTicks);
    if (group !== priceTicks || own === 0) {
      if (own > 0) lines.push({ priceTicks, lots: own, cumulatedLots });
      if (lines.length === linesMax) return lines;
      priceTicks = group;
      own = 0;
    }
    own += level.lots;
    cumulatedLots += level.lots;
  }
  if (own > 0) lines.push({ priceTicks, lots: own, cumulatedLots });
  return lines;
}

function groupOf(priceTicks: number, side: BookSide, stepTicks: number): number {
  const steps = priceTicks / stepTicks;
  return (side === 'asks' ? Math.ceil(steps) : Math.floor(steps)) * stepTicks;
}

export interface Spread {
  readonly ticks: number;
  /** Of the middle price, rounded to a millionth. */
  readonly ppm: number;
}

/** Best ask less best bid; undefined while a side is empty. */
export function spreadOf(
  asks: readonly LevelValues[],
  bids: readonly LevelValues[],
): Spread | undefined {
  const ask = asks[0]?.priceTicks;
  const bid = bids[0]?.priceTicks;
  if (ask === undefined || bid === undefined) return undefined;
  return { ticks: ask - bid, ppm: Math.round(((ask - bid) * 2_000_000) / (ask + bid)) };
}

/** The middle of the best prices in ticks, maybe a half one; undefined while a side is empty. */
export function middleOf(
  asks: readonly LevelValues[],
  bids: readonly LevelValues[],
): number | undefined {
  const ask = asks[0]?.priceTicks;
  const bid = bids[0]?.priceTicks;
  return ask === undefined || bid === undefined ? undefined : (ask + bid) / 2;
}

/** The lines of a side within a part of the middle price: the points of a depth curve. */
export function depthCurve(
  levels: readonly LevelValues[],
  side: BookSide,
  middleTicks: number,
  withinPpm: number,
): BookLine[] {
  const reach = (middleTicks * withinPpm) / 1_000_000;
  const near = levels.filter(({ priceTicks }) => Math.abs(priceTicks - middleTicks) <= reach);
  return bookLines(near, side, 1, near.length);
}
