/**
 * The steps of a liquidation: which contract of a wallet goes first, which side of it, how much of
 * it, at which price, and how far past that the insurance fund may go.
 */
import type { ContractOrderAccepted, HoldSide, Side } from '#domain';
import * as begun from './begun.ts';
import * as budget from './budget.ts';
import { ceilDivide, floorDivide, most, PPM } from './figures.ts';
import { must, mustBe } from './judge.ts';
import {
  gainsWithValue,
  type HeldSeat,
  healthOf,
  heldIn,
  isCrossHeld,
  pnlOf,
  profit,
  SIDES,
  shareOfOpen,
  tierIndex,
  valueAt,
} from './margin.ts';
import {
  bookSide,
  type ContractBook,
  type ContractRest,
  crosses,
  type Holding,
  holdSide,
  type Model,
  marginWalletName,
  type Seat,
} from './model.ts';
import { isStale } from './prices.ts';
import * as ranking from './ranking.ts';
import type { Turn } from './turn.ts';

/** So often a contract of a wallet is taken over in one step, while nobody takes all of it. */
const TRIES_MAX = 3;

/** Judges an order of the venue's own before anything of it fills. */
export function forced(
  model: Model,
  turn: Turn,
  book: ContractBook,
  event: ContractOrderAccepted,
): void {
  const { accountId, terms } = event;
  const seat = book.seats.get(accountId);
  if (terms.cause === 'owner' || seat === undefined) return;
  if (terms.cause === 'deleveraging') {
    const taker = ranking.deleveraged(model, turn, book, event);
    mustBeExhausted(turn, book, taker);
    mustBeSpent(model, turn, book, taker);
  } else if (terms.cause === 'netting') netted(model, turn, book, seat, event);
  else {
    if (terms.cause === 'liquidation') budget.beginLiquidation(model, turn, book, true);
    judgeStep(model, turn, book, seat, event);
  }
}

/** Both sides of an own hedge go at the mark price; what nets a liquidation at that one's. */
function netted(
  model: Model,
  turn: Turn,
  book: ContractBook,
  seat: Seat,
  { accountId, terms }: ContractOrderAccepted,
): void {
  const taker = [...turn.incoming.values()].find(
    (one) => one.cause === 'liquidation' && one.accountId === accountId,
  );
  const price = terms.type === 'limit' ? terms.priceTicks : undefined;
  if (taker !== undefined) {
    const held = seat[holdSide(terms.action)].lots;
    mustBe('netting', 'price of the own other side', price, taker.priceTicks);
    mustBe('netting', 'its size', terms.sizeLots, Math.min(taker.openLots, held));
    mustBeExhausted(turn, book, taker);
    return;
  }
  budget.beginLiquidation(model, turn, book, false);
  mustBe('netting', 'price of a hedge', price, book.now.markTicks);
  mustBe('netting', 'size of a hedge', terms.sizeLots, Math.min(seat.long.lots, seat.short.lots));
}

