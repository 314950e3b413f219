/**
 * Two orders that would trade: what it would do to both, and whether both can carry it. A
 * fill-or-kill order meets all it would fill on copies first, in the loop that fills it, because
 * whether a resting order can be carried depends on the fills before it.
 */
import {
  type Amount,
  type Carry,
  type FineAmount,
  holdSideOf,
  isOpen,
  type Lots,
  lots,
  openPartFine,
  type SelfTradePrevention,
  type Ticks,
  tradeValue,
} from '#domain';
import { present } from '#kernel';
import type { Book, Taker } from '../book/book.ts';
import { type MatchHandler, rehearseOrder } from '../book/match.ts';
import type { MarginAccount } from '../margin/margin-account.ts';
import { type Circumstances, canOpen, lotsInReach } from '../margin/opening.ts';
import {
  type Books,
  bookMatch,
  leftAfter,
  type MatchOutcome,
  type Outcome,
  outcomeOf,
  type Party,
  rehearse,
} from './fill.ts';
import { type ContractOrder, type Freezing, type OrderTerms, thawedCost } from './order.ts';

export interface MatchRisk extends MatchOutcome {
  readonly verdict: 'trade' | 'drop_maker' | 'stop';
  /** In margin units, rounded down. */
  readonly quoteAmount: Amount;
}

/** An order, or what stands in for one on a copy of its account. */
type Trader = Party & Freezing;

/** Works out a match at the resting order's price. Changes nothing. */
export function judgeMatch(
  taker: Trader,
  maker: Trader,
  priceTicks: Ticks,
  size: number,
): MatchRisk {
  const { account, market } = maker.margin;
  const value = tradeValue(market.contract, size, priceTicks);
  const { units: quoteAmount } = value;
  const taking = outcomeOf(taker, size, value, taker.frozenFeePpm);
  const makerFeePpm = account.terms.makerFeePpm ?? market.contract.makerFeePpm;
  // A fee that rose while the order rested is not charged: no more than this was set aside.
  const feePpm = Math.min(makerFeePpm, maker.frozenFeePpm);
  const making = outcomeOf(maker, size, value, feePpm);
  const isAlone = maker.margin === taker.margin;
  const isSwap = isAlone && holdSideOf(taker.action) === holdSideOf(maker.action);
  const thawed = thawedCost(maker, size, making.carry ?? maker);
  const makers = {
    thawed,
    alsoPaid: isAlone ? taking.fee : 0n,
    alsoClosed: isSwap ? taking : undefined,
  };
  if (!canCarry(maker, size, making, makers)) {
    return { verdict: 'drop_maker', quoteAmount, taking, making, thawed };
  }
  const makerPays = making.fee - making.pnl;
  const takers = {
    thawed: 0n,
    alsoPaid: isAlone && makerPays > 0n ? makerPays : 0n,
    alsoClosed: isSwap ? making : undefined,
  };
  const verdict = canCarry(taker, size, taking, takers) ? 'trade' : 'stop';
  return { verdict, quoteAmount, taking, making, thawed };
}

/**
 * Whether a party can carry its side. Closing: isolated margin covers loss and fee; cross money
 * stays at zero or above, and so does the equity at the mark prices. Opening: see opening.ts.
 */
function canCarry(
  order: Party,
  size: number,
  outcome: Outcome,
  circumstances: Circumstances,
): boolean {
  const { margin } = order;
  if (order.cause !== 'owner') return canBeForced(order, outcome);
  if (isOpen(order.action)) return canOpen(order, size, outcome, circumstances);
  if (margin.mode === 'isolated') return leftAfter(order, outcome) >= 0n;
  const money = leftAfter(order, outcome) - circumstances.alsoPaid;
  if (money < 0n) return false;
  return equityAfterClose(order, size, outcome, money) >= 0n;
}

/** A liquidation takes what there is, and then what the insurance fund adds. */
function canBeForced(order: Party, outcome: Outcome): boolean {
  const missing = -leftAfter(order, outcome);
  if (missing <= 0n) return true;
  return order.spendsFund && missing <= order.margin.market.fund.payable;
}

function equityAfterClose(order: Party, size: number, outcome: Outcome, money: Amount): FineAmount {
  const { margin } = order;
  const { contract } = margin.market;
  const closed = margin.position(holdSideOf(order.action));
  const left = lots(closed.lots - size);
  const open = closed.open - openPartFine(contract, outcome.share);
  const kept = { side: closed.side, lots: left, open };
  const other = closed === margin.long ? margin.short : margin.long;
  const pnl = margin.finePnlOf(kept) + margin.finePnlOf(other);
  const others = margin.wallet.othersOf(margin)?.pnl ?? 0n;
  return money * contract.fineFactor + pnl + others;
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
  return lots(Math.min(openLots, lotsInReach(margin, order.action, priceTicks, carry)));
}

/** Whether all of a fill-or-kill order would trade at once. Costs the orders it would meet. */
export function canFillWhole(
  book: Book<ContractOrder>,
  order: ContractOrder,
  taker: Taker,
  prevention: SelfTradePrevention,
): boolean {
  return rehearseOrder(book, taker, prevention, new Rehearsal(order));
}

/** Carries an order through the book on copies of the accounts it trades with. */
class Rehearsal implements MatchHandler<ContractOrder> {
  readonly #order: ContractOrder;
  readonly #copies = new Copies();
  readonly #taker: Trader;
  #missingLots: number;
  #risk: MatchRisk | undefined;

  constructor(order: ContractOrder) {
    this.#order = order;
    this.#taker = this.#copies.of(order);
    this.#missingLots = order.openLots;
  }

  wantedLots(priceTicks: Ticks): Lots {
    const { margin } = this.#taker;
    return wantedLots(margin, this.#order, this.#missingLots, priceTicks, this.#taker);
  }

  admit(maker: ContractOrder, size: Lots): MatchRisk['verdict'] {
    const copy = this.#copies.of(maker);
    this.#risk = judgeMatch(this.#taker, copy, maker.priceTicks, size);
    return this.#risk.verdict;
  }

  trade(maker: ContractOrder, size: Lots): void {
    const copy = this.#copies.of(maker);
    bookMatch(this.#copies, this.#taker, copy, size, present(this.#risk, 'admitted match'));
    this.#missingLots -= size;
  }

  makerDropped(maker: ContractOrder): void {
    this.#copies.thaw(this.#copies.of(maker), maker.openLots, maker.frozen);
  }

  selfTradeCancelled(maker: ContractOrder): void {
    this.makerDropped(maker);
  }
}

/** Stand-ins for orders, and the books they are in. */
class Copies implements Books<Trader> {
  readonly #margins = new Map<MarginAccount, MarginAccount>();

  of(order: ContractOrder): Trader {
    const known = this.#margins.get(order.margin) ?? order.margin.copy();
    this.#margins.set(order.margin, known);
    const { action, cause, spendsFund, frozenFeePpm, feeAhead, marginOwed } = order;
    const { openLots, priceTicks, leverage, frozen } = order;
    const freezing = { openLots, priceTicks, leverage, frozen, frozenFeePpm, feeAhead, marginOwed };
    return { action, cause, spendsFund, margin: known, ...freezing };
  }

  thaw(maker: Trader, _size: number, thawed: Amount): void {
    const { balance } = maker.margin;
    balance.release(thawed, balance.updatedTimeMs);
  }

  book(party: Trader, size: number, outcome: Outcome): void {
    rehearse(party, size, outcome);
  }
}
