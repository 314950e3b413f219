/**
 * Placing a spot order: the ladder of checks, then matching, then what becomes of the rest.
 * An incoming order never reserves what it spends at once; only what rests is held.
 */

import {
  type Amount,
  baseAmount,
  byFigure,
  type CloseReason,
  coinFigure,
  countFigure,
  dueTo,
  type Figure,
  LIMITS,
  type Lots,
  lots,
  needsCoin,
  notional,
  ofId,
  ofMarket,
  type PlaceSpotOrder,
  priceFigure,
  refuse,
  type SpotInstrument,
  spendsBudget,
  type Ticks,
  ZERO_LOTS,
  ZERO_TICKS,
} from '#domain';
import { AssertionFailed, present, unreachable } from '#kernel';
import { opposite } from '../book/book.ts';
import { type MatchEnd, type MatchHandler, matchOrder, wouldMeet } from '../book/match.ts';
import type { Account } from '../ledger/account.ts';
import { goOnLater, type OrderEnd } from '../orders-at-work.ts';
import type { SpotOrderWork } from '../pending-work.ts';
import type { Refusal, State } from '../state.ts';
import { closeOrder, closeResting } from './close.ts';
import type { SpotMarket } from './market.ts';
import { createOrder, type SpotOrder } from './order.ts';
import { paidFrom, type SpotPair, worstTicks } from './pair.ts';
import { moreReserved, settleTrade } from './settle.ts';

const FILLED_LOTS_MAX = Number.MAX_SAFE_INTEGER;

export function placeSpotOrder(state: State, command: PlaceSpotOrder): Refusal {
  const account = state.ledger.account(command.accountId);
  if (account === undefined) return refuse('account_unknown');
  if (account.terms.frozen) return refuse('account_frozen');
  const market = state.market(command.instrumentId);
  if (market === undefined) return refuse('symbol_unknown');
  const refusal =
    checkTerms(market, command) ??
    (command.type === 'limit' ? checkBand(market, command) : undefined) ??
    checkRoom(state, market, account, command);
  if (refusal !== undefined) return refusal;
  const amount = needed(market, command);
  const unpaid = checkFunds(market, command, amount);
  if (unpaid !== undefined) return unpaid;

  const { timeMs } = state;
  const kind = market.kinds.of(market, command.side, command.force, timeMs);
  const order = createOrder(state.takeIds(1), kind, command, timeMs);
  state.emit({
    kind: 'order_accepted',
    orderId: order.orderId,
    accountId: order.accountId,
    instrumentId: market.instrument.instrumentId,
    clientOrderId: order.clientOrderId,
    terms: command,
  });
  matchAndSettle(state, market, order, amount);
  return undefined;
}

/**
 * Carries an order that has passed every check through the book. One that was moved still holds
 * what it held at the price and for the lots it had. What a check has worked out that it would hold
 * more, if none of it traded, is not worked out again.
 */
export function matchAndSettle(
  state: State,
  market: SpotMarket,
  order: SpotOrder,
  wholeMore: Amount,
  fromTicks: Ticks = ZERO_TICKS,
  fromLots: Lots = ZERO_LOTS,
): void {
  const { openLots: wholeLots } = order;
  const end = match(state, market, order, limitOf(market, order));
  const more = wholeLots === order.openLots && order.type === 'limit' ? wholeMore : undefined;
  settleRemainder(state, market, order, end, fromTicks, fromLots, more);
}

/** Goes on with an order at work; whether it has to go on after this command, too. */
export function goOnMatching(state: State, { order, limitTicks }: SpotOrderWork): boolean {
  const market = present(state.market(order.instrumentId), 'market of an order');
  const { openLots, priceTicks } = order;
  const end = match(state, market, order, limitTicks);
  settleRemainder(state, market, order, end, priceTicks, openLots);
  return end === 'goes_on';
}

