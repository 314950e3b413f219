/**
 * Margin by the formulas of docs/MECHANICS.md: what positions are worth, what stands behind them,
 * what is frozen and free, and when a position is at its threshold. Everything is worked out anew
 * whenever it is asked for.
 */
import type { HoldSide } from '#domain';
import { ceilDivide, floorDivide, most, PPM } from './figures.ts';
import {
  type ContractBook,
  type ContractRest,
  type Holding,
  isOpening,
  type Model,
  marginWalletName,
  type Seat,
  walletOf,
} from './model.ts';

export const SIDES: readonly HoldSide[] = ['long', 'short'];

/** In fine units; an inverse value is cut after its last digit. */
export function valueAt(book: ContractBook, size: number, priceTicks: number): bigint {
  if (book.terms.kind === 'linear') return BigInt(size) * BigInt(priceTicks) * book.factor;
  return floorDivide(BigInt(size) * book.factor, BigInt(priceTicks));
}

/** Whether a side gains when its contracts are worth more of the margin coin. */
export function gainsWithValue(book: ContractBook, side: HoldSide): boolean {
  return (side === 'long') === (book.terms.kind === 'linear');
}

export function profit(book: ContractBook, side: HoldSide, open: bigint, value: bigint): bigint {
  return gainsWithValue(book, side) ? value - open : open - value;
}

/** The mark prices that count: those published, or those of a step that is being judged. */
export type Marks = ReadonlyMap<number, number>;

function markOf(book: ContractBook, marks?: Marks): number {
  return marks?.get(book.terms.instrumentId) ?? book.now.markTicks;
}

export function pnlOf(book: ContractBook, seat: Seat, side: HoldSide, marks?: Marks): bigint {
  const { lots, open } = seat[side];
  if (lots === 0) return 0n;
  return profit(book, side, open, valueAt(book, lots, markOf(book, marks)));
}

/** V(E) / L in whole units, rounded down. */
export function entryMargin(book: ContractBook, { open, leverage }: Holding): bigint {
  return open / (book.fine * BigInt(leverage));
}

/** Which tier a size is in, the lowest first. */
export function tierIndex({ terms: { tiers } }: ContractBook, size: number): number {
  const found = tiers.findIndex(({ contractsMax }) => size <= contractsMax);
  return found === -1 ? tiers.length - 1 : found;
}

/** What a part of a position takes of its open value: no profit is larger than the exact one. */
export function shareOfOpen(
  book: ContractBook,
  side: HoldSide,
  { lots, open }: Pick<Holding, 'lots' | 'open'>,
  size: number,
): bigint {
  if (size === lots) return open;
  const divide = gainsWithValue(book, side) ? ceilDivide : floorDivide;
  return divide(open * BigInt(size), BigInt(lots));
}

/** m + f of a position of this size. */
function threshold(book: ContractBook, size: number): bigint {
  const tier = book.terms.tiers[tierIndex(book, size)];
  if (tier === undefined) throw new RangeError('a contract without tiers');
  return BigInt(tier.maintenanceRatePpm + book.terms.takerFeePpm);
}

/** What filled and was charged of an order before: it counts towards what the rest costs. */
type Begun = Pick<ContractRest, 'openedFine' | 'marginBrought' | 'feeCharged' | 'feeExact'>;

const NEW: Begun = { openedFine: 0n, marginBrought: 0n, feeCharged: 0n, feeExact: 0n };

/** V/L + V x f of what is to be opened, rounded up once, the fractions of its pieces counted. */
export function openingCost(
  book: ContractBook,
  size: number,
  priceTicks: number,
  terms: { readonly leverage: number; readonly feePpm: number },
  begun: Begun = NEW,
): bigint {
  const [leverage, rate] = [BigInt(terms.leverage), BigInt(terms.feePpm)];
  const price = BigInt(priceTicks);
  const lot = BigInt(size) * book.factor;
  // V as a fraction: of fine units over `whole`.
  const [value, whole] = book.terms.kind === 'linear' ? [lot * price, 1n] : [lot, price];
  const owed = begun.openedFine - begun.marginBrought * leverage * book.fine;
  const ahead = begun.feeCharged * PPM * book.fine - begun.feeExact;
  const cost = value * (PPM + leverage * rate) + (owed * PPM - ahead * leverage) * whole;
  return ceilDivide(cost, whole * leverage * PPM * book.fine);
}

/** What an opening order that rests has frozen. */
export function frozenFor(book: ContractBook, order: ContractRest, mode: string): bigint {
  if (!isOpening(order.action) || order.openLots === 0) return 0n;
  const brought = mode === 'cross' ? { openedFine: 0n, marginBrought: 0n } : {};
  return openingCost(book, order.openLots, order.priceTicks, order, { ...order, ...brought });
}

export interface HeldSeat {
  readonly book: ContractBook;
  readonly seat: Seat;
}

/** Every contract of an account that stands on a wallet. */
export function heldIn(
  model: Model,
  accountId: number,
  wallet: string,
  assetId: number,
): HeldSeat[] {
  const settings = model.accounts.get(accountId);
  const found: HeldSeat[] = [];
  for (const book of model.contracts.values()) {
    if (book.terms.margin.assetId !== assetId) continue;
    if (marginWalletName(settings, book.terms) !== wallet) continue;
    const seat = book.seats.get(accountId);
    if (seat !== undefined) found.push({ book, seat });
  }
  return found;
}

export function frozenIn(model: Model, accountId: number, wallet: string, assetId: number): bigint {
  let frozen = 0n;
  for (const { book, seat } of heldIn(model, accountId, wallet, assetId)) {
    for (const order of book.orders) {
      if (order.accountId === accountId) frozen += frozenFor(book, order, seat.mode);
    }
  }
  return frozen;
}