function judgeStep(
  model: Model,
  turn: Turn,
  book: ContractBook,
  seat: Seat,
  { orderId, accountId, terms }: ContractOrderAccepted,
): void {
  const side = holdSide(terms.action);
  const who = `${accountId} ${seat.mode} in ${book.terms.instrumentId}`;
  const price = terms.type === 'limit' ? terms.priceTicks : 0;
  const hedged = seat.mode === 'cross' ? Math.min(seat.long.lots, seat.short.lots) : 0;
  const isEven = seat.mode === 'cross' && seat.long.lots === seat.short.lots;
  const earlier = begun.goOn(model, turn, book, seat, side);
  const isGain =
    terms.cause === 'liquidation' && firstOfWallet(model, turn, book, seat, earlier !== undefined);
  if (isEven || isGain) turn.unfunded.add(orderId);
  if (isEven) {
    const best = pnlOf(book, seat, 'long') < pnlOf(book, seat, 'short') ? 'short' : 'long';
    mustBe('liquidation step', `side of an even hedge of ${who}`, side, best);
    mustBe('liquidation step', `its size`, terms.sizeLots, hedged);
    mustBe('liquidation step', `its price`, price, book.now.markTicks);
    turn.count('even hedge taken over');
    return;
  }
  if (seat.mode === 'cross') {
    const larger = seat.long.lots > seat.short.lots ? 'long' : 'short';
    mustBe('liquidation step', `side of ${who}`, side, larger);
  }
  const { lots } = seat[side];
  if (terms.cause === 'reduction') {
    const tier = tierIndex(book, lots);
    const kept = earlier?.targetLots;
    const isReducible = (kept !== undefined || tier >= 2) && hedged === 0;
    must(isReducible, 'liquidation step', () => `${who} is reduced from ${tier}`);
    const target = kept ?? book.terms.tiers[tier - 2]?.contractsMax ?? 0;
    mustBe('liquidation step', `reduction of ${who}`, terms.sizeLots, lots - target);
    if (kept === undefined) mustBeSaved(model, book, seat, side);
  } else {
    mustBe('liquidation step', `size of ${who}`, terms.sizeLots, lots - hedged);
    const isCut = earlier?.targetLots !== undefined && earlier.targetLots < lots;
    must(!isCut, 'liquidation step', () => `${who} is taken over while it is being reduced`);
  }
  if (isGain) mustBe('liquidation step', `price of the gain of ${who}`, price, book.now.markTicks);
  else if (!mustBeBankrupt(model, turn, book, seat, side, price)) turn.unfunded.add(orderId);
  turn.count(`price of a ${terms.cause} worked out`);
}

/** The lowest tier's rate would leave it above its threshold. */
function mustBeSaved(model: Model, book: ContractBook, seat: Seat, side: HoldSide): void {
  const health = healthOf(model, book, seat, seat.mode === 'cross' ? 'both' : side);
  const own = tierIndex(book, seat.long.lots + seat.short.lots);
  const [first, tier] = [book.terms.tiers[0], book.terms.tiers[own]];
  // Of several contracts or both sides the sum has more than one rate.
  if (health === undefined || first === undefined || tier === undefined) return;
  if (seat.mode === 'cross' || seat[side].lots !== seat.long.lots + seat.short.lots) return;
  const rate = BigInt(tier.maintenanceRatePpm + book.terms.takerFeePpm);
  const least = BigInt(first.maintenanceRatePpm + book.terms.takerFeePpm);
  const isSaved = health.equity * PPM * rate > health.kept * least;
  must(isSaved, 'liquidation step', () => `${seat.accountId} is reduced and cannot be saved`);
}

/**
 * The price that leaves nothing after the fee, for as much money as can be lost here. Returns
 * whether there is one: who owes more than any price pays goes at the mark price, against others.
 */
function mustBeBankrupt(
  model: Model,
  turn: Turn,
  book: ContractBook,
  seat: Seat,
  side: HoldSide,
  price: number,
): boolean {
  const own = model.accounts.get(seat.accountId)?.takerFeePpm ?? book.terms.takerFeePpm;
  const rate = BigInt(Math.min(own, book.terms.takerFeePpm));
  const left = seat.mode === 'cross' ? crossRest(model, book, seat, side) : seat[side];
  const all = moneyAt(model, turn, book, seat, side);
  const money = all + ('money' in left ? left.money : 0n);
  const found = bankruptcy(book, side, { ...left, money }, rate);
  const at = found ?? book.now.markTicks;
  mustBe('liquidation price', `price at which ${seat.accountId} with ${money} goes`, price, at);
  return found !== undefined;
}

