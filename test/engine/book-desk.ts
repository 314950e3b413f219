/**
 * A trading desk over one book, for tests: takes orders written as a trader would say them, keeps
 * what is left of them on the book, and notes every fill and cancel as text.
 */
import {
  type AccountId,
  accountId,
  type Force,
  type Lots,
  lots,
  type OrderId,
  orderId,
  SELF_TRADE_PREVENTIONS,
  type SelfTradePrevention,
  type Side,
  type Ticks,
  ticks,
} from '#domain';
import {
  type Book,
  type BookLevel,
  type BookOrder,
  createBook,
  type MatchEnd,
  type MatchHandler,
  matchOrder,
  NaiveBook,
} from '#engine/testing';

/** Every implementation of the book; whatever holds for one must hold for all. */
export const BOOKS: readonly { readonly name: string; create(): Book<DeskOrder> }[] = [
  { name: 'naive book', create: () => new NaiveBook<DeskOrder>() },
  { name: 'fast book', create: () => createBook<DeskOrder>() },
];

/** One order as a desk takes it. */
export interface Ticket {
  readonly who: string;
  readonly side: Side;
  /** Zero with a budget. */
  readonly size: number;
  /** Undefined for a market order. */
  readonly price: number | undefined;
  /** Price times size that a market buy may spend; undefined for an order with a size. */
  readonly budget: number | undefined;
  readonly force: Force;
  readonly prevention: SelfTradePrevention;
}

export class DeskOrder implements BookOrder {
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly who: string;
  readonly side: Side;
  readonly priceTicks: Ticks;
  openLots: Lots;
  level: BookLevel | null = null;
  before: BookOrder | null = null;
  after: BookOrder | null = null;

  constructor(id: number, { who, side, price, size }: Ticket) {
    this.orderId = orderId(id);
    this.accountId = accountOf(who);
    this.who = who;
    this.side = side;
    this.priceTicks = ticks(price ?? (side === 'buy' ? Number.MAX_SAFE_INTEGER : 0));
    this.openLots = lots(size);
  }
}

export class BookDesk {
  readonly book: Book<DeskOrder>;
  /** What happened since the last order came in, as "fill A 5 @ 101" and "cancel A 5 @ 101". */
  notes: string[] = [];
  readonly #orders = new Map<number, DeskOrder>();
  #ordersCount = 0;

  constructor(book: Book<DeskOrder>) {
    this.book = book;
  }

  /** Gives the order the next number, lets it take, and rests what may rest. */
  place(ticket: Ticket): MatchEnd {
    this.#ordersCount += 1;
    this.notes = [];
    const order = new DeskOrder(this.#ordersCount, ticket);
    const taking = new Taking(order, ticket.budget, this.notes);
    const taker = {
      accountId: order.accountId,
      side: order.side,
      limitTicks: order.priceTicks,
      sizeLots: order.openLots,
    };
    const end = matchOrder(this.book, taker, ticket.force, ticket.prevention, taking);
    const mayRest = ticket.price !== undefined && ticket.force !== 'ioc' && ticket.force !== 'fok';
    if (mayRest && end === 'exhausted') this.rest(order);
    return end;
  }

  rest(order: DeskOrder): void {
    this.#orders.set(order.orderId, order);
    this.book.rest(order);
  }

  /** Cancels by number; false when that order does not rest. */
  cancel(number: number): boolean {
    const order = this.#resting(number);
    if (order === undefined) return false;
    this.book.remove(order);
    return true;
  }

  /** Makes a resting order smaller where it stands; false when it does not rest. */
  reduce(number: number, size: number): boolean {
    const order = this.#resting(number);
    if (order === undefined) return false;
    this.book.fill(order, lots(Math.min(size, order.openLots)));
    return true;
  }

  /** Orders of a side in price-time order, as "A 5 @ 101". */
  orders(side: Side): string[] {
    return Array.from(this.book.orders(side), say);
  }

  /** Levels of a side, best first, as "7 @ 101 in 2". */
  levels(side: Side): string[] {
    return Array.from(
      this.book.levels(side),
      ({ lots: size, priceTicks, ordersCount }) => `${size} @ ${priceTicks} in ${ordersCount}`,
    );
  }

  #resting(number: number): DeskOrder | undefined {
    const order = this.#orders.get(number);
    if (order === undefined) return undefined;
    for (const resting of this.book.orders(order.side)) if (resting === order) return order;
    return undefined;
  }
}

class Taking implements MatchHandler<DeskOrder> {
  readonly #taker: DeskOrder;
  readonly #notes: string[];
  #budget: number | undefined;

  constructor(taker: DeskOrder, budget: number | undefined, notes: string[]) {
    this.#taker = taker;
    this.#budget = budget;
    this.#notes = notes;
  }

  wantedLots(priceTicks: Ticks): Lots {
    if (this.#budget === undefined) return this.#taker.openLots;
    return lots(Math.floor(this.#budget / priceTicks));
  }

  admit(): 'trade' {
    return 'trade';
  }

  makerDropped(): never {
    throw new Error('nothing is dropped here');
  }

  trade(maker: DeskOrder, size: Lots): void {
    this.#notes.push(`fill ${maker.who} ${size} @ ${maker.priceTicks}`);
    if (this.#budget === undefined) this.#taker.openLots = lots(this.#taker.openLots - size);
    else this.#budget -= size * maker.priceTicks;
  }

  selfTradeCancelled(maker: DeskOrder): void {
    this.#notes.push(`cancel ${say(maker)}`);
  }
}

const FORCES: readonly Force[] = ['gtc', 'post_only', 'fok', 'ioc'];

/**
 * Reads "A buy 5 @ 101", "A sell 5 @ market" or "A buy for 1000", with an optional time in force
 * (gtc, or ioc for a market order) and an optional self-trade prevention (none) at the end.
 */
export function ticket(text: string): Ticket {
  const words = text.split(' ');
  const [who = '', side, size, at, price] = words;
  const limit = at === '@' && price !== 'market';
  return {
    who,
    side: side === 'buy' ? 'buy' : 'sell',
    size: size === 'for' ? 0 : Number(size),
    price: limit ? Number(price) : undefined,
    budget: size === 'for' ? Number(at) : undefined,
    force: FORCES.find((force) => words.includes(force)) ?? (limit ? 'gtc' : 'ioc'),
    prevention: SELF_TRADE_PREVENTIONS.find((mode) => words.includes(mode)) ?? 'none',
  };
}

export function say(order: DeskOrder): string {
  return `${order.who} ${order.openLots} @ ${order.priceTicks}`;
}

/** Account A is number 1. */
function accountOf(who: string): AccountId {
  return accountId(who.charCodeAt(0) - 64);
}
