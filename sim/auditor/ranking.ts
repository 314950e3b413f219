/**
 * Deleveraging: who is closed against a liquidation. Those who gain most with least behind it go
 * first, as they were ranked when the price first needed it; whoever would fall below zero is
 * passed over.
 */
import type { ContractOrderAccepted, HoldSide } from '#domain';
import { ceilDivide, floorDivide } from './figures.ts';
import { must, mustBe } from './judge.ts';
import { healthOf, heldIn, isBreached, isolatedMargins, profit, valueAt } from './margin.ts';
import {
  type ContractBook,
  type ContractRest,
  holdSide,
  type Model,
  marginWalletName,
  type Ranked,
  type Seat,
  walletOf,
} from './model.ts';
import type { Turn } from './turn.ts';

const SCORE_SCALE = 10n ** 9n;

function opposite(side: HoldSide): HoldSide {
  return side === 'long' ? 'short' : 'long';
}

/** The money that a position in this mode may lose. */
export function moneyOf(model: Model, book: ContractBook, seat: Seat, side: HoldSide): bigint {
  if (seat.mode === 'isolated') return seat[side].margin;
  const { assetId } = book.terms.margin;
  const wallet = marginWalletName(model.accounts.get(seat.accountId), book.terms);
  const seats = heldIn(model, seat.accountId, wallet, assetId);
  return walletOf(model, seat.accountId, wallet, assetId) - isolatedMargins(seats);
}

/** pnl% times effective leverage for a profit, over it for a loss; nine digits of it. */
function rankedOf(model: Model, book: ContractBook, seat: Seat, side: HoldSide): Ranked {
  const { lots, open, openedMs } = seat[side];
  const value = valueAt(book, lots, book.now.markTicks);
  const pnl = profit(book, side, open, value);
  const health = healthOf(model, book, seat, seat.mode === 'cross' ? 'both' : side);
  // Without fractions: the value of an inverse position is cut like any other.
  const equity =
    seat.mode === 'isolated'
      ? seat[side].margin * book.fine + pnl
      : floorDivide(health?.equity ?? 0n, health?.over ?? 1n);
  const cut = (numerator: bigint, denominator: bigint): bigint =>
    (numerator * SCORE_SCALE) / denominator;
  let score = 0n;
  if (equity > 0n) {
    score = pnl > 0n ? cut(pnl * value, open * equity) : cut(pnl * equity, open * value);
  }
  const isExact = seat.mode === 'isolated' || book.terms.kind === 'linear';
  return { accountId: seat.accountId, isBreached: isBreached(health), score, openedMs, isExact };
}

/** Ranks one side of a contract as it is now, for all that this price may yet need of it. */
export function rank(model: Model, turn: Turn, book: ContractBook, order: ContractRest): void {
  if (turn.rankedFor.has(order.orderId)) return;
  turn.rankedFor.add(order.orderId);
  const side = opposite(holdSide(order.action));
  const held = [...book.seats.values()].filter((seat) => seat[side].lots > 0);
  const ranked = held.map((seat) => rankedOf(model, book, seat, side));
  const key = `${book.terms.instrumentId} ${side}`;
  turn.rankings.set(key, [...(turn.rankings.get(key) ?? []), ranked]);
}

/** Whether one surely goes before another. */
function isBefore(one: Ranked, other: Ranked): boolean {
  if (!one.isExact || !other.isExact) return false;
  if (one.isBreached !== other.isBreached) return !one.isBreached;
  if (one.score !== other.score) return one.score > other.score;
  if (one.openedMs !== other.openedMs) return one.openedMs < other.openedMs;
  return one.accountId < other.accountId;
}

/** Somebody is closed against the liquidation that is under way, which is returned. */
export function deleveraged(
  model: Model,
  turn: Turn,
  book: ContractBook,
  event: ContractOrderAccepted,
): ContractRest {
  const taker = [...turn.incoming.values()].find(({ cause }) => cause === 'liquidation');
  must(taker !== undefined, 'deleveraging', () => 'nobody is liquidated');
  const { accountId, terms } = event;
  const side = holdSide(terms.action);
  mustBe('deleveraging', 'the side that is closed', side, opposite(holdSide(taker.action)));
  must(accountId !== taker.accountId, 'deleveraging', () => `${accountId} against itself`);
  const price = terms.type === 'limit' ? terms.priceTicks : undefined;
  mustBe('deleveraging', 'its price', price, taker.priceTicks);
  const held = book.seats.get(accountId)?.[side].lots ?? 0;
  mustBe('deleveraging', 'its size', terms.sizeLots, Math.min(taker.openLots, held));
  rank(model, turn, book, taker);
  const rankings = turn.rankings.get(`${book.terms.instrumentId} ${side}`) ?? [];
  const passed = rankings.map((ranked) => {
    const own = ranked.find((one) => one.accountId === accountId);
    return ranked.find(
      (one) =>
        one.accountId !== accountId &&
        one.accountId !== taker.accountId &&
        (own === undefined || isBefore(one, own)) &&
        canBeClosed(model, book, taker, one.accountId),
    );
  });
  must(
    passed.includes(undefined),
    'deleveraging',
    () => `${accountId} is closed before ${passed.map((one) => one?.accountId).join(' and ')}`,
  );
  const count = rankings[0]?.length ?? 0;
  if (count > 1) turn.count('deleveraged of several');
  return taker;
}

/** What is left of a liquidation stays only where nobody can surely be closed against it. */
export function mustBeNobody(model: Model, book: ContractBook, taker: ContractRest): void {
  const left = [...book.seats.keys()].filter(
    (accountId) => accountId !== taker.accountId && canBeClosed(model, book, taker, accountId),
  );
  must(left.length === 0, 'deleveraging', () => {
    const { orderId, openLots } = taker;
    return `${openLots} lots of ${orderId} stay, and ${left.join(' and ')} can be closed`;
  });
}

/** Whether all that somebody holds can surely be closed at the price, whatever rounding takes. */
function canBeClosed(
  model: Model,
  book: ContractBook,
  taker: ContractRest,
  accountId: number,
): boolean {
  const seat = book.seats.get(accountId);
  const [lost, side] = [holdSide(taker.action), opposite(holdSide(taker.action))];
  const loser = book.seats.get(taker.accountId);
  if (seat === undefined || loser === undefined || seat[side].lots === 0) return false;
  const { priceTicks } = taker;
  const left = leftOf(model, book, loser, lost, priceTicks);
  const kept = leftOf(model, book, seat, side, priceTicks);
  const step = valueAt(book, 1, priceTicks + book.terms.priceStepTicks);
  const tick = ceilDivide(step - valueAt(book, 1, priceTicks), book.fine);
  const room = (3n + (tick < 0n ? -tick : tick)) * BigInt(seat[side].lots) + 4n;
  return kept > room && (left >= 0n || kept + left > room);
}

/** What a position leaves of its money when all of it is closed at a price. */
function leftOf(
  model: Model,
  book: ContractBook,
  seat: Seat,
  side: HoldSide,
  priceTicks: number,
): bigint {
  const { lots, open } = seat[side];
  const exact = profit(book, side, open, valueAt(book, lots, priceTicks));
  return moneyOf(model, book, seat, side) + floorDivide(exact, book.fine);
}
