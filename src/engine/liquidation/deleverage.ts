/**
 * Deleveraging: what a liquidation cannot place in the book is closed against the other side's
 * positions at the bankruptcy price, without fees, those who gain most with least behind it first.
 */
import {
  type Contract,
  fineToFloor,
  fineValue,
  type HoldSide,
  holdSideOf,
  lots,
  otherSide,
  tradeValue,
} from '#domain';
import { present } from '#kernel';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Ranking } from '../pending-work.ts';
import type { State } from '../state.ts';
import { cancelCloses, closeOrder, dropTpSl } from '../swap/close.ts';
import { addDust, closeOutcome, leftAfter, type Outcome } from '../swap/fill.ts';
import type { SwapMarket } from '../swap/market.ts';
import type { ContractOrder } from '../swap/order.ts';
import { AdlQueue, roundingUnits } from './adl-queue.ts';
import { netHedge } from './netting.ts';
import { forcedOrder, publishTrade, settle } from './off-book.ts';

/** So many, the best ranked, are looked at for a part of what they hold: others wait. */
const PARTS_LOOKED_AT_MAX = 50;

/** The queues of one wave of liquidations in a contract: ranked once, when first needed. */
export class Deleveraging {
  readonly #market: SwapMarket;
  readonly #queues = new Map<HoldSide, AdlQueue>();
  /** Accounts whose money or positions changed since their places were worked out. */
  readonly #changes = new Set<MarginAccount>();
  /** What the places were worked out by. */
  #contract: Contract;
  #markTicks: number;
  readonly #onClosed: (margin: MarginAccount) => void;

  /** `onClosed` is called with each account of which something was closed. */
  constructor(market: SwapMarket, onClosed: (margin: MarginAccount) => void) {
    this.#market = market;
    this.#contract = market.contract;
    this.#markTicks = market.markTicks;
    this.#onClosed = onClosed;
  }

  /**
   * Closes what is left of a liquidation order against others, as far as one command should;
   * returns how much that was.
   */
  run(state: State, order: ContractOrder, priceTicks: number): number {
    const before = order.openLots;
    // Ranking costs a look at every holder: it waits until somebody is needed.
    if (before === 0) return 0;
    const queue = this.#queue(otherSide(holdSideOf(order.action)));
    this.#closeAgainst(state, order, queue, 0, priceTicks);
    const ranked = queue.size;
    // Positions may have been opened since the queue was ranked.
    if (goesOn(state, order) && queue.admitLate()) {
      this.#closeAgainst(state, order, queue, ranked, priceTicks);
    }
    this.#closeParts(state, order, queue, priceTicks);
    return before - order.openLots;
  }

  /** Goes on after commands of others. */
  resume(): void {
    const { contract, markTicks } = this.#market;
    const isSame = contract === this.#contract && markTicks === this.#markTicks;
    this.#contract = contract;
    this.#markTicks = markTicks;
    for (const queue of this.#queues.values()) {
      if (isSame) queue.retryPassed();
      else queue.refreshAll();
    }
  }

  /** Ends the wave: nothing is noted any more. */
  end(): void {
    this.#market.noted.delete(this.#changes);
  }

  rankings(): Ranking[] {
    const { instrumentId } = this.#market.contract;
    return [...this.#queues.values()].map((queue) => {
      const { side, ranked } = queue;
      return { instrumentId, side, ranked, late: queue.lateWith(this.#changes) };
    });
  }

  /** Takes back what a snapshot found here. */
  restore(side: HoldSide, part: 'ranked' | 'late', margins: readonly MarginAccount[]): void {
    const queue = this.#queues.get(side) ?? this.#begun(new AdlQueue(this.#market, side));
    if (part === 'ranked') queue.append(margins);
    else for (const margin of margins) queue.refresh(margin);
  }

  #queue(side: HoldSide): AdlQueue {
    const known = this.#queues.get(side);
    this.#refresh();
    if (known !== undefined) return known;
    const made = this.#begun(new AdlQueue(this.#market, side));
    made.rankAll();
    return made;
  }

