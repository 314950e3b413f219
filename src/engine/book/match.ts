/**
 * The matching loop shared by every market: price-time priority, trades at the resting order's
 * price, time in force, self-trade prevention. It knows no money; a handler settles each trade.
 */

import {
  type Force,
  LIMITS,
  type Lots,
  lots,
  type SelfTradePrevention,
  type Side,
  type Ticks,
} from '#domain';
import { assert } from '#kernel';
import {
  accepts,
  type Book,
  type BookDepth,
  type BookOrder,
  opposite,
  type Taker,
} from './book.ts';

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
  /** False once the matches so far have set off as much as one command may do. */
  hasRoom?(): boolean;
}

/** What an incoming order meets: the book itself, or a look at it that leaves it as it is. */
type Makers<O extends BookOrder> = Pick<Book<O>, 'best' | 'fill' | 'remove'>;

/**
 * Why matching ended: the taker wants no more (or not even one lot at the next price), nothing
 * acceptable rests any more, or one of the five refusals to go on. After post_only_would_take and
 * fok_not_fillable the book is unchanged; after the others earlier trades stand. With match_limit
 * more is there to take, and one command may not.
 */
export type MatchEnd =
  | 'satisfied'
  | 'exhausted'
  | 'post_only_would_take'
  | 'fok_not_fillable'
  | 'self_trade'
  | 'stopped'
  | 'match_limit';

/** Matches an incoming order. Resting or dropping what is left is the caller's decision. */
export function matchOrder<O extends BookOrder>(
  book: Book<O>,
  taker: Taker,
  force: Force,
  prevention: SelfTradePrevention,
  handler: MatchHandler<O>,
): MatchEnd {
  if (force === 'post_only') {
    const meets = wouldMeet(book, taker.side, taker.limitTicks);
    return meets ? 'post_only_would_take' : 'exhausted';
  }
  if (force === 'fok') {
    assert(taker.sizeLots > 0, 'a fill-or-kill order names its size in lots');
    if (!book.canFill(taker, prevention)) return 'fok_not_fillable';
  }
  return take(book, taker, prevention, handler);
}

/**
 * Whether all of an order would trade at once, by the loop that would trade it: the handler answers
 * for what its matches would do and books them on copies. The book stays as it is.
 */
export function rehearseOrder<O extends BookOrder>(
  book: Book<O>,
  taker: Taker,
  prevention: SelfTradePrevention,
  handler: MatchHandler<O>,
): boolean {
  // Counting what rests costs little: only what could be filled by it is tried.
  if (!book.canFill(taker, prevention)) return false;
  const looked = new Look(book, taker);
  take(looked, taker, prevention, handler);
  return looked.filledLots === taker.sizeLots;
}

/** Whether anything rests that an order of this side and limit accepts. */
export function wouldMeet(book: Pick<BookDepth, 'best'>, side: Side, limitTicks: Ticks): boolean {
  const maker = book.best(opposite(side));
  return maker !== undefined && accepts(side, limitTicks, maker.priceTicks);
}

/** Goes past what rests in the book without touching it. */
class Look<O extends BookOrder> implements Makers<O> {
  readonly #orders: Iterator<O>;
  #next: O | undefined;
  filledLots: Lots = lots(0);

  constructor(book: Book<O>, taker: Taker) {
    this.#orders = book.orders(opposite(taker.side))[Symbol.iterator]();
    this.remove();
  }

  best(): O | undefined {
    return this.#next;
  }

  /** An order that is not filled whole is the last one: the taker wants no more of it. */
  fill(maker: O, size: Lots): void {
    this.filledLots = lots(this.filledLots + size);
    if (size === maker.openLots) this.remove();
  }

  remove(): void {
    const { done, value } = this.#orders.next();
    this.#next = done === true ? undefined : value;
  }
}

function take<O extends BookOrder>(
  makers: Makers<O>,
  taker: Taker,
  prevention: SelfTradePrevention,
  handler: MatchHandler<O>,
): MatchEnd {
  const makerSide = opposite(taker.side);
  for (let met = 0; ; met += 1) {
    const maker = makers.best(makerSide);
    if (maker === undefined) return 'exhausted';
    if (!accepts(taker.side, taker.limitTicks, maker.priceTicks)) return 'exhausted';
    const wanted = handler.wantedLots(maker.priceTicks);
    if (wanted === 0) return 'satisfied';
    if (met >= LIMITS.orderMatchesMax || handler.hasRoom?.() === false) return 'match_limit';
    if (prevention !== 'none' && maker.accountId === taker.accountId) {
      if (prevention !== 'cancel_taker') {
        makers.remove(maker);
        handler.selfTradeCancelled(maker);
      }
      if (prevention !== 'cancel_maker') return 'self_trade';
      continue;
    }
    const size = wanted < maker.openLots ? wanted : maker.openLots;
    const verdict = handler.admit(maker, size);
    if (verdict === 'stop') return 'stopped';
    if (verdict === 'drop_maker') {
      makers.remove(maker);
      handler.makerDropped(maker);
      continue;
    }
    handler.trade(maker, size);
    makers.fill(maker, size);
    if (size === wanted) return 'satisfied';
  }
}
