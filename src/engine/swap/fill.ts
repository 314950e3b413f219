/**
 * One party's side of a match, first worked out and then booked; match-risk.ts decides in between.
 * Every booking sums to zero: profit comes from the contract's clearing, fees go to the venue.
 */
import {
  type Amount,
  type Carry,
  type Contract,
  closingGain,
  type FineAmount,
  holdSideOf,
  isOpen,
  leverageUnit,
  lots,
  type OpenPart,
  partOf,
  pieceFee,
  pieceMargin,
  type TradeValue,
} from '#domain';
import { assert, mulDivCeil, present } from '#kernel';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Position } from '../margin/position.ts';
import type { State } from '../state.ts';
import type { MarketState } from './market-state.ts';
import type { ContractOrder } from './order.ts';

/** As much of an order as its side of a match is worked out from. */
export type Party = Pick<
  ContractOrder,
  'action' | 'cause' | 'margin' | 'spendsFund' | 'feeAhead' | 'marginOwed'
>;

/** What a match does to one party. Amounts in margin units, the rest in fine units. */
export interface Outcome {
  readonly worth: TradeValue;
  readonly fee: Amount;
  /** Booked profit or loss; zero for an opening. */
  readonly pnl: Amount;
  /** What rounding the profit down kept back. */
  readonly residue: FineAmount;
  /** Open value that leaves the position. */
  readonly share: OpenPart;
  /** Isolated margin that a closing sets free. */
  readonly release: Amount;
  /** Isolated margin that an opening brings: what its order has set aside for it. */
  readonly growth: Amount;
  /** What the order leaves over for its next piece; none for a fill outside the book. */
  readonly carry: Carry | undefined;
}

/** A cross account sets no margin aside for a position. */
const NO_PIECE = { margin: 0n, marginOwed: 0n };

const NO_SHARE: OpenPart = { units: 0, rest: 0, fine: 0n };

/** Works out an order's side of a match of this size and value. Changes nothing. */
export function outcomeOf(order: Party, size: number, worth: TradeValue, feePpm: number): Outcome {
  const { contract } = order.margin.market;
  const position = order.margin.position(holdSideOf(order.action));
  const { fee, feeAhead } = pieceFee(contract, worth, feePpm, order.feeAhead);
  if (!isOpen(order.action)) {
    return closeOutcome(contract, position, size, worth, fee, { feeAhead, marginOwed: 0n });
  }
  const piece =
    order.margin.mode === 'cross'
      ? NO_PIECE
      : pieceMargin(contract, worth, position.leverage, order.marginOwed);
  const carry = { feeAhead, marginOwed: piece.marginOwed };
  const growth = piece.margin;
  return { worth, fee, pnl: 0n, residue: 0n, share: NO_SHARE, release: 0n, growth, carry };
}

/** Works out what closing part of a position at a value does. Changes nothing. */
export function closeOutcome(
  contract: Contract,
  position: Position,
  size: number,
  worth: TradeValue,
  fee: Amount,
  carry?: Carry,
): Outcome {
  const share = position.shareOf(size);
  const { pnl, residue } = closingGain(contract, position.side, share, worth);
  const release = partOf(position.margin, size, position.lots);
  return { worth, fee, pnl, residue, share, release, growth: 0n, carry };
}

/**
 * What a close leaves of the money behind it: of its margin (isolated), of what isolated margins
 * leave of the wallet (cross). A balance that does not cover the margin, as an old state may have
 * it, is all that is there.
 */
export function leftAfter(
  { margin }: Pick<Party, 'margin'>,
  { release, pnl, fee }: Outcome,
): Amount {
  const { mode, wallet, balance } = margin;
  if (mode === 'cross') return wallet.crossMoney() + pnl - fee;
  return (release < balance.balance ? release : balance.balance) + pnl - fee;
}

/** What a match does to both parties, and to what the resting order has frozen. */
export interface MatchOutcome {
  readonly taking: Outcome;
  readonly making: Outcome;
  readonly thawed: Amount;
}

/** What books a match: on the accounts themselves, or on copies of them to see what would come. */
export interface Books<P> {
  /** Gives back what a resting order no longer needs frozen when this much of it is filled. */
  thaw(maker: P, size: number, thawed: Amount): void;
  book(party: P, size: number, outcome: Outcome): void;
}

/**
 * Books both sides of a match. What is rehearsed comes true because both go through here: an
 * account that is both parties uses what its resting order had frozen, the incoming one first.
 */
