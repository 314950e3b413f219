/**
 * Contract orders and their fills: who was next in the queue, what each fill cost and brought, and
 * what it did to positions, wallets, fees and the insurance fund.
 */
import type {
  ContractFill,
  ContractOrderAccepted,
  ContractOrderClosed,
  ContractOrderMoved,
  ContractTrade,
  Event,
  OrderRested,
} from '#domain';
import * as carrying from './carrying.ts';
import { ceilDivide, floorDivide, least, PPM } from './figures.ts';
import { must, mustBe } from './judge.ts';
import { profit, SIDES, shareOfOpen, spendable, valueAt } from './margin.ts';
import {
  addTo,
  bookSide,
  type ContractBook,
  type ContractRest,
  crosses,
  flatHolding,
  freshSeat,
  type Holding,
  holdSide,
  inPriority,
  isOpening,
  type Model,
  marginWalletName,
  type Seat,
  sweepDust,
} from './model.ts';
import * as presets from './presets.ts';
import * as reversing from './reversing.ts';
import { ID_HELD_MS } from './spot.ts';
import * as steps from './steps.ts';
import * as triggers from './triggers.ts';
import type { Turn } from './turn.ts';
import * as working from './working.ts';

/** An account's seat in a contract; a wallet for all of a coin begins crossed, others fixed. */
export function seatOf(model: Model, book: ContractBook, accountId: number): Seat {
  const found = book.seats.get(accountId);
  if (found !== undefined) return found;
  const seat = freshSeat(model, book, accountId);
  book.seats.set(accountId, seat);
  return seat;
}

function takerRate(model: Model, book: ContractBook, accountId: number): number {
  return model.accounts.get(accountId)?.takerFeePpm ?? book.terms.takerFeePpm;
}

export function accepted(
  model: Model,
  turn: Turn,
  book: ContractBook,
  event: ContractOrderAccepted,
): ContractRest {
  const { orderId, accountId, clientOrderId, leverage, terms } = event;
  const { action, cause, type, force, sizeLots } = terms;
  const seat = seatOf(model, book, accountId);
  mustBe('order', 'leverage of a new order', leverage, seat[holdSide(action)].leverage);
  const rate = takerRate(model, book, accountId);
  if (!isOpening(action)) {
    const held = seat[holdSide(action)].lots;
    const closing = closingLots(book, accountId, action) + sizeLots;
    must(closing <= held, 'order', () => `closes of ${closing} lots where ${held} are held`);
  }
  return {
    orderId,
    accountId,
    action,
    cause,
    type,
    force,
    clientOrderId,
    presets: presets.presetsOf(terms),
    leverage,
    priceTicks: terms.type === 'limit' ? terms.priceTicks : 0,
    sizeLots,
    filledLots: 0,
    filledTicks: 0,
    openLots: sizeLots,
    place: turn.nextPlace(),
    // What a liquidation pays is at most the contract's rate.
    feePpm: cause === 'owner' ? rate : Math.min(rate, book.terms.takerFeePpm),
    feeExact: 0n,
    feeCharged: 0n,
    openedFine: 0n,
    marginBrought: 0n,
    reverses: reversing.isClosing(turn, event),
    feeTotal: 0n,
    pnlTotal: 0n,
  };
}

function closingLots(book: ContractBook, accountId: number, action: string): number {
  return book.orders
    .filter((order) => order.accountId === accountId && order.action === action)
    .reduce((total, { openLots }) => total + openLots, 0);
}

export function rested(
  model: Model,
  book: ContractBook,
  order: ContractRest,
  event: OrderRested,
): void {
  mustBe('order', 'price of what rests', event.priceTicks, order.priceTicks);
  mustBe('order', 'size of what rests', event.openLots, order.openLots);
  mustBe('order', 'side of what rests', event.side, bookSide(order.action));
  must(
    order.type === 'limit' && (order.force === 'gtc' || order.force === 'post_only'),
    'order',
    () => `an order that is ${order.type} and ${order.force} rests`,
  );
  const opposite = event.side === 'buy' ? 'sell' : 'buy';
  const [best] = queueOf(book, opposite);
  const isCrossed = best !== undefined && crosses(event.side, order.priceTicks, best.priceTicks);
  must(!isCrossed, 'priority', () => `order ${order.orderId} rests and crosses what is there`);
  book.orders.push(order);
  throughBook(model, book, order);
}

