/**
 * Whether an order of a contract must be taken, and if not, why: one ladder of checks, the first
 * that fails is the answer. Where the last unit decides, the answer is left open.
 */
import type { Force, HoldSide, PlaceContractOrder, Side } from '#domain';
import { holdOn } from './begun.ts';
import { PPM, SAFE_MAX } from './figures.ts';
import { healthAfterOpening, healthOf, heldIn, openingCost, spendable } from './margin.ts';
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
import { takenPresets } from './presets.ts';
import { isStale, workingTicks } from './prices.ts';

/** Why it is refused, that it is taken, or undefined where this cannot be told. */
export type Verdict = string | undefined;
export const TAKEN = 'taken';

/** As much of an order as it is judged by; a trigger order asks for one like a command does. */
export type Asked = Pick<
  PlaceContractOrder,
  | 'accountId'
  | 'instrumentId'
  | 'action'
  | 'sizeLots'
  | 'clientOrderId'
  | 'takeProfitTicks'
  | 'stopLossTicks'
  | 'takeProfitWorking'
  | 'stopLossWorking'
> &
  (
    | { readonly type: 'limit'; readonly force: Force; readonly priceTicks: number }
    | { readonly type: 'market'; readonly force: Force }
  );

/** What an order may have in size; what protects a position closes however little or much it is. */
export interface Bounds {
  readonly minLots: number;
  readonly maxLots: number;
}

export function judgeOrder(
  model: Model,
  asked: Asked,
  timeMs: number,
  seatOf: (book: ContractBook) => Seat,
  bounds?: Bounds,
): Verdict {
  const account = model.accounts.get(asked.accountId);
  if (account === undefined) return 'account_unknown';
  if (account.frozen) return 'account_frozen';
  const book = model.contracts.get(asked.instrumentId);
  if (book === undefined) return 'contract_unknown';
  const seat = seatOf(book);
  return owned(model, book, seat, holdSide(asked.action), () =>
    judgeHere(model, asked, timeMs, book, seat, bounds),
  );
}

/** What an owner asks of a contract that is online, unless a liquidation that goes on is first. */
export function owned(
  model: Model,
  book: ContractBook,
  seat: Seat,
  side: HoldSide | undefined,
  judged: () => Verdict,
): Verdict {
  const status = statusOf(book);
  if (status !== undefined) return status;
  const hold = holdOn(model, book, seat, side);
  if (hold === 'maybe') return undefined;
  return hold === 'surely' ? 'in_liquidation' : judged();
}

function judgeHere(
  model: Model,
  asked: Asked,
  timeMs: number,
  book: ContractBook,
  seat: Seat,
  bounds?: Bounds,
): Verdict {
  const first =
    marketOf(book, asked, timeMs) ??
    sizeOf(book, seat, asked, bounds ?? book.terms) ??
    priceOf(book, asked) ??
    roomOf(model, book, asked, timeMs) ??
    protectionOf(book, asked);
  if (first !== undefined) return first;
  return isOpening(asked.action)
    ? openingOf(model, book, seat, asked)
    : closingOf(model, book, seat, asked);
}

/** Why nothing is placed or moved in a contract at all. */
function statusOf({ terms: { status } }: ContractBook): string | undefined {
  if (status === 'suspended') return 'contract_suspended';
  if (status === 'offline') return 'contract_delisted';
  return status === 'online' ? undefined : 'contract_halted';
}

function marketOf(book: ContractBook, { action }: Asked, timeMs: number): string | undefined {
  const isHeld = isOpening(action) && isStale(book, timeMs);
  return isHeld ? 'contract_halted' : undefined;
}

export function closable(book: ContractBook, seat: Seat, action: Asked['action']): number {
  const open = book.working === undefined ? book.orders : [...book.orders, book.working.order];
  const closing = open.filter(
    (order) => order.accountId === seat.accountId && order.action === action,
  );
  const taken = closing.reduce((total, { openLots }) => total + openLots, 0);
  return seat[holdSide(action)].lots - taken;
}

