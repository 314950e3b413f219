/**
 * Spot trading by the rules alone: what a command on a pair must do, event by event, before the
 * answer is looked at. Orders are kept in plain lists and sorted whenever somebody trades.
 */
import type { MoveSpotOrder, PlaceSpotOrder } from '#domain';
import { ceilDivide, PPM, SAFE_MAX } from './figures.ts';
import {
  addTo,
  crosses,
  type Model,
  type PairBook,
  type SpotIncoming,
  type SpotRest,
  walletOf,
} from './model.ts';
import {
  availableInSpot,
  baseOf,
  checkBand,
  checkLimit,
  checkMoney,
  checkRoom,
  checkTerms,
  queue,
  quoteOf,
  roomAt,
  setAside,
  worstOf,
} from './spot-checks.ts';

/** Resting orders that one order meets in a step, and trades with in all. */
const MATCHES_MAX = 250;
const TRADES_MAX = 10_000;
/** Events of an order in one step, unless it is filled whole or not at all. */
const STEP_MAX = 400;
export const ID_HELD_MS = 86_400_000;

/** What is expected of a command: events in their order, or one refusal. */
export type Expected = { readonly events: object[] } | { readonly reject: string };

/** The numbers that the venue gives next. */
export interface Numbers {
  next: number;
}

export function placeSpot(
  model: Model,
  command: PlaceSpotOrder,
  timeMs: number,
  numbers: Numbers,
): Expected {
  const { accountId, instrumentId, clientOrderId } = command;
  const account = model.accounts.get(accountId);
  if (account === undefined) return { reject: 'account_unknown' };
  if (account.frozen) return { reject: 'account_frozen' };
  const pair = model.pairs.get(instrumentId);
  if (pair === undefined) return { reject: 'symbol_unknown' };
  const reject =
    checkTerms(pair, command) ??
    (command.type === 'limit' ? checkBand(pair, command) : undefined) ??
    checkRoom(model, pair, command, timeMs) ??
    checkMoney(model, pair, command);
  if (reject !== undefined) return { reject };
  const orderId = numbers.next;
  numbers.next += 1;
  const isBudget = command.type === 'market' && 'quoteBudget' in command;
  const sizeLots = isBudget ? 0 : command.sizeLots;
  const order: SpotIncoming = {
    orderId,
    accountId,
    side: command.side,
    force: command.force,
    clientOrderId,
    createdTimeMs: timeMs,
    priceTicks: command.type === 'limit' ? command.priceTicks : 0,
    sizeLots,
    filledLots: 0,
    filledQuote: 0n,
    feeExact: 0n,
    feeCharged: 0n,
    openLots: sizeLots,
    place: orderId,
    isMarket: command.type === 'market',
    budget: isBudget ? command.quoteBudget : 0n,
  };
  const facts = { orderId, accountId, instrumentId, clientOrderId };
  const events: object[] = [{ kind: 'order_accepted', ...facts, terms: command }];
  trade(model, pair, order, events, numbers, timeMs);
  return { events };
}

export function cancelSpot(
  model: Model,
  command: { accountId: number; instrumentId: number; orderId: number },
  timeMs: number,
): Expected {
  const found = ownOrder(model, command);
  if (typeof found === 'string') return { reject: found };
  const { pair, order } = found;
  if (pair.terms.status === 'suspended') return { reject: 'market_suspended' };
  return { events: [end(model, pair, order, 'cancelled_by_owner', timeMs)] };
}

