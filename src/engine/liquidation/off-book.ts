/**
 * Closing outside the book: orders that the venue places for accounts, filled with each other
 * without a fee. Their owners read them as any other; no public list or candle shows them.
 */
import { closeOf, type HoldSide, lots, type OrderCause, ticks, tradeId } from '#domain';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { State } from '../state.ts';
import { bookFill, type Outcome } from '../swap/fill.ts';
import { type ContractOrder, noteFill } from '../swap/order.ts';
import { acceptOrder, fillOf } from '../swap/place.ts';

/** What an order of the venue's own is to do. */
interface ForcedTerms {
  readonly side: HoldSide;
  readonly cause: Exclude<OrderCause, 'owner'>;
  readonly size: number;
  readonly priceTicks: number;
}

/** Accepts an order that closes (part of) a position whether its owner wants it or not. */
export function forcedOrder(
  state: State,
  margin: MarginAccount,
  { side, cause, size, priceTicks }: ForcedTerms,
): ContractOrder {
  const terms = {
    action: closeOf(side),
    cause,
    type: 'limit',
    force: 'ioc',
    priceTicks: ticks(priceTicks),
    sizeLots: lots(size),
  } as const;
  return acceptOrder(state, margin, terms);
}

/** Books one side of a fill outside the book. */
export function settle(
  state: State,
  order: ContractOrder,
  outcome: Outcome,
  size: number,
  priceTicks: number,
): void {
  bookFill(state, order, size, outcome);
  order.openLots = lots(order.openLots - size);
  noteFill(order, lots(size), priceTicks, outcome);
}

/** An order with what a fill does to it. */
export interface Settled {
  readonly order: ContractOrder;
  readonly outcome: Outcome;
}

/** Publishes a fill outside the book, once both sides are booked, `taker` first; `cause`: why. */
export function publishTrade(
  state: State,
  taker: Settled,
  maker: Settled,
  { cause, size, priceTicks }: Omit<ForcedTerms, 'side'>,
): void {
  const { contract } = taker.order.market;
  state.emit({
    kind: 'contract_trade',
    tradeId: tradeId(state.takeIds(1)),
    instrumentId: contract.instrumentId,
    priceTicks: ticks(priceTicks),
    sizeLots: lots(size),
    assetId: contract.margin.assetId,
    quoteAmount: taker.outcome.worth.units,
    takerSide: taker.order.side,
    taker: { ...fillOf(taker.order, taker.outcome), cause },
    maker: fillOf(maker.order, maker.outcome),
    inBook: false,
  });
}
