/**
 * What an owner's order must pass before anything changes: one straight ladder, the same for an
 * order that comes in and for one that a trigger sets off.
 */
import {
  affordableLots,
  type Carry,
  type Contract,
  type ContractAction,
  entryMargin,
  fineValue,
  holdSideOf,
  isBreached,
  isOpen,
  LIMITS,
  type Lots,
  leverageMaxOf,
  liquidationTicks,
  lots,
  openingCost,
  orderId,
  parseId,
  type Side,
  sideOf,
  thresholdPpm,
} from '#domain';
import { formatTrimmed } from '#kernel';
import { accepts, opposite } from '../book/book.ts';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Position } from '../margin/position.ts';
import { crossedRisk, fixedRisk } from '../margin/risk.ts';
import { type Refusal, refuse, type State } from '../state.ts';
import { checkPresets } from '../trigger/presets.ts';
import { riskAfterOpen } from './fill.ts';
import type { MarketState } from './market-state.ts';
import type { OrderTerms } from './order.ts';

/** `minLots` is the least size unless the order closes all that can be closed. */
export function checkOrder(
  state: State,
  margin: MarginAccount,
  terms: OrderTerms,
  minLots: number = margin.market.contract.minLots,
): Refusal {
  return (
    checkMarket(state, margin, terms) ??
    checkSize(margin, terms, minLots) ??
    checkPrice(margin, terms) ??
    checkRoom(state, margin, terms) ??
    checkPresets(margin, terms) ??
    (isOpen(terms.action) ? checkOpening(margin, terms) : checkClosing(margin, terms))
  );
}

/** A halt ends, a delisting does not: bots must be able to distinguish them. */
export function checkStatus({ status, symbol }: Contract): Refusal {
  if (status === 'online') return undefined;
  if (status === 'suspended') return refuse('contract_suspended', symbol);
  return refuse(status === 'offline' ? 'contract_delisted' : 'contract_halted', symbol);
}

/** What a halt leaves to owners, such as cancels and settings, a suspension does not. */
export function checkSuspended({ status, symbol }: Contract): Refusal {
  return status === 'suspended' ? refuse('contract_suspended', symbol) : undefined;
}

function checkMarket(state: State, { market }: MarginAccount, terms: OrderTerms): Refusal {
  const refusal = checkStatus(market.contract);
  if (refusal !== undefined) return refusal;
  if (isOpen(terms.action) && market.isIndexStale(state.timeMs)) {
    return refuse('contract_halted', 'the index price is stale: positions can only be closed');
  }
  return undefined;
}

/** What is left of a position can be closed however small it is. */
function checkSize(
  margin: MarginAccount,
  { action, sizeLots }: OrderTerms,
  minLots: number,
): Refusal {
  const { maxLots, quantityScale } = margin.market.contract;
  if (sizeLots <= 0) return refuse('quantity_invalid');
  const isRest = !isOpen(action) && sizeLots === margin.position(holdSideOf(action)).availableLots;
  if (sizeLots < minLots && !isRest) {
    return refuse('quantity_below_minimum', `at least ${formatTrimmed(minLots, quantityScale)}`);
  }
  if (sizeLots <= maxLots) return undefined;
  return refuse('quantity_above_maximum', `at most ${formatTrimmed(maxLots, quantityScale)}`);
}

function checkPrice({ market }: MarginAccount, terms: OrderTerms): Refusal {
  const { priceTicks, type } = terms;
  const { priceStepTicks, priceScale } = market.contract;
  if (type === 'market') return priceTicks === 0 ? undefined : refuse('price_invalid');
  if (priceTicks <= 0) return refuse('price_invalid');
  if (priceTicks % priceStepTicks !== 0) {
    return refuse(
      'price_invalid',
      `prices go in steps of ${formatTrimmed(priceStepTicks, priceScale)}`,
    );
  }
  const { highestTicks, lowestTicks } = market.band;
  if (sideOf(terms.action) === 'buy') {
    if (priceTicks <= highestTicks) return undefined;
    return refuse('price_above_band', `at most ${formatTrimmed(highestTicks, priceScale)}`);
  }
  if (priceTicks >= lowestTicks) return undefined;
  return refuse('price_below_band', `at least ${formatTrimmed(lowestTicks, priceScale)}`);
}

/** Whether an owner's id is that of an order or trigger order, open or closed not long ago. */
export function isIdTaken(state: State, margin: MarginAccount, clientOrderId: string): boolean {
  if (clientOrderId === '') return false;
  if (margin.isOrderIdTaken(clientOrderId, state.timeMs)) return true;
  const id = parseId(clientOrderId);
  const named = id === undefined ? undefined : state.contractOrders.get(orderId(id));
  return named?.margin === margin && named.hasMadeId;
}