/** Holds what is left of an order that rests or goes on, or gives back what it held and ends it. */
function settleRemainder(
  state: State,
  market: SpotMarket,
  order: SpotOrder,
  end: OrderEnd,
  fromTicks: Ticks,
  fromLots: Lots,
  knownMore?: Amount,
): void {
  const reason = end === 'goes_on' ? undefined : closeReason(order, end);
  const isOpen = reason === undefined;
  if (isOpen || fromLots > 0) {
    const { side, priceTicks } = order;
    const toLots = isOpen ? order.openLots : ZERO_LOTS;
    const more =
      (isOpen ? knownMore : undefined) ??
      moreReserved(market.instrument, side, fromTicks, fromLots, priceTicks, toLots);
    paidFrom(market, side).holdMore(order.accountId, more, state.timeMs);
  }
  if (reason !== undefined) closeOrder(state, order, reason, ZERO_LOTS);
  else if (end === 'goes_on') list(state, order);
  else rest(state, market, order);
}

/** What a limit order asks for, new or moved. */
export type LimitTerms = Pick<
  PlaceSpotOrder & { readonly type: 'limit' },
  'side' | 'priceTicks' | 'sizeLots'
>;

function checkTerms(market: SpotPair, command: PlaceSpotOrder): Refusal {
  if (command.type === 'limit') return checkLimit(market, command);
  const refusal = checkStatus(market);
  if (refusal !== undefined) return refusal;
  if (spendsBudget(command)) return checkBudget(market, command.quoteBudget);
  return checkSize(market.instrument, command.sizeLots);
}

/** What can be said of a limit order without looking at anybody's money. */
export function checkLimit(market: SpotPair, { priceTicks, sizeLots }: LimitTerms): Refusal {
  const { instrument } = market;
  const halted = checkStatus(market);
  if (halted !== undefined) return halted;
  if (priceTicks <= 0) return refuse('price_invalid');
  const refusal = checkSize(instrument, sizeLots);
  if (refusal !== undefined || instrument.minNotional === 0n) return refusal;
  return checkNotional(instrument, notional(instrument, priceTicks, sizeLots));
}

function checkStatus({ instrument: { status, symbol } }: SpotPair): Refusal {
  if (status === 'online') return undefined;
  return refuse(status === 'suspended' ? 'market_suspended' : 'market_halted', ofMarket(symbol));
}

/** A limit that gives more, or asks less, than the band allows is rather a slip than a wish. */
export function checkBand(market: SpotPair, { side, priceTicks }: LimitTerms): Refusal {
  const bound = worstTicks(market, side);
  if (side === 'buy' ? priceTicks <= bound : priceTicks >= bound) return undefined;
  const figure = priceFigure(market.instrument, bound);
  if (side === 'buy') return refuse('price_above_ceiling', byFigure('at_most', figure));
  return refuse('price_below_floor', byFigure('at_least', figure));
}

/**
 * The bounds of one order count for a market buy, too: at the best price its budget buys the most
 * it can, so what is too little or too much there is refused. Without a price it is not checked.
 */
function checkBudget(market: SpotPair, budget: Amount): Refusal {
  const { instrument, book } = market;
  if (budget <= 0n) return refuse('quantity_invalid');
  const refusal = checkNotional(instrument, budget);
  const best = book.best('sell')?.priceTicks;
  if (refusal !== undefined || best === undefined) return refusal;
  const { minLots, maxLots, quote } = instrument;
  const least = notional(instrument, best, minLots);
  if (budget < least) {
    const figure = coinFigure(quote, least);
    return refuse('notional_below_minimum', byFigure('at_least_at_best_price', figure));
  }
  if (budget < notional(instrument, best, maxLots) + notional(instrument, best, lots(1))) {
    return undefined;
  }
  return refuse('quantity_above_maximum', byFigure('at_most', baseFigure(instrument, maxLots)));
}

function checkSize(instrument: SpotInstrument, size: Lots): Refusal {
  const { minLots, maxLots } = instrument;
  if (size <= 0) return refuse('quantity_invalid');
  if (size < minLots) {
    return refuse('quantity_below_minimum', byFigure('at_least', baseFigure(instrument, minLots)));
  }
  if (size <= maxLots) return undefined;
  return refuse('quantity_above_maximum', byFigure('at_most', baseFigure(instrument, maxLots)));
}

