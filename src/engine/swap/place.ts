/** Placing a contract order: matching, both parties' bookings, and what becomes of the rest. */
import {
  type ContractCloseReason,
  type ContractFill,
  type ContractOrderAccepted,
  holdSideOf,
  isOpen,
  LIMITS,
  type Lots,
  lots,
  type OrderId,
  type PlaceContractOrder,
  refuse,
  type Ticks,
  ticks,
  tradeId,
} from '#domain';
import { assert, present, unreachable } from '#kernel';
import { opposite } from '../book/book.ts';
import { type MatchEnd, type MatchHandler, matchOrder, wouldMeet } from '../book/match.ts';
import { forcedFeePpm, takerFeePpm } from '../margin/fee-rate.ts';
import type { MarginAccount } from '../margin/margin-account.ts';
import { goOnLater, type OrderEnd } from '../orders-at-work.ts';
import type { ContractOrderWork } from '../pending-work.ts';
import type { Refusal, State } from '../state.ts';
import { notePrice } from '../trigger/place.ts';
import { protect } from '../trigger/tp-sl.ts';
import { tpSlOf } from '../trigger/trigger-order.ts';
import { checkOrder } from './check.ts';
import { closeOrder, closeResting, dropTpSl } from './close.ts';
import { AccountBooks, bookMatch, type Outcome, topUp } from './fill.ts';
import type { SwapMarket } from './market.ts';
import { canFillWhole, judgeMatch, type MatchRisk, wantedLots } from './match-risk.ts';
import { ContractOrder, frozenCost, noteFill, type OrderTerms } from './order.ts';

export function placeContractOrder(state: State, command: PlaceContractOrder): Refusal {
  const account = state.ledger.account(command.accountId);
  if (account === undefined) return refuse('account_unknown');
  if (account.terms.frozen) return refuse('account_frozen');
  const market = state.swap(command.instrumentId);
  if (market === undefined) return refuse('contract_unknown');
  const margin = market.margin(account);
  const terms = termsOf(command);
  const refusal = checkOrder(state, margin, terms);
  if (refusal !== undefined) return refusal;
  placeOrder(state, margin, terms);
  return undefined;
}

/** Written out twice: copying what they share costs more than all the rest of it. */
function termsOf(command: PlaceContractOrder): OrderTerms {
  const { action, force, sizeLots, clientOrderId, takeProfitTicks, stopLossTicks } = command;
  const cause = 'owner';
  const terms: OrderTerms =
    command.type === 'limit'
      ? {
          takeProfitTicks,
          stopLossTicks,
          cause,
          clientOrderId,
          action,
          sizeLots,
          type: 'limit',
          force,
          priceTicks: command.priceTicks,
        }
      : {
          takeProfitTicks,
          stopLossTicks,
          cause,
          clientOrderId,
          action,
          sizeLots,
          type: 'market',
          force: force === 'fok' ? 'fok' : 'ioc',
        };
  const isPlain = takeProfitTicks === undefined && stopLossTicks === undefined;
  return isPlain ? terms : { ...terms, ...tpSlOf(command) };
}

/**
 * Carries an order that has passed every check through the book. `reverses` is the order that has
 * closed the other side for it.
 */
export function placeOrder(
  state: State,
  margin: MarginAccount,
  terms: OrderTerms,
  reverses?: OrderId,
): ContractOrder {
  const order = acceptOrder(state, margin, terms, reverses);
  settleRemainder(state, order, match(state, order, order.priceTicks));
  return order;
}

/** Numbers an order and emits its acceptance; a closing one freezes the lots it will take. */
export function acceptOrder(
  state: State,
  margin: MarginAccount,
  terms: OrderTerms,
  reverses?: OrderId,
): ContractOrder {
  const position = margin.position(holdSideOf(terms.action));
  const id = state.takeIds(1);
  const feePpm = terms.cause === 'owner' ? takerFeePpm(margin) : forcedFeePpm(margin);
  const order = new ContractOrder(id, margin, position, terms, feePpm, state.timeMs);
  if (!isOpen(order.action)) {
    position.frozenLots = lots(position.frozenLots + order.sizeLots);
    assert(position.frozenLots <= position.lots, 'no more is closed than is held');
  }
  margin.touchOrders(state.timeMs);
  const { orderId, accountId, instrumentId, clientOrderId } = order;
  const accepted: ContractOrderAccepted = {
    kind: 'contract_order_accepted',
    orderId,
    accountId,
    instrumentId,
    clientOrderId,
    leverage: order.leverage,
    terms,
  };
  state.emit(reverses === undefined ? accepted : { ...accepted, reverses });
  return order;
}