/** What is left of the larger side once a hedge is netted, and what that adds to the money. */
function crossRest(
  _model: Model,
  book: ContractBook,
  { long, short }: Seat,
  side: HoldSide,
): Pick<Holding, 'lots' | 'open'> & { readonly money: bigint } {
  const larger = side === 'long' ? long : short;
  const size = Math.min(long.lots, short.lots);
  if (size === 0) return { ...larger, money: 0n };
  const value = valueAt(book, size, book.now.markTicks);
  const shares = { long: 0n, short: 0n };
  let pnl = 0n;
  for (const one of SIDES) {
    shares[one] = shareOfOpen(book, one, one === 'long' ? long : short, size);
    pnl += profit(book, one, shares[one], value);
  }
  const lots = larger.lots - size;
  // Lot by lot, profit and fee may each round a unit away before the rest is netted.
  const kept = 2n * BigInt(lots) + 1n;
  return { lots, open: larger.open - shares[side], money: floorDivide(pnl, book.fine) - kept };
}

/** An isolated margin, or the part of the crossed money that this loss is of all losses. */
function moneyAt(model: Model, turn: Turn, book: ContractBook, seat: Seat, side: HoldSide): bigint {
  const money = ranking.moneyOf(model, book, seat, side);
  if (seat.mode === 'isolated') return money;
  const losses = walletHeld(model, book, seat).map((one) => -gainOf(one));
  const own = -gainOf({ book, seat });
  const all = losses.reduce((sum, loss) => (loss > 0n ? sum + loss : sum), 0n);
  if (own <= 0n) return most(0n, money - ceilDivide(all, book.fine));
  if (all !== own) turn.count('loss split over contracts');
  return floorDivide(money * own, all);
}

function bankruptcy(
  book: ContractBook,
  side: HoldSide,
  { lots, open, money }: Pick<Holding, 'lots' | 'open'> & { readonly money: bigint },
  rate: bigint,
): number | undefined {
  const isLinear = book.terms.kind === 'linear';
  // Profit and fee are rounded one by one where the open value is no whole amount.
  const isRounded = isLinear ? open % book.fine !== 0n : open > book.fine;
  const spare = (isRounded ? money - 1n : money) * book.fine;
  const owed = gainsWithValue(book, side) ? open - spare : open + spare;
  const fee = gainsWithValue(book, side) ? PPM - rate : PPM + rate;
  const lot = BigInt(lots) * book.factor * fee;
  const step = BigInt(book.terms.priceStepTicks);
  if (owed <= 0n) return side === 'long' && isLinear ? Number(step) : undefined;
  const [above, below] = isLinear ? [owed * PPM, lot] : [lot, owed * PPM];
  const down = above / (below * step);
  const isUp = side === 'long' && down * below * step !== above;
  const steps = isUp ? down + 1n : down;
  return Math.max(Number(step), Number(steps * step));
}

function walletHeld(model: Model, book: ContractBook, { accountId }: Seat): HeldSeat[] {
  const wallet = marginWalletName(model.accounts.get(accountId), book.terms);
  return heldIn(model, accountId, wallet, book.terms.margin.assetId).filter(isCrossHeld);
}

function gainOf({ book, seat }: HeldSeat): bigint {
  return pnlOf(book, seat, 'long') + pnlOf(book, seat, 'short');
}

/**
 * Of several contracts the worst loss is taken over first; where the losses are more than the
 * money, or cannot be closed now, the best gain is. What was begun goes on before either. Returns
 * whether this is such a gain.
 */
function firstOfWallet(
  model: Model,
  turn: Turn,
  book: ContractBook,
  seat: Seat,
  isBegun: boolean,
): boolean {
  const held = seat.mode === 'cross' ? walletHeld(model, book, seat) : [];
  const key = (one: HeldSeat): string => `${seat.accountId} ${one.book.terms.instrumentId}`;
  const own = gainOf({ book, seat });
  const losing = held.filter((one) => gainOf(one) < 0n);
  const open = held.filter(
    (one) =>
      one.book.terms.status !== 'suspended' &&
      !isStale(one.book, turn.timeMs) &&
      (turn.takenOver.get(key(one)) ?? 0) < TRIES_MAX,
  );
  if (isBegun) return losing.length > 0 && own > 0n;
  const isKnown = held.length > 1;
  const times = turn.takenOver.get(key({ book, seat })) ?? 0;
  if (times > 0 && isKnown) turn.count('taken over again of several');
  turn.takenOver.set(key({ book, seat }), times + 1);
  if (losing.length === 0 || own > 0n === false) {
    if (!isKnown) return false;
    const worst = open.every((one) => gainOf(one) >= own);
    must(worst, 'liquidation step', () => `${seat.accountId}: another contract loses more`);
    turn.count('worst loss first of several');
    return false;
  }
  if (!isKnown) return true;
  const best = open.every((one) => gainOf(one) <= own);
  must(best, 'liquidation step', () => `${seat.accountId}: another contract gains more`);
  const money = ranking.moneyOf(model, book, seat, 'long');
  const lost = losing.reduce((sum, one) => sum + costOf(model, one), 0n);
  const isStuck = open.every((one) => gainOf(one) >= 0n);
  const isDue = isStuck || lost > money;
  must(isDue, 'liquidation step', () => `${seat.accountId}: a gain goes and ${money} is enough`);
  turn.count('gain taken over first');
  return true;
}

