/**
 * Whether a position may be opened. An order is asked when it comes in or a trigger places it, each
 * match of it again: the index is fresh, the tier allows the leverage, the account pays with money
 * that is its own to spend, and the position stays above its liquidation threshold.
 */
import {
  type Amount,
  affordableLots,
  byFigure,
  type Carry,
  type Contract,
  type ContractAction,
  contractsFigure,
  dueTo,
  entryMargin,
  holdSideOf,
  isBreached,
  isSideClearlySafe,
  leverageMaxOf,
  lots,
  numberTerms,
  openingCost,
  openPartFine,
  priceFigure,
  type RiskUnit,
  refuse,
  roundedLotValue,
  type TradeValue,
  thresholdPpm,
  tradeValue,
} from '#domain';
import { wholeToNumber } from '#kernel';
import type { Refusal, State } from '../state.ts';
import { checkDepth, costTicks, firstTicks } from '../swap/depth.ts';
import { marginAdded, type Outcome, type Party } from '../swap/fill.ts';
import type { MarketState } from '../swap/market-state.ts';
import type { OrderTerms } from '../swap/order.ts';
import { takerFeePpm } from './fee-rate.ts';
import { lacking } from './lacking.ts';
import type { MarginAccount } from './margin-account.ts';
import type { Position } from './position.ts';
import { crossRisk } from './risk.ts';

/** Over a stale index nothing is opened. */
export function checkIndex(state: State, market: MarketState): Refusal {
  return market.isIndexStale(state.timeMs)
    ? refuse('contract_halted', dueTo('index_stale'))
    : undefined;
}

/** Whether an order may open what it asks for, as far as the prices of now can say. */
export function checkOpening(margin: MarginAccount, terms: OrderTerms): Refusal {
  return (
    checkTier(margin, terms) ??
    (terms.type === 'market' ? checkDepth(margin, terms) : undefined) ??
    checkMargin(margin, terms) ??
    checkHealth(margin, terms)
  );
}

/** What else of a match concerns a party. */
export interface Circumstances {
  /** What its resting order sets free by being filled. */
  readonly thawed: Amount;
  /** What the account pays as the other party, if it is both. */
  readonly alsoPaid: Amount;
  /** What the account closes as the other party, of the side it opens. */
  readonly alsoClosed: Outcome | undefined;
}

/** Whether a party of a match can open this much: its own money pays, and it stays healthy. */
export function canOpen(
  order: Pick<Party, 'action' | 'margin' | 'marginOwed'>,
  size: number,
  outcome: Outcome,
  { thawed, alsoPaid, alsoClosed }: Circumstances,
): boolean {
  const { action, margin } = order;
  if (!isPaidFor(margin, outcome, thawed, alsoPaid)) return false;
  const held = margin.position(holdSideOf(action));
  if (margin.mode === 'cross') return staysHealthy(margin, held, size, outcome);
  // What the closing sets free no longer stands behind the rest.
  if (alsoClosed !== undefined) {
    return staysHealthy(
      margin,
      withoutClosed(margin.market.contract, held, size, alsoClosed),
      size,
      outcome,
    );
  }
  const growth = marginAdded(order, held, outcome);
  const { worth, fee } = outcome;
  return staysHealthy(margin, held, size, { worth, fee, growth });
}

/** How many lots of an opening order the account can pay for at a price. */
export function lotsInReach(
  margin: MarginAccount,
  action: ContractAction,
  priceTicks: number,
  carry?: Carry,
): number {
  const { leverage } = margin.position(holdSideOf(action));
  const { contract } = margin.market;
  const feePpm = takerFeePpm(margin);
  return affordableLots(contract, margin.spendable, priceTicks, leverage, feePpm, carry);
}

/** Resting opens count towards the size that a tier allows at this leverage. */
function checkTier(margin: MarginAccount, { action, sizeLots }: OrderTerms): Refusal {
  const { contract } = margin.market;
  const size = countedLots(margin, action) + sizeLots;
  const allowed = Math.min(contract.leverageMax, leverageMaxOf(contract, size));
  if (margin.position(holdSideOf(action)).leverage <= allowed) return undefined;
  const counted = contractsFigure(contract, size);
  return refuse('openable_exceeded', { is: 'tier', size: counted, leverageMax: allowed });
}

/** What tiers count before an opening: held and resting, of both sides when cross. */
function countedLots(margin: MarginAccount, action: ContractAction): number {
  const { mode, long, short } = margin;
  if (mode === 'cross') return withPending(long) + withPending(short);
  return withPending(margin.position(holdSideOf(action)));
}

function withPending({ lots, pendingLots }: Position): number {
  return lots + pendingLots;
}

function checkMargin(margin: MarginAccount, terms: OrderTerms): Refusal {
  const { contract } = margin.market;
  const { leverage } = margin.position(holdSideOf(terms.action));
  const feePpm = takerFeePpm(margin);
  const cost = openingCost(contract, terms.sizeLots, costTicks(margin, terms), leverage, feePpm);
  return cost <= margin.spendable ? undefined : lacking(margin, cost);
}