/** Goes on with an order at work; whether it has to go on after this command, too. */
export function goOnMatching(state: State, { order, limitTicks }: ContractOrderWork): boolean {
  const end = match(state, order, limitTicks);
  settleRemainder(state, order, end);
  return end === 'goes_on';
}

/**
 * Matches an order up to a worst price; zero for as far as the price band goes. One of an owner
 * that meets as many others as one command should goes on in later ones; one of the venue ends.
 */
export function match(state: State, order: ContractOrder, worstTicks: Ticks | 0): OrderEnd {
  const { side } = order;
  const market = state.swapOf(order);
  const bandTicks = side === 'buy' ? market.band.highestTicks : market.band.lowestTicks;
  const limitTicks = worstTicks === 0 ? ticks(bandTicks) : ticks(worstTicks);
  // Most orders come to rest: for them nothing is prepared.
  if (!wouldMeet(market.book, side, limitTicks)) {
    return order.force === 'fok' ? 'fok_not_fillable' : 'exhausted';
  }
  const taker = { accountId: order.accountId, side, limitTicks, sizeLots: order.openLots };
  const isOwners = order.cause === 'owner';
  const prevention = isOwners ? order.margin.account.terms.selfTradePrevention : 'cancel_maker';
  if (order.force === 'fok' && !canFillWhole(market.book, order, taker, prevention))
    return 'fok_not_fillable';
  const force = order.force === 'fok' ? 'ioc' : order.force;
  const handler = new Matching(state, market, order);
  const end = matchOrder(market.book, taker, force, prevention, handler);
  if (end !== 'match_limit' || !isOwners) return end;
  return goOnLater(state, order, limitTicks, handler.tradesCount) ? 'goes_on' : end;
}

/** Carries one incoming order through the book. */
class Matching implements MatchHandler<ContractOrder> {
  readonly #state: State;
  readonly #market: SwapMarket;
  readonly #order: ContractOrder;
  readonly #books: AccountBooks;
  readonly #eventsMax: number;
  tradesCount = 0;
  #risk: MatchRisk | undefined;

  constructor(state: State, market: SwapMarket, order: ContractOrder) {
    this.#state = state;
    this.#market = market;
    this.#order = order;
    this.#books = new AccountBooks(state);
    // What is filled whole or not at all is not stopped on the way.
    const isWhole = order.force === 'fok';
    this.#eventsMax = isWhole
      ? Number.POSITIVE_INFINITY
      : state.eventsCount + LIMITS.commandEventsMax;
  }

  wantedLots(priceTicks: Ticks): Lots {
    const order = this.#order;
    return wantedLots(order.margin, order, order.openLots, priceTicks, order);
  }

  admit(maker: ContractOrder, size: Lots): 'trade' | 'drop_maker' | 'stop' {
    this.#risk = judgeMatch(this.#order, maker, maker.priceTicks, size);
    return this.#risk.verdict;
  }

