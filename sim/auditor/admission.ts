/**
 * Whether an order of a contract must be taken, and if not, why: one ladder of checks, the first
 * that fails is the answer. Where the last unit decides, the answer is left open.
 */
import type { PlaceContractOrder, Side } from '#domain';
import { ceilDivide, PPM, SAFE_MAX } from './figures.ts';
import { healthAfterOpening, heldIn, spendable, valueAt } from './margin.ts';
import {
  bookSide,
  type ContractBook,
  crosses,
  holdSide,
  inPriority,
  isOpening,
  type Model,
  marginWalletName,
  type Seat,
} from './model.ts';
import { isStale } from './prices.ts';

/** Why it is refused, that it is taken, or undefined where this cannot be told. */
export type Verdict = string | undefined;
export const TAKEN = 'taken';

export function judgeOrder(
  model: Model,
  command: PlaceContractOrder,
  timeMs: number,
  seatOf: (book: ContractBook) => Seat,
): Verdict {
  const account = model.accounts.get(command.accountId);
  if (account === undefined) return 'account_unknown';
  if (account.frozen) return 'account_frozen';
  const book = model.contracts.get(command.instrumentId);
  if (book === undefined) return 'contract_unknown';
  const seat = seatOf(book);
  const first =
    marketOf(book, command, timeMs) ??
    sizeOf(book, seat, command) ??
    priceOf(book, command) ??
    roomOf(model, book, command, timeMs);
  if (first !== undefined) return first;
  const hasTpSl = command.takeProfitTicks !== undefined || command.stopLossTicks !== undefined;
  // How these are held against each other is judged when they are armed.
  if (hasTpSl) return undefined;
  return isOpening(command.action)
    ? openingOf(model, book, seat, command)
    : closingOf(book, seat, command);
}

function marketOf(
  book: ContractBook,
  { action }: PlaceContractOrder,
  timeMs: number,
): string | undefined {
  const { status } = book.terms;
  if (status === 'suspended') return 'contract_suspended';
  if (status === 'offline') return 'contract_delisted';
  if (status !== 'online') return 'contract_halted';
  return isOpening(action) && isStale(book, timeMs) ? 'contract_halted' : undefined;
}

function closable(book: ContractBook, seat: Seat, action: PlaceContractOrder['action']): number {
  const closing = book.orders.filter(
    (order) => order.accountId === seat.accountId && order.action === action,
  );
  const taken = closing.reduce((total, { openLots }) => total + openLots, 0);
  return seat[holdSide(action)].lots - taken;
}

function sizeOf(
  book: ContractBook,
  seat: Seat,
  { action, sizeLots }: PlaceContractOrder,
): string | undefined {
  if (sizeLots <= 0) return 'quantity_invalid';
  const isRest = !isOpening(action) && sizeLots === closable(book, seat, action);
  if (sizeLots < book.terms.minLots && !isRest) return 'quantity_below_minimum';
  return sizeLots > book.terms.maxLots ? 'quantity_above_maximum' : undefined;
}

function priceOf(book: ContractBook, command: PlaceContractOrder): string | undefined {
  if (command.type === 'market') return undefined;
  const { priceTicks } = command;
  if (priceTicks <= 0 || priceTicks % book.terms.priceStepTicks !== 0) return 'price_invalid';
  const { highestTicks = 0, lowestTicks = 0 } = book.prices ?? {};
  if (bookSide(command.action) === 'buy') {
    return priceTicks > highestTicks ? 'price_above_band' : undefined;
  }
  return priceTicks < lowestTicks ? 'price_below_band' : undefined;
}

function roomOf(
  model: Model,
  book: ContractBook,
  command: PlaceContractOrder,
  timeMs: number,
): string | undefined {
  const { accountId, clientOrderId, force } = command;
  if (clientOrderId !== undefined && isTaken(model, accountId, clientOrderId, timeMs)) {
    return 'contract_client_id_in_use';
  }
  if (command.type === 'market' || force === 'ioc' || force === 'fok') return undefined;
  const own = book.orders.filter((order) => order.accountId === accountId);
  if (own.length >= book.terms.openOrdersMax) return 'contract_orders_exceeded';
  const there = book.orders
    .filter(({ priceTicks }) => priceTicks === command.priceTicks)
    .reduce((total, { openLots }) => total + openLots, 0);
  return SAFE_MAX - there < command.sizeLots ? 'quantity_above_maximum' : undefined;
}

/** An id is that of one order over all contracts, while it is open and for a day after. */
function isTaken(model: Model, accountId: number, clientId: string, timeMs: number): boolean {
  if ((model.usedIds.get(`${accountId} contract ${clientId}`) ?? 0) > timeMs) return true;
  for (const { orders, triggers } of model.contracts.values()) {
    const isOrder = orders.some(
      (one) => one.accountId === accountId && one.clientOrderId === clientId,
    );
    if (isOrder) return true;
    for (const { view } of triggers.values()) {
      if (view.accountId === accountId && view.clientOrderId === clientId) return true;
    }
  }
  return false;
}