/**
 * An isolated account pays for an opening with what is its own to spend, never with other margin.
 */
function isPaidFor(
  margin: MarginAccount,
  { fee, growth }: Outcome,
  thawed: Amount,
  alsoPaid: Amount,
): boolean {
  if (margin.mode === 'cross') return margin.wallet.crossMoney() >= fee + alsoPaid;
  return margin.spendable + thawed >= fee + growth;
}

/** An order may not open straight into a liquidation, at the first price it would trade at. */
function checkHealth(margin: MarginAccount, terms: OrderTerms): Refusal {
  const { contract } = margin.market;
  const priceTicks = firstTicks(margin, terms);
  const position = margin.position(holdSideOf(terms.action));
  if (isClearlyHealthy(margin, position, terms.sizeLots, priceTicks)) return undefined;
  const worth = tradeValue(contract, terms.sizeLots, priceTicks);
  const { fine: value } = worth;
  const { open, leverage } = position;
  const fill = { worth, growth: entryMargin(contract, value, leverage), fee: 0n };
  if (staysHealthy(margin, position, terms.sizeLots, fill)) return undefined;
  // With what rounding leaves over of what is held and of this, the margin may be a unit more.
  const growth =
    entryMargin(contract, open + value, leverage) - entryMargin(contract, open, leverage);
  if (staysHealthy(margin, position, terms.sizeLots, { ...fill, growth })) return undefined;
  return refuse('opens_into_liquidation', byFigure('at', priceFigure(contract, priceTicks)));
}

/**
 * Whether an isolated position would be above its threshold by far, in rounded numbers: of its
 * margin a unit is left out, which is more than rounding it down takes.
 */
function isClearlyHealthy(
  { mode, market: { contract, markTicks } }: MarginAccount,
  { side, lots: held, roundedOpen: open, margin: own, leverage }: Position,
  size: number,
  priceTicks: number,
): boolean {
  if (mode !== 'isolated') return false;
  const value = size * roundedLotValue(contract, priceTicks);
  const grown = held + size;
  const money = (wholeToNumber(own) - 1) * numberTerms(contract).fineFactor + value / leverage;
  const threshold = thresholdPpm(contract, grown);
  const after = { side, lots: grown, open: open + value, money, thresholdPpm: threshold };
  return isSideClearlySafe(contract, after, markTicks);
}

/** Whether a position stays above its liquidation threshold after an opening fill. */
function staysHealthy(
  margin: MarginAccount,
  position: Held,
  size: number,
  fill: Pick<Outcome, 'worth' | 'fee' | 'growth'>,
): boolean {
  const { contract, markTicks } = margin.market;
  if (margin.mode === 'isolated') {
    const { side, lots: held, roundedOpen, margin: own } = position;
    const grown = held + size;
    const after = {
      side,
      lots: grown,
      open: roundedOpen + roundedFine(contract, fill.worth),
      money: (wholeToNumber(own) + wholeToNumber(fill.growth)) * numberTerms(contract).fineFactor,
      thresholdPpm: thresholdPpm(contract, grown),
    };
    if (isSideClearlySafe(contract, after, markTicks)) return true;
  }
  return !isBreached(contract, riskAfterOpen(margin, position, size, fill), markTicks);
}

function roundedFine(contract: Contract, worth: TradeValue): number {
  const { number } = worth;
  return Number.isNaN(number) ? Number(worth.fine) : number * numberTerms(contract).fineFactor;
}

/** As much of a position as an opening is judged by. */
type Held = Pick<Position, 'side' | 'lots' | 'open' | 'roundedOpen' | 'margin'>;

function withoutClosed(
  contract: Contract,
  { side, lots: held, open: all, margin }: Position,
  size: number,
  { share, release }: Outcome,
): Held {
  const open = all - openPartFine(contract, share);
  const left = { side, lots: lots(held - size), open, roundedOpen: Number(open) };
  return { ...left, margin: margin - release };
}

/** The unit a position belongs to as an opening fill would leave it. */
function riskAfterOpen(
  margin: MarginAccount,
  position: Held,
  size: number,
  { worth, fee, growth }: Pick<Outcome, 'worth' | 'fee' | 'growth'>,
): RiskUnit {
  const { contract } = margin.market;
  const isLong = position.side === 'long';
  const open = position.open + worth.fine;
  if (margin.mode === 'isolated') {
    const grown = position.lots + size;
    return {
      money: position.margin + growth,
      others: undefined,
      longLots: isLong ? grown : 0,
      longOpen: isLong ? open : 0n,
      shortLots: isLong ? 0 : grown,
      shortOpen: isLong ? 0n : open,
      thresholdPpm: thresholdPpm(contract, grown),
    };
  }
  const before = crossRisk(margin);
  return {
    money: before.money - fee,
    others: before.others,
    longLots: before.longLots + (isLong ? size : 0),
    longOpen: isLong ? open : before.longOpen,
    shortLots: before.shortLots + (isLong ? 0 : size),
    shortOpen: isLong ? before.shortOpen : open,
    thresholdPpm: thresholdPpm(contract, before.longLots + before.shortLots + size),
  };
}
