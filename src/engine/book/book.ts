/**
 * The order book as the markets see it: resting orders in price-time priority, and nothing about
 * money, matching rules or events. Every implementation passes the same tests; spot and contract
 * markets use the same one.
 */
import type {
  AccountId,
  BookLevel as LevelView,
  Lots,
  OrderId,
  SelfTradePrevention,
  Side,
  Ticks,
} from '#domain';

/**
 * A resting order. The market's own order object is the book's node, so an order costs one
 * allocation. While it rests, only the book writes openLots and the links.
 */
export interface BookOrder {
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly side: Side;
  readonly priceTicks: Ticks;
  openLots: Lots;
  /** The price level it rests in; null when it does not rest. */
  level: BookLevel | null;
  /** Neighbours in the level's queue: who arrived before and after it. */
  before: BookOrder | null;
  after: BookOrder | null;
}

/** All orders of one side at one price, as a queue. */
export interface BookLevel {
  readonly priceTicks: Ticks;
  /** Sum of openLots over the queue. */
  lots: Lots;
  ordersCount: number;
  oldest: BookOrder | null;
  newest: BookOrder | null;
}

/** What an incoming order may do to the book. */
export interface Taker {
  readonly accountId: AccountId;
  readonly side: Side;
  /** Worst acceptable price: the largest safe integer for a market buy, zero for a market sell. */
  readonly limitTicks: Ticks;
  /** Size asked for; only a fill-or-kill check reads it. */
  readonly sizeLots: Lots;
}

export interface Book<O extends BookOrder> {
  /** Orders resting on both sides. */
  readonly ordersCount: number;

  /** The oldest order at the best price of a side. Constant time. */
  best(side: Side): O | undefined;

  /** Whether a price level can hold so many more lots: its total stays a safe integer. */
  hasRoom(side: Side, priceTicks: Ticks, size: number): boolean;

  /** Puts an order behind all others at its price. It must have open lots and fit the room. */
  rest(order: O): void;

  /** Takes lots from a resting order; it leaves the book when none are left. */
  fill(order: O, size: Lots): void;

  /** Takes a resting order off the book with the lots it still has. */
  remove(order: O): void;

  /**
   * Whether the taker's whole size would trade at once, with as many resting orders as one order
   * may meet. Own ones count with prevention 'none', are passed over with 'cancel_maker', and end
   * the count otherwise. Costs the orders it would meet.
   */
  canFill(taker: Taker, prevention: SelfTradePrevention): boolean;

  /** Price levels of a side, best first. Valid until the book changes. */
  levels(side: Side): Iterable<LevelView>;

  /** Orders of a side in price-time order: resting them again in this order rebuilds the side. */
  orders(side: Side): Iterable<O>;

  /** Asserts the book's invariants. Walks everything: for tests and audits. */
  check(): void;
}

/** A book as those see it who only look at what rests. */
export type BookDepth = Pick<Book<BookOrder>, 'best' | 'levels' | 'orders' | 'hasRoom'>;

export function opposite(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy';
}

/** Whether an order of this side and limit accepts a price. */
export function accepts(side: Side, limitTicks: Ticks, priceTicks: Ticks): boolean {
  return side === 'buy' ? priceTicks <= limitTicks : priceTicks >= limitTicks;
}

/** Whether an order at one price of a side goes before an order at another. */
export function isBetter(side: Side, priceTicks: Ticks, thanTicks: Ticks): boolean {
  return side === 'buy' ? priceTicks > thanTicks : priceTicks < thanTicks;
}