export function moveSpot(
  model: Model,
  command: MoveSpotOrder,
  timeMs: number,
  numbers: Numbers,
): Expected {
  const found = ownOrder(model, command);
  if (typeof found === 'string') return { reject: found };
  const { pair, order } = found;
  const { priceTicks, sizeLots } = command;
  const { side } = order;
  const reject = checkLimit(pair, priceTicks, sizeLots);
  if (reject !== undefined) return { reject };
  if (sizeLots <= order.filledLots) return { reject: 'quantity_invalid' };
  const openLots = sizeLots - order.filledLots;
  const from = { fromTicks: order.priceTicks, fromLots: order.openLots };
  if (priceTicks === order.priceTicks && openLots <= order.openLots) {
    order.sizeLots = sizeLots;
    order.openLots = openLots;
    const moved = { order: viewOf(pair, order), ...from, keptLots: openLots };
    return { events: [{ kind: 'order_moved', ...moved }] };
  }
  const refused =
    checkBand(pair, { side, priceTicks }) ?? checkMoved(model, pair, order, priceTicks, openLots);
  if (refused !== undefined) return { reject: refused };
  pair.orders = pair.orders.filter((one) => one !== order);
  Object.assign(order, { priceTicks, sizeLots, openLots, place: numbers.next });
  numbers.next += 1;
  const moved = { order: viewOf(pair, order), ...from, keptLots: 0 };
  const events: object[] = [{ kind: 'order_moved', ...moved }];
  const incoming = Object.assign(order, { isMarket: false, budget: 0n });
  trade(model, pair, incoming, events, numbers, timeMs);
  return { events };
}

function checkMoved(
  model: Model,
  pair: PairBook,
  order: SpotRest,
  priceTicks: number,
  openLots: number,
): string | undefined {
  const own = priceTicks === order.priceTicks ? order.openLots : 0;
  if (roomAt(pair, order.side, priceTicks) + own < openLots) return 'quantity_above_maximum';
  const coin = order.side === 'buy' ? pair.terms.quote : pair.terms.base;
  const needed = setAside(pair, { ...order, priceTicks, openLots });
  const has = availableInSpot(model, order.accountId, coin.assetId) + setAside(pair, order);
  return needed <= has ? undefined : 'balance_insufficient';
}

function ownOrder(
  model: Model,
  command: { accountId: number; instrumentId: number; orderId: number },
): { pair: PairBook; order: SpotRest } | string {
  const account = model.accounts.get(command.accountId);
  if (account === undefined) return 'account_unknown';
  if (account.frozen) return 'account_frozen';
  const pair = model.pairs.get(command.instrumentId);
  const order = pair?.orders.find(({ orderId }) => orderId === command.orderId);
  if (pair === undefined || order?.accountId !== command.accountId) return 'order_unknown';
  return { pair, order };
}

/** Carries an order through the book, then rests or ends what is left of it. */
function trade(
  model: Model,
  pair: PairBook,
  order: SpotIncoming,
  events: object[],
  numbers: Numbers,
  timeMs: number,
): void {
  const limit = order.isMarket ? worstOf(pair, order.side) : order.priceTicks;
  carry(model, pair, { order, limit, traded: 0 }, events, numbers, timeMs);
}

/** What an order does in the next step after one in which it met as many as it may. */
export function goOn(model: Model, pair: PairBook, numbers: Numbers, timeMs: number): object[] {
  const { working } = pair;
  const events: object[] = [];
  if (working === undefined) return events;
  pair.working = undefined;
  carry(model, pair, working, events, numbers, timeMs);
  return events;
}

function carry(
  model: Model,
  pair: PairBook,
  working: NonNullable<PairBook['working']>,
  events: object[],
  numbers: Numbers,
  timeMs: number,
): void {
  const { order, limit } = working;
  const against = order.side === 'buy' ? 'sell' : 'buy';
  const from = events.length;
  const reason = take(model, pair, order, limit, events, numbers, timeMs);
  const trades = events.slice(from).filter((event) => 'kind' in event && event.kind === 'trade');
  const traded = working.traded + trades.length;
  if (reason === 'match_limit' && traded < TRADES_MAX) {
    pair.working = { order, limit, traded };
    return;
  }
  const hasAllOf = order.budget > 0n ? order.filledQuote === order.budget : order.openLots === 0;
  let ended = hasAllOf ? 'filled' : reason;
  if (ended === 'satisfied') {
    const isChange = order.budget > 0n && order.filledLots > 0 && order.filledLots < SAFE_MAX;
    ended = isChange ? 'filled' : 'remainder_not_filled';
  } else if (ended === 'exhausted') {
    if (!order.isMarket && order.force !== 'ioc') {
      pair.orders.push(order);
      const { orderId, accountId, side, priceTicks, openLots } = order;
      const { instrumentId } = pair.terms;
      const rested = { orderId, accountId, instrumentId, side, priceTicks, openLots };
      events.push({ kind: 'order_rested', ...rested });
      return;
    }
    const isBeyond = order.isMarket && queue(pair, against).length > 0;
    ended = isBeyond ? 'beyond_price_band' : 'remainder_not_filled';
  }
  events.push(end(model, pair, order, ended, timeMs, 0));
}