export function bookMatch<P extends Party>(
  books: Books<P>,
  taker: P,
  maker: P,
  size: number,
  { taking, making, thawed }: MatchOutcome,
): void {
  books.thaw(maker, size, thawed);
  books.book(taker, size, taking);
  books.book(maker, size, making);
  // An account whose own incoming order opens has to pay for the rest of it first.
  if (maker.margin !== taker.margin || !isOpen(taker.action)) topUp(maker.margin);
}

/** Books on the accounts themselves, before the book takes the lots. */
export class AccountBooks implements Books<ContractOrder> {
  readonly #state: State;
  /** Of the match that is booked. */
  tradeId = 0;

  constructor(state: State) {
    this.#state = state;
  }

  thaw(maker: ContractOrder, size: number, thawed: Amount): void {
    if (!isOpen(maker.action)) return;
    maker.margin.balance.release(thawed, this.#state.timeMs);
    maker.frozen -= thawed;
    maker.margin.position(holdSideOf(maker.action)).pendingLots -= size;
  }

  book(party: ContractOrder, size: number, outcome: Outcome): void {
    bookFill(this.#state, party, size, outcome, this.tradeId);
  }
}

/**
 * Books a party's side of a match; a resting order's freeze for it has been given back. What is
 * closed outside the book has no trade yet, and opens nothing.
 */
export function bookFill(
  state: State,
  order: ContractOrder,
  size: number,
  outcome: Outcome,
  tradeId = 0,
): void {
  const { margin } = order;
  order.insured = 0n;
  if (isOpen(order.action)) {
    state.ledger.chargeFee(margin.balance, outcome.fee, state.timeMs);
    bookOpen(state, order, size, outcome, tradeId);
  } else {
    bookClose(state, order, size, outcome);
  }
  keepCarry(order, outcome);
  order.walletBalance = margin.balance.balance;
  margin.touch(state.timeMs);
}

function bookOpen(
  state: State,
  order: ContractOrder,
  size: number,
  outcome: Outcome,
  tradeId: number,
): void {
  const { margin } = order;
  const { market } = margin;
  const position = margin.position(holdSideOf(order.action));
  if (position.lots === 0) position.begin(tradeId, order.orderId, state);
  order.positionId = position.positionId;
  grow(order, position, size, outcome);
  position.countOpened({ size, worth: outcome.worth, fee: outcome.fee });
  position.changed(state);
  if (position.side === 'long') market.longLots += size;
  else market.shortLots += size;
}

function keepCarry(order: Party, { carry }: Outcome): void {
  if (carry === undefined) return;
  order.feeAhead = carry.feeAhead;
  order.marginOwed = carry.marginOwed;
}

/**
 * What an opening adds to an isolated margin: what its order brings for it, and no more than brings
 * the position to V(E) / L. Changes nothing.
 */
export function marginAdded(
  { margin, marginOwed }: Pick<Party, 'margin' | 'marginOwed'>,
  position: Pick<Position, 'marginOwed' | 'leverage'>,
  { worth, growth, carry }: Outcome,
): Amount {
  // Most often all of it is owed, but for what the order carries on.
  const carried = carriedBy(carry);
  if (carried >= marginOwed || position.marginOwed + carried >= marginOwed) return growth;
  const unit = owedUnit(margin.market.contract, position);
  const owed = (position.marginOwed + worth.fine) / unit;
  return growth < owed ? growth : owed;
}

function carriedBy(carry: Carry | undefined): FineAmount {
  return present(carry, 'carry of an opening').marginOwed;
}

/** Puts opened lots into a position, with no more margin than V(E) / L. */
function grow(
  order: Pick<Party, 'margin' | 'marginOwed'>,
  position: Position,
  size: number,
  outcome: Outcome,
): void {
  const { worth, growth, carry } = outcome;
  const { margin, marginOwed } = order;
  position.lots = lots(position.lots + size);
  position.addOpened(worth);
  if (margin.mode === 'cross') return;
  const added = marginAdded(order, position, outcome);
  position.margin += added;
  // What the order brings less than its value needs it carries on: the rest is the position's.
  if (added !== growth) {
    position.marginOwed += worth.fine - added * owedUnit(margin.market.contract, position);
    return;
  }
  const carried = carriedBy(carry);
  if (carried !== marginOwed) position.marginOwed += carried - marginOwed;
}

/** Adds up to this much of what an isolated margin lacks of V(E) / L in whole units. */
function addOwed({ market }: MarginAccount, position: Position, most: Amount): void {
  const unit = owedUnit(market.contract, position);
  const owed = position.marginOwed / unit;
  const added = most < owed ? most : owed;
  position.margin += added;
  position.marginOwed -= added * unit;
}

/** So much open value needs a whole unit of margin. */
function owedUnit(contract: Contract, { leverage }: Pick<Position, 'leverage'>): FineAmount {
  return leverageUnit(contract, leverage);
}

/**
 * Brings isolated margins to V(E) / L: each order's margin is rounded down, and the units that
 * those of several orders add up to are taken from what is available, as far as that goes.
 */
export function topUp(margin: MarginAccount): void {
  if (margin.mode === 'cross') return;
  topUpSide(margin, margin.long);
  topUpSide(margin, margin.short);
}

function topUpSide(margin: MarginAccount, position: Position): void {
  // Most often no whole unit is owed: what can be spent is worked out only when one is.
  if (
    position.marginOwed === 0n ||
    position.marginOwed < owedUnit(margin.market.contract, position)
  )
    return;
  const { spendable } = margin;
  if (spendable > 0n) addOwed(margin, position, spendable);
}

function bookClose(state: State, order: ContractOrder, size: number, outcome: Outcome): void {
  const { margin } = order;
  const position = margin.position(holdSideOf(order.action));
  const left = leftAfter(order, outcome);
  order.positionId = position.positionId;
  position.countClosed({ size, worth: outcome.worth, fee: outcome.fee }, order.cause !== 'owner');
  // The fund pays what is missing before it is taken.
  if (left < 0n) insure(state, order, left);
  position.frozenLots = lots(position.frozenLots - size);
  state.ledger.realize(margin.balance, outcome.pnl - outcome.fee, state.timeMs);
  state.ledger.bookFee(margin.balance, outcome.fee);
  reduce(margin, position, size, outcome);
  position.changed(state);
  // What a liquidated isolated position leaves belongs to the fund.
  const isTaken = order.cause === 'liquidation' && margin.mode === 'isolated';
  if (isTaken && left > 0n) insure(state, order, left);
}

function insure(state: State, order: ContractOrder, toFund: Amount): void {
  state.ledger.insure(order.margin.balance, toFund, state.timeMs);
  order.insured = -toFund;
}

/** Takes closed lots out of a position; a side that becomes flat forgets its past. */
function reduce(
  margin: MarginAccount,
  position: Position,
  size: number,
  outcome: Pick<Outcome, 'pnl' | 'residue' | 'release' | 'share'>,
): void {
  const { market } = margin;
  market.clearing -= outcome.pnl;
  addDust(market, outcome.residue);
  shrink(margin, position, size, outcome);
  position.realizedPnl += outcome.pnl;
  margin.realizedPnl += outcome.pnl;
  if (position.side === 'long') market.longLots -= size;
  else market.shortLots -= size;
  if (position.lots > 0) return;
  assert(position.roundedOpen === 0 && position.margin === 0n, 'a flat side is worth nothing');
  position.end();
}

function shrink(
  { market, mode }: MarginAccount,
  position: Position,
  size: number,
  { release, share }: Pick<Outcome, 'release' | 'share'>,
): void {
  const { lots: held, marginOwed } = position;
  position.margin -= release;
  position.takeShare(share);
  position.lots = lots(held - size);
  if (mode === 'cross') return;
  const unit = owedUnit(market.contract, position);
  position.marginOwed = position.beyondMargin(position.leverage);
  if (marginOwed < unit) return;
  const lacking = mulDivCeil(marginOwed / unit, BigInt(position.lots), BigInt(held));
  position.marginOwed += lacking * unit;
}

/** What V(E) is beyond whole units of V(E) / L. */
export function owedOf(
  contract: Contract,
  position: Pick<Position, 'open' | 'leverage'>,
): FineAmount {
  return position.open % owedUnit(contract, position);
}

/** Does to a copy of an account what a fill would do to it, as far as later fills depend on it. */
export function rehearse(order: Party, size: number, outcome: Outcome): void {
  const { action, margin } = order;
  const position = margin.position(holdSideOf(action));
  margin.balance.add(outcome.pnl - outcome.fee, margin.balance.updatedTimeMs);
  if (isOpen(action)) grow(order, position, size, outcome);
  else shrink(margin, position, size, outcome);
  keepCarry(order, outcome);
}

/** Collects fractions of units until there are whole ones for the insurance fund. */
export function addDust(market: MarketState, residue: FineAmount): void {
  if (residue === 0n) return;
  market.dust += residue;
  if (market.dust < market.contract.fineFactor) return;
  const units = market.dust / market.contract.fineFactor;
  market.dust -= units * market.contract.fineFactor;
  market.clearing -= units;
  market.fund.held += units;
}