/** What closing a contract that loses costs at its mark price, its fee included. */
function costOf(model: Model, { book, seat }: HeldSeat): bigint {
  const own = model.accounts.get(seat.accountId)?.takerFeePpm ?? book.terms.takerFeePpm;
  const rate = BigInt(Math.min(own, book.terms.takerFeePpm));
  const larger = Math.max(seat.long.lots, seat.short.lots);
  const fee = -floorDivide(-valueAt(book, larger, book.now.markTicks) * rate, PPM * book.fine);
  return fee - floorDivide(gainOf({ book, seat }), book.fine);
}

/** A forced fill is at its order's price or better; past it only as far as the fund may pay. */
export function filled(
  model: Model,
  turn: Turn,
  book: ContractBook,
  taker: ContractRest,
  at: number,
): void {
  if (taker.cause === 'owner') return;
  const side = bookSide(taker.action);
  if (crosses(side, taker.priceTicks, at)) return;
  const isNear = taker.cause === 'liquidation' && isInReach(book, side, at);
  must(isNear, 'liquidation price', () => `${taker.orderId} fills at ${at}, past 2 %`);
  const means = turn.means.get(taker.orderId) ?? meansOf(model, turn, book, taker);
  if (!turn.means.has(taker.orderId)) {
    const there = [...book.orders, ...(turn.dropped.get(book.terms.instrumentId) ?? [])];
    const isDeep = hasDepth(book, taker, there, means.money * book.fine * PPM);
    must(isDeep, 'liquidation price', () => `${taker.orderId} is paid for by one bidder alone`);
  }
  turn.means.set(taker.orderId, means);
  const cost = extraCost(book, taker, means.lots, at);
  must(
    cost <= means.money * book.fine * PPM,
    'liquidation price',
    () => `${taker.orderId} fills at ${at}, where ${means.lots} lots cost more than ${means.money}`,
  );
  turn.count('fill that the fund pays for');
}

/**
 * Whether the orders at prices that the fund can pay for, without those of the account that has
 * most there, cover all that is left.
 */
function hasDepth(
  book: ContractBook,
  taker: ContractRest,
  orders: readonly ContractRest[],
  means: bigint,
): boolean {
  const side = bookSide(taker.action);
  const byAccount = new Map<number, number>();
  for (const { accountId, action, priceTicks, openLots } of orders) {
    const isOther = bookSide(action) !== side && accountId !== taker.accountId;
    if (!isOther || !isInReach(book, side, priceTicks)) continue;
    const isPast = !crosses(side, taker.priceTicks, priceTicks);
    if (isPast && extraCost(book, taker, taker.openLots, priceTicks) > means) continue;
    byAccount.set(accountId, (byAccount.get(accountId) ?? 0) + openLots);
  }
  const sizes = [...byAccount.values()];
  return sizes.reduce((sum, size) => sum + size, 0) - Math.max(0, ...sizes) >= taker.openLots;
}