  /** From the first ranking on whatever changes is noted. */
  #begun(queue: AdlQueue): AdlQueue {
    this.#market.noted.add(this.#changes);
    this.#queues.set(queue.side, queue);
    return queue;
  }

  #refresh(): void {
    for (const margin of this.#changes) {
      for (const queue of this.#queues.values()) queue.refresh(margin);
    }
    this.#changes.clear();
  }

  /** Accounts that can be closed as they are go first; a hedge that cannot is netted first. */
  #closeAgainst(
    state: State,
    order: ContractOrder,
    queue: AdlQueue,
    from: number,
    priceTicks: number,
  ): void {
    const close = (place: number) => {
      const margin = present(queue.account(place), 'account of a place');
      if (margin === order.margin) return;
      const isClosed = closePair(state, order, margin, priceTicks);
      if (isClosed) this.#onClosed(margin);
      if (!isClosed && lacksMoney(order, margin, priceTicks)) queue.passOver(place, priceTicks);
      this.#refresh();
    };
    let place = queue.closableFrom(from, priceTicks);
    for (; place >= 0 && goesOn(state, order); place = queue.closableFrom(place + 1, priceTicks)) {
      close(place);
    }
    place = queue.nettableFrom(from);
    for (; place >= 0 && goesOn(state, order); place = queue.nettableFrom(place + 1)) {
      const margin = present(queue.account(place), 'account of a place');
      if (margin === order.margin) continue;
      netHedge(state, margin);
      this.#refresh();
      if (queue.closableFrom(place, priceTicks) === place) close(place);
    }
  }

  /**
   * Who could not bear to lose all of it at this price may bear the part that is needed: with
   * money of other contracts that is not realised yet, an account is healthy and has little.
   */
  #closeParts(state: State, order: ContractOrder, queue: AdlQueue, priceTicks: number): void {
    const end = Math.min(queue.size, PARTS_LOOKED_AT_MAX);
    for (let place = 0; place < end && goesOn(state, order); place += 1) {
      const margin = present(queue.account(place), 'account of a place');
      if (margin === order.margin || margin.position(queue.side).lots <= order.openLots) continue;
      if (closePair(state, order, margin, priceTicks)) this.#onClosed(margin);
      this.#refresh();
    }
  }
}

/** Whether there is more to close and the command may do it. */
function goesOn({ isSpent }: State, { openLots }: ContractOrder): boolean {
  return openLots > 0 && !isSpent;
}

/** Both sides of a pair that is closed, so that neither is left with less than nothing. */
interface Pair {
  readonly losing: Outcome;
  readonly gaining: Outcome;
}

/**
 * What closing a size against another does. Prices go in steps and amounts in units: what that
 * takes from one side beyond the money behind it, and beyond what the fund pays for the side that
 * is liquidated, is missing in what the other gets. Undefined when it would take more.
 */
function pairOf(
  order: ContractOrder,
  victim: MarginAccount,
  size: number,
  priceTicks: number,
): Pair | undefined {
  const { market } = order;
  const { contract } = market;
  const worth = tradeValue(contract, size, priceTicks);
  const own = order.margin.position(holdSideOf(order.action));
  const losing = closeOutcome(contract, own, size, worth, 0n);
  const other = victim.position(otherSide(own.side));
  const worked = closeOutcome(contract, other, size, worth, 0n);
  const fractions = losing.residue + worked.residue;
  // Within one account the two are one profit, rounded once.
  const units = victim === order.margin ? fractions / contract.fineFactor : 0n;
  const gaining = { ...worked, pnl: worked.pnl + units };
  const residue = fractions - units * contract.fineFactor;
  const swept = (market.dust + residue) / contract.fineFactor;
  const left = leftAfter(order, losing) + market.fund.payable + swept;
  const kept = leftAfter({ margin: victim }, gaining);
  if (left + kept < 0n) return undefined;
  // Above zero it goes to the other side, below zero it comes from there.
  const moved = kept < 0n ? -kept : left < 0n ? left : 0n;
  if (moved > roundingOf(contract, size, priceTicks)) return undefined;
  return {
    losing: { ...losing, residue, pnl: losing.pnl - moved },
    gaining: { ...gaining, residue: 0n, pnl: gaining.pnl + moved },
  };
}