function queueOf(book: ContractBook, side: 'buy' | 'sell'): ContractRest[] {
  return inPriority(
    side,
    book.orders.filter(({ action }) => bookSide(action) === side),
  );
}

/** A move that keeps the place makes it smaller; any other goes to the back, as a new order. */
export function moved(
  model: Model,
  turn: Turn,
  book: ContractBook,
  event: ContractOrderMoved,
): void {
  const { orderId, priceTicks, sizeLots, filledLots } = event.order;
  const order = book.orders.find((one) => one.orderId === orderId);
  must(order !== undefined, 'order', () => `order ${orderId} is moved and does not rest`);
  mustBe('order', 'price before a move', event.fromTicks, order.priceTicks);
  mustBe('order', 'size before a move', event.fromLots, order.openLots);
  mustBe('order', 'filled when moved', filledLots, order.filledLots);
  const openLots = sizeLots - order.filledLots;
  if (event.keptLots > 0) {
    mustBe('priority', 'price of an order that keeps its place', priceTicks, order.priceTicks);
    must(openLots <= order.openLots, 'priority', () => `${orderId} grows and keeps its place`);
    mustBe('order', 'size after a move', event.keptLots, openLots);
    Object.assign(order, { sizeLots, openLots });
    return;
  }
  book.orders = book.orders.filter((one) => one !== order);
  turn.incoming.set(orderId, order);
  const fresh = { feeExact: 0n, feeCharged: 0n, openedFine: 0n, marginBrought: 0n };
  const feePpm = takerRate(model, book, order.accountId);
  Object.assign(order, fresh, { priceTicks, sizeLots, openLots, feePpm, place: turn.nextPlace() });
}

export function traded(model: Model, turn: Turn, book: ContractBook, event: ContractTrade): void {
  const taker = turn.incoming.get(event.taker.orderId);
  must(
    taker !== undefined,
    'trade',
    () => `order ${event.taker.orderId} takes and did not come in`,
  );
  const maker = event.inBook
    ? book.orders.find(({ orderId }) => orderId === event.maker.orderId)
    : turn.incoming.get(event.maker.orderId);
  must(maker !== undefined, 'trade', () => `order ${event.maker.orderId} makes and is not there`);
  const { sizeLots: size, priceTicks } = event;
  must(
    size > 0 && size <= taker.openLots && size <= maker.openLots,
    'trade',
    () => `a fill of ${size} of orders of ${taker.openLots} and ${maker.openLots}`,
  );
  mustBe('trade', 'side of the taker', event.takerSide, bookSide(taker.action));
  if (event.inBook) inOrder(model, turn, book, taker, maker, priceTicks);
  const value = valueAt(book, size, priceTicks);
  mustBe('trade', 'value of a fill', event.quoteAmount, value / book.fine);
  mustBe('trade', 'coin of a fill', event.assetId, book.terms.margin.assetId);
  const makerOwn = model.accounts.get(maker.accountId)?.makerFeePpm ?? book.terms.makerFeePpm;
  const rates = event.inBook ? [taker.feePpm, Math.min(makerOwn, maker.feePpm)] : [0, 0];
  const parties = [
    { order: taker, fill: event.taker, rate: rates[0] ?? 0 },
    { order: maker, fill: event.maker, rate: rates[1] ?? 0 },
  ];
  for (const { order } of parties) {
    if (event.inBook) order.filledTicks = event.priceTicks;
    if (order.cause === 'owner') turn.hasTraded.add(order.accountId);
    presets.noteFill(turn, book, order);
  }
  // Both are worked out from what was held before: an account may be both parties.
  const shares = parties.map(({ order }) => shareOf(model, book, order, size));
  let exact = 0n;
  for (const [at, { order, fill, rate }] of parties.entries()) {
    const { share, release } = shares[at] ?? NO_SHARE;
    const { timeMs } = turn;
    const closing = { size, value, timeMs, share, release, inBook: event.inBook };
    exact += settled(model, book, order, fill, rate, closing);
  }
  const booked = event.taker.realizedPnl + event.maker.realizedPnl;
  book.dust += exact - booked * book.fine;
  sweepDust(model, book);
  if (!event.inBook) offTheBook(book, event, exact);
  balancesOf(model, book, event);
  const isOwn = taker.accountId === maker.accountId;
  // Whoever opens with an order of his own has to pay for the rest of it first.
  if (event.inBook && !(isOwn && isOpening(taker.action))) {
    topUp(model, book, seatOf(model, book, maker.accountId));
  }
  if (event.inBook) {
    carrying.mustStand(model, turn, book, [taker, maker]);
    book.lastTicks = priceTicks;
    book.now.lastTradeMs = turn.timeMs;
    triggers.note(book, 'last', priceTicks);
    const { markTicks } = book.now;
    if (Math.abs(priceTicks - markTicks) * 33 > markTicks) turn.count('fill far from the mark');
    if (maker.openLots === 0) turn.filledMakers.add(maker.orderId);
  }
}

