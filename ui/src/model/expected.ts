/** What an order that is sent now would trade: against the book as it is, the rest at its limit. */
import {
  type ContractKind,
  type Force,
  fillAverage,
  lotsPerTick,
  type OrderType,
  type Side,
  tickLots,
} from '#domain';

export interface OrderWish {
  readonly type: OrderType;
  readonly force: Force;
  /** Zero for a market order. */
  readonly priceTicks: number;
  readonly sizeLots: number;
  /** As far as the venue lets a market order go; undefined for any price. */
  readonly worstTicks?: number | undefined;
}

/** The side of the book that the order would take, best first. */
export type Opposite = readonly { readonly priceTicks: number; readonly lots: number }[];

export interface ExpectedFill {
  readonly priceTicks: number;
  readonly lots: number;
  readonly role: 'taker' | 'maker';
}

/**
 * The fills of an order: what it takes at once, level by level, and what rests and is taken to fill
 * at its limit one day. How many orders make a level does not matter to what it pays.
 */
export function expectedFills(side: Side, wish: OrderWish, opposite: Opposite): ExpectedFill[] {
  const { type, force, priceTicks, sizeLots } = wish;
  const taken = force === 'post_only' ? [] : takenFills(side, wish, opposite);
  const left = sizeLots - taken.reduce((sum, { lots }) => sum + lots, 0);
  if (force === 'fok' && left > 0) return [];
  const rests = type === 'limit' && (force === 'gtc' || force === 'post_only');
  return rests && left > 0 ? [...taken, { priceTicks, lots: left, role: 'maker' }] : taken;
}

/** How many lots of an order rest in the book once it has taken what it can. */
export function restingLots(fills: readonly ExpectedFill[]): number {
  return fills.reduce((sum, { lots, role }) => (role === 'maker' ? sum + lots : sum), 0);
}

function takenFills(side: Side, wish: OrderWish, opposite: Opposite): ExpectedFill[] {
  const fills: ExpectedFill[] = [];
  let left = wish.sizeLots;
  for (const { priceTicks, lots } of opposite) {
    if (left <= 0 || !reaches(side, wish, priceTicks)) break;
    const size = Math.min(left, lots);
    fills.push({ priceTicks, lots: size, role: 'taker' });
    left -= size;
  }
  return fills;
}

/** Whether an order would trade at a price of the other side. */
export function reaches(
  side: Side,
  { type, priceTicks, worstTicks }: Pick<OrderWish, 'type' | 'priceTicks' | 'worstTicks'>,
  atTicks: number,
): boolean {
  const limit = type === 'market' ? worstTicks : priceTicks;
  if (limit === undefined) return true;
  return side === 'buy' ? atTicks <= limit : atTicks >= limit;
}

/** Average price in 10^-extraScale ticks, rounded half up; zero without fills. */
export function averageTicks(
  fills: readonly ExpectedFill[],
  extraScale: number,
  kind: ContractKind = 'linear',
): bigint {
  const sums = { filledLots: 0, filledTickLots: 0n, filledPerTick: 0n };
  for (const { lots, priceTicks } of fills) {
    sums.filledLots += lots;
    sums.filledTickLots += tickLots(lots, priceTicks);
    sums.filledPerTick += lotsPerTick(lots, priceTicks);
  }
  return fillAverage(kind, sums, extraScale);
}