  trade(maker: ContractOrder, size: Lots): void {
    const state = this.#state;
    const order = this.#order;
    const risk = present(this.#risk, 'admitted match');
    const { taking, making, quoteAmount } = risk;
    const id = state.takeIds(1);
    this.tradesCount += 1;
    this.#books.tradeId = id;
    bookMatch(this.#books, order, maker, size, risk);
    order.openLots = lots(order.openLots - size);
    noteFill(order, size, maker.priceTicks, taking);
    noteFill(maker, size, maker.priceTicks, making);
    const market = this.#market;
    state.emit({
      kind: 'contract_trade',
      tradeId: tradeId(id),
      instrumentId: market.contract.instrumentId,
      priceTicks: maker.priceTicks,
      sizeLots: size,
      assetId: market.contract.margin.assetId,
      quoteAmount,
      takerSide: order.side,
      taker: fillOf(order, taking),
      maker: fillOf(maker, making),
      inBook: true,
    });
    market.lastTicks = maker.priceTicks;
    market.lastTimeMs = state.timeMs;
    notePrice(state, market, 'last');
    dropTpSlIfFlat(state, order);
    dropTpSlIfFlat(state, maker);
    if (maker.openLots === size) closeOrder(state, maker, 'filled', lots(0));
    else protect(state, maker);
  }

  makerDropped(maker: ContractOrder): void {
    closeResting(this.#state, maker, 'margin_insufficient');
  }

  selfTradeCancelled(maker: ContractOrder): void {
    closeResting(this.#state, maker, 'self_trade');
  }

  /** Each order met may close a position, and with it all its TP/SL. */
  hasRoom(): boolean {
    return this.#state.eventsCount < this.#eventsMax;
  }
}

export function fillOf(order: ContractOrder, outcome: Outcome): ContractFill {
  return {
    orderId: order.orderId,
    positionId: order.positionId,
    accountId: order.accountId,
    action: order.action,
    cause: order.cause,
    orderLots: order.sizeLots,
    fee: outcome.fee,
    realizedPnl: outcome.pnl,
    filled: order.filled,
    wallet: order.margin.wallet.name,
    balance: order.walletBalance,
    insured: order.insured,
  };
}

function dropTpSlIfFlat(state: State, order: ContractOrder): void {
  if (isOpen(order.action)) return;
  const side = holdSideOf(order.action);
  if (order.margin.position(side).lots === 0) dropTpSl(state, order.margin, side);
}

/**
 * Rests what is left of a limit order, or closes the order for the reason matching ended. Of one
 * that goes on nothing is settled before it is done.
 */
export function settleRemainder(state: State, order: ContractOrder, end: OrderEnd): void {
  if (end === 'goes_on') {
    list(state, order);
    order.margin.touch(state.timeMs);
    return;
  }
  const reason = closeReason(order, end);
  if (reason !== undefined) closeOrder(state, order, reason, lots(0));
  else {
    rest(state, order);
    protect(state, order);
  }
  // What rests has its freeze by now, so whatever is available is.
  if (order.filledLots > 0) {
    topUp(order.margin);
    order.margin.touch(state.timeMs);
  }
}

function closeReason(order: ContractOrder, end: MatchEnd): ContractCloseReason | undefined {
  if (order.openLots === 0) return 'filled';
  switch (end) {
    case 'satisfied':
    case 'stopped':
      return 'margin_insufficient';
    case 'exhausted': {
      if (order.type === 'market') {
        return isStoppedByBand(order) ? 'beyond_price_band' : 'remainder_not_filled';
      }
      if (order.force === 'ioc') return 'remainder_not_filled';
      // The ladder has asked for all of it.
      if (order.filledLots === 0) return undefined;
      const needed = frozenCost(order, order.openLots);
      return needed > 0n && needed > order.margin.spendable ? 'margin_insufficient' : undefined;
    }
    case 'self_trade':
    case 'post_only_would_take':
    case 'fok_not_fillable':
    case 'match_limit':
      return end;
    default:
      return unreachable(end);
  }
}

/** A market order takes whatever rests: what it left resting was beyond the band. */
function isStoppedByBand({ market, side }: ContractOrder): boolean {
  return market.book.best(opposite(side)) !== undefined;
}

/** Lets its owner find it among the open orders, if it is not there yet. */
function list(state: State, order: ContractOrder): void {
  const { margin } = order;
  if (!margin.lists(order)) {
    state.contractOrders.add(order);
    margin.addOrder(order);
  }
  margin.touchOrders(state.timeMs);
}

function rest(state: State, order: ContractOrder): void {
  const { margin } = order;
  if (isOpen(order.action)) {
    order.frozen = frozenCost(order, order.openLots);
    margin.balance.hold(order.frozen, state.timeMs);
    margin.position(holdSideOf(order.action)).pendingLots += order.openLots;
  }
  list(state, order);
  state.swapOf(order).book.rest(order);
  state.emit({
    kind: 'order_rested',
    orderId: order.orderId,
    accountId: order.accountId,
    instrumentId: order.instrumentId,
    side: order.side,
    priceTicks: order.priceTicks,
    openLots: order.openLots,
  });
}
