/**
 * What an owner's order must pass before anything changes: one straight ladder, the same for an
 * order that comes in and for one that a trigger sets off.
 */
import {
  byFigure,
  type Contract,
  contractsFigure,
  countFigure,
  dueTo,
  type HoldSide,
  holdSideOf,
  isBreached,
  isOpen,
  LIMITS,
  liquidationTicks,
  ofMarket,
  priceFigure,
  type Refused,
  refuse,
  sideOf,
} from '#domain';
import type { MarginAccount } from '../margin/margin-account.ts';
import { checkIndex, checkOpening } from '../margin/opening.ts';
import type { Position } from '../margin/position.ts';
import { crossRisk, isIsolatedClearlySafe, isolatedRisk } from '../margin/risk.ts';
import type { Refusal, State } from '../state.ts';
import { checkTpSl } from '../trigger/tp-sl.ts';
import { checkClientId } from './client-ids.ts';
import { checkDepth, closeTicks } from './depth.ts';
import type { OrderTerms } from './order.ts';

/** How small an order may be, unless it closes all that can be closed, and how large. */
export interface SizeBounds {
  readonly minLots: number;
  readonly maxLots: number;
}

/** Resting closes that are taken back if the order passes: it is judged as if they were gone. */
interface Leaving {
  readonly ordersCount: number;
  readonly closingLots: number;
}

const NONE_LEAVING: Leaving = { ordersCount: 0, closingLots: 0 };

export function checkOrder(
  state: State,
  margin: MarginAccount,
  terms: OrderTerms,
  bounds: SizeBounds = margin.market.contract,
  leaving: Leaving = NONE_LEAVING,
): Refusal {
  return (
    checkMarket(state, margin, terms) ??
    checkSize(margin, terms, bounds, leaving) ??
    checkPrice(margin, terms) ??
    checkRoom(state, margin, terms, leaving) ??
    checkTpSl(margin, terms) ??
    (isOpen(terms.action) ? checkOpening(margin, terms) : checkClosing(margin, terms, leaving))
  );
}

/** A halt ends, a delisting does not: bots must be able to distinguish them. */
function checkStatus({ status, symbol }: Contract): Refusal {
  if (status === 'online') return undefined;
  if (status === 'suspended') return refuse('contract_suspended', ofMarket(symbol));
  const reject = status === 'offline' ? 'contract_delisted' : 'contract_halted';
  return refuse(reject, ofMarket(symbol));
}

/** What a halt leaves to owners, such as cancels and settings, a suspension does not. */
export function checkSuspended({ status, symbol }: Contract): Refusal {
  return status === 'suspended' ? refuse('contract_suspended', ofMarket(symbol)) : undefined;
}

/** Whether an owner may change what is held or waits on this side, or on any where none is said. */
export function checkOwner(state: State, margin: MarginAccount, side?: HoldSide): Refusal {
  return checkStatus(margin.market.contract) ?? checkLiquidation(state, margin, side);
}

/** While a liquidation goes on with others in between, its owner cancels and adds money only. */
export function checkLiquidation({ work }: State, margin: MarginAccount, side?: HoldSide): Refusal {
  const isInWork = work.some((one) => one.kind === 'liquidations' && one.wave.covers(margin, side));
  return isInWork ? refuse('in_liquidation') : undefined;
}

function checkMarket(state: State, margin: MarginAccount, terms: OrderTerms): Refusal {
  const { market } = margin;
  const refusal = checkOwner(state, margin, holdSideOf(terms.action));
  if (refusal !== undefined) return refusal;
  return isOpen(terms.action) ? checkIndex(state, market) : undefined;
}

/** What is left of a position can be closed however small it is. */
function checkSize(
  margin: MarginAccount,
  { action, sizeLots }: OrderTerms,
  { minLots, maxLots }: SizeBounds,
  { closingLots }: Leaving,
): Refusal {
  const { contract } = margin.market;
  if (sizeLots <= 0) return refuse('quantity_invalid');
  const { availableLots } = margin.position(holdSideOf(action));
  const isRest = !isOpen(action) && sizeLots === availableLots + closingLots;
  if (sizeLots < minLots && !isRest) {
    const least = contractsFigure(contract, minLots);
    return refuse('quantity_below_minimum', byFigure('at_least', least));
  }
  if (sizeLots <= maxLots) return undefined;
  const most = contractsFigure(contract, maxLots);
  return refuse('quantity_above_maximum', byFigure('at_most', most));
}