function sizeOf(
  book: ContractBook,
  seat: Seat,
  { action, sizeLots }: Asked,
  { minLots, maxLots }: Bounds,
): string | undefined {
  if (sizeLots <= 0) return 'quantity_invalid';
  const isRest = !isOpening(action) && sizeLots === closable(book, seat, action);
  if (sizeLots < minLots && !isRest) return 'quantity_below_minimum';
  return sizeLots > maxLots ? 'quantity_above_maximum' : undefined;
}

function priceOf(book: ContractBook, command: Asked): string | undefined {
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
  command: Asked,
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
export function isTaken(
  model: Model,
  accountId: number,
  clientId: string,
  timeMs: number,
): boolean {
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

export function bestAgainst(book: ContractBook, side: Side): number | undefined {
  const own = book.orders.filter(({ action }) => bookSide(action) !== side);
  return inPriority(side === 'buy' ? 'sell' : 'buy', own)[0]?.priceTicks;
}

/** A market order needs a price within the band to trade at. */
export function depthOf(book: ContractBook, side: Side): string | undefined {
  const best = bestAgainst(book, side);
  const worst = side === 'buy' ? book.prices?.highestTicks : book.prices?.lowestTicks;
  const isWithin = best !== undefined && worst !== undefined && crosses(side, worst, best);
  return isWithin ? undefined : 'no_opposite_depth';
}

function closingOf(model: Model, book: ContractBook, seat: Seat, command: Asked): Verdict {
  if (command.sizeLots > closable(book, seat, command.action)) return 'close_exceeds_position';
  if (command.type === 'market') return depthOf(book, bookSide(command.action)) ?? TAKEN;
  const side = holdSide(command.action);
  const { long, short } = seat;
  // Only the side whose loss liquidates is held to the liquidation price.
  const isLosing = side === 'long' ? long.lots > short.lots : short.lots > long.lots;
  if (seat.mode === 'cross' && !isLosing) return TAKEN;
  const unit = seat.mode === 'cross' ? 'both' : side;
  const above = (priceTicks: number): bigint => {
    const marks = new Map([[book.terms.instrumentId as number, priceTicks]]);
    const health = healthOf(model, book, seat, unit, marks);
    return health === undefined ? 0n : health.equity * PPM - health.kept;
  };
  const ticks = closeTicks(book, command, command.priceTicks);
  const slope = above(ticks + 1) - above(ticks);
  const isBeyond = above(ticks) < 0n && (side === 'long' ? slope > 0n : slope < 0n);
  // A short that no price is safe for, because other contracts lose, has no liquidation price.
  if (isBeyond && side === 'short' && above(0) <= 0n) return TAKEN;
  return isBeyond ? `close_${side}_beyond_liquidation` : TAKEN;
}

/** What would fill at once is judged at the worst price of it, what would rest at its limit. */
function closeTicks(book: ContractBook, { action, force, sizeLots }: Asked, limit: number): number {
  if (force === 'post_only') return limit;
  const side = bookSide(action);
  const { priceTicks, missing } = reach(book, side, sizeLots, limit);
  const isRest = missing > 0 && force !== 'ioc' && force !== 'fok';
  return priceTicks === undefined || isRest ? limit : priceTicks;
}

/** The last price that a size takes of the other side, and how much finds nothing there. */
function reach(
  book: ContractBook,
  side: Side,
  size: number,
  limit?: number,
): { readonly priceTicks: number | undefined; readonly missing: number } {
  const other = side === 'buy' ? 'sell' : 'buy';
  const own = book.orders.filter(({ action }) => bookSide(action) === other);
  let [missing, last]: [number, number | undefined] = [size, undefined];
  for (const { priceTicks, openLots } of inPriority(other, own)) {
    if (missing <= 0 || (limit !== undefined && !crosses(side, limit, priceTicks))) break;
    last = priceTicks;
    missing -= openLots;
  }
  return { priceTicks: last, missing };
}

function openingOf(model: Model, book: ContractBook, seat: Seat, command: Asked): Verdict {
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
  const wallet = marginWalletName(model.accounts.get(accountId), book.terms);
  const free = spendable(model, accountId, wallet, book.terms.margin.assetId);
  if (openingCostOf(model, book, seat, command) > free) return 'margin_insufficient';
  return healthOfOpening(model, book, seat, command, judgedTicks(book, command));
}

/** What an opening order costs at the price that it is held to. */
export function openingCostOf(model: Model, book: ContractBook, seat: Seat, asked: Asked): bigint {
  const { accountId, action, sizeLots } = asked;
  const { leverage } = seat[holdSide(action)];
  const feePpm = model.accounts.get(accountId)?.takerFeePpm ?? book.terms.takerFeePpm;
  return openingCost(book, sizeLots, costTicks(book, asked), { leverage, feePpm });
}

/** The first price that it would trade at: the best one it accepts, or its own. */
export function judgedTicks(book: ContractBook, asked: Asked): number {
  const taking = bookSide(asked.action);
  const best = bestAgainst(book, taking);
  const limit = asked.type === 'limit' ? asked.priceTicks : undefined;
  const isFirst = limit === undefined || (best !== undefined && crosses(taking, limit, best));
  return isFirst ? (best ?? 0) : (limit ?? 0);
}

/** The order's own price, or the one that it would trade at when that needs more. */
function costTicks(book: ContractBook, command: Asked): number {
  const taking = bookSide(command.action);
  const best = bestAgainst(book, taking);
  const isLinear = book.terms.kind === 'linear';
  if (command.type === 'market') {
    // Filled whole or not at all, it needs most at the last price it takes.
    const isLast = command.force === 'fok' && (taking === 'buy') === isLinear;
    return (isLast ? reach(book, taking, command.sizeLots).priceTicks : best) ?? 0;
  }
  const limit = command.priceTicks;
  if (best === undefined || (taking === 'sell') !== isLinear) return limit;
  return isLinear ? Math.max(best, limit) : Math.min(best, limit);
}

function isProtected({ takeProfitTicks, stopLossTicks }: Asked): boolean {
  return takeProfitTicks !== undefined || stopLossTicks !== undefined;
}

/** Presets that wait, and those that orders may still arm, have a limit. */
function presetsRoom(book: ContractBook, asked: Asked): string | undefined {
  const wanted = [asked.takeProfitTicks, asked.stopLossTicks].filter((at) => at !== undefined);
  const taken = takenPresets(book, asked.accountId);
  return taken + wanted.length > book.terms.tpSlMax ? 'tp_sl_exceeded' : undefined;
}

/** Presets are on the right side of the order's price and of the price that they look at. */
function protectionOf(book: ContractBook, asked: Asked): string | undefined {
  const { takeProfitTicks, stopLossTicks, takeProfitWorking, stopLossWorking } = asked;
  if (!isProtected(asked)) return undefined;
  if (!isOpening(asked.action)) return 'parameter_invalid';
  const room = presetsRoom(book, asked);
  if (room !== undefined) return room;
  const presets = [
    { name: 'take_profit', at: takeProfitTicks, working: takeProfitWorking, gains: true },
    { name: 'stop_loss', at: stopLossTicks, working: stopLossWorking, gains: false },
  ];
  for (const { name, at, working, gains } of presets) {
    if (at === undefined) continue;
    if (at <= 0 || at % book.terms.priceStepTicks !== 0) return 'price_invalid';
    const isRise = (holdSide(asked.action) === 'long') === gains;
    const current = workingTicks(book, working);
    const wrong = isRise ? 'below' : 'above';
    const own = asked.type === 'limit' ? asked.priceTicks : current;
    if (isRise ? at <= own : at >= own) return `${name}_${wrong}_order`;
    if (isRise ? at <= current : at >= current) return `${name}_${wrong}_price`;
  }
  return undefined;
}

export function countedLots(book: ContractBook, seat: Seat, side: 'long' | 'short'): number {
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
  { action, sizeLots }: Asked,
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
  return has > needs ? TAKEN : 'opens_into_liquidation';
}