/** The fund pays up to 2 % past the mark price. */
function isInReach({ now: { markTicks } }: ContractBook, side: Side, at: number): boolean {
  const part = Math.floor(markTicks / 50);
  return crosses(side, side === 'sell' ? markTicks - part : markTicks + part, at);
}

/**
 * Nothing goes off the book while somebody else's order takes what is liquidated at a better price.
 * At its very price a fill of a lot may round a unit away that is not there.
 */
function mustBeExhausted(turn: Turn, book: ContractBook, taker: ContractRest): void {
  if (turn.unfunded.has(taker.orderId)) return;
  const side = bookSide(taker.action);
  const left = book.orders.find(
    ({ accountId, action, priceTicks }) =>
      accountId !== taker.accountId &&
      bookSide(action) !== side &&
      crosses(side, taker.priceTicks, priceTicks) &&
      isClearlyBetter(book, taker.priceTicks, priceTicks),
  );
  must(left === undefined, 'liquidation step', () => {
    return `${taker.orderId} goes off the book before ${left?.orderId} takes its part`;
  });
}

/** By more than rounding takes of a lot. */
function isClearlyBetter(book: ContractBook, priceTicks: number, at: number): boolean {
  const gain = valueAt(book, 1, at) - valueAt(book, 1, priceTicks);
  return (gain < 0n ? -gain : gain) > 3n * book.fine;
}

/** Before others are closed, or the rest stays, the fund has paid for what it could pay for. */
function mustBeSpent(model: Model, turn: Turn, book: ContractBook, taker: ContractRest): void {
  if (turn.unfunded.has(taker.orderId) || turn.means.has(taker.orderId)) return;
  // It pays before anybody is deleveraged, for all that is left then.
  turn.unfunded.add(taker.orderId);
  const { openLots } = taker;
  // Lot by lot, rounding may take some units more.
  const rounding = 3n * BigInt(openLots) + 4n;
  const money = budget.payable(model, turn, book);
  const isDeep = hasDepth(book, taker, book.orders, (money - rounding) * book.fine * PPM);
  must(
    !isDeep,
    'liquidation price',
    () => `${taker.orderId} leaves ${openLots} lots, where the fund has ${money} to pay`,
  );
  turn.count('book too thin for the fund to pay');
}

/** What the fund may pay for all that is left: what this liquidation brought, and the budget. */
function meansOf(
  model: Model,
  turn: Turn,
  book: ContractBook,
  { openLots }: ContractRest,
): { readonly lots: number; readonly money: bigint } {
  return { lots: openLots, money: budget.payable(model, turn, book) };
}

/** What lots cost beyond the price of their order, with the fee where that grows; times 10^6. */
function extraCost(book: ContractBook, taker: ContractRest, size: number, at: number): bigint {
  const value = valueAt(book, size, at) - valueAt(book, size, taker.priceTicks);
  return value > 0n ? value * (PPM + BigInt(taker.feePpm)) : -value * PPM;
}

/** What a forced order leaves open is more than the book has at its price. */
export function ended(
  model: Model,
  turn: Turn,
  book: ContractBook,
  order: ContractRest,
  reason: string,
  bestTicks: number | undefined,
): void {
  begun.noteEnd(model, turn, book, order, reason);
  if (order.cause === 'owner') {
    const { instrumentId } = book.terms;
    const dropped = turn.dropped.get(instrumentId) ?? [];
    dropped.push(order);
    turn.dropped.set(instrumentId, dropped);
  }
  const isNeeded = order.openLots > 0 && reason !== 'match_limit';
  if (order.cause === 'liquidation' && isNeeded) ranking.rank(model, turn, book, order);
  if (reason !== 'remainder_not_filled' || order.cause === 'owner') return;
  const isMissed =
    bestTicks !== undefined && crosses(bookSide(order.action), order.priceTicks, bestTicks);
  must(!isMissed, 'liquidation price', () => `${order.orderId} ends before ${bestTicks} is taken`);
  if (order.cause !== 'liquidation') return;
  mustBeSpent(model, turn, book, order);
  if (!begun.isSpent(turn)) ranking.mustBeNobody(model, book, order);
}
