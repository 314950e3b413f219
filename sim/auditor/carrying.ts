/**
 * Every fill is checked again: after it both sides stand, and an order that is left out or stopped
 * could not have carried it. Worked out for accounts that trade with others, not with themselves.
 */
import { ceilDivide, floorDivide, least, PPM } from './figures.ts';
import { must } from './judge.ts';
import {
  frozenFor,
  healthAfterOpening,
  healthOf,
  heldIn,
  isBreached,
  isolatedMargins,
  openingCost,
  profit,
  shareOfOpen,
  spendable,
  valueAt,
} from './margin.ts';
import {
  bookSide,
  type ContractBook,
  type ContractRest,
  crosses,
  holdSide,
  inPriority,
  isOpening,
  type Model,
  marginWalletName,
  type Seat,
  walletOf,
} from './model.ts';
import { seatIn } from './placed.ts';
import type { Turn } from './turn.ts';

interface Money {
  readonly owned: bigint;
  /** What is not set aside for isolated sides. */
  readonly crossed: bigint;
  readonly free: bigint;
}

function moneyOf(model: Model, book: ContractBook, accountId: number): Money {
  const { assetId } = book.terms.margin;
  const wallet = marginWalletName(model.accounts.get(accountId), book.terms);
  const owned = walletOf(model, accountId, wallet, assetId);
  const crossed = owned - isolatedMargins(heldIn(model, accountId, wallet, assetId));
  return { owned, crossed, free: spendable(model, accountId, wallet, assetId) };
}

/** After a fill in the book its owners stand, each at the mark price of that moment. */
export function mustStand(
  model: Model,
  turn: Turn,
  book: ContractBook,
  orders: readonly ContractRest[],
): void {
  const [one, other] = orders;
  if (one?.accountId === other?.accountId) return;
  for (const order of orders) {
    if (order.cause !== 'owner') continue;
    const { accountId, orderId, action } = order;
    const seat = seatIn(model, accountId)(book);
    const { crossed, free } = moneyOf(model, book, accountId);
    const isCross = seat.mode === 'cross';
    must(!isCross || crossed >= 0n, 'fill', () => `a fill of ${orderId} leaves ${crossed}`);
    const health = healthOf(model, book, seat, isCross ? 'both' : holdSide(action));
    if (!isOpening(action)) {
      const equity = isCross ? (health?.equity ?? 0n) : 0n;
      must(equity >= 0n, 'fill', () => `a fill of ${orderId} leaves an equity of ${equity}`);
      continue;
    }
    must(isCross || free >= 0n, 'fill', () => `a fill of ${orderId} is paid with other margin`);
    must(!isBreached(health), 'fill', () => `a fill of ${orderId} opens into a liquidation`);
  }
  turn.count('fill that both sides stand');
}

/** An order ends because its account cannot carry what it would fill, or rest. */
export function mustFail(
  model: Model,
  turn: Turn,
  book: ContractBook,
  order: ContractRest,
  isResting: boolean,
): void {
  if (order.cause !== 'owner') return;
  const side = bookSide(order.action);
  const other = isResting
    ? [...turn.incoming.values()].find(({ action }) => bookSide(action) !== side)
    : bestFor(book, order);
  const seat = seatIn(model, order.accountId)(book);
  if (other === undefined) {
    const needed = isOpening(order.action) ? restCost(book, order, seat) : 0n;
    const { free } = moneyOf(model, book, order.accountId);
    must(needed > free, 'fill', () => `${order.orderId} could have rested: ${needed} of ${free}`);
    turn.count('rest that cannot be paid for');
    return;
  }
  if (other.accountId === order.accountId) return;
  const size = Math.min(order.openLots, other.openLots);
  const priceTicks = isResting ? order.priceTicks : other.priceTicks;
  const own = model.accounts.get(order.accountId)?.makerFeePpm ?? book.terms.makerFeePpm;
  const rate = isResting ? Math.min(own, order.feePpm) : order.feePpm;
  const fill = { size, rate, value: valueAt(book, size, priceTicks), isResting, priceTicks };
  const canBe = isOpening(order.action)
    ? canOpen(model, book, seat, order, fill)
    : canClose(model, book, seat, order, fill);
  must(!canBe, 'fill', () => `${order.orderId} could have filled ${size} at ${priceTicks}`);
  turn.count('fill that cannot be carried');
}

