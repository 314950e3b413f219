/**
 * Deleveraging: what a liquidation cannot place in the book is closed against the other side's
 * positions at the bankruptcy price, without fees, those who gain most with least behind it first.
 */
import {
  closeOf,
  deleveragingScore,
  type Event,
  finePnl,
  fineToFloor,
  fineValue,
  type HoldSide,
  holdSideOf,
  lots,
  otherSide,
  tickLots,
  ticks,
  tradeId,
} from '#domain';
import { present } from '#kernel';
import type { State } from '../state.ts';
import { isUnitBreached } from './attention.ts';
import { closeOrder, dropPresets, withdrawCloses } from './close.ts';
import { bookFill, closeOutcome, type Outcome, uncovered } from './fill.ts';
import type { MarginAccount } from './margin-account.ts';
import type { SwapMarket } from './market.ts';
import { netHedge } from './netting.ts';
import type { ContractOrder } from './order.ts';
import { acceptOrder, fillOf } from './place.ts';

interface Candidate {
  readonly margin: MarginAccount;
  readonly isBreached: boolean;
  readonly score: bigint;
  readonly openedTimeMs: number;
}

/** The candidates of one side, best first; those before `first` have nothing left. */
interface Queue {
  readonly candidates: readonly Candidate[];
  first: number;
}

/** The queues of one round of liquidations in a contract: ranked once, when first needed. */
export class Deleveraging {
  readonly #market: SwapMarket;
  readonly #queues = new Map<HoldSide, Queue>();

  constructor(market: SwapMarket) {
    this.#market = market;
  }

  /** Closes what is left of a liquidation order against others; returns how much that was. */
  run(state: State, order: ContractOrder, priceTicks: number, events: Event[]): number {
    const before = order.openLots;
    const side = otherSide(holdSideOf(order.action));
    closeAgainstAll(state, order, this.#queue(side), side, priceTicks, events);
    if (order.openLots > 0) {
      // Somebody may have come to a position since the queue was ranked.
      this.#queues.delete(side);
      closeAgainstAll(state, order, this.#queue(side), side, priceTicks, events);
    }
    return before - order.openLots;
  }

  #queue(side: HoldSide): Queue {
    const known = this.#queues.get(side);
    if (known !== undefined) return known;
    const made = { candidates: rank(this.#market, side), first: 0 };
    this.#queues.set(side, made);
    return made;
  }
}

/** Whoever can be closed as he is goes first; a hedge that cannot is closed within itself. */
function closeAgainstAll(
  state: State,
  order: ContractOrder,
  queue: Queue,
  side: HoldSide,
  priceTicks: number,
  events: Event[],
): void {
  const { candidates } = queue;
  while (candidates[queue.first]?.margin.position(side).lots === 0) queue.first += 1;
  for (const mayNet of [false, true]) {
    for (let at = queue.first; at < candidates.length && order.openLots > 0; at += 1) {
      const { margin } = present(candidates[at], 'candidate');
      if (margin === order.margin && margin.mode === 'crossed') continue;
      if (mayNet) netHedge(state, margin, events);
      closeAgainst(state, order, margin, side, priceTicks, events);
    }
  }
}

/** Healthy ones before those in trouble, then by score, then who opened first, then by account. */
function rank(market: SwapMarket, side: HoldSide): Candidate[] {
  return market
    .holders()
    .filter((margin) => margin.position(side).lots > 0)
    .map((margin) => candidateOf(margin, side))
    .sort(
      (one, other) =>
        Number(one.isBreached) - Number(other.isBreached) ||
        (one.score === other.score ? 0 : one.score > other.score ? -1 : 1) ||
        one.openedTimeMs - other.openedTimeMs ||
        one.margin.accountId - other.margin.accountId,
    );
}

function candidateOf(margin: MarginAccount, side: HoldSide): Candidate {
  const { market, mode, balance } = margin;
  const { contract, markTicks } = market;
  const position = margin.position(side);
  const value = fineValue(contract, position.lots, markTicks);
  const pnl = finePnl(contract, side, position.open, value);
  const money = mode === 'fixed' ? position.margin : balance.balance;
  const all =
    mode === 'fixed' ? pnl : margin.finePnlOf(margin.long) + margin.finePnlOf(margin.short);
  const equity = money * contract.fineFactor + all;
  return {
    margin,
    isBreached: isUnitBreached(margin, mode === 'fixed' ? side : 'both'),
    score: deleveragingScore(pnl, position.open, value, equity),
    openedTimeMs: position.openedTimeMs,
  };
}

function closeAgainst(
  state: State,
  order: ContractOrder,
  victim: MarginAccount,
  side: HoldSide,
  priceTicks: number,
  events: Event[],
): void {
  const position = victim.position(side);
  const size = Math.min(order.openLots, position.lots);
  if (size === 0) return;
  const { contract } = order.market;
  const value = fineValue(contract, size, priceTicks);
  const own = order.margin.position(holdSideOf(order.action));
  const exact = closeOutcome(contract, own, size, value, 0n);
  const due = closeOutcome(contract, position, size, value, 0n);
  // Many small pieces, each rounded down, can cost a unit more than there is.
  const lacking = uncovered(order, exact);
  const losing = { ...exact, pnl: exact.pnl + lacking };
  const gaining = { ...due, pnl: due.pnl - lacking };
  if (!canBeClosed(victim, gaining)) return;
  withdrawCloses(state, victim, side, 'liquidation', events);
  const answer = acceptOrder(
    state,
    victim,
    {
      action: closeOf(side),
      cause: 'deleveraging',
      type: 'limit',
      force: 'ioc',
      priceTicks: ticks(priceTicks),
      sizeLots: lots(size),
      clientOrderId: '',
      takeProfitTicks: ticks(0),
      stopLossTicks: ticks(0),
    },
    events,
  );
  settle(state, order, losing, size, priceTicks);
  settle(state, answer, gaining, size, priceTicks);
  events.push({
    kind: 'contract_trade',
    tradeId: tradeId(state.takeIds(1)),
    instrumentId: contract.instrumentId,
    priceTicks: ticks(priceTicks),
    sizeLots: lots(size),
    quoteAmount: fineToFloor(contract, value),
    takerSide: order.side,
    taker: { ...fillOf(order, losing), cause: 'deleveraging' },
    maker: fillOf(answer, gaining),
    inBook: false,
  });
  closeOrder(state, answer, 'filled', lots(0), events);
  if (position.lots === 0) dropPresets(state, victim, side, events);
}

/** A victim keeps at least nothing: a fixed margin covers its loss, a crossed balance too. */
function canBeClosed(victim: MarginAccount, { release, pnl }: Outcome): boolean {
  const { balance } = victim.balance;
  const money = victim.mode === 'fixed' && release < balance ? release : balance;
  return money + pnl >= 0n;
}

function settle(
  state: State,
  order: ContractOrder,
  outcome: Outcome,
  size: number,
  priceTicks: number,
): void {
  bookFill(state, order, size, outcome);
  order.openLots = lots(order.openLots - size);
  order.filledLots = lots(order.filledLots + size);
  order.filledTickLots += tickLots(size, priceTicks);
}