/** Whether it is the other one's own money that does not suffice. */
function lacksMoney(order: ContractOrder, victim: MarginAccount, priceTicks: number): boolean {
  const { contract } = order.market;
  const position = victim.position(otherSide(holdSideOf(order.action)));
  const size = Math.min(order.openLots, position.lots);
  const worth = tradeValue(contract, size, priceTicks);
  return leftAfter({ margin: victim }, closeOutcome(contract, position, size, worth, 0n)) < 0n;
}

/** The most that a step of the price and the rounding of every lot can cost. */
function roundingOf(contract: Contract, size: number, priceTicks: number): bigint {
  const step = fineValue(contract, size, priceTicks + contract.priceStepTicks);
  const moved = step - fineValue(contract, size, priceTicks);
  return fineToFloor(contract, moved < 0n ? -moved : moved) + roundingUnits(size);
}

/** Closes as much as both hold; false when the other cannot be closed at this price. */
function closePair(
  state: State,
  order: ContractOrder,
  victim: MarginAccount,
  priceTicks: number,
): boolean {
  const position = victim.position(otherSide(holdSideOf(order.action)));
  const size = Math.min(order.openLots, position.lots);
  const pair = pairOf(order, victim, size, priceTicks);
  if (pair === undefined) return false;
  bookPair(state, order, victim, pair, { size, priceTicks });
  return true;
}

/** Closes both sides of a pair, the other one by an order of its owner's, who may be the same. */
function bookPair(
  state: State,
  order: ContractOrder,
  victim: MarginAccount,
  { losing, gaining }: Pair,
  { size, priceTicks }: { readonly size: number; readonly priceTicks: number },
): void {
  const side = otherSide(holdSideOf(order.action));
  cancelCloses(state, victim, side, 'liquidation');
  const cause = victim === order.margin ? 'netting' : 'deleveraging';
  const terms = { side, cause, size, priceTicks } as const;
  const answer = forcedOrder(state, victim, terms);
  // Before either side is paid: a unit that rounding kept back may be the one that is missing.
  addDust(order.market, losing.residue);
  settle(state, order, { ...losing, residue: 0n }, size, priceTicks);
  settle(state, answer, gaining, size, priceTicks);
  const [taker, maker] = [
    { order, outcome: losing },
    { order: answer, outcome: gaining },
  ] as const;
  publishTrade(state, taker, maker, terms);
  closeOrder(state, answer, 'filled', lots(0));
  if (victim.position(side).lots === 0) dropTpSl(state, victim, side);
}

/**
 * What an isolated account holds on the other side is closed against its own liquidation, before
 * any other account is: both at the bankruptcy price, without a fee.
 */
export function netOwnSides(state: State, order: ContractOrder, priceTicks: number): void {
  const { margin } = order;
  const other = margin.position(otherSide(holdSideOf(order.action)));
  const size = margin.mode === 'isolated' ? Math.min(order.openLots, other.lots) : 0;
  const pair = size === 0 ? undefined : pairOf(order, margin, size, priceTicks);
  if (pair === undefined || !isCovered(margin, pair)) return;
  bookPair(state, order, margin, pair, { size, priceTicks });
}

/** Whether a balance, as an old state may have it, still covers one side after the other. */
function isCovered({ balance }: MarginAccount, { losing, gaining }: Pair): boolean {
  const left = balance.balance - losing.release;
  return (left > 0n ? left : 0n) + gaining.pnl >= 0n;
}