function checkRoom(state: State, margin: MarginAccount, terms: OrderTerms): Refusal {
  if (isIdTaken(state, margin, terms.clientOrderId)) {
    return refuse('contract_client_id_in_use', terms.clientOrderId);
  }
  const mayRest = terms.type === 'limit' && terms.force !== 'ioc' && terms.force !== 'fok';
  if (!mayRest) return undefined;
  const { contract, book } = margin.market;
  if (margin.openOrdersCount >= contract.openOrdersMax) {
    return refuse('contract_orders_exceeded', `at most ${contract.openOrdersMax}`);
  }
  if (state.contractOrders.size >= LIMITS.openOrdersMax) {
    return refuse('contract_orders_exceeded', 'venue full');
  }
  if (book.roomLots(sideOf(terms.action), terms.priceTicks) < terms.sizeLots) {
    return refuse('quantity_above_maximum', 'no room at this price');
  }
  return undefined;
}

function checkClosing(margin: MarginAccount, terms: OrderTerms): Refusal {
  const position = margin.position(holdSideOf(terms.action));
  if (terms.sizeLots > position.availableLots) {
    const { quantityScale } = margin.market.contract;
    const available = formatTrimmed(position.availableLots, quantityScale);
    return refuse('close_exceeds_position', `${available} can be closed`);
  }
  if (terms.type === 'market') return checkDepth(margin, terms);
  return checkBeyondLiquidation(margin, position, closeTicks(margin, terms));
}

/**
 * The price that a closing limit is judged at: the worst one at which it would fill now. What of it
 * would rest, or has no counterparty, is judged at the limit.
 */
function closeTicks({ market }: MarginAccount, terms: OrderTerms): number {
  const { force, priceTicks, sizeLots } = terms;
  const side = sideOf(terms.action);
  const best = market.book.best(opposite(side));
  if (best === undefined || !accepts(side, priceTicks, best.priceTicks)) return priceTicks;
  let missing: number = sizeLots;
  let worst = 0;
  for (const level of market.book.levels(opposite(side))) {
    if (!accepts(side, priceTicks, level.priceTicks)) break;
    worst = level.priceTicks;
    missing -= level.lots;
    if (missing <= 0) break;
  }
  const mayRest = missing > 0 && force !== 'ioc' && force !== 'fok';
  return worst === 0 || mayRest || force === 'post_only' ? priceTicks : worst;
}

/** Only the side whose loss liquidates is held to the liquidation price. */
function checkBeyondLiquidation(
  margin: MarginAccount,
  position: Position,
  priceTicks: number,
): Refusal {
  const { market, mode, long, short } = margin;
  const isLong = position === long;
  if (mode === 'crossed') {
    // A full hedge has no side to lose: only a price far away liquidates it.
    const net = long.lots - short.lots;
    if (net === 0 || isLong !== net > 0) return undefined;
  }
  const risk = mode === 'crossed' ? crossedRisk(margin) : fixedRisk(margin, position);
  const bound = liquidationTicks(market.contract, risk);
  if (bound === 0 || (isLong ? priceTicks >= bound : priceTicks <= bound)) return undefined;
  const shown = formatTrimmed(bound, market.contract.priceScale);
  return refuse(isLong ? 'close_long_beyond_liquidation' : 'close_short_beyond_liquidation', shown);
}

function checkDepth({ market }: MarginAccount, terms: OrderTerms): Refusal {
  const side = sideOf(terms.action);
  const best = market.book.best(opposite(side));
  if (best === undefined) return refuse('no_opposite_depth');
  const { highestTicks, lowestTicks } = market.band;
  const isWithin =
    side === 'buy' ? best.priceTicks <= highestTicks : best.priceTicks >= lowestTicks;
  return isWithin ? undefined : refuse('no_opposite_depth', 'the best price is outside the band');
}

function checkOpening(margin: MarginAccount, terms: OrderTerms): Refusal {
  const refusal = checkTier(margin, terms);
  if (refusal !== undefined) return refusal;
  if (terms.type === 'market') {
    const empty = checkDepth(margin, terms);
    if (empty !== undefined) return empty;
  }
  return checkMargin(margin, terms) ?? checkHealth(margin, terms);
}

/** Resting opens count towards the size that a tier allows at this leverage. */
function checkTier(margin: MarginAccount, { action, sizeLots }: OrderTerms): Refusal {
  const { contract } = margin.market;
  const size = countedLots(margin, action) + sizeLots;
  const allowed = Math.min(contract.leverageMax, leverageMaxOf(contract, size));
  if (margin.position(holdSideOf(action)).leverage <= allowed) return undefined;
  const shown = formatTrimmed(size, contract.quantityScale);
  return refuse('openable_exceeded', `${shown} contracts allow a leverage of ${allowed}`);
}

/** What tiers count before an opening: held and resting, of both sides when crossed. */
function countedLots(margin: MarginAccount, action: ContractAction): number {
  const { mode, long, short } = margin;
  const counted = mode === 'fixed' ? [margin.position(holdSideOf(action))] : [long, short];
  return counted.reduce((sum, { lots, pendingLots }) => sum + lots + pendingLots, 0);
}