function take(
  model: Model,
  pair: PairBook,
  order: SpotIncoming,
  limit: number,
  events: object[],
  numbers: Numbers,
  timeMs: number,
): string {
  const prevention = model.accounts.get(order.accountId)?.selfTradePrevention ?? 'cancel_maker';
  const makerSide = order.side === 'buy' ? 'sell' : 'buy';
  const best = queue(pair, makerSide)[0];
  const isMet = best !== undefined && crosses(order.side, limit, best.priceTicks);
  if (!order.isMarket && order.force === 'post_only') {
    return isMet ? 'post_only_would_take' : 'exhausted';
  }
  if (!order.isMarket && order.force === 'fok') {
    if (!canFill(queue(pair, makerSide), order, limit, prevention)) return 'fok_not_fillable';
  }
  const isWhole = !order.isMarket && order.force === 'fok';
  const most = isWhole ? Number.POSITIVE_INFINITY : events.length + STEP_MAX;
  for (let met = 0; ; met += 1) {
    const maker = queue(pair, makerSide)[0];
    if (maker === undefined || !crosses(order.side, limit, maker.priceTicks)) return 'exhausted';
    const wanted = wantedAt(model, pair, order, maker.priceTicks);
    if (wanted === 0) return 'satisfied';
    if (met >= MATCHES_MAX || events.length >= most) return 'match_limit';
    if (prevention !== 'none' && maker.accountId === order.accountId) {
      if (prevention !== 'cancel_taker') events.push(end(model, pair, maker, 'self_trade', timeMs));
      if (prevention !== 'cancel_maker') return 'self_trade';
      continue;
    }
    const size = Math.min(wanted, maker.openLots);
    events.push(fill(model, pair, order, maker, size, numbers));
    if (maker.openLots === 0) events.push(end(model, pair, maker, 'filled', timeMs, 0));
    if (size === wanted) return 'satisfied';
  }
}

function canFill(
  makers: readonly SpotRest[],
  order: SpotIncoming,
  limit: number,
  prevention: string,
): boolean {
  let missing = order.openLots;
  for (const maker of makers.slice(0, MATCHES_MAX)) {
    if (!crosses(order.side, limit, maker.priceTicks)) return false;
    const isOwn = maker.accountId === order.accountId && prevention !== 'none';
    if (isOwn && prevention !== 'cancel_maker') return false;
    if (!isOwn) missing -= Math.min(missing, maker.openLots);
    if (missing === 0) return true;
  }
  return false;
}

/** A purchase at the market goes as far as the budget, or the money there is, pays for. */
function wantedAt(model: Model, pair: PairBook, order: SpotIncoming, priceTicks: number): number {
  if (!order.isMarket || order.side === 'sell') return order.openLots;
  const each = quoteOf(pair, priceTicks, 1);
  const money =
    order.budget > 0n
      ? order.budget - order.filledQuote
      : availableInSpot(model, order.accountId, pair.terms.quote.assetId);
  const most = order.budget > 0n ? SAFE_MAX - order.filledLots : order.openLots;
  return Math.min(Number(money / each), most);
}

/** The fees of an order are what they come to in all, rounded up; a fill pays what is missing. */
function charge(order: SpotRest, exact: bigint): bigint {
  order.feeExact += exact;
  const fee = ceilDivide(order.feeExact, PPM) - order.feeCharged;
  order.feeCharged += fee;
  return fee;
}

