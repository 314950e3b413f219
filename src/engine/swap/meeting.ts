/**
 * Two orders that would trade: what it would do to both, and whether both can carry it. A
 * fill-or-kill order meets all it would fill on copies first, because whether a resting order
 * can be carried depends on the fills before it.
 */
import { fineValue, holdSideOf, isOpen, type SelfTradePrevention, type Ticks } from '#domain';
import { accepts, opposite } from '../book/book.ts';
import { wantedLots } from './check.ts';
import { canCarry, type Outcome, outcomeOf, type Party, rehearse } from './fill.ts';
import type { MarginAccount } from './margin-account.ts';
import { type ContractOrder, frozenCost } from './order.ts';

interface Meeting {
  readonly verdict: 'trade' | 'drop_maker' | 'stop';
  readonly taking: Outcome;
  readonly making: Outcome;
}

interface Trader extends Party {
  readonly frozenFeePpm: number;
}

/**
 * Works out a match at the resting order's price. Changes nothing. `heldLots` is what is held long
 * before it.
 */
export function judge(
  taker: Trader,
  maker: Trader,
  priceTicks: Ticks,
  size: number,
  heldLots: number,
): Meeting {
  const { account, market } = maker.margin;
  const value = fineValue(market.contract, size, priceTicks);
  const taking = outcomeOf(taker, size, value, taker.frozenFeePpm);
  const makerFeePpm = account.settings.makerFeePpm ?? market.contract.makerFeePpm;
  // A fee that rose while the order rested is not charged: no more than this was set aside.
  const feePpm = Math.min(makerFeePpm, maker.frozenFeePpm);
  const making = outcomeOf(maker, size, value, feePpm);
  const isAlone = maker.margin === taker.margin;
  const makerPays = making.fee - making.pnl;
  const alsoPaid = isAlone && makerPays > 0n ? makerPays : 0n;
  const isSwap = isAlone && holdSideOf(taker.action) === holdSideOf(maker.action);
  if (!canCarry(maker, size, making, isAlone ? taking.fee : 0n, isSwap ? taking : undefined)) {
    return { verdict: 'drop_maker', taking, making };
  }
  // All that is held in a contract is counted in one exact number.
  const isCountable = heldLots + growthOf(taker, maker, size) <= Number.MAX_SAFE_INTEGER;
  const isCarried = canCarry(taker, size, taking, alsoPaid, isSwap ? making : undefined);
  return { verdict: isCarried && isCountable ? 'trade' : 'stop', taking, making };
}

/** How many more contracts are held after a match; below zero when both sides close. */
function growthOf(taker: Trader, maker: Trader, size: number): number {
  if (isOpen(taker.action) !== isOpen(maker.action)) return 0;
  return isOpen(taker.action) ? size : -size;
}

/** Whether all of an order would trade at once. Costs the orders it would meet. */
export function canFillWhole(
  order: ContractOrder,
  limitTicks: Ticks,
  prevention: SelfTradePrevention,
): boolean {
  const copies = new Copies();
  const taker = copies.of(order);
  let missing: number = order.openLots;
  let heldLots = order.market.longLots;
  for (const resting of order.market.book.orders(opposite(order.side))) {
    if (!accepts(order.side, limitTicks, resting.priceTicks)) return false;
    const maker = copies.of(resting);
    const isOwn = prevention !== 'none' && resting.margin === order.margin;
    if (isOwn && prevention !== 'cancel_maker') return false;
    const size = Math.min(missing, resting.openLots);
    // What the owner can pay for may end here, once others' orders at better prices are not met.
    const wanted = wantedLots(taker.margin, order, size, resting.priceTicks);
    if (wanted === 0 || (wanted < size && !isOwn)) return false;
    const { verdict, taking, making } = judge(taker, maker, resting.priceTicks, size, heldLots);
    if (!isOwn && verdict === 'stop') return false;
    const isFilled = !isOwn && verdict === 'trade';
    thaw(maker.margin, resting, isFilled ? size : resting.openLots);
    if (!isFilled) continue;
    rehearse(taker, size, taking);
    rehearse(maker, size, making);
    heldLots += growthOf(taker, maker, size);
    missing -= size;
    if (missing === 0) return true;
  }
  return false;
}

/** Gives back on a copy what part of a resting order has frozen. */
function thaw({ balance }: MarginAccount, order: ContractOrder, size: number): void {
  if (!isOpen(order.action)) return;
  balance.held -= frozenCost(order, order.openLots) - frozenCost(order, order.openLots - size);
}

/** Stand-ins for orders, on copies of their accounts. */
class Copies {
  readonly #margins = new Map<MarginAccount, MarginAccount>();

  of({ action, cause, spendsFund, frozenFeePpm, margin }: ContractOrder): Trader {
    const known = this.#margins.get(margin) ?? margin.copy();
    this.#margins.set(margin, known);
    return { action, cause, spendsFund, frozenFeePpm, margin: known };
  }
}