/** The order that an incoming one would trade with next. */
function bestFor(book: ContractBook, order: ContractRest): ContractRest | undefined {
  const side = bookSide(order.action);
  const against = side === 'buy' ? 'sell' : 'buy';
  const queue = book.orders.filter(({ action }) => bookSide(action) === against);
  const [best] = inPriority(against, queue);
  const worst = side === 'buy' ? book.prices?.highestTicks : book.prices?.lowestTicks;
  const limit = order.type === 'limit' ? order.priceTicks : worst;
  const isMet = best !== undefined && limit !== undefined && crosses(side, limit, best.priceTicks);
  return isMet ? best : undefined;
}

interface Fill {
  readonly size: number;
  readonly rate: number;
  readonly value: bigint;
  readonly priceTicks: number;
  readonly isResting: boolean;
}

function feeOf(book: ContractBook, order: ContractRest, { value, rate }: Fill): bigint {
  const exact = order.feeExact + value * BigInt(rate);
  return ceilDivide(exact, PPM * book.fine) - order.feeCharged;
}

function canOpen(
  model: Model,
  book: ContractBook,
  seat: Seat,
  order: ContractRest,
  fill: Fill,
): boolean {
  const { size, value, priceTicks, isResting } = fill;
  const fee = feeOf(book, order, fill);
  const { crossed, free } = moneyOf(model, book, order.accountId);
  // At the market it takes what is paid for, with V / L in either mode.
  const isMarket = order.type === 'market';
  if (isMarket && openingCost(book, size, priceTicks, order, begunOf(order, seat)) > free)
    return false;
  const openedFine = order.openedFine + value;
  const brought = openedFine / (book.fine * BigInt(order.leverage)) - order.marginBrought;
  if (seat.mode === 'cross' && crossed < fee) return false;
  if (seat.mode === 'isolated') {
    const left = {
      ...order,
      openLots: order.openLots - size,
      openedFine,
      marginBrought: order.marginBrought + brought,
      feeExact: order.feeExact + value * BigInt(fill.rate),
      feeCharged: order.feeCharged + fee,
    };
    const thawed = isResting
      ? frozenFor(book, order, seat.mode) - frozenFor(book, left, seat.mode)
      : 0n;
    if (free + thawed < fee + brought) return false;
  }
  const { assetId } = book.terms.margin;
  const wallet = marginWalletName(model.accounts.get(order.accountId), book.terms);
  const seats = heldIn(model, order.accountId, wallet, assetId);
  const side = holdSide(order.action);
  // A unit that the order brings is not added where the position needs none: what counts is V / L.
  const holding = seat[side];
  const unit = book.fine * BigInt(holding.leverage);
  const owed = ((holding.open % unit) + holding.lacking * unit + value) / unit;
  const opening = { side, sizeLots: size, priceTicks, brought: least(brought, owed), fee };
  return !isBreached(healthAfterOpening(model, book, seat, seats, opening));
}

function canClose(
  model: Model,
  book: ContractBook,
  seat: Seat,
  order: ContractRest,
  fill: Fill,
): boolean {
  const side = holdSide(order.action);
  const { lots, open, margin } = seat[side];
  const { size, value } = fill;
  const share = shareOfOpen(book, side, { lots, open }, size);
  const pnl = floorDivide(profit(book, side, share, value), book.fine);
  const fee = feeOf(book, order, fill);
  const { owned, crossed } = moneyOf(model, book, order.accountId);
  if (seat.mode === 'isolated') {
    const release = size === lots ? margin : (margin * BigInt(size)) / BigInt(lots);
    return release + pnl - fee >= 0n && owned + pnl - fee >= 0n;
  }
  if (crossed + pnl - fee < 0n) return false;
  // The equity at the marks loses what the fill is worse than the mark, and its fee.
  const health = healthOf(model, book, seat, 'both');
  if (health === undefined || book.terms.kind === 'inverse') return false;
  const atMark = profit(book, side, share, valueAt(book, size, book.now.markTicks));
  return health.equity - atMark + (pnl - fee) * book.fine >= 0n;
}

/**
 * What an order that has filled in part would freeze for the rest. At the market it may have taken
 * all there was and stopped for want of money as well: one lot more then costs this much.
 */
function restCost(book: ContractBook, order: ContractRest, seat: Seat): bigint {
  const { type, openLots, priceTicks, filledTicks, filledLots } = order;
  if (type === 'market' && filledLots === 0) return 0n;
  const [lots, ticks] = type === 'market' ? [1, filledTicks] : [openLots, priceTicks];
  return openingCost(book, lots, ticks, order, begunOf(order, seat));
}

function begunOf(order: ContractRest, { mode }: Seat): ContractRest {
  return mode === 'cross' ? { ...order, openedFine: 0n, marginBrought: 0n } : order;
}