function checkNotional({ minNotional, quote }: SpotInstrument, value: Amount): Refusal {
  if (value >= minNotional) return undefined;
  return refuse('notional_below_minimum', byFigure('at_least', coinFigure(quote, minNotional)));
}

/** A size of a pair, in its base coin. */
function baseFigure({ base, quantityScale }: SpotInstrument, size: Lots): Figure {
  return coinFigure({ code: base.code, scale: quantityScale }, size);
}

function isTaken({ timeMs }: State, account: Account, clientOrderId: string): boolean {
  return (
    account.isOrderIdUsed(clientOrderId, timeMs) ||
    account.orderByClientId(clientOrderId) !== undefined
  );
}

function checkRoom(
  state: State,
  market: SpotPair,
  account: Account,
  command: PlaceSpotOrder,
): Refusal {
  const { clientOrderId } = command;
  if (clientOrderId !== undefined && isTaken(state, account, clientOrderId)) {
    return refuse('client_order_id_in_use', ofId(clientOrderId));
  }
  if (command.type === 'market') return undefined;
  if (command.force === 'ioc' || command.force === 'fok') return undefined;
  const { openOrdersMax } = account.terms;
  if (account.openOrdersCount >= openOrdersMax) {
    const most = countFigure(openOrdersMax);
    return refuse('open_orders_exceeded', byFigure('at_most_of_account', most));
  }
  if (state.orders.size >= LIMITS.openOrdersMax)
    return refuse('open_orders_exceeded', dueTo('venue_full'));
  if (!market.book.hasRoom(command.side, command.priceTicks, command.sizeLots)) {
    return refuse('quantity_above_maximum', dueTo('no_room_at_price'));
  }
  return undefined;
}

function checkFunds(market: SpotPair, command: PlaceSpotOrder, amount: Amount): Refusal {
  const available = paidFrom(market, command.side).free(command.accountId);
  if (available >= amount) return undefined;
  const { base, quote } = market.instrument;
  const asset = command.side === 'buy' ? quote : base;
  return refuse('balance_insufficient', needsCoin(asset, amount, available));
}

/**
 * The most an order can spend of the coin it pays with. A market buy of a size stops where the
 * money does: the least order at the best price is all that must be there.
 */
function needed({ instrument, book }: SpotPair, command: PlaceSpotOrder): Amount {
  if (spendsBudget(command)) return command.quoteBudget;
  if (command.side === 'sell') return baseAmount(instrument, command.sizeLots);
  if (command.type === 'limit') return notional(instrument, command.priceTicks, command.sizeLots);
  const best = book.best('sell')?.priceTicks;
  return best === undefined ? 0n : notional(instrument, best, instrument.minLots);
}

/** The worst price that an order may trade at. */
function limitOf(market: SpotMarket, { type, side, priceTicks }: SpotOrder): Ticks {
  return type === 'limit' ? priceTicks : worstTicks(market, side);
}

function match(state: State, market: SpotMarket, order: SpotOrder, limitTicks: Ticks): OrderEnd {
  const { side, accountId, sizeLots } = order;
  const force = order.type === 'limit' ? order.force : 'ioc';
  // Most orders come to rest: for them nothing is prepared.
  if (!wouldMeet(market.book, side, limitTicks)) {
    return force === 'fok' ? 'fok_not_fillable' : 'exhausted';
  }
  const taker = { accountId, side, limitTicks, sizeLots };
  const handler = new Matching(state, order);
  const { selfTradePrevention } = state.ownerOf(order).terms;
  const end = matchOrder(market.book, taker, force, selfTradePrevention, handler);
  if (end !== 'match_limit') return end;
  return goOnLater(state, order, limitTicks, handler.tradesCount) ? 'goes_on' : end;
}

/** Carries one incoming order through the book. */
class Matching implements MatchHandler<SpotOrder> {
  readonly #state: State;
  readonly #order: SpotOrder;
  readonly #eventsMax: number;
  tradesCount = 0;

