/**
 * Estimates that are shown of a position: its average entry, its profit, its margin ratio, and the
 * price that would liquidate it while all other prices stay.
 */
import type { HoldSide } from '#domain';
import { ceilDivide, floorDivide, PPM, SAFE_MAX } from './figures.ts';
import { healthOf, tierIndex, type Unit } from './margin.ts';
import type { ContractBook, Holding, Model, Seat } from './model.ts';

const AVERAGE_SCALE = 10n ** 8n;
const RATIO_SCALE = 10n ** 8n;

export function unitOf(seat: Seat, side: HoldSide): Unit {
  return seat.mode === 'cross' ? 'both' : side;
}

/** In eight digits beyond a tick unless it is said, halves up. */
export function averageEntry(
  book: ContractBook,
  { lots, open }: Holding,
  scale = AVERAGE_SCALE,
): bigint {
  if (lots === 0 || open === 0n) return 0n;
  const worth = BigInt(lots) * book.factor;
  const [above, below] = book.terms.kind === 'linear' ? [open, worth] : [worth, open];
  return (2n * above * scale + below) / (2n * below);
}

/** What counts for the tier: one side, or both of them in cross mode. */
export function maintenanceRate(
  book: ContractBook,
  seat: Seat,
  side: HoldSide,
): number | undefined {
  const size = seat.mode === 'cross' ? seat.long.lots + seat.short.lots : seat[side].lots;
  return book.terms.tiers[tierIndex(book, size)]?.maintenanceRatePpm;
}

export function marginRatio(model: Model, book: ContractBook, seat: Seat, unit: Unit): bigint {
  const health = healthOf(model, book, seat, unit);
  return health === undefined ? 0n : floorDivide(health.equity * RATIO_SCALE, health.value);
}

/** What is above the threshold at a price, in a measure that is straight in the price. */
function spareAt(
  model: Model,
  book: ContractBook,
  seat: Seat,
  unit: Unit,
  priceTicks: number,
): bigint {
  const marks = new Map([[book.terms.instrumentId as number, priceTicks]]);
  const health = healthOf(model, book, seat, unit, marks);
  return health === undefined ? 0n : health.equity * PPM - health.kept;
}

/**
 * Rounded up where a fall liquidates and down where a rise does; zero where no price does, or only
 * one on the side where the position gains. Undefined where next to nothing decides.
 */
export function liquidationTicks(
  model: Model,
  book: ContractBook,
  seat: Seat,
  side: HoldSide,
): number | undefined {
  if (seat[side].lots === 0) return 0;
  const unit = unitOf(seat, side);
  const atZero = spareAt(model, book, seat, unit, 0);
  const slope = spareAt(model, book, seat, unit, 1) - atZero;
  const net = netOf(seat, side);
  // All that is left of an inverse one is what rounding took: only an absurd price would reach it.
  if (book.terms.kind === 'inverse' && slope < PPM * book.fine && slope > -PPM * book.fine) {
    return undefined;
  }
  if (slope === 0n || (net > 0 && slope < 0n) || (net < 0 && slope > 0n)) return 0;
  const isFall = slope > 0n;
  const found = isFall ? ceilDivide(-atZero, slope) : floorDivide(atZero, -slope);
  if (!isFall && atZero <= 0n) return undefined;
  // Where it lies below the lowest price there is, none liquidates.
  if (isFall && -atZero < slope) return 0;
  return found <= 0n || found > BigInt(SAFE_MAX) ? 0 : Number(found);
}

function netOf({ mode, long, short }: Seat, side: HoldSide): number {
  if (mode === 'cross') return long.lots - short.lots;
  return side === 'long' ? 1 : -1;
}