function bestAgainst(book: ContractBook, side: Side): number | undefined {
  const own = book.orders.filter(({ action }) => bookSide(action) !== side);
  return inPriority(side === 'buy' ? 'sell' : 'buy', own)[0]?.priceTicks;
}

function depthOf(book: ContractBook, side: Side): string | undefined {
  const best = bestAgainst(book, side);
  const worst = side === 'buy' ? book.prices?.highestTicks : book.prices?.lowestTicks;
  const isWithin = best !== undefined && worst !== undefined && crosses(side, worst, best);
  return isWithin ? undefined : 'no_opposite_depth';
}

function closingOf(book: ContractBook, seat: Seat, command: PlaceContractOrder): Verdict {
  if (command.sizeLots > closable(book, seat, command.action)) return 'close_exceeds_position';
  if (command.type === 'market') return depthOf(book, bookSide(command.action)) ?? TAKEN;
  // Whether it lies beyond the liquidation price is left to the fills that would follow.
  return undefined;
}

function openingOf(
  model: Model,
  book: ContractBook,
  seat: Seat,
  command: PlaceContractOrder,
): Verdict {
  const { accountId, action, sizeLots } = command;
  const side = holdSide(action);
  const { leverage } = seat[side];
  const counted = countedLots(book, seat, side) + sizeLots;
  const tier = book.terms.tiers.find(({ contractsMax }) => counted <= contractsMax);
  const allowed = Math.min(book.terms.leverageMax, tier?.leverageMax ?? 0);
  if (leverage > allowed) return 'openable_exceeded';
  const taking = bookSide(action);
  const noDepth = command.type === 'market' ? depthOf(book, taking) : undefined;
  if (noDepth !== undefined) return noDepth;
  const best = bestAgainst(book, taking);
  const limit = command.type === 'limit' ? command.priceTicks : undefined;
  // Filled whole or not at all, it is judged at a price further in the book.
  if (limit === undefined && command.force === 'fok') return undefined;
  const isLinear = book.terms.kind === 'linear';
  const needsMore = isLinear ? taking === 'sell' : taking === 'buy';
  const costAt = limit === undefined ? (best ?? 0) : dearer(limit, best, needsMore, isLinear);
  const wallet = marginWalletName(model.accounts.get(accountId), book.terms);
  const { assetId } = book.terms.margin;
  const free = spendable(model, accountId, wallet, assetId);
  const own = model.accounts.get(accountId)?.takerFeePpm ?? book.terms.takerFeePpm;
  const rate = PPM + BigInt(leverage) * BigInt(own);
  const cost = ceilDivide(
    valueAt(book, sizeLots, costAt) * rate,
    BigInt(leverage) * PPM * book.fine,
  );
  // What is free is known to two units, and an inverse value to one.
  if (cost > free + 3n) return 'margin_insufficient';
  if (cost > free - 3n) return undefined;
  const first = limit === undefined || (best !== undefined && crosses(taking, limit, best));
  const priceTicks = first ? (best ?? 0) : (limit ?? 0);
  return healthOfOpening(model, book, seat, command, priceTicks);
}

/** The order's own price, or the one that it would trade at when that needs more. */
function dearer(
  limit: number,
  best: number | undefined,
  needsMore: boolean,
  isLinear: boolean,
): number {
  if (best === undefined || !needsMore) return limit;
  return isLinear ? Math.max(best, limit) : Math.min(best, limit);
}

function countedLots(book: ContractBook, seat: Seat, side: 'long' | 'short'): number {
  const pending = (of: 'long' | 'short'): number =>
    book.orders
      .filter(({ accountId, action }) => accountId === seat.accountId && action === `open_${of}`)
      .reduce((total, { openLots }) => total + openLots, 0);
  if (seat.mode === 'isolated') return seat[side].lots + pending(side);
  return seat.long.lots + seat.short.lots + pending('long') + pending('short');
}

/** An order may not open straight into a liquidation, at the first price it would trade at. */
function healthOfOpening(
  model: Model,
  book: ContractBook,
  seat: Seat,
  { action, sizeLots }: PlaceContractOrder,
  priceTicks: number,
): Verdict {
  const seats = heldIn(
    model,
    seat.accountId,
    marginWalletName(model.accounts.get(seat.accountId), book.terms),
    book.terms.margin.assetId,
  );
  const opening = { side: holdSide(action), sizeLots, priceTicks };
  const health = healthAfterOpening(model, book, seat, seats, opening);
  const [has, needs] = [health.equity * PPM, health.kept];
  // A few units of margin are rounded here and there.
  const near = 4n * book.fine * PPM * health.over;
  if (has > needs + near) return TAKEN;
  return has <= needs - near ? 'opens_into_liquidation' : undefined;
}