  constructor(state: State, order: SpotOrder) {
    this.#state = state;
    this.#order = order;
    // What is filled whole or not at all is not stopped on the way.
    const isWhole = order.type === 'limit' && order.force === 'fok';
    this.#eventsMax = isWhole
      ? Number.POSITIVE_INFINITY
      : state.eventsCount + LIMITS.commandEventsMax;
  }

  wantedLots(priceTicks: Ticks): Lots {
    const order = this.#order;
    if (order.type === 'limit' || order.side === 'sell') return order.openLots;
    return affordableLots(order, priceTicks);
  }

  /** Whatever a spot order can spend is set aside: every match can be paid for. */
  admit(): 'trade' {
    return 'trade';
  }

  makerDropped(): never {
    throw new AssertionFailed('spot drops no resting order');
  }

  trade(maker: SpotOrder, size: Lots): void {
    const order = this.#order;
    this.tradesCount += 1;
    this.#state.emit(settleTrade(this.#state, order, maker, size));
    order.market.lastTicks = maker.priceTicks;
    if (order.quoteBudget === 0n) order.openLots = lots(order.openLots - size);
    if (maker.openLots === size) closeOrder(this.#state, maker, 'filled', lots(0));
  }

  selfTradeCancelled(maker: SpotOrder): void {
    closeResting(this.#state, maker, 'self_trade');
  }

  hasRoom(): boolean {
    return this.#state.eventsCount < this.#eventsMax;
  }
}

/**
 * Whole lots that a market buy still wants at a price, can pay for and can count. Every purchase so
 * far has been paid: what is available is there for the next one.
 */
function affordableLots(order: SpotOrder, priceTicks: Ticks): Lots {
  const { instrument } = order.market;
  const lotCost = BigInt(priceTicks) * instrument.quoteUnitsPerTickLot;
  const hasBudget = order.quoteBudget > 0n;
  const money = hasBudget
    ? order.quoteBudget - order.filledQuote
    : order.market.quoteBalances.free(order.accountId);
  const most = hasBudget ? FILLED_LOTS_MAX - order.filledLots : order.openLots;
  return lots(Math.min(Number(money / lotCost), most));
}

function closeReason(order: SpotOrder, end: MatchEnd): CloseReason | undefined {
  if (isComplete(order)) return 'filled';
  switch (end) {
    case 'satisfied':
      return hasSpent(order) ? 'filled' : 'remainder_not_filled';
    case 'exhausted':
      if (order.type === 'limit') return order.force === 'ioc' ? 'remainder_not_filled' : undefined;
      return isStoppedByBand(order) ? 'beyond_price_band' : 'remainder_not_filled';
    case 'self_trade':
    case 'post_only_would_take':
    case 'fok_not_fillable':
    case 'match_limit':
      return end;
    case 'stopped':
      throw new AssertionFailed('spot stops no matching');
    default:
      return unreachable(end);
  }
}

/** A market order takes whatever rests: what it left resting was beyond the band. */
function isStoppedByBand({ market, side }: SpotOrder): boolean {
  return market.book.best(opposite(side)) !== undefined;
}

/** Whether a budget that wants no more bought what it could: its change is not worth a lot. */
function hasSpent({ quoteBudget, filledLots }: SpotOrder): boolean {
  return quoteBudget > 0n && filledLots > 0 && filledLots < FILLED_LOTS_MAX;
}

/** Whether nothing is left to fill: no lots of a base size, no quote of a budget. */
function isComplete(order: SpotOrder): boolean {
  return order.quoteBudget === 0n ? order.openLots === 0 : order.filledQuote === order.quoteBudget;
}

/** Lets owners find it among their open orders, if it is not there yet. */
function list(state: State, order: SpotOrder): void {
  const account = state.ownerOf(order);
  if (account.lists(order)) return;
  state.orders.add(order);
  account.addOrder(order);
}

function rest(state: State, { instrument, book }: SpotMarket, order: SpotOrder): void {
  list(state, order);
  book.rest(order);
  state.emit({
    kind: 'order_rested',
    orderId: order.orderId,
    accountId: order.accountId,
    instrumentId: instrument.instrumentId,
    side: order.side,
    priceTicks: order.priceTicks,
    openLots: order.openLots,
  });
}