function checkMargin(margin: MarginAccount, terms: OrderTerms): Refusal {
  const { contract } = margin.market;
  const { leverage } = margin.position(holdSideOf(terms.action));
  const feePpm = takerFeePpm(margin);
  const cost = openingCost(contract, terms.sizeLots, costTicks(margin, terms), leverage, feePpm);
  const { spendable } = margin;
  if (cost <= spendable) return undefined;
  const { code, scale } = contract.margin;
  const has = formatTrimmed(spendable > 0n ? spendable : 0n, scale);
  return refuse('margin_insufficient', `needs ${formatTrimmed(cost, scale)} ${code}, has ${has}`);
}

/**
 * The price that sets the margin: the order's own, unless it would trade at once at one that needs
 * more: a linear short above its limit, an inverse long below it. A market order's is the best one.
 */
function costTicks(
  { market }: MarginAccount,
  terms: Pick<OrderTerms, 'action' | 'type' | 'force' | 'priceTicks' | 'sizeLots'>,
): number {
  const side = sideOf(terms.action);
  const best = market.book.best(opposite(side))?.priceTicks;
  if (best === undefined) return terms.priceTicks;
  const isLinear = market.contract.kind === 'linear';
  if (terms.type === 'market') {
    // Filled whole or not at all: what it needs is known only at the last price it takes.
    const needsMore = terms.force === 'fok' && (side === 'buy') === isLinear;
    return needsMore ? lastTicks(market, side, terms.sizeLots) : best;
  }
  if (side === 'sell' && isLinear) return Math.max(best, terms.priceTicks);
  return side === 'buy' && !isLinear ? Math.min(best, terms.priceTicks) : terms.priceTicks;
}

/** The price of the last lot that an order of this size would take from the book. */
function lastTicks({ book }: MarketState, side: Side, size: number): number {
  let missing = size;
  let found = 0;
  for (const level of book.levels(opposite(side))) {
    found = level.priceTicks;
    missing -= level.lots;
    if (missing <= 0) break;
  }
  return found;
}

/** An order may not open straight into a liquidation, at the first price it would trade at. */
function checkHealth(margin: MarginAccount, terms: OrderTerms): Refusal {
  const { market } = margin;
  const side = sideOf(terms.action);
  const best = market.book.best(opposite(side))?.priceTicks;
  const isTaking =
    best !== undefined &&
    (terms.type === 'market' ||
      (side === 'buy' ? best <= terms.priceTicks : best >= terms.priceTicks));
  const priceTicks = isTaking ? best : terms.priceTicks;
  const isAsGood = side === 'buy' ? priceTicks <= market.markTicks : priceTicks >= market.markTicks;
  const { contract, markTicks } = market;
  const position = margin.position(holdSideOf(terms.action));
  // A fixed position gains by it, unless its growth puts all of it into a stricter tier.
  const isStricter =
    position.lots > 0 &&
    thresholdPpm(contract, position.lots + terms.sizeLots) > thresholdPpm(contract, position.lots);
  if (isAsGood && margin.mode === 'fixed' && !isStricter) return undefined;
  const value = fineValue(contract, terms.sizeLots, priceTicks);
  const { open, leverage } = position;
  const growth =
    entryMargin(contract, open + value, leverage) - entryMargin(contract, open, leverage);
  const risk = riskAfterOpen(margin, position, terms.sizeLots, { value, growth, fee: 0n });
  if (!isBreached(contract, risk, markTicks)) return undefined;
  return refuse('opens_into_liquidation', `at ${formatTrimmed(priceTicks, contract.priceScale)}`);
}

/** The account's own taker rate, or the contract's. */
export function takerFeePpm({ account, market }: MarginAccount): number {
  return account.settings.takerFeePpm ?? market.contract.takerFeePpm;
}

/** What a liquidation pays: at most the contract's rate, which is all the threshold keeps back. */
export function forcedFeePpm(margin: MarginAccount): number {
  return Math.min(takerFeePpm(margin), margin.market.contract.takerFeePpm);
}

/** How many lots of an opening order the account can pay for at a price. */
function lotsInReach(
  margin: MarginAccount,
  terms: Pick<OrderTerms, 'action'>,
  priceTicks: number,
  carry?: Carry,
): number {
  const { leverage } = margin.position(holdSideOf(terms.action));
  const { contract } = margin.market;
  const feePpm = takerFeePpm(margin);
  return affordableLots(contract, margin.spendable, priceTicks, leverage, feePpm, carry);
}

/** How many of its open lots an order still takes at a price: at the market, what is paid for. */
export function wantedLots(
  margin: MarginAccount,
  order: Pick<OrderTerms, 'action' | 'type'>,
  openLots: number,
  priceTicks: number,
  carry: Carry,
): Lots {
  if (order.type === 'limit' || !isOpen(order.action)) return lots(openLots);
  return lots(Math.min(openLots, lotsInReach(margin, order, priceTicks, carry)));
}