/** The maker is who was first at the best price, and the taker accepts it. */
function inOrder(
  model: Model,
  turn: Turn,
  book: ContractBook,
  taker: ContractRest,
  maker: ContractRest,
  priceTicks: number,
): void {
  const side = bookSide(taker.action);
  const [first] = queueOf(book, side === 'buy' ? 'sell' : 'buy');
  mustBe('priority', 'who is first in the queue', maker.orderId, first?.orderId);
  mustBe('priority', 'price of a fill', priceTicks, maker.priceTicks);
  must(!turn.filledMakers.has(maker.orderId), 'priority', () => `${maker.orderId} has filled`);
  const prevention = model.accounts.get(taker.accountId)?.selfTradePrevention ?? 'cancel_maker';
  const isOwn = taker.accountId === maker.accountId;
  const isMeant = taker.cause === 'owner' && prevention === 'none';
  must(!isOwn || isMeant, 'self-trade', () => `account ${taker.accountId} trades with itself`);
  steps.filled(model, turn, book, taker, priceTicks);
  if (taker.cause !== 'owner') return;
  const worst = side === 'buy' ? book.prices?.highestTicks : book.prices?.lowestTicks;
  const kept = book.working?.order === taker ? book.working.limitTicks : worst;
  const limit = taker.type === 'limit' ? taker.priceTicks : kept;
  const isTaken = limit !== undefined && crosses(side, limit, priceTicks);
  must(isTaken, 'price', () => `${taker.orderId} takes at ${priceTicks} beyond ${limit}`);
}

/** Books one side of a fill and returns its exact profit in fine units. */
function settled(
  model: Model,
  book: ContractBook,
  order: ContractRest,
  fill: ContractFill,
  rate: number,
  closing: Closing,
): bigint {
  const { size, value } = closing;
  mustBe('trade', 'account of a fill', fill.accountId, order.accountId);
  order.openLots -= size;
  order.filledLots += size;
  mustBe('trade', 'filled of an order', fill.filled.filledLots, order.filledLots);
  order.feeExact += value * BigInt(rate);
  const fee = ceilDivide(order.feeExact, PPM * book.fine) - order.feeCharged;
  mustBe('fee', `fee of order ${order.orderId} at ${rate} ppm`, fill.fee, fee);
  order.feeCharged += fee;
  order.feeTotal += fee;
  order.pnlTotal += fill.realizedPnl;
  mustBe('fee', 'fees of an order', fill.filled.fee, order.feeTotal);
  mustBe('pnl', 'profit of an order', fill.filled.realizedPnl, order.pnlTotal);
  addFees(model, book, fee);
  const seat = seatOf(model, book, order.accountId);
  const side = holdSide(order.action);
  const holding = seat[side];
  if (isOpening(order.action)) {
    mustBe('pnl', 'profit of an opening', fill.realizedPnl, 0n);
    mustBe('insurance', 'what the fund has to do with an opening', fill.insured, 0n);
    if (holding.lots === 0) holding.openedMs = closing.timeMs;
    opened(book, seat, holding, order, size, value);
    return 0n;
  }
  return closed(model, book, seat, order, fill, closing);
}

function addFees(model: Model, { terms }: ContractBook, fee: bigint): void {
  const totals = model.totals[terms.margin.assetId];
  if (totals !== undefined) totals.fees += fee;
}

function opened(
  book: ContractBook,
  seat: Seat,
  holding: Holding,
  order: ContractRest,
  size: number,
  value: bigint,
): void {
  const unit = book.fine * BigInt(holding.leverage);
  const owed = (holding.open % unit) + holding.lacking * unit + value;
  holding.lots += size;
  holding.open += value;
  if (seat.mode === 'cross') return;
  order.openedFine += value;
  const brought = order.openedFine / (book.fine * BigInt(order.leverage)) - order.marginBrought;
  order.marginBrought += brought;
  // What several orders come to together is not in what each of them brings.
  const added = least(brought, owed / unit);
  holding.margin += added;
  holding.lacking = owed / unit - added;
}

