/**
 * The matching loop shared by every market: price-time priority, trades at the resting order's
 * price, time in force, self-trade prevention. It knows no money; a handler settles each trade.
 */

import type { Force, Lots, SelfTradePrevention, Ticks } from '#domain';
import { assert } from '#kernel';
import { accepts, type Book, type BookOrder, opposite, type Taker } from './book.ts';

/** What a market does while one of its orders takes. It never touches the book itself. */
export interface MatchHandler<O> {
  /**
   * The most lots the taker still wants at this price, given the trades so far. Prices only get
   * worse for the taker from call to call, and the answer never grows with them.
   */
  wantedLots(priceTicks: Ticks): Lots;
  /**
   * Whether a match may take place: 'drop_maker' takes the resting order off the book and goes on
   * with the next one, 'stop' ends matching.
   */
  admit(maker: O, size: Lots): 'trade' | 'drop_maker' | 'stop';
  /** One match. Called before the book takes the lots: maker.openLots still counts them. */
  trade(maker: O, size: Lots): void;
  /** A resting order left the book, with maker.openLots unfilled, because it was not admitted. */
  makerDropped(maker: O): void;
  /** A resting order of the taker's account left the book, with maker.openLots unfilled. */
  selfTradeCancelled(maker: O): void;
}

/**
 * Why matching ended: the taker wants no more (or not even one lot at the next price), nothing
 * acceptable rests any more, or one of the four refusals to go on. After post_only_would_take
 * and fok_not_fillable the book is unchanged; after self_trade and stopped earlier trades stand.
 */
export type MatchEnd =
  | 'satisfied'
  | 'exhausted'
  | 'post_only_would_take'
  | 'fok_not_fillable'
  | 'self_trade'
  | 'stopped';

/** Matches an incoming order. Resting or dropping what is left is the caller's decision. */
export function matchOrder<O extends BookOrder>(
  book: Book<O>,
  taker: Taker,
  force: Force,
  prevention: SelfTradePrevention,
  handler: MatchHandler<O>,
): MatchEnd {
  if (force === 'post_only') return wouldTake(book, taker) ? 'post_only_would_take' : 'exhausted';
  if (force === 'fok') {
    assert(taker.sizeLots > 0, 'a fill-or-kill order names its size in lots');
    if (!book.canFill(taker, prevention)) return 'fok_not_fillable';
  }
  return take(book, taker, prevention, handler);
}

function wouldTake<O extends BookOrder>(book: Book<O>, taker: Taker): boolean {
  const maker = book.best(opposite(taker.side));
  return maker !== undefined && accepts(taker.side, taker.limitTicks, maker.priceTicks);
}

function take<O extends BookOrder>(
  book: Book<O>,
  taker: Taker,
  prevention: SelfTradePrevention,
  handler: MatchHandler<O>,
): MatchEnd {
  const makerSide = opposite(taker.side);
  for (;;) {
    const maker = book.best(makerSide);
    if (maker === undefined) return 'exhausted';
    if (!accepts(taker.side, taker.limitTicks, maker.priceTicks)) return 'exhausted';
    const wanted = handler.wantedLots(maker.priceTicks);
    if (wanted === 0) return 'satisfied';
    if (prevention !== 'none' && maker.accountId === taker.accountId) {
      if (prevention !== 'cancel_taker') cancelMaker(book, maker, handler);
      if (prevention !== 'cancel_maker') return 'self_trade';
      continue;
    }
    const size = wanted < maker.openLots ? wanted : maker.openLots;
    const verdict = handler.admit(maker, size);
    if (verdict === 'stop') return 'stopped';
    if (verdict === 'drop_maker') {
      book.remove(maker);
      handler.makerDropped(maker);
      continue;
    }
    handler.trade(maker, size);
    book.fill(maker, size);
    if (size === wanted) return 'satisfied';
  }
}

function cancelMaker<O extends BookOrder>(book: Book<O>, maker: O, handler: MatchHandler<O>): void {
  book.remove(maker);
  handler.selfTradeCancelled(maker);
}