function checkPrice({ market }: MarginAccount, terms: OrderTerms): Refusal {
  if (terms.type === 'market') return undefined;
  const { priceTicks } = terms;
  const { contract } = market;
  if (priceTicks <= 0) return refuse('price_invalid');
  if (priceTicks % contract.priceStepTicks !== 0) return betweenSteps(contract);
  const { highestTicks, lowestTicks } = market.band;
  if (sideOf(terms.action) === 'buy') {
    if (priceTicks <= highestTicks) return undefined;
    return refuse('price_above_band', byFigure('at_most', priceFigure(contract, highestTicks)));
  }
  if (priceTicks >= lowestTicks) return undefined;
  return refuse('price_below_band', byFigure('at_least', priceFigure(contract, lowestTicks)));
}

/** Refuses a price that is no multiple of the contract's step. */
export function betweenSteps(contract: Contract): Refused {
  const step = priceFigure(contract, contract.priceStepTicks);
  return refuse('price_invalid', byFigure('price_step', step));
}

function checkRoom(
  state: State,
  margin: MarginAccount,
  terms: OrderTerms,
  { ordersCount }: Leaving,
): Refusal {
  const refusal = checkClientId(state, margin, terms.clientOrderId);
  if (refusal !== undefined) return refusal;
  if (terms.type === 'market' || terms.force === 'ioc' || terms.force === 'fok') return undefined;
  const { contract, book } = margin.market;
  if (margin.openOrdersCount - ordersCount >= contract.openOrdersMax) {
    const most = countFigure(contract.openOrdersMax);
    return refuse('contract_orders_exceeded', byFigure('at_most', most));
  }
  if (state.contractOrders.size - ordersCount >= LIMITS.openOrdersMax) {
    return refuse('contract_orders_exceeded', dueTo('venue_full'));
  }
  if (!book.hasRoom(sideOf(terms.action), terms.priceTicks, terms.sizeLots)) {
    return refuse('quantity_above_maximum', dueTo('no_room_at_price'));
  }
  return undefined;
}

function checkClosing(margin: MarginAccount, terms: OrderTerms, { closingLots }: Leaving): Refusal {
  const position = margin.position(holdSideOf(terms.action));
  if (terms.sizeLots > position.availableLots + closingLots) {
    const available = contractsFigure(margin.market.contract, position.availableLots);
    return refuse('close_exceeds_position', byFigure('closable', available));
  }
  if (terms.type === 'market') return checkDepth(margin, terms);
  return checkBeyondLiquidation(margin, position, closeTicks(margin, terms));
}

/** Only the side whose loss liquidates is held to the liquidation price. */
function checkBeyondLiquidation(
  margin: MarginAccount,
  position: Position,
  priceTicks: number,
): Refusal {
  const { market, mode, long, short } = margin;
  const isLong = position === long;
  if (mode === 'cross') {
    // A full hedge has no side to lose: only a price far away liquidates it.
    const net = long.lots - short.lots;
    if (net === 0 || isLong !== net > 0) return undefined;
  } else if (isIsolatedClearlySafe(margin, position, priceTicks)) return undefined;
  const risk = mode === 'cross' ? crossRisk(margin) : isolatedRisk(margin, position);
  // At a price that does not liquidate, the bound, which is cut to ticks, need not be worked out.
  if (!isBreached(market.contract, risk, priceTicks)) return undefined;
  const bound = liquidationTicks(market.contract, risk);
  if (bound === 0 || (isLong ? priceTicks >= bound : priceTicks <= bound)) return undefined;
  const reject = isLong ? 'close_long_beyond_liquidation' : 'close_short_beyond_liquidation';
  return refuse(reject, byFigure('against', priceFigure(market.contract, bound)));
}
