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
import { type Grid, type KeptLots, levelPrice, missingLots } from './grid.ts';

/** Quotes of one market: orders per side, the step between them as a rate, the size of each. */
export interface Ladder {
  /** A pair (BTC-USDT) or a contract (BTC-USDT-PERP). */
  readonly symbol: string;
  readonly levelsCount: number;
  /** Step from the centre and between levels, of the centre price; at least one price step. */
  readonly spacingPpm: number;
  readonly levelLots: number;
  /** New quotes are smaller by up to this part, up to half, each price in its own way. */
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

/** An account's quotes in one market: in what state, how large, how many a side. */
export interface Quoted {
  readonly state: StateReader;
  readonly account: AccountView;
  readonly size: Lots;
  readonly levelsCount: number;
  readonly variationPpm: number | undefined;
}

/** Orders for the levels that are missing. */
export interface Placing<Order> {
  readonly orders: readonly Order[];
  readonly incomplete: boolean;
}

/** What a level still lacks, and at which price; undefined when that is nothing. */
export function lacking(
  { size, variationPpm }: Quoted,
  grid: Grid,
  keptLots: KeptLots,
  side: Side,
  level: number,
): { readonly price: Ticks; readonly missing: Lots } | undefined {
  const wanted = missingLots(keptLots[side][level] ?? 0, size);
  const price = levelPrice(grid, side, level);
  if (wanted === 0 || price === undefined) return undefined;
  return { price, missing: varied(wanted, price, variationPpm) };
}

/** The size of a level, within what the market takes. */
export function levelSize(
  { levelLots }: Ladder,
  { minLots, maxLots }: { readonly minLots: Lots; readonly maxLots: Lots },
): Lots {
  return lots(Math.min(Math.max(levelLots, minLots), maxLots));
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

/**
 * A size made smaller by up to `variationPpm`, as much as belongs to the price: real books are
 * uneven. Whole lots, rounded up. At half a level it is still large enough not to be refilled.
 */
export function varied(size: Lots, price: Ticks, variationPpm = 0): Lots {
  if (variationPpm === 0) return size;
  let mixed = Math.imul(price ^ (price >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97) >>> 0;
  const lessPpm = Math.floor((mixed * variationPpm) / 2 ** 32);
  return lots(size - Math.floor((size * lessPpm) / PPM));
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