/** Units of V(E) / L that orders come to together are taken from what is available. */
function topUp(model: Model, book: ContractBook, seat: Seat): void {
  if (seat.mode === 'cross') return;
  const { assetId } = book.terms.margin;
  const wallet = marginWalletName(model.accounts.get(seat.accountId), book.terms);
  for (const side of SIDES) {
    const holding = seat[side];
    if (holding.lacking === 0n) continue;
    const free = spendable(model, seat.accountId, wallet, assetId);
    const added = least(holding.lacking, free > 0n ? free : 0n);
    holding.margin += added;
    holding.lacking -= added;
  }
}

/** An order that has been through the book: whatever is available now may be used. */
function throughBook(model: Model, book: ContractBook, order: ContractRest): void {
  const isOffBook = order.cause === 'deleveraging' || order.cause === 'netting';
  if (order.filledLots > 0 && !isOffBook) topUp(model, book, seatOf(model, book, order.accountId));
}

/** What a fill takes out of a position: of its open value, and of an isolated margin. */
interface Share {
  readonly share: bigint;
  readonly release: bigint;
}

interface Closing extends Share {
  readonly size: number;
  readonly value: bigint;
  readonly timeMs: number;
  readonly inBook: boolean;
}

const NO_SHARE: Share = { share: 0n, release: 0n };

/** The closed part takes its share of the open value; no profit is larger than the exact one. */
function shareOf(model: Model, book: ContractBook, order: ContractRest, size: number): Share {
  if (isOpening(order.action)) return NO_SHARE;
  const side = holdSide(order.action);
  const { lots, open, margin } = seatOf(model, book, order.accountId)[side];
  must(size <= lots, 'position', () => `${size} lots are closed of ${lots}`);
  if (size === lots) return { share: open, release: margin };
  const release = (margin * BigInt(size)) / BigInt(lots);
  return { share: shareOfOpen(book, side, { lots, open }, size), release };
}

function closed(
  model: Model,
  book: ContractBook,
  seat: Seat,
  order: ContractRest,
  fill: ContractFill,
  { size, value, share, release, inBook }: Closing,
): bigint {
  const side = holdSide(order.action);
  const holding = seat[side];
  const exact = profit(book, side, share, value);
  if (inBook) {
    const booked = floorDivide(exact, book.fine);
    mustBe('pnl', `profit of ${size} of account ${order.accountId}`, fill.realizedPnl, booked);
  }
  holding.lots -= size;
  holding.open -= share;
  holding.margin -= release;
  holding.realized += fill.realizedPnl;
  seat.realized += fill.realizedPnl;
  if (holding.lots === 0) Object.assign(holding, flatHolding(holding.leverage));
  else {
    const kept = BigInt(holding.lots);
    holding.lacking = ceilDivide(holding.lacking * kept, kept + BigInt(size));
  }
  fundOf(model, book, seat, order, fill, release + fill.realizedPnl - fill.fee);
  return exact;
}

/** What a liquidated isolated side leaves belongs to the fund, and what it lacks comes from it. */
function fundOf(
  model: Model,
  book: ContractBook,
  seat: Seat,
  order: ContractRest,
  fill: ContractFill,
  left: bigint,
): void {
  const totals = model.totals[book.terms.margin.assetId];
  if (totals !== undefined) totals.insurance -= fill.insured;
  if (order.cause === 'owner') {
    mustBe('insurance', 'what the fund has to do with an owner', fill.insured, 0n);
  } else if (seat.mode === 'isolated' && order.cause === 'liquidation') {
    mustBe('insurance', `left of a liquidated side with ${left}`, fill.insured, -left);
  } else if (fill.insured !== 0n) {
    must(fill.insured > 0n, 'insurance', () => 'the fund takes from who only loses a profit');
  }
}

/** Netting is one profit, rounded down once; others are a step and three units a lot at most. */
function offTheBook(book: ContractBook, event: ContractTrade, exact: bigint): void {
  const booked = event.taker.realizedPnl + event.maker.realizedPnl;
  const whole = floorDivide(exact, book.fine);
  must(booked <= whole + 1n, 'pnl', () => `${booked} is booked of a profit of ${whole}`);
  const room = 2n + 3n * BigInt(event.sizeLots);
  must(booked >= least(whole, whole - room), 'pnl', () => `${booked} is booked of ${whole}`);
  mustBe('fee', 'fees off the book', event.taker.fee + event.maker.fee, 0n);
}