export function isCrossHeld({ seat }: HeldSeat): boolean {
  return seat.mode === 'cross' && seat.long.lots + seat.short.lots > 0;
}

export function isolatedMargins(seats: readonly HeldSeat[]): bigint {
  let margins = 0n;
  for (const { seat } of seats) {
    if (seat.mode === 'isolated') margins += seat.long.margin + seat.short.margin;
  }
  return margins;
}

/** What can be used for opening or moved out; below zero when losses have eaten into freezes. */
export function spendable(
  model: Model,
  accountId: number,
  wallet: string,
  assetId: number,
): bigint {
  const seats = heldIn(model, accountId, wallet, assetId);
  const owned = walletOf(model, accountId, wallet, assetId);
  const frozen = frozenIn(model, accountId, wallet, assetId);
  const free = owned - frozen - isolatedMargins(seats);
  const crossed = seats.filter(isCrossHeld);
  const [first] = crossed;
  if (first === undefined) return free;
  let used = 0n;
  let fine = 0n;
  let kept = 0n;
  for (const { book, seat } of crossed) {
    for (const side of SIDES) used += entryMargin(book, seat[side]);
    fine += pnlOf(book, seat, 'long') + pnlOf(book, seat, 'short');
    const larger = Math.max(seat.long.lots, seat.short.lots);
    kept += valueAt(book, larger, markOf(book)) * threshold(book, seat.long.lots + seat.short.lots);
  }
  const pnl = floorDivide(fine, first.book.fine);
  const least = ceilDivide(kept, PPM * first.book.fine) + 1n - pnl;
  return free - most(used - (pnl < 0n ? pnl : 0n), least);
}

/** What is liquidated as one: an isolated side, or all that is cross on a wallet. */
export type Unit = HoldSide | 'both';

/** Equity and what must be kept, as fractions with one denominator; the value that both are of. */
export interface Health {
  readonly equity: bigint;
  readonly kept: bigint;
  readonly value: bigint;
  readonly over: bigint;
}

/** What a unit has and what it must have, exactly. Undefined for what is flat or no unit. */
export function healthOf(
  model: Model,
  book: ContractBook,
  seat: Seat,
  unit: Unit,
  marks?: Marks,
): Health | undefined {
  if ((unit === 'both') !== (seat.mode === 'cross')) return undefined;
  if (unit !== 'both') {
    if (seat[unit].lots === 0) return undefined;
    return exactHealth([{ book, seat }], seat[unit].margin * book.fine, [unit], marks);
  }
  if (seat.long.lots + seat.short.lots === 0) return undefined;
  const { assetId } = book.terms.margin;
  const wallet = marginWalletName(model.accounts.get(seat.accountId), book.terms);
  const seats = heldIn(model, seat.accountId, wallet, assetId);
  const money = walletOf(model, seat.accountId, wallet, assetId) - isolatedMargins(seats);
  return exactHealth(seats.filter(isCrossHeld), money * book.fine, SIDES, marks);
}

function exactHealth(
  seats: readonly HeldSeat[],
  money: bigint,
  sides: readonly HoldSide[],
  marks: Marks | undefined,
): Health {
  const [only] = seats;
  // An inverse contract stands alone on its wallet, so its price may be the denominator.
  const isInverse = only?.book.terms.kind === 'inverse';
  const over = isInverse && only !== undefined ? BigInt(markOf(only.book, marks)) : 1n;
  let equity = money * over;
  let kept = 0n;
  let value = 0n;
  for (const { book, seat } of seats) {
    const worth = (size: number): bigint =>
      isInverse ? BigInt(size) * book.factor : valueAt(book, size, markOf(book, marks));
    for (const side of sides) {
      const { lots, open } = seat[side];
      equity += profit(book, side, open * over, worth(lots));
    }
    const sizes = sides.map((side) => seat[side].lots);
    const larger = worth(Math.max(...sizes));
    value += larger;
    kept +=
      larger *
      threshold(
        book,
        sizes.reduce((total, size) => total + size, 0),
      );
  }
  return { equity, kept, value, over };
}

export function isBreached(health: Health | undefined): boolean {
  return health !== undefined && health.equity * PPM <= health.kept;
}

interface Opening {
  readonly side: HoldSide;
  readonly sizeLots: number;
  readonly priceTicks: number;
  /** Isolated margin that comes with it; V(E) / L to the unit unless it is said. */
  readonly brought?: bigint;
  readonly fee?: bigint;
}

/** What the unit of a seat would have and need after an opening at a price. */
export function healthAfterOpening(
  model: Model,
  book: ContractBook,
  seat: Seat,
  seats: readonly HeldSeat[],
  { side, sizeLots, priceTicks, brought, fee = 0n }: Opening,
): Health {
  const holding = seat[side];
  const value = valueAt(book, sizeLots, priceTicks);
  const grown = { ...holding, lots: holding.lots + sizeLots, open: holding.open + value };
  const growth = brought ?? entryMargin(book, grown) - entryMargin(book, holding);
  const after: Seat = { ...seat, [side]: { ...grown, margin: holding.margin + growth } };
  if (seat.mode === 'isolated') {
    return exactHealth([{ book, seat: after }], after[side].margin * book.fine, [side], undefined);
  }
  const { assetId } = book.terms.margin;
  const wallet = marginWalletName(model.accounts.get(seat.accountId), book.terms);
  const money = walletOf(model, seat.accountId, wallet, assetId) - isolatedMargins(seats) - fee;
  const others = seats.filter((one) => one.seat !== seat && isCrossHeld(one));
  return exactHealth([{ book, seat: after }, ...others], money * book.fine, SIDES, undefined);
}
