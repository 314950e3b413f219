/**
 * Where the quotes of a ladder belong. An order is left where it is while it is within half a
 * spacing of its level, so a moving centre costs a few orders at the edges and not the whole
 * ladder, and nothing is remembered.
 */
import { type Lots, lots, PPM, type Side, type Ticks, ticks } from '#domain';

/**
 * Level n of a side is n spacings away from the side's base, which is the centre in price steps.
 * The spacing is not rounded: it changes with the centre, and a rounded one would change by leaps.
 */
export interface Grid {
  readonly base: Readonly<Record<Side, number>>;
  /** In ticks, at least one price step. */
  readonly spacing: number;
  readonly priceStepTicks: number;
}

/** What a ladder looks at in an order, of a pair or of a contract. */
interface Quote {
  readonly orderId: number;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly filledLots: Lots;
}

/** How much is wanted at each level. */
export interface LevelSizes {
  readonly levelsCount: number;
  sizeAt(side: Side, level: number): Lots;
}

/** Open lots by side and level; levels count from one. */
export type KeptLots = Readonly<Record<Side, readonly number[]>>;

/** What stays in the book, and what does not. */
export interface SortedQuotes<Q> {
  readonly keptLots: KeptLots;
  readonly unfit: readonly Q[];
}

export function gridAround(centreTicks: number, priceStepTicks: number, spacingPpm: number): Grid {
  const below = centreTicks - (centreTicks % priceStepTicks);
  const above = below === centreTicks ? below : below + priceStepTicks;
  const spacing = Math.max(priceStepTicks, (centreTicks * spacingPpm) / PPM);
  return { base: { buy: below, sell: above }, spacing, priceStepTicks };
}

/**
 * A grid for a centre that moves all the time: its prices are whole multiples of a round number of
 * price steps near the wanted spacing, so they stay the same while the centre passes over them and
 * orders come and go at the edges only. Level 1 is half a spacing to one and a half away.
 */
export function standingGrid(
  centreTicks: number,
  priceStepTicks: number,
  spacingPpm: number,
): Grid {
  const wantedSteps = (centreTicks * spacingPpm) / PPM / priceStepTicks;
  const spacing = roundNumber(wantedSteps) * priceStepTicks;
  const below = Math.floor(centreTicks / spacing - 0.5) * spacing;
  const above = Math.ceil(centreTicks / spacing + 0.5) * spacing;
  return { base: { buy: below + spacing, sell: above - spacing }, spacing, priceStepTicks };
}

const ROUND_DIGITS = [1, 2, 3, 4, 6, 8, 10];

/** The round number nearest by ratio; at least one. */
function roundNumber(wanted: number): number {
  let power = 1;
  while (power * 10 <= wanted) power *= 10;
  const apart = (number: number) => Math.max(number / wanted, wanted / number);
  return ROUND_DIGITS.map((digit) => digit * power).reduce((best, number) =>
    apart(number) < apart(best) ? number : best,
  );
}

/** Nearest to its level's price first, then oldest: an order stays while its level has room. */
export function sortQuotes<Q extends Quote>(
  quotes: readonly Q[],
  sideOfQuote: (quote: Q) => Side,
  grid: Grid,
  shape: LevelSizes,
): SortedQuotes<Q> {
  const { levelsCount } = shape;
  const keptLots = { buy: emptyLevels(levelsCount), sell: emptyLevels(levelsCount) };
  const unfit: Q[] = [];
  const placed = quotes.map((quote) => {
    const side = sideOfQuote(quote);
    const distance = distanceOf(grid, side, quote.priceTicks);
    const level = Math.round(distance / grid.spacing);
    return {
      quote,
      side,
      level,
      kept: keptLots[side],
      away: Math.abs(distance - level * grid.spacing),
    };
  });
  placed.sort((one, other) => one.away - other.away || one.quote.orderId - other.quote.orderId);
  for (const { quote, side, level, kept } of placed) {
    const openLots = (kept[level] ?? 0) + quote.sizeLots - quote.filledLots;
    const isOut = level < 1 || level > levelsCount;
    if (isOut || openLots > shape.sizeAt(side, level)) unfit.push(quote);
    else kept[level] = openLots;
  }
  return { keptLots, unfit };
}

/** What a level lacks: it is refilled once less than half of it is left; zero while it is fine. */
export function missingLots(open: number, size: Lots): Lots {
  return lots(open * 2 >= size ? 0 : size - open);
}

/** Rounded to the nearest price step; undefined where there is no such price. */
export function levelPrice(grid: Grid, side: Side, level: number): Ticks | undefined {
  const { base, spacing, priceStepTicks } = grid;
  const away = Math.round((level * spacing) / priceStepTicks) * priceStepTicks;
  const price = side === 'buy' ? base.buy - away : base.sell + away;
  return price > 0 && Number.isSafeInteger(price) ? ticks(price) : undefined;
}

function distanceOf({ base }: Grid, side: Side, price: Ticks): number {
  return side === 'buy' ? base.buy - price : price - base.sell;
}

function emptyLevels(levelsCount: number): number[] {
  return Array.from({ length: levelsCount + 1 }, () => 0);
}
