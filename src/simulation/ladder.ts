/**
 * What the ladders of pairs and contracts have in common. A ladder is planned as a pure function
 * of the venue's state, so nothing is remembered and a restart finds its own orders again.
 */
import {
  type AccountView,
  type Command,
  type InstrumentId,
  type Lots,
  lots,
  type OrderId,
  PPM,
  type Side,
  type StateReader,
  type Ticks,
} from '#domain';

/** Quotes of one market: orders per side, the step between them as a rate, the size of each. */
export interface Ladder {
  /** A pair (BTC-USDT) or a contract (BTC-USDT-PERP). */
  readonly symbol: string;
  readonly levelsCount: number;
  /** Step from the centre and between levels, of the centre price; at least one price step. */
  readonly spacingPpm: number;
  readonly levelLots: number;
  /** How uneven it is: none like a ruler, a million as the books of real people are. */
  readonly variationPpm?: number;
  /** Absent: the account does not mind what it holds, and a contract is quoted around its mark. */
  readonly inventory?: InventoryRule;
}

/**
 * The more an account holds above what it wants, the lower it quotes, so that others take it off
 * its hands; and the other way round. A contract is then quoted around its index price.
 */
export interface InventoryRule {
  /** What it wants to hold; in a contract longs less shorts. */
  readonly homeLots: number;
  /** This far from home the centre is moved by all of skewPpm, and never further. */
  readonly limitLots: number;
  readonly skewPpm: number;
}

export interface LadderPlan {
  /** Cancels first, then moves, so that what they free can be used by the orders behind them. */
  readonly commands: readonly Command[];
  /** A level is missing until an order of another account leaves the book or money comes in. */
  readonly incomplete: boolean;
}

export const NOTHING: LadderPlan = { commands: [], incomplete: false };
export const SIDES: readonly Side[] = ['buy', 'sell'];

/** An account's quotes in one market. */
export interface Quoted {
  readonly state: StateReader;
  readonly account: AccountView;
}

/** Orders for the levels that are missing. */
export interface Placing<Order> {
  readonly orders: readonly Order[];
  readonly incomplete: boolean;
}

/** Best price on the other side of the book; undefined when that side is empty. */
export function bestOpposite(
  state: StateReader,
  instrumentId: InstrumentId,
  side: Side,
): Ticks | undefined {
  const levels = state.bookLevels(instrumentId, side === 'buy' ? 'sell' : 'buy');
  for (const { priceTicks } of levels) return priceTicks;
  return undefined;
}

/** Where to quote around instead of this price, given what is held: whole ticks, at least one. */
export function skewed(
  centreTicks: number,
  rule: InventoryRule | undefined,
  heldLots: number,
): number {
  if (rule === undefined) return centreTicks;
  const { homeLots, limitLots, skewPpm } = rule;
  const part = Math.max(-1, Math.min(1, (heldLots - homeLots) / limitLots));
  return Math.max(1, Math.round(centreTicks * (1 - (part * skewPpm) / PPM)));
}

/** A quote that an order of a ladder may take the place of. */
interface Movable {
  readonly orderId: OrderId;
  readonly filledLots: Lots;
}

/** What becomes of a quote that is moved; the size counts what has filled. */
export interface Moved<Quote, Order> {
  readonly quote: Quote;
  readonly order: Order;
  readonly sizeLots: Lots;
}

export interface Paired<Quote, Order> {
  readonly cancelled: readonly Quote[];
  readonly moved: readonly Moved<Quote, Order>[];
  readonly placed: readonly Order[];
}

/** Orders that are wanted take the places of quotes that are not, as far as they are alike. */
export function pairUp<Quote extends Movable, Order extends { readonly sizeLots: Lots }>(
  unfit: readonly Quote[],
  orders: readonly Order[],
  maxLots: Lots,
  isAlike: (quote: Quote, order: Order) => boolean,
): Paired<Quote, Order> {
  const left = [...unfit];
  const moved: Moved<Quote, Order>[] = [];
  const placed: Order[] = [];
  for (const order of orders) {
    const isFit = (quote: Quote) =>
      isAlike(quote, order) && quote.filledLots + order.sizeLots <= maxLots;
    const at = left.findIndex(isFit);
    const [quote] = at === -1 ? [] : left.splice(at, 1);
    if (quote === undefined) placed.push(order);
    else moved.push({ quote, order, sizeLots: lots(quote.filledLots + order.sizeLots) });
  }
  return { cancelled: left, moved, placed };
}

/** Whether an order at this price would take instead of rest. */
export function crosses(side: Side, price: Ticks, opposite: Ticks | undefined): boolean {
  if (opposite === undefined) return false;
  return side === 'buy' ? price >= opposite : price <= opposite;
}