/** One match at the maker's price: fees come out of what is received. */
function fill(
  model: Model,
  pair: PairBook,
  taker: SpotIncoming,
  maker: SpotRest,
  size: number,
  numbers: Numbers,
): object {
  const { terms } = pair;
  const quote = quoteOf(pair, maker.priceTicks, size);
  const base = baseOf(pair, size);
  const [buyer, seller] = taker.side === 'buy' ? [taker, maker] : [maker, taker];
  const buyerFee = charge(buyer, base * rateOf(model, pair, buyer, buyer === taker));
  const sellerFee = charge(seller, quote * rateOf(model, pair, seller, seller === taker));
  for (const order of [taker, maker]) {
    order.filledLots += size;
    order.filledQuote += quote;
    if (order === maker || taker.budget === 0n) order.openLots -= size;
  }
  const move = (who: SpotRest, assetId: number, delta: bigint): bigint => {
    const before = walletOf(model, who.accountId, 'spot', assetId);
    addTo(model, who.accountId, 'spot', assetId, delta);
    return before;
  };
  const buyerBaseBefore = move(buyer, terms.base.assetId, base - buyerFee);
  const buyerQuoteBefore = move(buyer, terms.quote.assetId, -quote);
  const sellerBaseBefore = move(seller, terms.base.assetId, -base);
  const sellerQuoteBefore = move(seller, terms.quote.assetId, quote - sellerFee);
  addFees(model, terms.base.assetId, buyerFee);
  addFees(model, terms.quote.assetId, sellerFee);
  pair.lastTicks = maker.priceTicks;
  const tradeId = numbers.next;
  numbers.next += 5;
  return {
    kind: 'trade',
    tradeId,
    instrumentId: terms.instrumentId,
    priceTicks: maker.priceTicks,
    sizeLots: size,
    quoteAmount: quote,
    takerSide: taker.side,
    takerOrderId: taker.orderId,
    makerOrderId: maker.orderId,
    takerAccountId: taker.accountId,
    makerAccountId: maker.accountId,
    takerIsMarket: taker.isMarket,
    takerFilled: { filledLots: taker.filledLots, filledQuote: taker.filledQuote },
    makerFilled: { filledLots: maker.filledLots, filledQuote: maker.filledQuote },
    buyerFee,
    sellerFee,
    buyerBaseBefore,
    buyerQuoteBefore,
    sellerBaseBefore,
    sellerQuoteBefore,
  };
}

function addFees(model: Model, assetId: number, fee: bigint): void {
  const totals = model.totals[assetId];
  if (totals !== undefined) totals.fees += fee;
}

function rateOf(model: Model, { terms }: PairBook, order: SpotRest, isTaker: boolean): bigint {
  const account = model.accounts.get(order.accountId);
  const own = isTaker ? account?.takerFeePpm : account?.makerFeePpm;
  return BigInt(own ?? (isTaker ? terms.takerFeePpm : terms.makerFeePpm));
}

function viewOf({ terms }: PairBook, order: SpotRest): object {
  const { openLots: _open, place: _place, feeExact: _e, feeCharged: _c, ...facts } = order;
  const { isMarket: _isMarket, budget: _budget, ...view } = facts as Partial<SpotIncoming>;
  return { ...view, type: 'limit', instrumentId: terms.instrumentId };
}

/** Takes an order off the book and says so. */
export function end(
  model: Model,
  pair: PairBook,
  order: SpotRest,
  reason: string,
  timeMs: number,
  restingLots = order.openLots,
): object {
  pair.orders = pair.orders.filter((one) => one !== order);
  const { accountId, clientOrderId } = order;
  if (clientOrderId !== undefined) {
    model.usedIds.set(`${accountId} spot ${clientOrderId}`, timeMs + ID_HELD_MS);
  }
  return { kind: 'order_closed', order: lastView(pair, order), reason, restingLots };
}

function lastView(pair: PairBook, order: SpotRest | SpotIncoming): object {
  const view = viewOf(pair, order);
  if (!('isMarket' in order) || !order.isMarket) return view;
  const { priceTicks: _price, sizeLots, ...facts } = view as SpotRest;
  return order.budget > 0n
    ? { ...facts, type: 'market', quoteBudget: order.budget }
    : { ...facts, type: 'market', sizeLots };
}