/** Fee, profit and what the fund did with them are in the wallets; the events say how much is. */
function balancesOf(model: Model, book: ContractBook, { taker, maker }: ContractTrade): void {
  const { assetId } = book.terms.margin;
  const after = [taker, maker].map((fill) => {
    const wallet = marginWalletName(model.accounts.get(fill.accountId), book.terms);
    mustBe('balance', 'wallet of a fill', fill.wallet, wallet);
    const delta = fill.realizedPnl - fill.fee + fill.insured;
    const balance = addTo(model, fill.accountId, wallet, assetId, delta);
    return balance;
  });
  if (taker.accountId === maker.accountId) {
    const last = after[1];
    const isSaid = taker.balance === last || maker.balance === last;
    must(isSaid, 'balance', () => `neither fill says ${last}: ${taker.balance}, ${maker.balance}`);
    return;
  }
  mustBe('balance', `balance of ${taker.accountId} after a fill`, taker.balance, after[0]);
  mustBe('balance', `balance of ${maker.accountId} after a fill`, maker.balance, after[1]);
}

/** An order is over: its last state is what its fills have made of it. */
export function ended(
  model: Model,
  turn: Turn,
  book: ContractBook,
  event: ContractOrderClosed,
): void {
  const { orderId, accountId, clientOrderId } = event.order;
  const resting = book.orders.find((one) => one.orderId === orderId);
  const order = resting ?? turn.incoming.get(orderId);
  must(order !== undefined, 'order', () => `order ${orderId} ends and is not open`);
  if (event.reason === 'margin_insufficient') {
    carrying.mustFail(model, turn, book, order, resting !== undefined);
  }
  book.orders = book.orders.filter((one) => one !== order);
  turn.incoming.delete(orderId);
  working.done(turn, book, order);
  working.mustEndSo(book, order, event.reason);
  turn.filledMakers.delete(orderId);
  mustBe('order', 'what leaves the book', event.restingLots, resting ? order.openLots : 0);
  mustBe('order', 'filled at the end', event.order.filledLots, order.filledLots);
  mustBe('order', 'size at the end', event.order.sizeLots, order.sizeLots);
  mustBe('fee', 'fees at the end', event.order.fee, order.feeTotal);
  mustBe('pnl', 'profit at the end', event.order.realizedPnl, order.pnlTotal);
  const isWhole = order.openLots === 0;
  mustBe('order', `${orderId} ends ${event.reason} as filled`, event.reason === 'filled', isWhole);
  if (event.reason === 'self_trade' && resting !== undefined) {
    const [first] = queueOf({ ...book, orders: [...book.orders, order] }, bookSide(order.action));
    mustBe('priority', 'who is cancelled as its own maker', orderId, first?.orderId);
  }
  if (clientOrderId !== undefined) {
    model.usedIds.set(`${accountId} contract ${clientOrderId}`, turn.timeMs + ID_HELD_MS);
  }
  const [best] = queueOf(book, bookSide(order.action) === 'buy' ? 'sell' : 'buy');
  steps.ended(model, turn, book, order, event.reason, best?.priceTicks);
  checkTakerEnd(turn, order, event, best);
  if (resting === undefined) throughBook(model, book, order);
  reversing.ended(turn, order, event.reason);
}

/** What is left of an order is not dropped while it could still have been filled. */
function checkTakerEnd(
  turn: Turn,
  order: ContractRest,
  { reason }: ContractOrderClosed,
  best: ContractRest | undefined,
): void {
  if (reason !== 'remainder_not_filled' || order.cause !== 'owner') return;
  const side = bookSide(order.action);
  if (best === undefined) return;
  const isMissed = order.type === 'market' || crosses(side, order.priceTicks, best.priceTicks);
  must(!isMissed, 'priority', () => `${order.orderId} is dropped before ${best.orderId} is taken`);
  turn.count('remainder judged');
}

export function bookOf(model: Model, event: Event): ContractBook | undefined {
  if (!('instrumentId' in event) || event.instrumentId === undefined) return undefined;
  return model.contracts.get(event.instrumentId);
}
